"""Names that the command line takes for the Hub, refused before anything is built when no such name can be."""

import re

from ...generators.errors import InputError

# The rules of `git check-ref-format` for refs/heads/NAME, and the two names that `git branch` keeps for itself.
_NO_BRANCH = re.compile(
    r"[\x00-\x20\x7f~^:?*\[\\]"  # characters with a meaning of their own
    r"|\.\.|@\{|//"
    r"|^/|/$|\.$"
    r"|(?:^|/)\.|\.lock(?:/|$)"  # a part of the path that is hidden or a lock file
    r"|^@$|^-|^HEAD$|^$"
)


def check_branch(name: str) -> str:
    """The name, when git takes it for a branch; else ``InputError``.

    >>> check_branch("trial/2")
    'trial/2'
    """
    if _NO_BRANCH.search(name):
        raise InputError(f"--revision takes the name of a branch, which {name!r} cannot be")
    return name


def check_repository(name: str) -> str:
    """The name, when it is ORG/NAME in the Hub's characters; else ``InputError``.

    >>> check_repository("sums/demo")
    'sums/demo'
    """
    from huggingface_hub.utils import HFValidationError, validate_repo_id

    if name.count("/") != 1:
        raise InputError(f"--repo takes ORG/NAME, not {name!r}")
    try:
        validate_repo_id(name)
    except HFValidationError as error:
        raise InputError(f"--repo takes ORG/NAME, not {name!r}: {str(error).splitlines()[0]}") from None
    return name
