"""A card that says anything else than its rows and its manifest is found out; what a person added is left in peace."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from test_zenyx_folder import write_index

from arithmark_tasks.builders import calcgpt, deeparithmark, zenyx
from arithmark_tasks.builders.cards.render import address
from arithmark_tasks.builders.cards.sections import merge_cards
from arithmark_tasks.builders.folder import read_manifest
from arithmark_tasks.builders.verify import kept_apart, verify_folder
from arithmark_tasks.builders.verify.card import card_result
from arithmark_tasks.generators.calcgpt.dataset import Recipe


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("cards")
    other = {"ctx": "A story", "metadata": {"template": "other", "unit": "things"}}
    with pytest.MonkeyPatch.context() as patch:  # the whole default set takes many seconds, and no card shows it
        patch.setattr(kept_apart, "_reference_rows", lambda config: ({"test": [other]}, {"test": "hash"}))
        deeparithmark.build_folder(root / "deeparithmark", configs=["default", "control"], seed=5, items=48)
    index = write_index(root / "seen.parquet", {("+", 12345, 54321), ("*", 1234, 5678)})
    zenyx.build_folder(root / "zenyx", configs=["extended"], seen=index)
    calcgpt.build_folder(root / "calcgpt", recipe=Recipe(width=1, tasks=80, per_bucket=20))
    return {name: root / name for name in ("deeparithmark", "zenyx", "calcgpt")}


@pytest.fixture
def copy(built: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    return lambda name: Path(shutil.copytree(built[name], tmp_path / name))


def complaint(folder: Path) -> str:
    """What is wrong with the card; empty where nothing is."""
    found = card_result(folder, read_manifest(folder), lambda stage: None)
    return found.skipped or " | ".join(map(str, found.failures))


def edit(folder: Path, pattern: str, new: str, name: str = "README.md") -> int:
    """Replace the one match of a pattern and return the number of its line."""
    text = (folder / name).read_text(encoding="utf-8")
    changed, count = re.subn(pattern, new, text, flags=re.MULTILINE)
    assert count == 1 and changed != text
    (folder / name).write_bytes(changed.encode())
    return text[: next(re.finditer(pattern, text, re.MULTILINE)).start()].count("\n") + 1


@pytest.mark.parametrize("name", ["deeparithmark", "zenyx", "calcgpt"])
def test_the_card_of_a_build_is_the_one_that_its_rows_give(name: str, built: dict[str, Path]) -> None:
    assert complaint(built[name]) == ""


FALSE: dict[str, tuple[str, str, str, str]] = {
    "mean prompt length": ("deeparithmark", r"\| mean \d+\.\d, from", "| mean 17.0, from", "title"),
    "an audit row": ("deeparithmark", r"^\| slot 0 \| 48 \| \S+ %", "| slot 0 | 48 | 25.01 %", "shortcut-audit"),
    "a classifier's row": (
        *("deeparithmark", r"^(\| character 3-gram classifier \| 48) \| \S+ %", r"\1 | 24.99 %", "shortcut-audit"),
    ),
    "the row of a tier": ("deeparithmark", r"^(\| `control` \| .*) \| 48 \|", r"\1 | 480 |", "tiers"),
    "what a set shares": ("deeparithmark", r"^(\| `default` \| 88) \| 1 of", r"\1 | 1,040 of", "tiers"),
    "certificate in words": ("zenyx", r"None of the [\d,]+ questions", "None of the 99,000 questions", "title"),
    "certificate in a table": ("zenyx", r"(6da \|.*) \| 0 \| 0 \| 0 \|$", r"\1 | 1 | 0 | 0 |", "what-was-checked"),
    "tasks of a split": ("calcgpt", r"^\| `train` \| 64 \|", "| `train` | 640 |", "title"),
    "what was held out": ("calcgpt", r"^\| 1 \| 110 \|", "| 1 | 1,100 |", "what-is-held-out"),
    "the notice": ("calcgpt", r"\bnot affiliated with", "affiliated with", "independent-re-implementation"),
}


@pytest.mark.parametrize("figure", FALSE)
def test_a_false_figure_is_named_by_its_section_and_line(figure: str, copy: Callable[[str], Path]) -> None:
    name, pattern, new, section = FALSE[figure]
    folder = copy(name)
    line = edit(folder, pattern, new)
    assert complaint(folder).startswith(f"line {line}: section '{section}': ")


def test_a_false_card_is_a_broken_claim_of_the_folder(copy: Callable[[str], Path]) -> None:
    folder = copy("calcgpt")
    assert all(section.holds for section in verify_folder(folder))
    edit(folder, r"^\| `train` \| 64 \|", "| `train` | 640 |")
    assert [section.title for section in verify_folder(folder) if not section.holds] == ["README.md"]


@pytest.mark.parametrize(
    ("pattern", "new", "said"),
    [
        (r"^license: apache-2\.0$", "license: mit", "metadata: license is 'mit' where 'apache-2.0' belongs"),
        (r"^- n<1K$", "- n<1K\n- 1K<n<10K", "metadata: size_categories is"),
        (r"^license: .*$", "license: [", "the metadata cannot be read"),
        (r"^<!-- arithmark:end use -->$", "<!-- arithmark:end using -->", "has no partner"),
        (
            r"^(<!-- arithmark:begin) use -->([\s\S]*end) use -->$",
            r"\1 usage -->\2 usage -->",
            "'usage': no section",
        ),
        (r"^(<!-- arithmark:begin use -->[\s\S]*end use -->)$", r"\1\n\1", "section 'use': occurs twice"),
        (r"^<!-- arithmark:begin use -->[\s\S]*end use -->$", "", "section 'use' is missing"),
        (r"^<!-- arithmark:end use -->$", "More.\n<!-- arithmark:end use -->", "'More.' where '<!-- arithmark:end use"),
    ],
)
def test_metadata_and_markers_are_ours_too(pattern: str, new: str, said: str, copy: Callable[[str], Path]) -> None:
    folder = copy("calcgpt")
    edit(folder, pattern, new)
    assert said in complaint(folder)


@pytest.mark.parametrize("name", ["deeparithmark", "zenyx", "calcgpt"])
def test_a_published_card_with_a_persons_text_and_metadata_holds(name: str, copy: Callable[[str], Path]) -> None:
    folder = copy(name)
    card = (folder / "README.md").read_text(encoding="utf-8")
    theirs = "---\nlicense: mit\nviewer: false\n---\n# Mine\n\nOf 99,000 questions none was seen.\n"
    (folder / "README.md").write_bytes(merge_cards(theirs, address(card, "sums/demo")).encode())
    assert 'load_dataset("sums/demo"' in (folder / "README.md").read_text(encoding="utf-8")
    assert complaint(folder) == ""
    edit(folder, r"\bnot affiliated with or endorsed by their", "endorsed by their")
    assert "section 'independent-re-implementation': " in complaint(folder)


def test_a_card_that_came_from_one_repository_names_the_other_it_goes_to(built: dict[str, Path]) -> None:
    for folder in built.values():
        card = (folder / "README.md").read_text(encoding="utf-8")
        assert address(address(card, "sums/demo"), "ada/calc") == address(card, "ada/calc")


def test_a_card_of_another_release_that_differs_was_not_checked(copy: Callable[[str], Path]) -> None:
    folder = copy("calcgpt")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | {"package_version": "0.0.1"}), encoding="utf-8")
    assert complaint(folder).startswith("written by arithmark 0.0.1, this is ")
    text = (folder / "README.md").read_text(encoding="utf-8")
    (folder / "README.md").write_text(text.replace(f"(arithmark {manifest['package_version']}", "(arithmark 0.0.1"))
    assert complaint(folder) == ""


def test_a_card_whose_rows_are_damaged_was_not_checked(copy: Callable[[str], Path]) -> None:
    folder = copy("deeparithmark")
    (folder / "data" / "deeparithmark-1.jsonl").write_text("[]\n", encoding="utf-8")
    assert complaint(folder).startswith("it cannot be rendered again (")
    (folder / "README.md").unlink()
    assert complaint(folder) == "README.md is missing or cannot be read"


def test_the_audit_is_computed_once_for_card_and_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arithmark_tasks.builders import audit as audits

    asked = []
    monkeypatch.setattr(audits, "classifier_rows", lambda questions: asked.append(len(questions)) or [])
    audits.full_audit.cache_clear()
    deeparithmark.build_folder(tmp_path / "out", configs=["default"], items=112)
    verify_folder(tmp_path / "out")
    audits.full_audit.cache_clear()
    assert asked == [112]
