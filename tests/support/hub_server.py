"""A small Hugging Face Hub on loopback, over real HTTP: what huggingface_hub and datasets ask of the real one.

Repositories with branches and commits, LFS objects on a second host name (as the real ones are, so that a token sent
there is noticed), tokens with roles, the Hub's own status codes and error headers. Faults can be planted: a request is
cut, or the answer to a commit is lost.
"""

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from typing import Any
from urllib.parse import parse_qs, unquote

from hub_http import serving
from hub_parts import Answer, Asked, Blob, Refusal, Repo, User
from hub_rules import branch_error, card_errors

# As on the real Hub, every new repository starts with a commit that names what goes to LFS.
ATTRIBUTES = "".join(
    f"{pattern} filter=lfs diff=lfs merge=lfs -text\n" for pattern in ("*.bin", "*.parquet", "*.safetensors", "*.zip")
)
LARGE = 10 * 1024 * 1024


class HubServer:
    """The Hub's state.

    ``hook`` sees each request first and may raise ``Cut`` or ``Refusal``; so may ``after_commit``, when the commit is
    made. ``halve`` chooses requests whose connection breaks in the middle of their body.
    """

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.users: dict[str, User] = {}
        self.objects: dict[str, bytes] = {}
        self.log: list[Asked] = []
        self.unknown: list[Asked] = []
        self.hook: Callable[[Asked], None] = lambda asked: None
        self.halve: Callable[[str, str], bool] = lambda method, path: False
        self.after_commit: Callable[[Repo], None] = lambda repo: None
        self.lock = threading.RLock()
        self.endpoint = ""

    def dataset(self, name: str) -> Repo:
        return self.repos["dataset", name]

    def model(self, name: str) -> Repo:
        return self.repos["model", name]

    def add_repo(self, kind: str, name: str, private: bool = False) -> Repo:
        repo = self.repos[kind, name] = Repo(kind, name, private)
        repo.commit({".gitattributes": Blob(ATTRIBUTES.encode(), False)}, "initial commit")
        return repo

    def edit(self, repo: Repo, path: str, content: str | None, branch: str = "main") -> str:
        """What a person does in the browser: one commit to one file, None deletes it."""
        files = dict(repo.commits[repo.branches[branch]])
        files.pop(path, None)
        if content is not None:
            files[path] = Blob(content.encode(), False)
        return repo.commit(files, f"Update {path}", branch)

    def writes(self) -> list[str]:
        """The requests that change something."""
        readers = ("/paths-info/", "/validate-yaml")
        return [
            f"{asked.method} {asked.path}"
            for asked in self.log
            if asked.method not in ("GET", "HEAD") and not any(part in asked.path for part in readers)
        ]

    def answer(self, asked: Asked) -> Answer:
        self.log.append(asked)
        self.hook(asked)
        parts = [unquote(part) for part in asked.path.strip("/").split("/")]
        if parts[0] == "cdn":
            return self._stored(asked, parts[1])
        if parts[0] == "lfs":
            return self._store(asked, parts[1])
        if asked.token is not None and asked.token not in self.users:
            raise Refusal(401, "Invalid credentials in Authorization header")
        with self.lock:
            if parts[:2] == ["api", "whoami-v2"]:
                return self._whoami(asked)
            if parts == ["api", "agent-harnesses"]:  # a list that huggingface_hub fetches for its own use
                return Answer({})
            if parts == ["api", "validate-yaml"]:
                return self._validate(asked)
            if parts == ["api", "repos", "create"]:
                return self._create(asked)
            if parts == ["api", "repos", "delete"]:
                return self._delete(asked)
            if parts[0] == "api" and parts[1] in ("datasets", "models") and len(parts) >= 4:
                repo = self._repo(asked, parts[1][:-1], "/".join(parts[2:4]))
                return self._api(asked, repo, parts[4:])
            kind = "dataset" if parts[0] == "datasets" else "model"
            rest = parts[1:] if kind == "dataset" else parts
            if len(rest) > 2 and rest[1].endswith(".git") and rest[2:] == ["info", "lfs", "objects", "batch"]:
                return self._batch(asked, self._repo(asked, kind, f"{rest[0]}/{rest[1].removesuffix('.git')}", True))
            if len(rest) > 4 and rest[2] == "resolve":
                return self._resolve(self._repo(asked, kind, "/".join(rest[:2])), rest[3], "/".join(rest[4:]))
        self.unknown.append(asked)
        raise Refusal(404, "Not found")

    def _user(self, asked: Asked) -> User | None:
        return self.users.get(asked.token) if asked.token else None

    def _repo(self, asked: Asked, kind: str, name: str, write: bool = False) -> Repo:
        user, repo = self._user(asked), self.repos.get((kind, name))
        member = user is not None and name.split("/")[0] in (user.name, *user.orgs)
        if repo is None or (repo.private and not member):
            # the real Hub does not tell strangers whether a repository exists
            raise Refusal(404 if user else 401, "Repository not found", "RepoNotFound")
        if write and (user is None or not member or user.role == "read"):
            raise Refusal(403 if user else 401, "You don't have the required permissions to write to this repository")
        return repo

    def _whoami(self, asked: Asked) -> Answer:
        user = self._user(asked)
        if user is None:
            raise Refusal(401, "Invalid username or password.")
        return Answer(
            {
                "type": "user",
                "name": user.name,
                "orgs": [{"name": org} for org in user.orgs],
                "auth": {"type": "access_token", "accessToken": {"displayName": "test", "role": user.role}},
            }
        )

    def _validate(self, asked: Asked) -> Answer:
        sent = asked.json()
        errors = card_errors(sent["content"], sent["repoType"])
        body = {"errors": [{"message": error} for error in errors], "warnings": []}
        return Answer(body, 400 if errors else 200)

    def _create(self, asked: Asked) -> Answer:
        user, sent = self._user(asked), asked.json()
        kind = sent.get("type") or "model"
        name = f"{sent.get('organization') or (user.name if user else '')}/{sent['name']}"
        if user is None:
            raise Refusal(401, "Invalid username or password.")
        if user.role == "read" or name.split("/")[0] not in (user.name, *user.orgs):
            raise Refusal(
                403, f'You don\'t have the rights to create a {kind} under the namespace "{name.split("/")[0]}"'
            )
        url = f"{self.endpoint}/{'datasets/' if kind == 'dataset' else ''}{name}"
        if (kind, name) in self.repos:
            raise Refusal(409, f"You already created this {kind} repo", url=url)
        self.add_repo(kind, name, sent.get("visibility") == "private" or bool(sent.get("private")))
        return Answer({"url": url, "name": name})

    def _delete(self, asked: Asked) -> Answer:
        sent = asked.json()
        kind, name = sent.get("type") or "model", f"{sent['organization']}/{sent['name']}"
        self._repo(asked, kind, name, True)
        del self.repos[kind, name]
        return Answer({})

    def _api(self, asked: Asked, repo: Repo, rest: list[str]) -> Answer:
        verb, argument = (rest[0] if rest else "info"), (rest[1] if len(rest) > 1 else "main")
        if verb in ("info", "revision") and asked.method == "GET":
            return self._info(repo, argument)
        if verb == "tree":
            return self._tree(asked, repo, argument, "/".join(rest[2:]))
        if verb == "paths-info":
            return self._paths(asked, repo, argument)
        if verb == "refs":
            branches = [
                {"name": name, "ref": f"refs/heads/{name}", "targetCommit": oid} for name, oid in repo.branches.items()
            ]
            return Answer({"branches": branches, "converts": [], "tags": []})
        proposed = asked.query.get("create_pr", ["0"])[0] in ("1", "true")
        if not (proposed and verb in ("preupload", "commit") and self._user(asked)):  # anybody may propose
            repo = self._repo(asked, repo.kind, repo.name, True)
        if verb == "branch":
            refused = branch_error(argument)
            if refused:
                raise Refusal(400, refused)
            if argument in repo.branches:
                raise Refusal(409, f"Reference already exists: {argument}")
            repo.branches[argument] = repo.at(asked.json().get("startingPoint", "main"))
            return Answer({})
        if verb == "preupload":
            return self._preupload(asked, repo, argument)
        if verb == "commit":
            return self._propose(asked, repo, argument) if proposed else self._commit(asked, repo, argument)
        self.unknown.append(asked)
        raise Refusal(404, "Not found")

    def _info(self, repo: Repo, revision: str) -> Answer:
        oid = repo.at(revision)
        return Answer(
            {
                "id": repo.name,
                "author": repo.name.split("/")[0],
                "sha": oid,
                "private": repo.private,
                "gated": False,
                "disabled": False,
                "tags": [],
                "siblings": [{"rfilename": path} for path in sorted(repo.commits[oid])],
            }
        )

    def _tree(self, asked: Asked, repo: Repo, revision: str, folder: str) -> Answer:
        files = repo.commits[repo.at(revision)]
        prefix = f"{folder}/" if folder else ""
        inside = {path: blob for path, blob in files.items() if path.startswith(prefix)}
        if not inside:
            raise Refusal(404, f"{folder} does not exist", "EntryNotFound")
        folders = {"/".join(path.split("/")[:depth]) for path in inside for depth in range(1, path.count("/") + 1)} - {
            folder
        }
        entries = [_folder_entry(path) for path in sorted(folders) if path.startswith(prefix)]
        entries += [_entry(path, blob) for path, blob in sorted(inside.items())]
        if asked.query.get("recursive", ["false"])[0].lower() not in ("true", "1"):
            entries = [entry for entry in entries if "/" not in entry["path"].removeprefix(prefix)]
        return Answer(entries)

    def _paths(self, asked: Asked, repo: Repo, revision: str) -> Answer:
        files = repo.commits[repo.at(revision)]
        if asked.body.startswith(b"{"):
            wanted = asked.json()["paths"]
        else:
            wanted = parse_qs(asked.body.decode()).get("paths", [])
        entries = [_entry(path, files[path]) for path in wanted if path in files]
        entries += [_folder_entry(path) for path in wanted if any(name.startswith(f"{path}/") for name in files)]
        return Answer(entries)

    def _preupload(self, asked: Asked, repo: Repo, revision: str) -> Answer:
        files = repo.commits[repo.at(revision)]
        attributes = files[".gitattributes"].content.decode() if ".gitattributes" in files else ""
        large = [line.split()[0] for line in attributes.splitlines() if "filter=lfs" in line]
        told = []
        for sent in asked.json()["files"]:
            path, sample = sent["path"], base64.b64decode(sent["sample"])
            lfs = any(fnmatch(path.split("/")[-1], pattern) for pattern in large) or b"\0" in sample
            mode = "lfs" if lfs or sent["size"] > LARGE else "regular"
            known = {"oid": files[path].etag} if path in files else {}
            told.append({"path": path, "uploadMode": mode, "shouldIgnore": False, **known})
        return Answer({"files": told})

    def _batch(self, asked: Asked, repo: Repo) -> Answer:
        objects = []
        for sent in asked.json()["objects"]:
            actions = {"upload": {"href": self._other_host(f"lfs/{sent['oid']}")}}
            objects.append({**sent, **({} if sent["oid"] in self.objects else {"actions": actions})})
        return Answer({"transfer": "basic", "objects": objects})

    def _other_host(self, path: str) -> str:
        return f"{self.endpoint.replace('127.0.0.1', 'localhost')}/{path}"

    def _store(self, asked: Asked, oid: str) -> Answer:
        if asked.token is not None:
            raise Refusal(400, "a token was sent to the storage host")
        if hashlib.sha256(asked.body).hexdigest() != oid:
            raise Refusal(400, "the content does not match its hash")
        self.objects[oid] = asked.body
        return Answer()

    def _stored(self, asked: Asked, oid: str) -> Answer:
        if asked.token is not None:
            raise Refusal(400, "a token was sent to the storage host")
        return Answer(self.objects[oid], headers={"ETag": f'"{oid}"'})

    def _commit(self, asked: Asked, repo: Repo, branch: str) -> Answer:
        if branch not in repo.branches:
            raise Refusal(404, f"Invalid rev id: {branch}", "RevisionNotFound")
        lines = [json.loads(line) for line in asked.body.splitlines() if line]
        header = lines[0]["value"]
        if header.get("parentCommit") not in (None, repo.branches[branch]):
            raise Refusal(412, "A commit has happened since. Please refresh and try again.")
        files = dict(repo.commits[repo.branches[branch]])
        for line in lines[1:]:
            self._apply(files, line["key"], line["value"])
        card = files.get("README.md")
        errors = card_errors(card.content.decode(), repo.kind) if card else []
        if errors:
            raise Refusal(400, f"Invalid metadata in README.md: {errors[0]}")
        oid = repo.commit(files, header["summary"], branch)
        self.after_commit(repo)
        return Answer({"success": True, "commitOid": oid, "commitUrl": f"{self.endpoint}/{repo.name}/commit/{oid}"})

    def _propose(self, asked: Asked, repo: Repo, branch: str) -> Answer:
        """A commit on a branch of its own, refs/pr/N; main stays as it is."""
        number = 1 + sum(name.startswith("refs/pr/") for name in repo.branches)
        name = f"refs/pr/{number}"
        repo.branches[name] = repo.at(branch)
        answer = self._commit(asked, repo, name)
        kind = "datasets/" if repo.kind == "dataset" else ""
        answer.body["pullRequestUrl"] = f"{self.endpoint}/{kind}{repo.name}/discussions/{number}"
        return answer

    def _apply(self, files: dict[str, Blob], key: str, value: Mapping[str, Any]) -> None:
        path = value["path"]
        if key == "file":
            files[path] = Blob(base64.b64decode(value["content"]), False)
        elif key == "lfsFile":
            if value["oid"] not in self.objects:
                raise Refusal(
                    400, f"Your push was rejected because an LFS pointer pointed to a file that does not exist: {path}"
                )
            files[path] = Blob(self.objects[value["oid"]], True)
        elif key == "deletedFile" and path in files:
            del files[path]
        else:
            raise Refusal(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")

    def _resolve(self, repo: Repo, revision: str, path: str) -> Answer:
        oid = repo.at(revision)
        blob = repo.commits[oid].get(path)
        if blob is None:
            raise Refusal(404, "Entry not found", "EntryNotFound", commit=oid)
        headers = {"X-Repo-Commit": oid, "ETag": f'"{blob.etag}"', "Accept-Ranges": "bytes"}
        if not blob.lfs:
            return Answer(blob.content, headers=headers)
        self.objects[blob.sha] = blob.content
        linked = {"X-Linked-ETag": f'"{blob.sha}"', "X-Linked-Size": str(len(blob.content))}
        return Answer(b"", 302, {**headers, **linked, "Location": self._other_host(f"cdn/{blob.sha}")})


def _entry(path: str, blob: Blob) -> dict[str, Any]:
    lfs = {"lfs": {"oid": blob.sha, "size": len(blob.content), "pointerSize": 130}} if blob.lfs else {}
    return {"type": "file", "path": path, "oid": blob.git, "size": len(blob.content), **lfs}


def _folder_entry(path: str) -> dict[str, Any]:
    return {"type": "directory", "path": path, "oid": hashlib.sha1(path.encode()).hexdigest(), "size": 0}


@contextmanager
def running() -> Iterator[HubServer]:
    """A Hub that answers until the block ends."""
    hub = HubServer()
    with serving(hub.answer, lambda method, path: hub.halve(method, path)) as hub.endpoint:
        yield hub
