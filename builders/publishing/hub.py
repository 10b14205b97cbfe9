"""One repository on the Hub: what it holds, and one commit to it. An error is one line and never holds the token."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...generators.errors import InputError

Content = bytes | Path
MAIN = "main"
# The rules of `git check-ref-format` for refs/heads/NAME, and the two names that `git branch` keeps for itself.
_NO_BRANCH = re.compile(
    r"[\x00-\x20\x7f~^:?*\[\\]"  # characters with a meaning of their own
    r"|\.\.|@\{|//"
    r"|^/|/$|\.$"
    r"|(?:^|/)\.|\.lock(?:/|$)"  # a part of the path that is hidden or a lock file
    r"|^@$|^-|^HEAD$|^$"
)


def check_branch(name: str) -> str:
    """The name, when git takes it for a branch; else ``InputError``.

    >>> check_branch("trial/2")
    'trial/2'
    """
    if _NO_BRANCH.search(name):
        raise InputError(f"--revision takes the name of a branch, which {name!r} cannot be")
    return name


def check_repository(name: str) -> str:
    """The name, when it is ORG/NAME in the Hub's characters; else ``InputError``.

    >>> check_repository("sums/demo")
    'sums/demo'
    """
    from huggingface_hub.utils import HFValidationError, validate_repo_id

    if name.count("/") != 1:
        raise InputError(f"--repo takes ORG/NAME, not {name!r}")
    try:
        validate_repo_id(name)
    except HFValidationError as error:
        raise InputError(f"--repo takes ORG/NAME, not {name!r}: {str(error).splitlines()[0]}") from None
    return name


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file in a commit: its size, and the sha256 of its bytes (LFS) or git's own hash of them."""

    size: int
    digest: str
    lfs: bool

    def holds(self, content: bytes) -> bool:
        """Whether the file has these bytes.

        >>> RemoteFile(3, "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f", lfs=False).holds(b"abc")
        True
        """
        if self.lfs:
            return hashlib.sha256(content).hexdigest() == self.digest
        # git's blob hash: an identity, not a matter of security
        return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest() == self.digest


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A repository at one commit; ``read`` returns the bytes of one of its files."""

    repo: str
    commit: str
    private: bool
    files: Mapping[str, RemoteFile]
    read: Callable[[str], bytes]


class Hub:
    """The repository ``ORG/NAME`` of one kind, ``dataset`` or ``model``.

    ``token`` is the caller's; None takes ``HF_TOKEN`` or the one that was saved at login. Whatever the Hub or the
    connection refuses is an ``InputError`` of one line.
    """

    def __init__(self, repo: str, kind: str, token: str | None = None) -> None:
        from huggingface_hub import HfApi, get_token

        self.repo, self.kind = check_repository(repo), kind
        self._token: str | None = None
        found = token or self._ask(get_token)
        # Such a token cannot stand in a header, and the error that says so would show it in a form of its own.
        if found and not (found.isascii() and found.isprintable() and " " not in found):
            raise InputError("the token holds characters that no token has: set HF_TOKEN or run `hf auth login`")
        self._token = found
        self._api = HfApi(token=self._token or False, library_name="arithmark")

    @property
    def token(self) -> str | bool:
        """For the loaders: the token, or False when there is none."""
        return self._token or False

    @property
    def url(self) -> str:
        """Where people see the repository."""
        return f"{self._api.endpoint}/{'datasets/' if self.kind == 'dataset' else ''}{self.repo}"

    def check_token(self) -> str:
        """The name of the token's owner; ``InputError`` when there is no token, or one that cannot write."""
        if not self._token:
            raise InputError("no token for the Hub: set HF_TOKEN or run `hf auth login`")
        owner = self._ask(self._api.whoami)
        if owner.get("auth", {}).get("accessToken", {}).get("role") == "read":
            raise InputError("the token can only read; publishing takes one that can write")
        return str(owner.get("name"))

    def snapshot(self, revision: str = MAIN) -> Snapshot | None:
        """The repository at a branch or commit; None when there is no such repository or branch."""
        from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError
        from huggingface_hub.hf_api import RepoFile

        missing = (RepositoryNotFoundError, RevisionNotFoundError)
        info = self._ask(self._api.repo_info, self.repo, repo_type=self.kind, revision=revision, missing=missing)
        if info is None:
            return None
        entries = self._ask(
            lambda: list(self._api.list_repo_tree(self.repo, recursive=True, revision=info.sha, repo_type=self.kind))
        )
        files = {
            entry.path: RemoteFile(entry.size, entry.lfs.sha256 if entry.lfs else entry.blob_id, bool(entry.lfs))
            for entry in entries
            if isinstance(entry, RepoFile)
        }
        return Snapshot(self.repo, info.sha, bool(info.private), files, partial(self._read, info.sha))

    def _read(self, commit: str, path: str) -> bytes:
        with TemporaryDirectory() as folder:  # not the user's cache: these files are looked at once
            found = self._ask(
                self._api.hf_hub_download, self.repo, path, repo_type=self.kind, revision=commit, local_dir=folder
            )
            return Path(found).read_bytes()

    def create(self, private: bool) -> None:
        """Make the repository; no error when somebody else has made it meanwhile.

        Not private means the organisation's default, which is public unless it chose otherwise.
        """
        self._ask(self._api.create_repo, self.repo, repo_type=self.kind, private=private or None, exist_ok=True)

    def create_branch(self, name: str, commit: str) -> None:
        """Make a branch that starts at a commit."""
        self._ask(self._api.create_branch, self.repo, branch=name, revision=commit, repo_type=self.kind, exist_ok=True)

    def commit(
        self, parent: str, branch: str, message: str, added: Mapping[str, Content], deleted: Iterable[str]
    ) -> str:
        """One commit on ``parent``, refused by the Hub when the branch has moved on; returns its id."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        operations = [
            *(CommitOperationAdd(path, content) for path, content in added.items()),
            *(CommitOperationDelete(path, is_folder=False) for path in deleted),
        ]
        made = self._ask(
            self._api.create_commit,
            self.repo,
            operations,
            commit_message=message,
            repo_type=self.kind,
            revision=branch,
            parent_commit=parent,
        )
        return str(made.oid)

    def propose(self, parent: str, message: str, added: Mapping[str, Content]) -> str:
        """A pull request with one commit on ``parent``; returns its address."""
        from huggingface_hub import CommitOperationAdd

        made = self._ask(
            self._api.create_commit,
            self.repo,
            [CommitOperationAdd(path, content) for path, content in added.items()],
            commit_message=message,
            repo_type=self.kind,
            parent_commit=parent,
            create_pr=True,
        )
        return str(made.pr_url)

    def _ask(
        self, call: Callable[..., Any], *args: Any, missing: tuple[type[Exception], ...] = (), **kwargs: Any
    ) -> Any:
        """The call's result; None for an error of ``missing``; every other error as one line without the token.

        The line is raised outside the handler: the library's own exception holds the request and so the token, and
        must not travel along as its context.
        """
        try:
            return call(*args, **kwargs)
        except missing:
            return None
        except Exception as error:  # of the Hub's library, its HTTP client or its upload engine: no common base
            line = describe(error)
        raise InputError(self.redact(f"{self.repo}: {line}"))

    def redact(self, line: str) -> str:
        """The line without the token."""
        return line.replace(self._token, "***") if self._token else line


def describe(error: Exception) -> str:
    """What went wrong between us and the Hub, in one line.

    >>> describe(ConnectionError("refused\\nlong story"))
    'no answer from the Hub (ConnectionError: refused)'
    """
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    said = getattr(error, "server_message", None) or next(filter(None, str(error).splitlines()), type(error).__name__)
    said = " ".join(str(said).split())
    if status is None:
        cause = error.__cause__
        if isinstance(error, RuntimeError) and isinstance(cause, Exception):  # the uploader's wrapper
            return f"{said} {describe(cause)}"
        known = isinstance(error, ValueError) and not isinstance(error, OSError)
        return said if known else f"no answer from the Hub ({type(error).__name__}: {said})"
    advice = {
        401: "the Hub does not accept the token; set HF_TOKEN or run `hf auth login`",
        403: "the token may not do this, or there is no such organisation",
        412: "somebody else has published there meanwhile; nothing was pushed, run the command again",
    }
    return f"{advice[status]} ({status}: {said})" if status in advice else f"the Hub answers {status}: {said}"
