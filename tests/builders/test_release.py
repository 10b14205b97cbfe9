"""Cards tell to install the software only in a way that works."""

import pytest

from arithmark_tasks.builders import release
from arithmark_tasks.builders.cards import scores
from arithmark_tasks.builders.cards.render import render


@pytest.mark.parametrize(
    ("url", "on_index", "line"),
    [
        (None, False, "`pip install .`"),
        ("https://example.org/a", False, "`pip install git+https://example.org/a`"),
        ("https://example.org/a", True, "`pip install arithmark`"),
    ],
)
def test_a_card_names_the_address_and_the_line_that_installs(monkeypatch, tmp_path, url, on_index, line):
    monkeypatch.setattr(release, "URL", url)
    monkeypatch.setattr(release, "ON_INDEX", on_index)
    (notice,) = render("_files", manifest={"splits": []}).split("## Software")[1:]
    assert line in notice
    assert (url is None) == ("no public address" in notice) and (url is None or url in notice)
    assert ("pip install arithmark" in notice) is on_index
    if url:
        assert f"url     = {{{url}}}" in notice


def test_a_score_is_shown_only_for_the_rows_that_were_scored(tmp_path):
    file = tmp_path / "scores.json"
    file.write_text('{"model": "m", "sets": {"sums/default": {"sha256": "ab", "rows": [1]}}}', encoding="utf-8")
    split = {"config": "default", "split": "test", "sha256": "ab"}
    assert scores.scores_of("sums", {"splits": [split]}, file)["sets"] == {"default": {"sha256": "ab", "rows": [1]}}
    for other in ({**split, "sha256": "cd"}, {**split, "split": "fewshot"}, {**split, "config": "deep"}):
        assert scores.scores_of("sums", {"splits": [other]}, file) is None
    assert scores.scores_of("products", {"splits": [split]}, file) is None
