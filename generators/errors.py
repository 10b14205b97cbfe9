"""The one error type for bad input that a user can mend."""


class InputError(ValueError):
    """Bad input, described in one line that names the file, the row and the value.

    >>> str(InputError("duplicated option", file="items.jsonl", line=7))
    'items.jsonl, line 7: duplicated option'
    """

    def __init__(self, message: str, *, file: object = None, line: int | None = None) -> None:
        place = ", ".join([str(file)] * (file is not None) + [f"line {line}"] * (line is not None))
        super().__init__(f"{place}: {message}" if place else message)
