"""Renders a dataset card: YAML header from a dictionary, body from a jinja2 template, both from computed figures."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import __version__
from .. import release
from .sections import mark_sections

if TYPE_CHECKING:
    from jinja2 import Environment

# The Hub's own size classes, with the number of rows below which each ends.
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
)


def size_category(rows: int) -> str:
    """The Hub's size class of a dataset.

    >>> size_category(1040)
    '1K<n<10K'
    """
    return next(name for bound, name in _SIZES if rows < bound)


def header(manifest: dict[str, Any], pretty_name: str, tags: Iterable[str], tasks: Iterable[str]) -> str:
    """The card's YAML: licence, language, tags, size and configs with explicit paths, the first one the default."""
    from huggingface_hub import DatasetCardData

    configs: dict[str, list[dict[str, str]]] = {}
    for split in manifest["splits"]:
        configs.setdefault(split["config"], []).append({"split": split["split"], "path": split["parquet"]})
    first = next(iter(configs))
    data = DatasetCardData(
        language=["en"],
        license="apache-2.0",
        pretty_name=pretty_name,
        size_categories=[size_category(sum(split["items"] for split in manifest["splits"]))],
        task_categories=list(tasks),
        tags=list(tags),
        configs=[
            {"config_name": name, **({"default": True} if name == first else {}), "data_files": files}
            for name, files in configs.items()
        ],
    )
    return f"---\n{data.to_yaml(line_break=chr(10)).strip()}\n---\n"


def software_of(manifest: Mapping[str, Any]) -> release.Software:
    """What the card of a built folder says of the software."""
    return release.Software(manifest.get("software_url"))


def address(card: str, repo: str) -> str:
    """The card with the repository where its commands say where the folder is, or name the one it came from.

    >>> address('load_dataset("path/to/this/folder")  # or ORG/NAME on the Hub', "me/sums")
    'load_dataset("me/sums")'
    >>> address("inspect eval hf/ORG/NAME/sums_gen --model MODEL", "me/sums")
    'inspect eval hf/me/sums/sums_gen --model MODEL'
    >>> address('load_dataset("you/sums", "deep")', "me/sums")
    'load_dataset("me/sums", "deep")'
    """
    local = re.sub(r'(?<=load_dataset\(")[\w.-]+/[\w.-]+(?=")', lambda found: repo, card)
    local = re.sub(r"(?<=\beval hf/)[\w.-]+/[\w.-]+|(?<=`hf/)[\w.-]+/[\w.-]+", lambda found: repo, local)
    return re.sub(r" *# or ORG/NAME on the Hub", "", local).replace("path/to/this/folder", repo)


def markdown_environment(folder: Path) -> "Environment":
    """Templates of a folder that write Markdown from our own data; a name that nobody gave is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # read by people
    )


def render(template: str, **facts: Any) -> str:
    """The body of ``TEMPLATE.md.jinja`` and the common notice, sections marked; an uncomputed figure is an error."""
    software = software_of(facts["manifest"]) if "manifest" in facts else release.Software(release.public_address())
    facts["release"] = {
        "version": __version__,
        "url": software.url,
        "install": software.install,
        "where": software.where,
    }
    environment = markdown_environment(Path(__file__).parent)
    environment.filters["percent"] = lambda share: f"{100 * share:.2f} %"
    environment.filters["thousands"] = lambda count: f"{count:,}"
    parts = (environment.get_template(f"{name}.md.jinja").render(**facts) for name in (template, "_notice"))
    return mark_sections("".join(parts))
