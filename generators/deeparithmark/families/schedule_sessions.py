"""Depth 3: sessions a week over some weeks, some cancelled, each of one length."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, misused, off_by_one

_LENGTHS = tuple(length for length in range(20, 100) if (length % 2 == 0 or length % 5 == 0) and length != 60)
_TELLINGS = tuple(
    Telling("minutes", text)
    for text in (
        "A choir in {place} plans {weekly} rehearsals a week for {weeks} weeks, but {cancelled} are called off. Each "
        "rehearsal lasts {length} minutes. The total rehearsal time is",
        "{name} booked {weekly} language lessons a week for {weeks} weeks and missed {cancelled} of them. Each lesson "
        "takes {length} minutes. The time that {name} spent in lessons was",
        "A dance class has {weekly} meetings a week. Over {weeks} weeks, {cancelled} meetings fell through, and the "
        "rest took {length} minutes each. The class met for",
        "{name} teaches {weekly} sessions a week for {weeks} weeks, except for {cancelled} that fall on holidays. At "
        "{length} minutes a session, {name} teaches for",
        "A chess club in {place} meets {weekly} times a week. In {weeks} weeks, {cancelled} meetings were cancelled. "
        "Since a meeting lasts {length} minutes, the club met for",
        "{name} swims {weekly} times a week. During {weeks} weeks, {cancelled} swims were skipped because of a cold, "
        "and each of the rest took {length} minutes. The time spent swimming was",
        "A drama group scheduled {weekly} workshops a week over {weeks} weeks and dropped {cancelled} of them. A "
        "workshop runs for {length} minutes. All the workshops held took",
        "Physiotherapy for {name} was set at {weekly} sessions a week for {weeks} weeks. In the end {cancelled} "
        "sessions did not take place. With {length} minutes to a session, the therapy took",
    )
)
_TRAINING = tuple(
    Telling("minutes", text)
    for text in (
        "{name}, a <chiropractor|dentist|barber|notary>, has {weekly} appointments a week. Over {weeks} weeks, "
        "{cancelled} fell away. Since one appointment is {length} minutes, the appointments added up to",
        "A radio in {place} airs {weekly} <debates|broadcasts|quizzes|serials> a week. In {weeks} weeks, strikes "
        "silenced {cancelled} of them. As one is {length} minutes long, what was aired amounts to",
    )
)


def _solve(
    trace: Trace,
    weekly: int,
    weeks: int,
    cancelled: int,
    length: int,
    each_week: int = 0,
    planned_length: int = 0,
    missed_length: int = 0,
) -> int:
    planned = trace.multiply("planned", weekly, weeks)
    if planned_length:
        minutes = trace.multiply("minutes planned", planned, planned_length)
        return trace.subtract("total minutes", minutes, trace.multiply("minutes missed", cancelled, missed_length))
    held = trace.subtract("held", planned, cancelled * (weeks if each_week else 1))
    return trace.multiply("total minutes", held, length)


def _mistakes(weekly: int, weeks: int, cancelled: int, length: int) -> Mistakes:
    return {
        "weeks": off_by_one("weeks", weeks, "counted one week"),
        "each week": {"counted one a week": {"weekly": 1}},
        "cancellations": {
            **misused(
                "cancelled", cancelled, "forgot those cancelled", "took off those cancelled again",
                "added those cancelled",
            ),
            "took those cancelled off every week": {"each_week": 1},
            "took whole weeks off for those cancelled": {"cancelled": weekly * cancelled},
            "took those cancelled off the minutes": {"planned_length": length, "missed_length": 1},
            "took a full hour off for each one cancelled": {"planned_length": length, "missed_length": 60},
            "took each one planned as a full hour": {"planned_length": 60, "missed_length": length},
            "took off a single one": {"cancelled": 1},
        },
        "length": {"took each one as a full hour": {"length": 60}},
    }  # fmt: skip


FAMILY = Family(
    template="schedule_sessions",
    topic="schedules",
    depth=3,
    share=47,
    ranges={
        "weekly": Range(range(2, 6), "times a week that such a thing happens"),
        "weeks": Range(range(4, 37), "a term, or all of a school year"),
        "cancelled": Range(range(2, 31), "up to a third of them"),
        "length": Range(
            (20, 25, 30, 35, 40, 45, 50, 55, 65, 70, 75, 80, 85, 90, 100, 105, 110),
            "lengths as timetables have them, not the hour itself",
        ),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda weekly, weeks, cancelled, length: (length, (weekly * weeks + cancelled) * max(length, 60)),
    contrived=frozenset(("counted one week too few", "counted one week too many", "took off those cancelled again")),
    sensible=lambda weekly, weeks, cancelled, length: 3 * cancelled <= weekly * weeks <= 12 * cancelled,
    training=_TRAINING,
    apart={
        "weekly": Range(range(6, 13), "more often than in a test tier"),
        "weeks": Range(range(4, 21), "a term or two"),
        "cancelled": Range(range(4, 40), "up to a third of them"),
        "length": Range(_LENGTHS[:20], "minutes of one"),
    },
)
