"""Cards tell to install the software only in a way that works."""

import pytest

from arithmark_tasks.builders import release
from arithmark_tasks.builders.calcgpt import build_folder
from arithmark_tasks.builders.cards import scores
from arithmark_tasks.builders.cards.render import render
from arithmark_tasks.builders.verify import verify_folder
from arithmark_tasks.generators.calcgpt.dataset import Recipe
from arithmark_tasks.generators.errors import InputError

URL = "https://example.org/a"


@pytest.mark.parametrize(
    ("url", "on_index", "line"),
    [
        (None, False, "`pip install .`"),
        (URL, False, f"`pip install git+{URL}`"),
        (URL, True, "`pip install arithmark`"),
    ],
)
def test_a_card_names_the_address_and_the_line_that_installs(monkeypatch, tmp_path, url, on_index, line):
    monkeypatch.setattr(release, "ON_INDEX", on_index)
    (notice,) = render("_files", manifest={"splits": [], "software_url": url}).split("## Software")[1:]
    assert line in notice
    assert (url is None) == ("no public address" in notice) and (url is None or url in notice)
    assert ("pip install arithmark" in notice) is on_index
    if url:
        assert f"url     = {{{url}}}" in notice


def test_the_address_of_the_environment_is_kept_in_the_folder_and_its_card_verified_without_it(monkeypatch, tmp_path):
    monkeypatch.setenv(release.ADDRESS, URL)
    build_folder(tmp_path, config="plain", recipe=Recipe(seed=1, width=1, tasks=80, per_bucket=20))
    monkeypatch.delenv(release.ADDRESS)
    assert f"`pip install git+{URL}`" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert all(found.holds for section in verify_folder(tmp_path) for found in section.results)


@pytest.mark.parametrize("found", ["example.org/a", "https://example.org/a b", "https://example.org/`a`"])
def test_what_is_no_address_is_refused(monkeypatch, found):
    monkeypatch.setenv(release.ADDRESS, found)
    with pytest.raises(InputError, match="ARITHMARK_URL takes the address"):
        release.public_address()


def test_a_score_is_shown_only_for_the_rows_that_were_scored(tmp_path):
    file = tmp_path / "scores.json"
    file.write_text('{"model": "m", "sets": {"sums/default": {"sha256": "ab", "rows": [1]}}}', encoding="utf-8")
    split = {"config": "default", "split": "test", "sha256": "ab"}
    assert scores.scores_of("sums", {"splits": [split]}, file)["sets"] == {"default": {"sha256": "ab", "rows": [1]}}
    for other in ({**split, "sha256": "cd"}, {**split, "split": "fewshot"}, {**split, "config": "deep"}):
        assert scores.scores_of("sums", {"splits": [other]}, file) is None
    assert scores.scores_of("products", {"splits": [split]}, file) is None
