"""Merging cards: ours is replaced, a person's text and metadata stay, and doing it twice changes nothing."""

import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from arithmark_tasks.builders.cards.sections import mark_sections, merge_cards
from arithmark_tasks.generators.errors import InputError

NAMES = ["Use", "Fields", "Balance", "Known limits", "Licence"]
LINE = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "), min_size=1, max_size=20)
words = LINE.map(lambda line: f"x {line}".strip()).filter(lambda line: not line.startswith("<!--"))
paragraphs = st.lists(words, min_size=1, max_size=3).map("\n\n".join)
sections = st.lists(st.tuples(st.sampled_from(NAMES), paragraphs), max_size=5, unique_by=lambda pair: pair[0])


def card(parts: list[tuple[str, str]], version: int = 1) -> str:
    body = f"# Title {version}\n\nAbout.\n" + "".join(f"\n## {name}\n\n{text}\n" for name, text in parts)
    return f"---\nlicense: apache-2.0\nsize: {version}\n---\n{mark_sections(body)}"


def between(text: str) -> list[str]:
    """What stands outside our markers."""
    body = text.split("---\n", 2)[2]
    outside = re.split(r"<!-- arithmark:begin [a-z-]+ -->.*?<!-- arithmark:end [a-z-]+ -->\n", body, flags=re.DOTALL)
    return [part.strip("\n") for part in outside if part.strip("\n")]


@settings(max_examples=40)
@given(sections, sections, st.data())
def test_a_persons_paragraphs_stay_in_order_and_ours_become_the_built_ones(
    old: list[tuple[str, str]], new: list[tuple[str, str]], data: st.DataObject
) -> None:
    published, built = card(old), card(new, 2)
    blocks = published.split("\n\n<!-- arithmark:begin")
    notes = [data.draw(st.none() | paragraphs) for _ in blocks]
    edited = "\n\n<!-- arithmark:begin".join(
        block if note is None else f"{block}\n\n{note}" for block, note in zip(blocks, notes, strict=True)
    )
    written = [note for note in notes if note is not None]
    merged = merge_cards(edited, built)
    assert "\n\n".join(between(merged)) == "\n\n".join(written)
    for name, text in new:
        assert f"## {name}\n\n{text}\n<!-- arithmark:end" in merged
    assert len(re.findall("<!-- arithmark:begin ", merged)) == len(new) + 1
    assert merge_cards(merged, built) == merged


@given(sections)
def test_without_a_published_card_the_built_one_is_the_result(parts: list[tuple[str, str]]) -> None:
    assert merge_cards("", card(parts)) == card(parts)
    assert merge_cards(card(parts), card(parts)) == card(parts)


def test_new_sections_follow_the_one_they_follow_in_the_built_card() -> None:
    merged = merge_cards(
        card([("Use", "a"), ("Licence", "b")]), card([("Use", "a"), ("Fields", "c"), ("Licence", "b")])
    )
    assert merged == card([("Use", "a"), ("Fields", "c"), ("Licence", "b")])


def test_a_section_that_a_person_moved_stays_where_they_put_it() -> None:
    swapped = merge_cards(card([("Licence", "b"), ("Use", "a")]), card([("Use", "new"), ("Licence", "b")]))
    assert swapped == card([("Licence", "b"), ("Use", "new")])


def test_headings_in_code_blocks_start_no_section() -> None:
    marked = mark_sections("# T\n\n```sh\n## not a heading\n```\n\n## Use\n\nText\n")
    assert re.findall("begin ([a-z-]+)", marked) == ["title", "use"]


KEYS = st.text("abcdefghijklm_", min_size=1, max_size=8)
TEXT = st.text(st.characters(codec="ascii", categories=("L", "N", "Zs")), max_size=9)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_a_persons_metadata_stay_and_ours_are_replaced(theirs: dict[str, object]) -> None:
    mixed = yaml.safe_dump({**theirs, "license": "mit", "dataset_info": {"features": []}}, sort_keys=True)
    published = f"---\n{mixed}---\n{card([]).split('---' + chr(10), 2)[2]}"
    merged = merge_cards(published, card([], 2))
    assert yaml.safe_load(merged.split("---\n")[1]) == {"license": "apache-2.0", "size": 2, **theirs}
    assert merge_cards(merged, card([], 2)) == merged


def test_a_persons_metadata_keep_their_way_of_writing() -> None:
    theirs = "version: 1.10\n# why\nprompt: |\n  one\n\n  two\ncode: 0x1F\n"
    merged = merge_cards(f"---\n{theirs}license: mit\n---\n", card([]))
    assert f"size: 1\n{theirs}---\n" in merged


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    published = "\ufeff" + card([("Use", "a")]).replace("About.", "About.").replace("\n", "\r\n") + "Mine.\r\n"
    merged = merge_cards(published, card([("Use", "b")]))
    assert merged == card([("Use", "b")]) + "\nMine.\n"


@pytest.mark.parametrize(
    "published",
    [
        "# Mine\n<!-- arithmark:begin use -->\n",
        "<!-- arithmark:end use -->\n",
        "<!-- arithmark:begin a -->\n<!-- arithmark:begin b -->\n<!-- arithmark:end b -->\n<!-- arithmark:end a -->\n",
        "<!-- arithmark:begin a -->\n<!-- arithmark:end b -->\n",
        "<!-- arithmark:begin a -->\n<!-- arithmark:end a -->\n" * 2,
        "---\na: [\n---\n",
        "---\n{a: 1}\n---\n",
        "---\n- a\n---\n",
        "---\nlicense: &it mit\nother: *it\n---\n",
    ],
)
def test_what_cannot_be_merged_is_refused_in_one_line(published: str) -> None:
    with pytest.raises(InputError) as caught:
        merge_cards(published, card([]))
    assert "\n" not in str(caught.value) and "README.md" in str(caught.value)


def test_two_sections_of_one_name_are_a_fault_of_the_template() -> None:
    with pytest.raises(ValueError, match="'use'"):
        mark_sections("## Use\n\n## Use\n")
