"""The one error type for bad input that a user can mend."""


class InputError(ValueError):
    """Bad input, described in one line that names the file, the row and the value.

    >>> str(InputError("duplicated option", file="items.jsonl", line=7))
    'items.jsonl, line 7: duplicated option'
    """

    def __init__(self, message: str, *, file: object = None, line: int | None = None) -> None:
        place = ", ".join([str(file)] * (file is not None) + [f"line {line}"] * (line is not None))
        super().__init__(f"{place}: {message}" if place else message)


def one_line(error: Exception) -> str:
    """What to print for bad input: an operating system's error as file and reason, without its number.

    >>> one_line(FileNotFoundError(2, "No such file or directory", "plan.json"))
    'plan.json: No such file or directory'
    """
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)
