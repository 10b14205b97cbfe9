"""Cards that a person may edit on the Hub: our sections stand between markers, all other text is theirs."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ...generators.errors import InputError

_MARKER = re.compile(r"<!-- arithmark:(begin|end)(?: ([a-z0-9-]+))? -->\s*")
_FENCE = re.compile(r"\s*(```|~~~)")
# A part of a card: the name of a section of ours with its text, or None with text of theirs.
Part = tuple[str | None, str]


def mark_sections(body: str) -> str:
    """The body with markers around each section; a section starts at a heading of the first or second level.

    >>> print(mark_sections("# Sums\\n\\nText.\\n\\n## In use\\n\\nMore.\\n"))
    <!-- arithmark:begin title -->
    # Sums
    <BLANKLINE>
    Text.
    <!-- arithmark:end title -->
    <BLANKLINE>
    <!-- arithmark:begin in-use -->
    ## In use
    <BLANKLINE>
    More.
    <!-- arithmark:end in-use -->
    <BLANKLINE>
    """
    sections: dict[str, list[str]] = {}
    name, fenced = "title", False
    for line in body.splitlines():
        fenced ^= bool(_FENCE.match(line))
        if line.startswith("## ") and not fenced:
            name = re.sub(r"[^a-z0-9]+", "-", line.lower()).strip("-")
            if name in sections:
                raise ValueError(f"two sections are called {name!r}")
        sections.setdefault(name, []).append(line)
    marked = []
    for name, lines in sections.items():
        text = "\n".join(lines).strip("\n")
        marked.append(f"<!-- arithmark:begin {name} -->\n{text}\n<!-- arithmark:end {name} -->\n")
    return "\n".join(marked)


def merge_cards(published: str, built: str, dropped: Collection[str] = ("dataset_info",)) -> str:
    """The built card with what a person added to the published one.

    Sections between our markers are ours: replaced, removed when there is no such section any more, added after the
    one they follow. Text outside stays where it is. Metadata keys of the built card are ours and so are ``dropped``
    ones, which are left out; all other keys stay as they were written. ``InputError`` names what cannot be merged.
    """
    old_data, old_body = _split(published.removeprefix("\ufeff").replace("\r\n", "\n"))
    data, body = _split(built)
    kept = _foreign_metadata(old_data, {*_keys(data), *dropped})
    merged = f"---\n{data.strip()}\n{kept}---\n{_merge_bodies(_parts(old_body), _parts(body))}"
    try:
        _keys(_split(merged)[0])
    except InputError:
        raise InputError("metadata of the published README.md do not go with ours: do they use anchors?") from None
    return merged


def card_differences(found: str, built: str) -> Iterator[tuple[int | None, str]]:
    """Where a card differs from a built one in what is ours: the line, and what is wrong there.

    Compared are the metadata keys of the built card and, up to its first line that differs, each of our sections. All
    other text and metadata are free. ``InputError`` when the metadata cannot be read or markers do not match.
    """
    data, body = _split(found)
    wanted_data, wanted_body = _split(built)
    stated = _values(data)
    for key, value in _values(wanted_data).items():
        if stated.get(key) != value:
            yield None, f"metadata: {key} is {stated.get(key)!r} where {value!r} belongs"
    wanted = {name: text.split("\n") for name, text in _parts(wanted_body) if name is not None}
    lines, met = found.splitlines(), set()
    for name, text in _parts(body):
        if name is None:
            continue
        section, first = text.split("\n"), lines.index(text.split("\n")[0]) + 1
        if name not in wanted or name in met:
            yield first, f"section {name!r}: {'occurs twice' if name in met else 'no section of this card'}"
        elif section != wanted[name]:
            # Both end with the same marker, so one pair differs even where one section is longer.
            pairs = enumerate(zip(section, wanted[name], strict=False))
            place, (line, expected) = next((place, pair) for place, pair in pairs if pair[0] != pair[1])
            yield first + place, f"section {name!r}: {line!r} where {expected!r} belongs"
        met.add(name)
    yield from ((None, f"section {name!r} is missing") for name in wanted if name not in met)


def _values(metadata: str) -> dict[str, Any]:
    import yaml

    try:
        values = yaml.safe_load(metadata)
    except (yaml.YAMLError, ValueError):
        raise InputError("the metadata cannot be read") from None
    return values if isinstance(values, dict) else {}


def _split(card: str) -> tuple[str, str]:
    from huggingface_hub.repocard import REGEX_YAML_BLOCK

    found = REGEX_YAML_BLOCK.search(card)
    return (found.group(2) + "\n", card[found.end() :]) if found else ("", card)


def _keys(metadata: str) -> list[str]:
    return [key for key, _ in _entries(metadata)]


def _entries(metadata: str) -> list[tuple[str, int]]:
    """Each top-level key of YAML and the line it starts at."""
    import yaml

    try:
        yaml.safe_load(metadata)
        node = yaml.compose(metadata, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"metadata of the published README.md: {' '.join(str(error).split())}") from None
    if node is None:
        return []
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        raise InputError("metadata of the published README.md are not a block of `key: value` lines")
    return [(str(key.value), key.start_mark.line) for key, _ in node.value]


def _foreign_metadata(metadata: str, ours: Collection[str]) -> str:
    """The lines of the keys that are not ours, and all comments, as they were written."""
    lines, entries = metadata.splitlines(keepends=True), _entries(metadata)
    starts = [start for _, start in entries] + [len(lines)]
    kept = [line for line in lines[: starts[0]] if line.strip()]
    for place, (key, start) in enumerate(entries):
        block = lines[start : starts[place + 1]]
        kept += [line for line in block if key not in ours or line.startswith("#")]
    return "".join(kept)


def _parts(body: str) -> list[Part]:
    """The body cut at our markers; ``InputError`` when they do not match."""
    parts: list[Part] = []
    lines: list[str] = []
    inside: str | None = None
    for line in body.splitlines():
        found = _MARKER.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        edge, name = found.group(1), found.group(2) or ""
        if (edge == "begin") != (inside is None) or (edge == "end" and name != inside):
            raise InputError(f"README.md: the marker {line.strip()!r} has no partner; mend or remove the pair")
        if edge == "begin":
            parts.append((None, "\n".join(lines)))
            lines, inside = [line], name
        else:
            parts.append((inside, "\n".join([*lines, line])))
            lines, inside = [], None
    if inside is not None:
        raise InputError(f"README.md: section {inside!r} begins and does not end; mend or remove its marker")
    parts.append((None, "\n".join(lines)))
    return [(name, text.strip("\n")) for name, text in parts if text.strip()]


def _merge_bodies(old: Sequence[Part], new: Sequence[Part]) -> str:
    ours = {name: text for name, text in new if name is not None}
    present = [name for name, _ in old if name is not None]
    if len(set(present)) < len(present):
        raise InputError("README.md on the Hub holds a section of ours twice; remove one")
    after: dict[str | None, list[str]] = {}
    anchor: str | None = None
    for name in ours:
        if name in present:
            anchor = name
        else:
            after.setdefault(anchor, []).append(ours[name])
    merged = after.get(None, [])
    for owner, text in old:
        if owner is None:
            merged.append(text)
        elif owner in ours:
            merged += [ours[owner], *after.get(owner, [])]
    return "\n".join(f"{text}\n" for text in merged)
