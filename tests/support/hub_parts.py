"""What the Hub emulator is made of: repositories with commits, users, requests and answers, and faults."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class Refusal(Exception):
    """An error answer: status, the Hub's error code if it has one, and its message."""

    def __init__(self, status: int, message: str, code: str | None = None, **more: Any) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.more = status, message, code, more


class Cut(Exception):
    """The connection is closed without an answer."""


@dataclass(frozen=True)
class Blob:
    """A file in a commit."""

    content: bytes
    lfs: bool

    @property
    def git(self) -> str:
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha}\nsize {len(self.content)}\n"
        body = pointer.encode() if self.lfs else self.content
        return hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()

    @property
    def sha(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha if self.lfs else self.git


@dataclass
class Repo:
    """Commits by id, each with all its files, and the branches that name them."""

    kind: str
    name: str
    private: bool
    commits: dict[str, dict[str, Blob]] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    branches: dict[str, str] = field(default_factory=dict)

    def commit(self, files: Mapping[str, Blob], message: str, branch: str = "main") -> str:
        oid = hashlib.sha1(f"{self.name} {branch} {len(self.commits)} {message}".encode()).hexdigest()
        self.commits[oid] = dict(files)
        self.messages.append(message)
        self.branches[branch] = oid
        return oid

    def at(self, revision: str) -> str:
        oid = self.branches.get(revision, revision)
        if oid not in self.commits:
            raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return oid

    def files(self, revision: str = "main") -> dict[str, bytes]:
        """The bytes of every file at a revision."""
        return {path: blob.content for path, blob in self.commits[self.at(revision)].items()}


@dataclass(frozen=True)
class User:
    """Who a token belongs to, and what it may do."""

    name: str
    orgs: tuple[str, ...] = ()
    role: str = "write"


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    body: bytes
    token: str | None
    host: str

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    """Status, headers and body; a dictionary or list is sent as JSON."""

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
