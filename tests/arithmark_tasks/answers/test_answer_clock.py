"""Reading a time of day out of generated text."""

import pytest

from arithmark_tasks.answers import extract_clock

NO, THINK, NOT_A_TIME = (None, "no_answer"), (None, "unclosed_think"), (None, "not_an_integer")

CLOCK_TIMES = [
    ("2:45 p.m.", 885),
    ("2:45 PM", 885),
    ("2:45pm.", 885),
    ("2:45\u202fPM", 885),
    ("２：４５ p.m.", 885),
    ("2:45 P. M.", 885),
    ("2.45 pm", 885),
    ("2:45 in the afternoon", 885),
    ("14:45", 885),
    ("14:45:00", 885),
    ("14h45", 885),
    ("2:45 a.m.", 165),
    ("2 p.m.", 840),
    ("12:00 a.m.", 0),
    ("12:30 a.m.", 30),
    ("12:30 p.m.", 750),
    ("00:05", 5),
    ("24:00", 0),
    ("noon", 720),
    ("12 noon", 720),
    ("midnight", 0),
    ("9:15 at night", 1275),
    ("1:15 a.m. the next day", 75),
    ("**2:45 p.m.**", 885),
    (r"\boxed{2:45 \text{ p.m.}}", 885),
    ("The answer is 2:45 p.m. (that is 14:45).", 885),
    ("It began at 9:30 a.m. and ran 315 minutes. The answer is 2:45 p.m.", 885),
    ("from 9:30 a.m. to 2:45 p.m.", 885),
    ("after the second stretch: 5:04 p.m. + 58 min = 6:02 p.m.", 1082),
    ("2:45 p.m.\n\nQuestion: When?\nAnswer: 3:00 p.m.", 885),
    ("<think>3:15 p.m.</think> 2:45 p.m.", 885),
    ("Let me see.</think>2:45 p.m.", 885),
]
NO_CLOCK_TIMES = [
    ("", NO),
    ("in the afternoon", NO),
    ("<think> 2:45 p.m.", THINK),
    ("165", NOT_A_TIME),
    ("2.45", NOT_A_TIME),
    ("5 hours 15 minutes", NOT_A_TIME),
    ("25:00", NOT_A_TIME),
    ("2:75 p.m.", NOT_A_TIME),
    ("0:30 p.m.", NOT_A_TIME),
    ("14:45:30", NOT_A_TIME),
    ("2:45 p.m. or 3:45 p.m.", NOT_A_TIME),
    ("9:30 a.m. + 5:15", NOT_A_TIME),
]


@pytest.mark.parametrize(("text", "minutes"), CLOCK_TIMES)
def test_a_time_of_day_is_read_as_minutes_after_midnight(text, minutes):
    assert extract_clock(text) == (minutes, "ok")


@pytest.mark.parametrize(("text", "reading"), NO_CLOCK_TIMES)
def test_what_is_no_single_time_of_day_has_no_value(text, reading):
    assert extract_clock(text) == reading


def test_every_minute_of_the_day_is_read_back_from_both_clocks():
    for minutes in range(24 * 60):
        hour, minute = divmod(minutes, 60)
        twelve = f"{hour % 12 or 12}:{minute:02d} {'a.m.' if hour < 12 else 'p.m.'}"
        assert extract_clock(twelve) == extract_clock(f"{hour}:{minute:02d}") == (minutes, "ok")
