"""Publish: compare with the Hub, push one commit, load it back."""

from collections.abc import Callable
from dataclasses import dataclass

from ...generators.errors import InputError
from .hub import MAIN, Hub, Snapshot, describe
from .names import check_branch
from .plan import Plan, Publication, make_plan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was or would be done; ``commit`` is None when nothing was pushed."""

    plan: Plan
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
    notify: Callable[[str], None] = lambda stage: None,
) -> Outcome:
    """Push what differs as one commit and check what arrived; a dry run only reads.

    ``revision`` is a branch; a new one starts at ``main``. ``InputError`` when the published state must not be
    replaced, when somebody else publishes meanwhile, and when what arrived is not what was sent; then it names the
    commit.
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
    plan = make_plan(publication, hub.repo, base)
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


def _push(hub: Hub, plan: Plan, base: Snapshot, branch: str, message: str) -> str:
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


def _check(publication: Publication, hub: Hub, plan: Plan, commit: str) -> None:
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
