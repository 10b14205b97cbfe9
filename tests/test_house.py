"""docs/contributing.md shows the house as it is: picture and table from the imports, and no path that is not there."""

import re

from house import PAGE, REPOSITORY, circles, package_folders, room_graph, written

PATH = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*|[\w-]+\.(?:md|cfg|py))`")


def test_the_picture_and_the_table_are_fresh() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "write it again: python -m tests.support.house"


def test_rooms_do_not_need_each_other_in_a_circle() -> None:
    assert circles(room_graph()) == []


def test_every_room_says_what_is_in_it() -> None:
    for folder in package_folders():
        assert (folder / "__init__.py").read_text(encoding="utf-8").startswith('"""'), folder


def test_every_path_on_the_page_is_there() -> None:
    named = [path for path in PATH.findall(PAGE.read_text(encoding="utf-8")) if "NAME" not in path]
    assert len(named) > 40
    folders = ("", "builders/contamination/kernel", "builders/contamination", "arithmark_tasks/statistics")
    missing = [path for path in named if not any(list((REPOSITORY / folder).glob(path)) for folder in folders)]
    assert missing == []
