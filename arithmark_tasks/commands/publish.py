"""``arithmark publish``: one commit on the Hub for a dataset or a trained model."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ..console import own_bars_only, plain_console, stages

if TYPE_CHECKING:
    from arithmark_tasks.builders.publishing import Hub, Outcome, Publication
    from arithmark_tasks.builders.publishing.results import Scored

INSTALL_HERE = "`pip install .`"
publish = typer.Typer()
out = plain_console(soft_wrap=True)

Repo = Annotated[str, typer.Option(help="Repository on the Hub, ORG/NAME; made if need be.", show_default=False)]
Private = Annotated[bool, typer.Option("--private", help="Make a new repository private.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be pushed; write nothing on the Hub.")]
Revision = Annotated[
    str | None, typer.Option(help="Branch to push to; a new one starts at main. main without it.", show_default=False)
]
Folder = Annotated[
    Path | None,
    typer.Option(help="Publish this folder of `arithmark build`; built afresh without it.", show_default=False),
]
Wheel = Annotated[
    Path | None,
    typer.Option(help="The software as a wheel, which the card then tells to install from there.", show_default=False),
]


@publish.callback(no_args_is_help=True)
def _kinds() -> None:
    """Build, verify, push one commit to the Hugging Face Hub, load it back and compare.

    The token is that of [bold]HF_TOKEN[/bold] or of [bold]hf auth login[/bold].

    Example: [bold]arithmark publish deeparithmark --repo ORG/NAME --dry-run[/bold]
    """


def _dataset_command(name: str, told: str) -> None:
    """The command that publishes one of the datasets; ``told`` is its help."""

    @publish.command(name, help=told)
    def publish_dataset(
        repo: Repo,
        private: Private = False,
        dry_run: DryRun = False,
        revision: Revision = None,
        folder: Folder = None,
        wheel: Wheel = None,
    ) -> None:
        _publish_dataset(name, Target(repo, private, dry_run, revision, wheel), folder)


_dataset_command(
    "deeparithmark",
    """Publish DeepArithmark-1.

    Example: [bold]arithmark publish deeparithmark --repo ORG/NAME --dry-run[/bold]
    """,
)
_dataset_command(
    "zenyx",
    """Publish Zenyx Arithmetic Bench; with [bold]--folder[/bold] a build that was checked against a corpus.

    Example: [bold]arithmark publish zenyx --repo ORG/NAME --folder out/zenyx[/bold]
    """,
)
_dataset_command(
    "calcgpt",
    """Publish the CalcGPT tasks.

    Example: [bold]arithmark publish calcgpt --repo ORG/NAME --private[/bold]
    """,
)


@publish.command("calcgpt-model")
def publish_calcgpt_model(
    run: Annotated[Path, typer.Argument(help="Finished run folder of `arithmark calcgpt train`.", show_default=False)],
    repo: Repo,
    private: Private = False,
    dry_run: DryRun = False,
    revision: Revision = None,
    wheel: Wheel = None,
) -> None:
    """Publish a trained CalcGPT model; its held-out accuracy is measured for the card.

    Example: [bold]arithmark publish calcgpt-model runs/pr41 --repo ORG/NAME[/bold]
    """
    from ..calcgpt.console import without_advice
    from ..calcgpt.publication import model_run

    target = Target(repo, private, dry_run, revision, wheel)
    hub = target.hub("model")
    with TemporaryDirectory() as scratch:
        publication = model_run(run, repo, Path(scratch))
        with without_advice(), stages() as notify:
            outcome = target.publish(publication, hub, notify)
    _report(target, hub, outcome)


@publish.command("results")
def publish_results(
    results: Annotated[list[Path], typer.Argument(help="Results of `arithmark eval`.", show_default=False)],
    dataset: Annotated[
        str, typer.Option(help="The published set that was scored, ORG/NAME on the Hub.", show_default=False)
    ],
    model: Annotated[
        str | None,
        typer.Option(
            help="The scored model's repository, ORG/NAME; that of the result without it.", show_default=False
        ),
    ] = None,
    direct: Annotated[bool, typer.Option("--direct", help="Commit to main instead of opening a pull request.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Propose a model's scores to its repository, as [bold].eval_results/deeparithmark.yaml[/bold].

    Refused are scores of other rows than the published ones, and those of [bold]--limit[/bold]. Entries of others stay;
    the same score again changes nothing.

    Example: [bold]arithmark publish results smollm2.json --dataset ORG/NAME --model ORG/MODEL --dry-run[/bold]
    """
    from arithmark_tasks.builders.publishing import Hub
    from arithmark_tasks.builders.publishing.results import PATH, benchmark, check_rows, propose

    from ..generators.errors import InputError
    from ..model_scores import model_of, scores_of
    from ..results import read_result

    scores: dict[str, list[Scored]] = {}
    for path in results:
        result = read_result(path)
        scores.setdefault(model or model_of(result, path), []).extend(scores_of(result, path))
    published = benchmark(Hub(dataset, "dataset"))
    for found in scores.values():
        check_rows(published, found)
    for repo, found in scores.items():
        hub = Hub(repo, "model")
        if not dry_run:
            hub.check_token()
        base = hub.snapshot()
        if base is None:
            raise InputError(f"no model {repo} on the Hub, or the token may not see it")
        there = base.read(PATH).decode() if PATH in base.files else ""
        proposal = propose(there, published, found, repo)
        message = f"Scores on {dataset}: {', '.join(proposal.changed)}"
        if not proposal.changed:
            out.print(f"nothing changed, nothing pushed: {hub.url} has these scores already")
        elif dry_run:
            out.print(f"{hub.url}, {PATH}:\n{proposal.text}dry run: nothing pushed", markup=False)
        elif direct:
            commit = hub.commit(base.commit, "main", message, {PATH: proposal.text.encode()}, ())
            out.print(f"commit {commit} in {hub.url}")
        else:
            out.print(f"pull request {hub.propose(base.commit, message, {PATH: proposal.text.encode()})}")


@dataclass(frozen=True, slots=True)
class Target:
    """Where to publish, and how."""

    repo: str
    private: bool
    dry_run: bool
    revision: str | None
    wheel: Path | None

    def hub(self, kind: str) -> "Hub":
        """The repository; a name or token that will not do ends the command here, before anything is built."""
        from arithmark_tasks.builders.publishing import Hub
        from arithmark_tasks.builders.publishing.hub import check_branch
        from arithmark_tasks.builders.release import check_wheel

        if self.wheel is not None:
            check_wheel(self.wheel)
        if self.revision is not None:
            check_branch(self.revision)
        hub = Hub(self.repo, kind)
        if not self.dry_run:
            hub.check_token()
        return hub

    def publish(self, publication: "Publication", hub: "Hub", notify: Callable[[str], None]) -> "Outcome":
        """Carry it out."""
        from arithmark_tasks.builders.publishing import publish

        return publish(
            publication,
            hub,
            private=self.private,
            revision=self.revision,
            dry_run=self.dry_run,
            wheel=self.wheel,
            notify=notify,
        )


def _publish_dataset(name: str, target: Target, folder: Path | None) -> None:
    hub = target.hub("dataset")
    with own_bars_only(), stages() as notify, TemporaryDirectory() as scratch:
        from arithmark_tasks.builders.publishing.dataset import built_folder

        publication = built_folder(name, folder, Path(scratch), notify)
        outcome = target.publish(publication, hub, notify)
    _report(target, hub, outcome)
    if outcome.commit:
        splits = publication.manifest["splits"]
        rows = sum(split["items"] for split in splits)
        out.print(f"loaded back: {rows:,} rows in {len(splits)} splits have the features and hashes of the build")


def _report(target: Target, hub: "Hub", outcome: "Outcome") -> None:
    plan, branch = outcome.plan, f", branch {target.revision}" if target.revision else ""
    if target.dry_run:
        made = f"a new {'private' if target.private else 'public'} repository, " if outcome.new_repository else ""
        out.print(f"{made}{hub.url}{branch}:")
    if target.dry_run or outcome.commit:
        for change in plan.changes:
            if target.dry_run or change.state != "same":
                out.print(f"{change.state:<8}{change.size:>12,} bytes  {change.path}")
    if target.dry_run and plan.card_diff:
        out.print(plan.card_diff)
    if (target.dry_run or outcome.commit) and INSTALL_HERE in plan.card:
        out.print(
            f"the card installs the software from a checkout ({INSTALL_HERE}): --wheel FILE puts it beside the data"
        )
    if plan.empty and outcome.new_branch:
        out.print(f"nothing differs from main: nothing pushed, branch {target.revision} not made")
    elif plan.empty:
        out.print(f"nothing changed, nothing pushed: {hub.url}{branch} is up to date")
    elif outcome.commit:
        out.print(f"commit {outcome.commit} in {hub.url}{branch}")
    else:
        out.print("dry run: nothing pushed")
