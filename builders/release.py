"""Where the software is to be had: what a release sets, in this one place (docs/release.md has the steps).

Cards and README take their words from here, so that no line tells to install what cannot be installed.
"""

import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from .. import __version__
from ..generators.errors import InputError

ADDRESS = "ARITHMARK_URL"
# The public address of the repository, such as "https://github.com/ORG/arithmark"; None while there is none.
URL: str | None = None
# Whether the name `arithmark` on the package index is ours.
ON_INDEX = False
# The file of this version, as a build of the source names it.
WHEEL = f"arithmark-{__version__}-py3-none-any.whl"
_WHEEL = re.compile(r"arithmark-[^/\s`]+-py3-none-any\.whl")


@dataclass(frozen=True, slots=True)
class Software:
    """What a card says of it: ``url`` of the repository, ``wheel`` where a file of it is to be had.

    >>> Software("https://example.org/arithmark").install, Software().install
    ('pip install git+https://example.org/arithmark', 'pip install .')
    >>> Software(wheel="https://example.org/a/arithmark-1-py3-none-any.whl").install
    'pip install https://example.org/a/arithmark-1-py3-none-any.whl'
    """

    url: str | None = None
    wheel: str | None = None

    @property
    def install(self) -> str:
        """The shell command that installs it."""
        if self.wheel:
            return f"pip install {self.wheel}"
        if ON_INDEX:
            return "pip install arithmark"
        return f"pip install git+{self.url}" if self.url else "pip install ."

    @property
    def where(self) -> str:
        """What to know before that command works."""
        places = [f"at {self.url}"] * bool(self.url) + ["in this repository as a wheel"] * bool(self.wheel)
        if places:
            return f"the software lies {' and '.join(places)}"
        if ON_INDEX:
            return "the software is arithmark on the package index"
        return "the software has no public address yet; in a checkout of it"

    def told(self, card: str, other: "Software") -> str:
        """A card that says this, saying the other."""
        card = card.replace(f"`{self.install}`", f"`{other.install}`")
        return card.replace(f"({self.where})", f"({other.where})")


def public_address() -> str | None:
    """The address that new folders and cards name: that of the environment, else of this release."""
    found = os.environ.get(ADDRESS) or URL
    if found and not re.fullmatch(r"https?://[^\s`(){}]+", found):
        raise InputError(f"{ADDRESS} takes the address of the repository, https://..., not {found!r}")
    return found


def is_wheel(name: str) -> bool:
    """Whether a file's name is that of a wheel of ours.

    >>> is_wheel("arithmark-0.1.0-py3-none-any.whl"), is_wheel("data/arithmark.jsonl")
    (True, False)
    """
    return _WHEEL.fullmatch(name) is not None


def check_wheel(file: Path) -> Path:
    """The file, when it is a wheel of this version of ours by its name and by what it holds; else ``InputError``."""
    if file.name != WHEEL:
        raise InputError(f"not the wheel of this version, {WHEEL}", file=file)
    with zipfile.ZipFile(file) as archive:
        metadata = f"arithmark-{__version__}.dist-info/METADATA"
        if metadata not in archive.namelist():
            raise InputError(f"no {metadata} in it", file=file)
        head = archive.read(metadata).decode("utf-8", "replace").partition("\n\n")[0].splitlines()
    if not {"Name: arithmark", f"Version: {__version__}"} <= set(head):
        raise InputError(f"its metadata are not those of arithmark {__version__}", file=file)
    return file
