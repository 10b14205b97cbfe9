"""Per-item metrics, as pure functions that the task YAMLs name: ``!function arithmark_tasks.metrics.NAME``.

Each maps ``(doc, results)`` of one item to the same metric keys for every item. lm-eval's own metrics pick option 0
when scores tie or are NaN; here a tie gives every tied option its share, and NaN is an error that names the item.
"""

import math
from collections.abc import Sequence
from typing import Any

from .answers import extract, extract_clock

Doc = dict[str, Any]
# An impossible ending costs infinitely many bits; a mean needs a number.
_MOST_BITS = 1000.0
SIGNALS = ("bits_per_byte", "margin", "log_prob")


def multiple_choice_results(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """``acc``, ``acc_norm``, ``soft`` and the three ``choice_signals`` of one item.

    ``results`` holds ``(log-likelihood, is_greedy)`` per option. ``acc`` compares log-likelihoods, ``acc_norm``
    log-likelihoods per character of the ending (its leading space included, as lm-eval counts), ``soft`` is the right
    option's probability in a softmax over those same normalised scores. ``ValueError`` when the numbers of scores and
    options differ or a score is not a log-likelihood.

    >>> doc = {"endings": [" 26 crates.", " 29 crates."], "label": "0"}
    >>> found = multiple_choice_results(doc, [(-11.0, False), (-11.0, False)])
    >>> {name: round(value, 2) for name, value in found.items()}
    {'acc': 0.5, 'acc_norm': 0.5, 'soft': 0.5, 'bits_per_byte': 1.44, 'margin': 0.0, 'log_prob': -1.0}
    """
    scores = _log_likelihoods(doc, results)
    lengths = [len(ending) for ending in doc["endings"]]
    normalised = per_unit(scores, lengths)
    gold = int(doc["label"])
    return {
        "acc": share_of_best(scores, gold),
        "acc_norm": share_of_best(normalised, gold),
        "soft": softmax_probability(normalised, gold),
        **choice_signals(scores, [len(ending.encode()) for ending in doc["endings"]], gold),
    }


def choice_signals(scores: Sequence[float], sizes: Sequence[int], gold: int) -> dict[str, float]:
    """What moves while accuracy is still at chance, in bits; ``sizes`` are the options' lengths in UTF-8 bytes.

    ``bits_per_byte`` is what the right option costs (less is better), ``margin`` by how much less it costs, per byte,
    than the cheapest wrong one (above 0 where the right one is the best), ``log_prob`` the logarithm of its probability
    among the options, each as likely as the model finds its whole text: log2(1 / options) when all are alike.

    >>> choice_signals([-6 * math.log(2), -8 * math.log(2)], [3, 2], 0)["margin"]
    2.0
    """
    costs = [_bits_per_byte(score, size) for score, size in zip(scores, sizes, strict=True)]
    return {
        "bits_per_byte": costs[gold],
        "margin": min(cost for option, cost in enumerate(costs) if option != gold) - costs[gold],
        "log_prob": _log2(softmax_probability(scores, gold)),
    }


def target_signals(score: float, size: int) -> dict[str, float]:
    """The same for a single target of ``size`` bytes, which has no margin: ``log_prob`` is its own probability's.

    >>> target_signals(-6 * math.log(2), 3)
    {'bits_per_byte': 2.0, 'log_prob': -6.0}
    """
    return {"bits_per_byte": _bits_per_byte(score, size), "log_prob": max(score / math.log(2), -_MOST_BITS)}


def _bits_per_byte(score: float, size: int) -> float:
    return min(-score / math.log(2) / size, _MOST_BITS)


def _log2(probability: float) -> float:
    return max(math.log2(probability), -_MOST_BITS) if probability > 0 else -_MOST_BITS


def exact_match_results(doc: Doc, results: Sequence[str]) -> dict[str, float]:
    """``exact_match`` and ``no_answer`` of one generated answer, both 0 or 1.

    The gold value is the integer ``metadata.option_values[label]`` (minutes after midnight where ``metadata.unit`` is
    "clock") or, for items without options, the integer in ``answer``. ``no_answer`` counts texts without any number
    and those that never stop thinking; a wrong or non-integer answer is an answer.

    >>> exact_match_results({"answer": "46"}, ["So 12+34 = 46."]), exact_match_results({"answer": "46"}, ["Dunno."])
    ({'exact_match': 1.0, 'no_answer': 0.0}, {'exact_match': 0.0, 'no_answer': 1.0})
    """
    (text,) = results
    metadata = doc.get("metadata") or {}
    if metadata.get("unit") == "clock":
        value, status = extract_clock(text)
    else:
        value, status = extract(text)
    gold = int(metadata["option_values"][int(doc["label"])] if "option_values" in metadata else doc["answer"])
    return {
        "exact_match": float(value is not None and value == gold),
        "no_answer": float(status in ("no_answer", "unclosed_think")),
    }


def loglikelihood_results(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """``acc`` (greedy decoding gives the target), ``soft`` (its probability) and the ``target_signals`` of one target.

    The target is ``answer`` between a space and a line end.

    >>> loglikelihood_results({"answer": "46"}, [(math.log(0.25), True)])
    {'acc': 1.0, 'soft': 0.25, 'bits_per_byte': 0.5, 'log_prob': -2.0}
    """
    ((_, greedy),) = results
    (score,) = _log_likelihoods(doc, results, options=1)
    signals = target_signals(score, len(f" {doc['answer']}\n".encode()))
    return {"acc": float(greedy), "soft": math.exp(score), **signals}


def per_unit(scores: Sequence[float], lengths: Sequence[int]) -> list[float]:
    """Log-likelihoods divided by lengths: in characters for ``acc_norm``, in tokens for the published protocol.

    >>> per_unit([-6.0, -6.0], [3, 2])
    [-2.0, -3.0]
    """
    if any(length < 1 for length in lengths):
        raise ValueError(f"an empty continuation cannot be scored: lengths {list(lengths)}")
    return [score / length for score, length in zip(scores, lengths, strict=True)]


def share_of_best(scores: Sequence[float], gold: int) -> float:
    """1 when option ``gold`` alone scores best, 1/k when it ties with k - 1 others, else 0.

    >>> share_of_best([-1.0, -1.0, -2.0], 0), share_of_best([-1.0, -1.0, -2.0], 2)
    (0.5, 0.0)
    """
    best = max(scores)
    return 1 / sum(score == best for score in scores) if scores[gold] == best else 0.0


def softmax_probability(scores: Sequence[float], gold: int) -> float:
    """The probability of option ``gold`` in a softmax; options that are all impossible share alike.

    >>> softmax_probability([0.0, math.log(3)], 1)
    0.75
    """
    best = max(scores)
    if best == -math.inf:
        return 1 / len(scores)
    weights = [math.exp(score - best) for score in scores]
    return weights[gold] / sum(weights)


def _log_likelihoods(doc: Doc, results: Sequence[tuple[float, bool]], *, options: int | None = None) -> list[float]:
    expected = len(doc["endings"]) if options is None else options
    if len(results) != expected:
        raise ValueError(f"{item_name(doc)}: {len(results)} scores for {expected} options")
    scores = [float(score) for score, _ in results]
    for index, score in enumerate(scores):
        if math.isnan(score) or score == math.inf:
            raise ValueError(f"{item_name(doc)}: option {index} has the log-likelihood {score}")
    return scores


def item_name(doc: Doc) -> str:
    """What an error calls an item: by its own name where it has one, else by how it begins."""
    for key in ("source_id", "id", "ind"):
        if key in doc:
            return f"item {doc[key]}"
    return f"item {str(doc)[:80]}"
