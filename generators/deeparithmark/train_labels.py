"""What the training tier calls its mistakes and steps: names that are true of every wording of a template.

Its wordings tell other things than the published ones: a thief where those have a sale, a commission where those have a
delivery charge. Each pair replaces a phrase in the published names, in order; templates without a list keep theirs.
"""

from collections.abc import Sequence
from dataclasses import replace

from ..choices.problem import Problem, Trace

Phrases = Sequence[tuple[str, str]]

DISCOUNT = (
    ("with delivery", "with the fee"),
    ("charged for delivery twice", "charged the fee twice"),
    ("delivery charge", "fee"),
    ("as dollars", "as euros"),
    ("discount", "reduction"),
)
MEASURE = (
    ("after joining", "after lengthening"),
    ("joined the piece twice", "added the length twice"),
    ("joined piece", "added length"),
)
PACK = (
    ("packed what was sold", "divided those gone instead"),
    ("packed one", "put one"),
    ("packed", "portions"),
    ("the sale", "those gone"),
    ("sold", "gone"),
)
TRIP = (("stop", "delay"),)
SESSIONS = (
    ("held", "left"),
    ("one session a week", "one a week"),
    ("cancelled sessions", "lost ones"),
    ("a session as", "each one as"),
)
INVENTORY = (
    ("after the delivery", "with those added"),
    ("the delivery", "those added"),
    ("after shipping", "without those taken"),
    ("what was sent out", "those taken"),
    ("damaged ones", "bad ones"),
)
MIX = (
    ("amount taken away", "amount lost"),
    ("took the amount away twice", "took the amount lost off twice"),
)
BILL = (
    ("discount", "reduction"),
    ("tax", "duty"),
    ("coupon", "credit"),
)
SALARY = (
    ("taxed only the normal pay", "took the levy off the daytime pay only"),
    ("after tax", "after the levy"),
    ("tax", "levy"),
    ("overtime pay", "nighttime pay"),
    ("overtime rate", "nighttime rate"),
    ("overtime hour", "nighttime hour"),
    ("overtime", "nighttime hours"),
    ("normal", "daytime"),
)
CHAIN = (
    ("sale", "loss"),
    ("of the whole stock", "of them all"),
    ("packed one", "put one"),
    ("packed", "groups"),
)
PRIZE = (
    ("donated", "outlay"),
    ("donation", "outlay"),
)


def renamed(problem: Problem, phrases: Phrases) -> Problem:
    """The problem with the phrases replaced in the names of its mistakes and of its steps."""

    def name(text: str) -> str:
        for published, own in phrases:
            text = text.replace(published, own)
        return text

    def solve(trace: Trace, **operands: int) -> int:
        try:
            return problem.solve(trace, **operands)
        finally:  # the steps before one that has no clean result are read too
            trace.steps[:] = map(name, trace.steps)

    mistakes = {
        stage: {name(slip): changes for slip, changes in named.items()} for stage, named in problem.mistakes.items()
    }
    return replace(problem, solve=solve, mistakes=mistakes)
