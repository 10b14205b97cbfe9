"""What a score says, in words, by rule."""

from .records import Homogeneity, Score, Verdict

ALPHA = 0.05
# Templates are looked at after the score: a second chance to find something, so it has to be clearer.
TEMPLATE_ALPHA = 0.01


def verdict(score: Score, chance: float | None, templates: Homogeneity | None = None) -> Verdict:
    """Above, at or below chance by the exact test at 5 %; "stable wrong path" at chance with unequal templates (1 %).

    A model that guesses is at chance everywhere. One whose templates differ by more than luck while the whole is at
    chance does not guess: it has a preferred answer, wrong in most templates and right in some.
    """
    share = f"{100 * score['value']:.1f} % of {score['n']:,}"
    if chance is None:
        return Verdict(code="no_chance_level", text=f"{share} right; guessing has no chance to speak of")
    against = f"{share} against {100 * chance:.1f} % by chance"
    p = score["p"]
    if p is None:
        return Verdict(code="no_chance_level", text=f"{against}; items differ in their options, so there is no test")
    against += f" (p = {p:.2g}{_adjusted(score)})"
    if p < ALPHA and score["value"] > chance:
        return Verdict(code="above_chance", text=f"above chance: {against}")
    if p < ALPHA:
        return Verdict(
            code="below_chance",
            text=f"below chance: {against}; wrong options attract it, which is a stable wrong path and no guessing",
        )
    if templates and templates["p"] is not None and templates["p"] < TEMPLATE_ALPHA:
        test = f"chi-square {templates['chi2']:.1f}, df {templates['df']}, p = {templates['p']:.2g}"
        text = f"stable wrong path: {against}, but templates differ ({test}); read their rows as preference, not skill"
        return Verdict(code="stable_wrong_path", text=text)
    return Verdict(code="at_chance", text=f"at chance: {against}")


def _adjusted(score: Score) -> str:
    p, adjusted = score["p"], score["p_holm"]
    return f", {adjusted:.2g} by Holm" if adjusted is not None and adjusted != p else ""
