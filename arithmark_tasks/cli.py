"""The ``arithmark`` command: one line per sub-command, each in its own module of ``commands``."""

import sys

import typer

from .commands.audit import audit
from .commands.build import build
from .commands.calcgpt import app as calcgpt
from .commands.check import check
from .commands.eval import evaluate
from .commands.publish import publish
from .commands.report import report
from .commands.scan import scan
from .commands.verify import verify
from .console import plain_console
from .generators.errors import InputError, one_line

app = typer.Typer(
    name="arithmark",
    help="Arithmetic benchmarks for small language models: build, check, score.\n\n"
    "Example: [bold]arithmark eval --limit 20[/bold]",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.add_typer(build, name="build")
app.command("audit")(audit)
app.command("verify")(verify)
app.command("scan")(scan)
app.command("check")(check)
app.add_typer(publish, name="publish")
app.command("eval")(evaluate)
app.command("report")(report)
app.add_typer(calcgpt, name="calcgpt")


def main() -> None:
    """Run the command line; bad input ends as one clear line on stderr and exit status 1."""
    try:
        app()
    except (InputError, OSError) as error:
        line = f"arithmark: {one_line(error)}"
        plain_console(stderr=True, soft_wrap=True).print(line, style="red")
        sys.exit(1)


if __name__ == "__main__":
    main()
