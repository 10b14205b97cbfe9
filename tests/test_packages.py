"""setup.cfg lists the packages by hand, because ``find:`` does not see the mapping of folders: the list is the tree."""

import configparser

from house import FOLDERS, REPOSITORY, ROOT

SETUP = configparser.ConfigParser()
SETUP.read(REPOSITORY / "setup.cfg", encoding="utf-8")
MAPPED = dict(line.split(" = ") for line in SETUP["options"]["package_dir"].strip().splitlines())
PACKAGES = SETUP["options"]["packages"].split()


def folder_of(package: str) -> str:
    """Where a package's modules lie: the longest mapped name that it begins with, and the rest as folders."""
    start = max((name for name in MAPPED if package == name or package.startswith(f"{name}.")), key=len)
    return MAPPED[start] + package[len(start) :].replace(".", "/")


def test_every_folder_with_modules_is_a_listed_package_and_no_other() -> None:
    folders = {
        path.parent.relative_to(REPOSITORY).as_posix()
        for folder in (*FOLDERS, "benchmarks/published")
        for path in (REPOSITORY / folder).rglob("*.py")
    }
    assert sorted(map(folder_of, PACKAGES)) == sorted(folders)
    assert len(PACKAGES) == len(set(PACKAGES))
    assert all((REPOSITORY / folder_of(package) / "__init__.py").is_file() for package in PACKAGES)
    assert PACKAGES[0] == ROOT


def test_every_data_file_beside_the_modules_is_packaged() -> None:
    packaged = {
        path
        for package, patterns in SETUP["options.package_data"].items()
        for pattern in patterns.split()
        for path in (REPOSITORY / folder_of(package)).glob(pattern)
    }
    for folder in (*FOLDERS, "benchmarks/published"):
        for path in (REPOSITORY / folder).rglob("*"):
            assert path in packaged or path.is_dir() or path.suffix in (".py", ".pyc"), path
