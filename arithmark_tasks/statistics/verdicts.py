"""What a score says, in words, by rule."""

from collections.abc import Mapping
from typing import Any

from .records import Cut, Homogeneity, Score, Verdict

ALPHA = 0.05
# Templates are looked at after the score: a second chance to find something, so it has to be clearer.
TEMPLATE_ALPHA = 0.01
_LEAST_P = 1e-300


def verdict(
    score: Score, chance: float | None, templates: Homogeneity | None = None, withheld: str | None = None
) -> Verdict:
    """Above, at or below chance at 5 %, by the p that is adjusted for everything shown together.

    A model that guesses is at chance everywhere. One whose templates differ by more than luck (1 %, adjusted too) while
    the whole is at chance does not guess: it is on a "stable wrong path", right in some templates and wrong in others.
    ``withheld`` says why there can be no verdict.
    """
    share = f"{100 * score['value']:.1f} % of {score['n']:,}"
    if chance is None:
        text = f"{share} right; guessing has no chance to speak of"
        return Verdict(code="no_chance_level", text=f"{text}; {withheld}" if withheld else text)
    against = f"{share} against {100 * chance:.1f} % by chance"
    if withheld:
        return Verdict(code="withheld", text=f"no verdict: {against}, but {withheld}")
    if score["p"] is None:
        return Verdict(code="no_chance_level", text=f"{against}; items differ in their options, so there is no test")
    against += f" ({p_words(score)})"
    differ = templates is not None and _decisive(templates, TEMPLATE_ALPHA)
    if _decisive(score, ALPHA) and score["value"] > chance:
        return Verdict(code="above_chance", text=f"above chance: {against}")
    if _decisive(score, ALPHA):
        said = f"below chance: {against}; it prefers wrong endings more than guessing would"
        if templates is not None and templates["p"] is not None:
            path = "templates differ" if differ else "no difference between templates is shown"
            said += f"; {path} ({_chi_square(templates)})" + (": a stable wrong path" if differ else "")
        return Verdict(code="below_chance", text=said)
    if differ and templates is not None:
        text = f"stable wrong path: {against}, but templates differ ({_chi_square(templates)})"
        return Verdict(code="stable_wrong_path", text=f"{text}; read their rows as preference, not skill")
    return Verdict(code="at_chance", text=f"at chance: {against}")


def is_clear(score: Score | None) -> bool:
    """Whether a score differs from chance by more than luck explains, among all that is shown with it."""
    return score is not None and _decisive(score, ALPHA)


def p_words(score: Score) -> str:
    """The p against chance, raw, by the wider scatter where that is known, and adjusted, as far as they differ.

    >>> from .inference import score
    >>> found = score([1.0] * 213 + [0.0] * 787, 0.25, excess=0.0146)
    >>> p_words({**found, "p_holm": 0.13})
    'p = 0.0069; 0.065 by the scatter of random preferences; 0.13 by Holm'
    """
    words = [] if score["p"] is None else [p_equals(score["p"])]
    if score["p_wide"] is not None and score["p_wide"] != score["p"]:
        words.append(f"{p_figure(score['p_wide'])} by the scatter of random preferences")
    if score["p_holm"] is not None and score["p_holm"] != (score["p_wide"] or score["p"]):
        words.append(f"{p_figure(score['p_holm'])} by Holm")
    return "; ".join(words)


def p_figure(p: float) -> str:
    """A p to two digits; one that floating point takes for nothing is below a bound, and not 0.

    >>> p_figure(0.0162), p_figure(0.0)
    ('0.016', '<1e-300')
    """
    return f"{p:.2g}" if p >= _LEAST_P else f"<{_LEAST_P:.0e}"


def p_equals(p: float) -> str:
    """The same as an equation.

    >>> p_equals(0.0162), p_equals(0.0)
    ('p = 0.016', 'p < 1e-300')
    """
    return f"p = {p_figure(p)}" if p >= _LEAST_P else f"p < {_LEAST_P:.0e}"


def withheld_because(cut: Cut | None, limited: bool) -> str | None:
    """Why a group of items gets no verdict, or None: prompts were cut, or only its first items were scored."""
    reasons = []
    if cut and cut["prompts"]:
        reasons.append(cut_words(cut))
    if limited:
        reasons.append("only the first items were scored (--limit)")
    return " and ".join(reasons) or None


def partial_words(group: Mapping[str, Any]) -> str:
    """What the scores of a group leave out, in short; empty where nothing.

    >>> partial_words({"limited": True, "cut": {"known": 40, "prompts": 3, "tokens": 12}})
    'first items only, prompts cut'
    """
    cut = group["cut"] and group["cut"]["prompts"]
    return ", ".join(["first items only"] * group["limited"] + ["prompts cut"] * bool(cut))


def cut_words(cut: Cut) -> str:
    """What was cut off, in words.

    >>> cut_words({"known": 40, "prompts": 40, "tokens": 1234})
    'the window cut 1,234 tokens off 40 of 40 prompts'
    """
    return f"the window cut {cut['tokens']:,} tokens off {cut['prompts']:,} of {cut['known']:,} prompts"


def _decisive(test: Score | Homogeneity, alpha: float) -> bool:
    """By the adjusted p, and where nobody adjusted it by the widest there is."""
    wide: Any = test.get("p_wide")
    p = next((found for found in (test["p_holm"], wide, test["p"]) if found is not None), None)
    return p is not None and p < alpha


def _chi_square(templates: Homogeneity) -> str:
    p, adjusted = templates["p"] or 0.0, templates["p_holm"]
    by_holm = f", {p_figure(adjusted)} by Holm" if adjusted is not None and adjusted != p else ""
    return f"chi-square {templates['chi2']:.1f}, df {templates['df']}, {p_equals(p)}{by_holm}"
