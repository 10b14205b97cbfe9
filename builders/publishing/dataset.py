"""A built dataset folder as something to publish."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...generators.errors import InputError
from ...generators.jsonl import hash_rows
from ..cards.render import software_of
from ..eval_yaml import EVAL
from ..folder import ATTRIBUTES, CARD, MANIFEST, Manifest, parse_manifest, read_manifest
from ..release import Software
from ..verify import verify_folder
from .hub import Snapshot

# Written by older versions of datasets and preferred over what the Parquet files say.
STALE = "dataset_infos.json"


class DatasetFolder:
    """A folder that ``arithmark build`` wrote."""

    kind = "dataset"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        files = {name: folder / name for name in (MANIFEST, CARD, *_data_files(self.manifest))}
        # Folders that were built before there were these files, and sets that have no eval.yaml, do without them.
        files |= {name: folder / name for name in (ATTRIBUTES, EVAL) if (folder / name).is_file()}
        self.files: Mapping[str, Path] = files

    @property
    def software(self) -> Software:
        """What its card says of the software."""
        return software_of(self.manifest)

    @property
    def title(self) -> str:
        """Dataset, data version and what built it."""
        facts = self.manifest
        return f"{facts['dataset']}, data version {facts['dataset_version']} (arithmark {facts['package_version']})"

    def outdated(self, published: Snapshot) -> set[str]:
        """Files of the published manifest that are no longer built, and dataset infos that would go stale.

        ``InputError`` when the repository holds somebody else's data, another dataset, a later version, or other rows
        under the same version.
        """
        stale = {STALE} & set(published.files)
        if MANIFEST not in published.files:
            foreign = sorted(path for path in published.files if path.startswith("data/"))
            if foreign:
                raise InputError(f"{published.repo} holds data that arithmark did not publish, such as {foreign[0]}")
            return stale
        where = f"{MANIFEST} of {published.repo}"
        old = parse_manifest(published.read(MANIFEST), where)
        if old.get("dataset") != self.manifest["dataset"]:
            raise InputError(f"{published.repo} holds {old.get('dataset')}, not {self.manifest['dataset']}")
        _check_version(published.repo, old, self.manifest)
        return stale | (set(_data_files(old)) & set(published.files)) - set(self.files)

    def differences(self, repo: str, commit: str, token: str | bool) -> Iterator[str]:
        """Counts, features and canonical sha256 of every split, loaded as anybody loads it."""
        import datasets

        expected: dict[str, dict[str, Manifest]] = {}
        for split in self.manifest["splits"]:
            expected.setdefault(split["config"], {})[split["split"]] = split
        configs = datasets.get_dataset_config_names(repo, revision=commit, token=token)
        if sorted(configs) != sorted(expected):
            yield f"configs are {sorted(configs)}, not {sorted(expected)}"
            return
        with TemporaryDirectory() as cache:
            for config, splits in expected.items():
                loaded: Any = datasets.load_dataset(repo, config, revision=commit, token=token, cache_dir=cache)
                if sorted(loaded) != sorted(splits):
                    yield f"{config} has splits {sorted(loaded)}, not {sorted(splits)}"
                    continue
                for name, split in splits.items():
                    yield from (f"{config}/{name}: {found}" for found in self._changed(split, loaded[name]))

    def _changed(self, split: Manifest, loaded: Any) -> Iterator[str]:
        import pyarrow.parquet as pq
        from datasets import Features

        features = Features.from_arrow_schema(pq.read_schema(self.folder / split["parquet"]))
        if loaded.features != features or list(loaded.features) != list(features):
            yield f"features are {loaded.features}, not {features}"
        if len(loaded) != split["items"]:
            yield f"{len(loaded)} rows, not {split['items']}"
        found = hash_rows(loaded)
        if found != split["sha256"]:
            yield f"rows have sha256 {found}, not {split['sha256']}"


def _splits(manifest: Manifest) -> list[dict[str, Any]]:
    """The splits that a manifest lists, however damaged it is."""
    splits = manifest.get("splits")
    return [split for split in splits if isinstance(split, dict)] if isinstance(splits, list) else []


def _data_files(manifest: Manifest) -> list[str]:
    return [str(split[kind]) for split in _splits(manifest) for kind in ("jsonl", "parquet") if kind in split]


def _check_version(repo: str, old: Manifest, new: Manifest) -> None:
    version, published = new["dataset_version"], old.get("dataset_version")
    if type(published) is not int or published > version:
        raise InputError(f"{repo} holds data version {published!r}, which {version} cannot follow")
    if published < version:
        return
    before, after = _data(old), _data(new)
    for name in [*after, *before]:
        if before.get(name) != after.get(name):
            change = "is new" if name not in before else "is gone" if name not in after else "has other rows or columns"
            raise InputError(
                f"{'/'.join(name)} {change} under data version {version}, which is published in {repo}: "
                "changed data need a new version"
            )


def _data(manifest: Manifest) -> dict[tuple[str, str], tuple[Any, ...]]:
    """What a version stands for: of each split the rows, by their hash, and the columns."""
    return {
        (str(split.get("config")), str(split.get("split"))): (split.get("sha256"), split.get("columns"))
        for split in _splits(manifest)
    }


def built_folder(
    name: str, folder: Path | None, scratch: Path, notify: Callable[[str], None] = lambda stage: None
) -> DatasetFolder:
    """The folder to publish, built in ``scratch`` when none is given, with every claim checked.

    ``InputError`` names the first claim that does not hold, or the dataset when it is another one than ``name``.
    """
    if folder is None:
        folder = scratch / name
        builder = import_module(f"...{name}", __name__)
        builder.build_folder(folder, notify=notify)
    publication = DatasetFolder(folder)
    if publication.manifest["dataset"] != name:
        raise InputError(f"holds {publication.manifest['dataset']}, not {name}", file=folder)
    for section in verify_folder(folder, notify):
        for found in section.results:
            if not found.holds:
                reason = found.skipped or found.failures[0]
                raise InputError(f"not published, a claim does not hold: {found.claim}: {reason}", file=section.title)
    return publication
