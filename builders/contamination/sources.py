"""From the sources a user names to the files to read, in a fixed order."""

import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...generators.errors import InputError
from ..files import hash_stream

_KINDS = {
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".txt": "text",
    ".md": "text",
    ".text": "text",
}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
_ONLY_WHEN_NAMED = {".md"}  # a folder's README is not its corpus


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


def file_kind(name: str) -> tuple[str, str | None] | None:
    """The kind and compression that a file name states, ``None`` for a name that states no kind we read.

    >>> file_kind("part-0.jsonl.zst"), file_kind("notes.docx")
    (('jsonl', 'zstd'), None)
    """
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    compression = _COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    kind = _KINDS.get(suffixes[-2 if compression else -1]) if len(suffixes) > bool(compression) else None
    if kind is None or (kind == "parquet" and compression):
        return None
    return kind, compression


def _local_source(name: str, path: Path) -> Source:
    kind = file_kind(path.name)
    if kind is None:
        known = " ".join(sorted(_KINDS))
        raise InputError(f"not a kind of file that can be scanned (known: {known}, and .gz or .zst of them)", file=name)
    status = path.stat()
    return Source(name, str(path.resolve()), *kind, status.st_size, str(status.st_mtime_ns))


def _files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden:
            yield path


def _is_corpus_file(name: str) -> bool:
    return file_kind(name) is not None and not _ONLY_WHEN_NAMED & set(Path(name).suffixes)


def _local_sources(argument: str) -> Iterator[Source | str]:
    """The sources of a path or pattern; a plain string names a file that is passed over."""
    path = Path(argument)
    if path.is_file():
        yield _local_source(argument, path)
        return
    if path.is_dir():
        found: Iterable[Path] = _files_below(path)
    else:
        found = [Path(name) for name in sorted(glob.glob(argument, recursive=True)) if Path(name).is_file()]  # noqa: PTH207
        if not found:
            raise InputError("no such file, folder or pattern", file=argument)
    for file in found:
        yield _local_source(file.as_posix(), file) if _is_corpus_file(file.name) else file.as_posix()


def _remote_source(scheme: str, details: dict[str, Any]) -> Source | str:
    name = f"{scheme}://{str(details['name']).removeprefix(f'{scheme}://')}"
    kind = file_kind(name)
    if kind is None or not _is_corpus_file(name):
        return name
    large_file = details.get("lfs") or {}
    stamps = (details.get(key) for key in ("blob_id", "etag", "ETag", "mtime", "last_modified", "LastModified"))
    stamp = str(large_file.get("sha256") or next((stamp for stamp in stamps if stamp), ""))
    return Source(name, name, *kind, int(details.get("size") or 0), stamp, large_file.get("sha256"))


def _remote_sources(argument: str) -> Iterator[Source | str]:
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
    yield from (_remote_source(scheme, entry) for entry in details)


def _is_product(source: Source, out: Path) -> bool:
    """Whether a file is the index that a scan writes, or one of its partial results or logs."""
    path, index = Path(source.uri), out.resolve()
    return path == index or any(index.with_name(f"{index.name}{end}") in path.parents for end in (".parts", ".logs"))


def find_sources(arguments: Iterable[str], out: Path | None = None) -> tuple[list[Source], list[str]]:
    """The files to scan, each once, in the order named (within folders and patterns by name), and those passed over.

    What an earlier scan into ``out`` left among them is no source. ``InputError`` for a name with nothing behind it,
    and when nothing at all is to be read.
    """
    sources: dict[str, Source] = {}
    passed_over: list[str] = []
    for argument in arguments:
        entries = _remote_sources(argument) if "://" in argument else _local_sources(argument)
        for entry in entries:
            if isinstance(entry, str):
                passed_over.append(entry)
            elif out is None or not entry.is_local or not _is_product(entry, out):
                sources.setdefault(entry.uri, entry)
    if not sources:
        raise InputError(f"no file to scan in {' '.join(arguments) or 'an empty list of sources'}")
    return list(sources.values()), passed_over


def open_bytes(source: Source) -> Any:
    """The file's raw bytes as a readable, seekable stream."""
    if source.is_local:
        return Path(source.uri).open("rb")
    import fsspec

    return fsspec.open(source.uri, "rb").open()


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
    return (status.st_size, str(status.st_mtime_ns)) != (source.size, source.stamp)
