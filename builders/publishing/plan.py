"""What a publication would change in a repository."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Literal, Protocol

from ...generators.errors import InputError
from ..cards.render import address
from ..cards.sections import merge_cards
from ..folder import ATTRIBUTES, CARD
from .hub import Content, Snapshot


class Publication(Protocol):
    """Something that can be published."""

    @property
    def kind(self) -> str:
        """``dataset`` or ``model``."""

    @property
    def title(self) -> str:
        """What the commit says."""

    @property
    def files(self) -> Mapping[str, Path]:
        """Each path in the repository and the file that goes there."""

    def outdated(self, published: Snapshot) -> Iterable[str]:
        """The files to delete; ``InputError`` when what is there must not be replaced."""

    def differences(self, repo: str, commit: str, token: str | bool) -> Iterator[str]:
        """Loads what was published and says how it differs from what was meant."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one file; ``size`` in bytes, of a deleted file what it had."""

    path: str
    state: Literal["new", "changed", "same", "deleted"]
    size: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Every file of the next commit, and how the card changes."""

    changes: tuple[Change, ...]
    contents: Mapping[str, Content]
    card_diff: str

    @property
    def added(self) -> dict[str, Content]:
        """The files to upload."""
        return {
            change.path: self.contents[change.path] for change in self.changes if change.state in ("new", "changed")
        }

    @property
    def deleted(self) -> list[str]:
        """The files to delete."""
        return [change.path for change in self.changes if change.state == "deleted"]

    @property
    def empty(self) -> bool:
        """Whether the repository is already as it should be."""
        return all(change.state == "same" for change in self.changes)

    def missing(self, found: Snapshot) -> Iterator[str]:
        """How a repository differs from this plan carried out."""
        for path, content in self.contents.items():
            if path not in found.files or not found.files[path].holds(read(content)):
                yield f"{path} is not the file that was sent"
        for path in self.deleted:
            if path in found.files:
                yield f"{path} was to go and is still there"


def make_plan(publication: Publication, repo: str, published: Snapshot | None) -> Plan:
    """Compare with what is published; ``InputError`` when that must not be replaced."""
    outdated = sorted(publication.outdated(published)) if published else []
    contents: dict[str, Content] = dict(publication.files)
    before = _published_text(published, CARD)
    card = merge_cards(before, address(publication.files[CARD].read_text(encoding="utf-8"), repo))
    contents[CARD] = card.encode()
    if ATTRIBUTES in contents:
        contents[ATTRIBUTES] = _joined(_published_text(published, ATTRIBUTES), publication.files[ATTRIBUTES]).encode()
    changes = [_change(path, read(content), published) for path, content in sorted(contents.items())]
    if published:
        changes += [Change(path, "deleted", published.files[path].size) for path in outdated]
    diff = unified_diff(before.splitlines(), card.splitlines(), "README.md on the Hub", "README.md", lineterm="")
    return Plan(tuple(changes), contents, "\n".join(diff))


def read(content: Content) -> bytes:
    """The bytes of a file, or those given."""
    return content.read_bytes() if isinstance(content, Path) else content


def _published_text(published: Snapshot | None, path: str) -> str:
    if published is None or path not in published.files:
        return ""
    try:
        return published.read(path).decode()
    except UnicodeDecodeError:
        raise InputError(f"{path} of {published.repo} is not UTF-8") from None


def _joined(published: str, ours: Path) -> str:
    """The published lines, which name what the Hub keeps in LFS, then those of ours that are not among them."""
    lines = published.splitlines()
    lines += [line for line in ours.read_text(encoding="utf-8").splitlines() if line not in lines]
    return "".join(f"{line}\n" for line in lines)


def _change(path: str, content: bytes, published: Snapshot | None) -> Change:
    there = published.files.get(path) if published else None
    state: Literal["new", "changed", "same"] = "new" if there is None else "same" if there.holds(content) else "changed"
    return Change(path, state, len(content))
