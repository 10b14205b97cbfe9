"""From the sources a user names to the files to read, in a fixed order, and to what is not read, with reasons."""

import glob
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...generators.errors import InputError
from ..files import hash_stream

_EXTENSIONS = {
    "parquet": ".parquet .pq",
    "jsonl": ".jsonl .ndjson",
    "json": ".json .ipynb",
    "csv": ".csv",
    "tsv": ".tsv .tab",
    "text": ".txt .text .md .markdown .rst .tex .log .py .xml .yaml .yml",
    "html": ".html .htm .xhtml",
}
_KINDS = {extension: kind for kind, extensions in _EXTENSIONS.items() for extension in extensions.split()}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".xz": "xz", ".bz2": "bz2"}


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a corpus.

    ``name`` is how the index records it, ``uri`` what opens it; ``stamp`` changes when the file does; ``sha256`` is
    known beforehand only where a hub states it.
    """

    name: str
    uri: str
    kind: str
    compression: str | None
    size: int
    stamp: str
    sha256: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether the file lies on a mounted file system."""
        return "://" not in self.uri


@dataclass(frozen=True, slots=True)
class Failure:
    """A file or folder that could not be read, and why, in one line."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file or folder that was met and is not read, and why: its kind of file, or its name."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the named sources hold: the files to scan in order, those passed over, and folders that cannot be opened."""

    sources: list[Source] = field(default_factory=list)
    passed_over: list[PassedOver] = field(default_factory=list)
    unopened: list[Failure] = field(default_factory=list)

    def add(self, entry: Source | PassedOver | Failure) -> None:
        """Sort an entry in."""
        if isinstance(entry, Source):
            self.sources.append(entry)
        elif isinstance(entry, PassedOver):
            self.passed_over.append(entry)
        else:
            self.unopened.append(entry)


def printable(name: str) -> str:
    r"""A file name as text that every writer can encode: bytes that are no UTF-8 as ``\xNN``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _suffixes(name: str) -> tuple[str, str | None]:
    """The extension of a file name that states its kind, and its compression."""
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    compression = _COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    stated = suffixes[:-1] if compression else suffixes
    return stated[-1] if stated else "", compression


def file_kind(name: str) -> tuple[str, str | None] | None:
    """The kind and compression that a file name states, ``None`` for a name that states no kind we read.

    >>> file_kind("part-0.jsonl.zst"), file_kind("notes.docx")
    (('jsonl', 'zstd'), None)
    """
    extension, compression = _suffixes(name)
    kind = _KINDS.get(extension)
    return None if kind is None or (kind == "parquet" and compression) else (kind, compression)


def _reason_to_pass(name: str) -> str | None:
    """Why a file that is met in a folder is no part of the corpus, ``None`` for one that is."""
    base = Path(name).name
    extension, compression = _suffixes(base)
    if base.startswith((".", "_")):
        return "name begins with . or _"
    if file_kind(base) is None:
        ending = extension + next((end for end, kind in _COMPRESSIONS.items() if kind == compression), "")
        return f"extension {ending}" if ending else "no extension"
    if base.lower().startswith("readme."):
        return "a folder's README"
    return None


def _stamp(status: os.stat_result) -> str:
    """Changes whenever a file is written to: the time of the last change of the inode cannot be set back."""
    return f"{status.st_mtime_ns}-{status.st_ctime_ns}-{status.st_ino}"


def _local_source(name: str, path: Path) -> Source:
    kind = file_kind(path.name)
    if kind is None:
        known, packed = " ".join(sorted(_KINDS)), ", ".join(_COMPRESSIONS)
        message = f"not a kind of file that can be scanned (known: {known}, and {packed} of them)"
        raise InputError(message, file=printable(name))
    status = path.stat()
    return Source(printable(name), str(path.resolve()), *kind, status.st_size, _stamp(status))


def _below(folder: Path, met: set[tuple[int, int]]) -> Iterator[Path | PassedOver | Failure]:
    """The files below a folder, links followed, each folder once; what is no file to read, with the reason."""
    try:
        status = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Failure(f"{printable(str(folder))}/", f"cannot be opened: {error.strerror}")
        return
    if (status.st_dev, status.st_ino) in met:
        yield PassedOver(f"{printable(str(folder))}/", "a link to a folder that is read already")
        return
    met.add((status.st_dev, status.st_ino))
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith((".", "_")):
            end = "/" if entry.is_dir() else ""
            yield PassedOver(printable(f"{path}{end}"), "name begins with . or _")
        elif entry.is_dir():
            yield from _below(path, met)
        elif entry.is_file():
            yield path
        else:
            broken = entry.is_symlink()
            yield PassedOver(printable(str(path)), "a broken link" if broken else "not a regular file")


def _entries_below(folder: Path) -> Iterator[Source | PassedOver | Failure]:
    found = list(_below(folder, set()))
    files = [entry for entry in found if isinstance(entry, Path)]
    yield from (entry for entry in found if not isinstance(entry, Path))
    for file in sorted(files, key=lambda path: path.relative_to(folder).as_posix()):
        yield _entry(file)


def _entry(file: Path) -> Source | PassedOver:
    reason = _reason_to_pass(file.name)
    return PassedOver(printable(file.as_posix()), reason) if reason else _local_source(file.as_posix(), file)


def _local_entries(argument: str) -> Iterator[Source | PassedOver | Failure]:
    path = Path(argument)
    if path.is_file():
        yield _local_source(argument, path)
    elif path.is_dir():
        yield from _entries_below(path)
    else:
        found = [Path(name) for name in sorted(glob.glob(argument, recursive=True))]  # noqa: PTH207
        if not found:
            raise InputError("no such file, folder or pattern", file=printable(argument))
        for place in found:
            if place.is_dir():
                yield from _entries_below(place)
            else:
                yield _entry(place)


def _remote_entry(scheme: str, details: dict[str, Any]) -> Source | PassedOver:
    name = f"{scheme}://{str(details['name']).removeprefix(f'{scheme}://')}"
    kind, reason = file_kind(name), _reason_to_pass(name)
    if kind is None or reason:
        return PassedOver(name, reason or "no kind of file that is read")
    large_file = details.get("lfs") or {}
    stamps = (details.get(key) for key in ("blob_id", "etag", "ETag", "mtime", "last_modified", "LastModified"))
    stamp = str(large_file.get("sha256") or next((stamp for stamp in stamps if stamp), ""))
    return Source(name, name, *kind, int(details.get("size") or 0), stamp, large_file.get("sha256"))


def _remote_entries(argument: str) -> Iterator[Source | PassedOver]:
    """The files behind a URL (``hf://datasets/ORG/NAME/...`` or another scheme that fsspec and Polars share)."""
    import fsspec

    scheme, _, path = argument.partition("://")
    try:
        files = fsspec.filesystem(scheme)
        pattern = path if glob.has_magic(path) else f"{path.rstrip('/')}/**"
        found = (
            files.glob(pattern, detail=True) if glob.has_magic(path) or files.isdir(path) else {path: files.info(path)}
        )
    except Exception as error:  # every file system has network errors of its own
        reason = str(error).strip() or type(error).__name__
        raise InputError(f"cannot be listed: {reason.splitlines()[0]}", file=argument) from error
    details = [found[key] for key in sorted(found) if found[key].get("type") == "file"]
    if not details:
        raise InputError("no such file, folder or pattern", file=argument)
    yield from (_remote_entry(scheme, entry) for entry in details)


def _is_product(source: Source, out: Path) -> bool:
    """Whether a file is the index that a scan writes, or one of its partial results or logs."""
    path, index = Path(source.uri), out.resolve()
    return path == index or any(index.with_name(f"{index.name}{end}") in path.parents for end in (".parts", ".logs"))


def find_sources(arguments: Iterable[str], out: Path | None = None) -> Found:
    """The files to scan, each once, in the order named (within folders and patterns by name), and what is not read.

    What an earlier scan into ``out`` left among them is no source. ``InputError`` for a name with nothing behind it,
    and when nothing at all is to be read.
    """
    found, met = Found(), set[object]()
    for argument in arguments:
        entries = _remote_entries(argument) if "://" in argument else _local_entries(argument)
        for entry in entries:
            if isinstance(entry, Source) and out is not None and entry.is_local and _is_product(entry, out):
                continue
            key = entry.uri if isinstance(entry, Source) else entry
            if key not in met:
                met.add(key)
                found.add(entry)
    if not found.sources:
        closed = "; ".join(f"{failure.source} {failure.reason}" for failure in found.unopened)
        where = " ".join(map(printable, arguments)) or "an empty list of sources"
        raise InputError(f"no file to scan in {where}{f' ({closed})' if closed else ''}")
    return found


def open_bytes(source: Source) -> Any:
    """The file's raw bytes as a readable, seekable stream."""
    if source.is_local:
        return Path(source.uri).open("rb")
    import fsspec

    return fsspec.open(source.uri, "rb").open()


@contextmanager
def utf8_uri(source: Source) -> Iterator[str]:
    """What opens a file where a name must be UTF-8: a link to it, if its own name is not."""
    if printable(source.uri) == source.uri:
        yield source.uri
        return
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "source"
        link.symlink_to(source.uri)
        yield str(link)


def hash_source(source: Source) -> str:
    """The file's sha256 in hexadecimal; read from the file unless its hub states it."""
    if source.sha256:
        return source.sha256
    with open_bytes(source) as stream:
        return str(hash_stream(stream).hexdigest())


def has_changed(source: Source) -> bool:
    """Whether a local file is no longer the one that was listed; files of a hub are named by their content."""
    if not source.is_local:
        return False
    try:
        status = os.stat(source.uri)  # noqa: PTH116
    except OSError:
        return True
    return (status.st_size, _stamp(status)) != (source.size, source.stamp)
