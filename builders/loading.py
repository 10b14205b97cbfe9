"""``load_dataset`` for datasets that are computed on this machine instead of downloaded."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..generators.errors import InputError

if TYPE_CHECKING:
    import datasets

    from .base import GeneratedBuilder

# name -> (module of this package, builder class); imported only when asked for.
_BUILDERS = {
    "calcgpt": ("calcgpt", "CalcGPT"),
    "deeparithmark": ("deeparithmark", "DeepArithmark"),
    "zenyx": ("zenyx", "Zenyx"),
}


def dataset_names() -> list[str]:
    """The names that ``load_dataset`` knows."""
    return sorted(_BUILDERS)


def builder_class(name: str) -> "type[GeneratedBuilder]":
    """The builder of a dataset; ``InputError`` lists the known names."""
    if name not in _BUILDERS:
        raise InputError(
            f"no dataset {name!r} here, only {', '.join(dataset_names())}; for a folder or the Hub use "
            "datasets.load_dataset"
        )
    module, attribute = _BUILDERS[name]
    found: type[GeneratedBuilder] = getattr(import_module(f".{module}", __package__), attribute)
    return found


def load_dataset(
    path: str,
    name: str | None = None,
    data_dir: str | None = None,
    data_files: Any = None,
    split: Any = None,
    cache_dir: str | None = None,
    features: "datasets.Features | None" = None,
    download_config: Any = None,
    download_mode: Any = None,
    verification_mode: Any = None,
    keep_in_memory: bool | None = None,
    save_infos: bool = False,
    revision: str | None = None,
    token: bool | str | None = None,
    streaming: bool = False,
    num_proc: int | None = None,
    storage_options: dict[str, Any] | None = None,
    **config_kwargs: Any,
) -> "datasets.Dataset | datasets.DatasetDict | datasets.IterableDataset | datasets.IterableDatasetDict":
    """``datasets.load_dataset`` for the datasets of this package: same arguments, same results, same cache, no network.

    ``path`` is a dataset (``"deeparithmark"``), ``name`` one of its configs, ``config_kwargs`` the options of that
    config (``seed=``, ``items=``). Rows come from the cache while generator source and version are unchanged.
    ``InputError`` for an unknown dataset, config, split or option, and for arguments that only make sense for files
    (``data_files``, ``data_dir``, ``revision``); ``token``, ``download_config`` and ``storage_options`` are not needed.

    >>> load_dataset("deeparithmark", split="test", seed=7)["label"]  # doctest: +SKIP
    """
    for argument, value in (("data_dir", data_dir), ("data_files", data_files), ("revision", revision)):
        if value is not None:
            raise InputError(f"{argument}={value!r} has no meaning for {path!r}: its rows are computed, not read")
    if streaming and num_proc is not None:
        raise InputError("streaming=True and num_proc exclude each other")
    builder = _builder(path, name, cache_dir, features, config_kwargs)
    _check_split(builder, split)
    if streaming:
        return builder.as_streaming_dataset(split=split)
    _prepare(builder, download_mode, verification_mode, num_proc)
    return builder.as_dataset(split=split, in_memory=bool(keep_in_memory))


def _builder(
    path: str, name: str | None, cache_dir: str | None, features: Any, options: dict[str, Any]
) -> "GeneratedBuilder":
    cls = builder_class(path)
    known = sorted(cls.builder_configs)
    if name is not None and name not in known:
        raise InputError(f"{path} has no config {name!r}, only {', '.join(known)}")
    defaults = vars(cls.builder_configs[name or cls.DEFAULT_CONFIG_NAME])
    for option, value in options.items():
        if option not in defaults:
            raise InputError(f"{path} has no option {option!r}")
        if type(defaults[option]) is int and type(value) is not int:
            raise InputError(f"{option} is an integer, not {value!r}")
    return cls(cache_dir=cache_dir, config_name=name, features=features, **options)


def _check_split(builder: "GeneratedBuilder", split: Any) -> None:
    # datasets checks this only after the rows are built, and never says it in one line.
    names = list(builder.row_sources())
    if isinstance(split, str) and split.isidentifier() and split not in [*names, "all"]:
        raise InputError(
            f"{builder.dataset_name} ({builder.config.name}) has no split {split!r}, only {', '.join(names)}"
        )


def _prepare(builder: "GeneratedBuilder", download_mode: Any, verification_mode: Any, num_proc: int | None) -> None:
    from datasets.exceptions import DatasetGenerationError

    try:
        builder.download_and_prepare(
            download_mode=download_mode, verification_mode=verification_mode, num_proc=num_proc
        )
    except DatasetGenerationError as error:
        # A generator refuses its arguments by ValueError, which datasets hides behind its own error.
        if isinstance(error.__cause__, ValueError):
            raise InputError(str(error.__cause__)) from None
        raise
