"""A small dataset folder, and ways to publish it and to look at what is refused."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Features, Value
from hub_client import TOKEN
from hub_server import HubServer

from arithmark_tasks.builders.cards.render import header
from arithmark_tasks.builders.cards.sections import mark_sections
from arithmark_tasks.builders.folder import Split, write_folder
from arithmark_tasks.builders.publishing import Hub, Outcome, publish
from arithmark_tasks.builders.publishing.dataset import DatasetFolder
from arithmark_tasks.generators.errors import InputError

REPO = "sums/demo"
COLUMNS = {"number": Value("int64"), "text": Value("string"), "flag": Value("bool")}
ROWS = [{"number": n, "text": f"0{n}", "flag": n % 2 == 0} for n in range(50)]
Rows = list[dict[str, Any]]


def rows(start: int = 0, *, without: str | None = None) -> Rows:
    return [{key: value for key, value in row.items() if key != without} for row in ROWS[start:]]


def demo(out: Path, *splits: tuple[str, str, Rows], version: int = 1, dataset: str = "demo", **facts: Any) -> Path:
    """A folder with these splits as (config, split, rows); two by default."""
    built = [
        Split(config, name, f"{config}-{name}", Features({key: COLUMNS[key] for key in content[0]}), content)
        for config, name, content in splits or (("default", "test", rows()), ("default", "fewshot", rows(45)))
    ]

    def card(manifest: dict[str, Any]) -> str:
        body = f"# Demo\n\nVersion {version}.\n\n## Use\n\nRead it.\n\n## Licence\n\nApache.\n"
        return header(manifest, "Demo", ["arithmetic"], ["text-generation"]) + mark_sections(body)

    write_folder(out, dataset, built, {"dataset_version": version, "seed": 1, **facts}, card)
    return out


def send(folder: Path, **options: Any) -> Outcome:
    return publish(DatasetFolder(folder), Hub(REPO, "dataset"), **options)


def refusal(call: Callable[[], Any]) -> str:
    """The one line that a call is refused with. Neither it nor anything it drags along holds a token."""
    with pytest.raises(InputError) as caught:
        call()
    error: BaseException | None = caught.value
    assert "\n" not in str(error)
    assert TOKEN not in "".join(traceback.format_exception(error))
    while error is not None:
        assert TOKEN not in f"{error.args} {vars(error)}"
        assert not hasattr(error, "request"), "the request holds the token in its headers"
        error = error.__context__
    return str(caught.value)


def state(hub: HubServer) -> Any:
    return {name: (dict(repo.branches), repo.files()) for name, repo in hub.repos.items()}
