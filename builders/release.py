"""Where the software is to be had: what a release sets, in this one place (docs/release.md has the steps).

Cards and README take their words from here, so that no line tells to install what cannot be installed.
"""

# The public address of the repository, such as "https://github.com/ORG/arithmark"; None while there is none.
URL: str | None = None
# Whether the name `arithmark` on the package index is ours.
ON_INDEX = False


def install_command(url: str | None, on_index: bool) -> str:
    """The shell command that installs the software.

    >>> install_command("https://example.org/arithmark", False), install_command(None, False)
    ('pip install git+https://example.org/arithmark', 'pip install .')
    """
    if on_index:
        return "pip install arithmark"
    return f"pip install git+{url}" if url else "pip install ."


def where(url: str | None, on_index: bool) -> str:
    """What to know before that command works.

    >>> where("https://example.org/arithmark", True)
    'the software lies at https://example.org/arithmark'
    """
    if url:
        return f"the software lies at {url}"
    if on_index:
        return "the software is arithmark on the package index"
    return "the software has no public address yet; in a checkout of it"
