"""Publish: compare with the Hub, push one commit, load it back."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import Literal, Protocol

from ...generators.errors import InputError
from .. import eval_yaml
from ..cards.render import address
from ..cards.sections import merge_cards
from ..folder import ATTRIBUTES, CARD
from ..release import WHEEL, Software, is_wheel
from .hub import MAIN, Content, Hub, Snapshot, check_branch, describe


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

    @property
    def software(self) -> Software:
        """What its card says of the software."""

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
class NextCommit:
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
    def card(self) -> str:
        """The card as it will be there."""
        return read(self.contents[CARD]).decode()

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


def next_commit(
    publication: Publication, repo: str, published: Snapshot | None, place: str, wheel: Path | None = None
) -> NextCommit:
    """Compare with what is published; ``InputError`` when that must not be replaced.

    ``place`` is where the branch's files are to be had. A wheel of this version that is there already stays, and the
    card names it; one of another version goes.
    """
    contents: dict[str, Content] = dict(publication.files)
    there = [path for path in published.files if is_wheel(path)] if published else []
    if wheel is not None:
        contents[wheel.name] = wheel
    named = wheel.name if wheel is not None else next((path for path in there if path == WHEEL), None)
    outdated = sorted({*publication.outdated(published), *there} - {named}) if published else []
    before = _published_text(published, CARD)
    built = address(publication.files[CARD].read_text(encoding="utf-8"), repo)
    software = publication.software
    if named is not None:
        built = software.told(built, replace(software, wheel=f"{place}/{named}"))
    card = merge_cards(before, built)
    contents[CARD] = card.encode()
    if ATTRIBUTES in contents:
        contents[ATTRIBUTES] = _joined(_published_text(published, ATTRIBUTES), publication.files[ATTRIBUTES]).encode()
    if eval_yaml.EVAL in contents:
        ours = publication.files[eval_yaml.EVAL].read_text(encoding="utf-8")
        theirs = _published_text(published, eval_yaml.EVAL)
        where = f"{eval_yaml.EVAL} of {repo}"
        contents[eval_yaml.EVAL] = (eval_yaml.merge(theirs, ours, where) if theirs else ours).encode()
    changes = [_change(path, read(content), published) for path, content in sorted(contents.items())]
    if published:
        changes += [Change(path, "deleted", published.files[path].size) for path in outdated]
    diff = unified_diff(before.splitlines(), card.splitlines(), "README.md on the Hub", "README.md", lineterm="")
    return NextCommit(tuple(changes), contents, "\n".join(diff))


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was or would be done; ``commit`` is None when nothing was pushed."""

    plan: NextCommit
    commit: str | None
    new_repository: bool
    new_branch: bool


def publish(
    publication: Publication,
    hub: Hub,
    *,
    private: bool = False,
    revision: str | None = None,
    dry_run: bool = False,
    wheel: Path | None = None,
    notify: Callable[[str], None] = lambda stage: None,
) -> Outcome:
    """Push what differs as one commit and check what arrived; a dry run only reads.

    ``revision`` is a branch; a new one starts at ``main``. ``wheel`` is the software, which the card then tells to
    install from there. ``InputError`` when the published state must not be replaced, when somebody else publishes
    meanwhile, and when what arrived is not what was sent; then it names the commit.
    """
    branch = MAIN if revision is None else check_branch(revision)
    notify("comparing with the Hub")
    base, new_branch = _base(hub, branch)
    new_repository = base is None
    if base is None and not dry_run:
        hub.create(private)
        base, new_branch = _base(hub, branch)
        if base is None:
            raise InputError(f"{hub.repo}: this repository exists, but the token may not see it")
    if private and base is not None and not base.private:
        raise InputError(f"{hub.repo} is public already; --private is for a repository that is new")
    plan = next_commit(publication, hub.repo, base, f"{hub.url}/resolve/{branch}", wheel)
    if base is None or dry_run or plan.empty:
        return Outcome(plan, None, new_repository, new_branch)
    if new_branch:
        hub.create_branch(branch, base.commit)
    notify("uploading")
    commit = _push(hub, plan, base, branch, publication.title)
    notify("loading it back")
    _check(publication, hub, plan, commit)
    return Outcome(plan, commit, new_repository, new_branch)


def _base(hub: Hub, branch: str) -> tuple[Snapshot | None, bool]:
    """The state to start from, and whether the branch is still to be made there."""
    found = hub.snapshot(branch)
    if found is not None or branch == MAIN:
        return found, False
    return hub.snapshot(MAIN), True


def _push(hub: Hub, plan: NextCommit, base: Snapshot, branch: str, message: str) -> str:
    try:
        return hub.commit(base.commit, branch, message, plan.added, plan.deleted)
    except InputError as error:
        refused = error
    # A lost answer is not a lost commit: the Hub may have made it and the connection broken afterwards.
    try:
        now = hub.snapshot(branch)
    except InputError:
        raise InputError(f"{refused}; whether {branch} has the new commit is unknown: run the command again") from None
    if now is not None and now.commit != base.commit and not any(plan.missing(now)):
        return now.commit
    raise refused


def _check(publication: Publication, hub: Hub, plan: NextCommit, commit: str) -> None:
    problems: list[str] = []
    failure = ""
    try:
        there = hub.snapshot(commit)
        problems.extend(plan.missing(there) if there else ["it is not there"])
        problems.extend(publication.differences(hub.repo, commit, hub.token))
    except Exception as error:  # whatever a loader raises
        failure = describe(error)
    if problems:
        more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
        fault = f"not as it was built: {'; '.join(problems[:3])}{more}"
    else:
        fault = f"cannot be loaded back: {failure}"
    if problems or failure:
        raise InputError(hub.redact(f"{hub.repo}: commit {commit} is published but {fault}"))
