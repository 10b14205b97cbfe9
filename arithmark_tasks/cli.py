"""The ``arithmark`` command: one line per sub-command, each in its own module of ``commands``."""

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from . import __version__
from .commands.audit import audit
from .commands.build import build
from .commands.calcgpt import app as calcgpt
from .commands.check import check
from .commands.eval import evaluate
from .commands.export import export
from .commands.publish import publish
from .commands.report import report
from .commands.scan import scan
from .commands.verify import verify
from .console import be_quiet, plain_console
from .failures import is_debugged, told


class Commands(TyperGroup):
    """The commands, each of which also takes ``-q`` and names no type for a flag in its help."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        _complete(self)

    def get_params(self, ctx: Any) -> list[Any]:
        """Those that typer adds later, among them."""
        return [_without_type(parameter) for parameter in super().get_params(ctx)]


def _complete(command: Any) -> None:
    for member in getattr(command, "commands", {}).values():
        _complete(member)
    if not hasattr(command, "commands"):
        command.params.append(_quiet_option())
    for parameter in command.params:
        _without_type(parameter)
    ask_for_help = command.get_help_option
    command.get_help_option = lambda context: _without_type(ask_for_help(context))


def _without_type(parameter: Any) -> Any:
    if getattr(parameter, "is_flag", False):
        parameter.metavar = ""
    return parameter


def _quiet_option() -> Any:
    """The option as typer makes it for a function of its own."""
    small = typer.Typer(add_completion=False)

    @small.command()
    def _(
        quiet: Annotated[
            bool, typer.Option("--quiet", "-q", callback=be_quiet, help="No progress, only results and errors.")
        ] = False,
    ) -> None:
        pass

    (option,) = typer.main.get_command(small).params
    option.expose_value = False
    return option


app = typer.Typer(
    name="arithmark",
    cls=Commands,
    help="Arithmetic benchmarks for small language models: build, check, score.\n\n"
    "Example: [bold]arithmark eval --limit 20[/bold]",
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
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
app.command("export")(export)
app.command("report")(report)
app.add_typer(calcgpt, name="calcgpt")


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"arithmark {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; what fails ends as one clear line on stderr and exit status 1."""
    # A notebook's plotting is inherited by its commands, where it may not exist; ours draw into files.
    os.environ["MPLBACKEND"] = "agg"
    try:
        app()
    except Exception as error:
        if is_debugged():
            raise
        line = f"arithmark: {told(error)}"
        plain_console(stderr=True, soft_wrap=True, quiet=False).print(line, style="red")
        sys.exit(1)


if __name__ == "__main__":
    main()
