"""Every figure on the card of a trained CalcGPT model: from its run record, its holdout manifest and its evaluation."""

from typing import Any

from ...generators.calcgpt import representations
from ...generators.expression import parse
from .render import render

Facts = dict[str, Any]
TAGS = ("arithmetic", "gpt2", "held-out", "small-models")
FORMS = {
    "plain": "digits as they are written.",
    "reversed": "the answer's digits units first.",
    "padded": "operands and answer with leading zeros, all of one width.",
    "padded-reversed": "operands and answer with leading zeros, all of one width, the answer's digits units first.",
}


def card(record: Facts, holdout: Facts, report: Facts, name: str, command: str) -> str:
    """The README of the repository ``name``; ``command`` are the options that train the model again."""
    settings = record["settings"]
    width, form = settings["width"], representations.get(settings["representation"])
    example = parse(holdout["tasks"][-1]["task"])
    return _header(settings, report, name) + render(
        "calcgpt_model",
        record=record,
        settings=settings,
        holdout=holdout,
        groups=[("all", report["overall"]), *report["by_bucket"].items(), *report["by_operator"].items()],
        example={"prompt": form.prompt(example, width), "text": form.text(example, width)},
        form=FORMS[form.name],
        digits=f"{width} digit{'s' if width > 1 else ''}",
        last=record["curve"][-1],
        # settings hold the most that are monitored; a small split has fewer
        monitored=min(settings["monitor"], record["grouped_split"]["validation_examples"]),
        command=command,
    )


def _header(settings: Facts, report: Facts, name: str) -> str:
    from huggingface_hub import EvalResult, ModelCardData

    exact = report["overall"]["exact"]
    result = EvalResult(
        task_type="text-generation",
        dataset_type="calcgpt",
        dataset_name="CalcGPT held-out roster",
        dataset_config=settings["representation"],
        dataset_split="heldout",
        metric_type="exact_match",
        metric_name=f"exact match of {exact['of']} held-out tasks",
        metric_value=round(exact["share"], 6),
    )
    data = ModelCardData(
        license="apache-2.0",
        library_name="transformers",
        pipeline_tag="text-generation",
        tags=list(TAGS),
        model_name=name,
        eval_results=[result],
    )
    return f"---\n{data.to_yaml(line_break=chr(10)).strip()}\n---\n"
