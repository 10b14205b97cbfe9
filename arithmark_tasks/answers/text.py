"""What a generated text says once its thinking, markup and further questions are taken away: input of ``answers``.

Everything here maps any string to a string and runs in linear time, because models emit any string.
"""

import html
import re
import unicodedata

THIN_SPACE = "\u202f"  # stands for every space that may group thousands

_THINK_OPEN = re.compile(r"<\s*think(?:ing)?\s*>", re.IGNORECASE)
_THINK_CLOSE = re.compile(r"<\s*/\s*think(?:ing)?\s*>", re.IGNORECASE)

_CHARACTERS = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # full-width ASCII
    **dict.fromkeys(map(ord, "\u00a0\u2006\u2007\u2008\u2009\u200a"), THIN_SPACE),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"), None),  # invisible
    **dict.fromkeys(range(0x202A, 0x202F), None),
    **dict.fromkeys(range(0x2066, 0x206A), None),  # invisible: direction marks
    **dict.fromkeys(map(ord, "−﹣➖˗"), "-"),
    **dict.fromkeys(map(ord, "×✕✖⨉⨯╳∗·⋅∙•"), "*"),
    **dict.fromkeys(map(ord, "÷∕⁄➗"), "/"),
    ord("➕"): "+",
    ord("х"): "x",  # Cyrillic
    **dict.fromkeys(map(ord, "’‘ʼ"), "'"),
    ord("∶"): ":",
    ord("٬"): ",",
    ord("٫"): ".",
    ord("،"): ",",
    ord("、"): ", ",
    ord("。"): ". ",
    ord("\r"): "\n",
    ord("\u2028"): "\n",
}
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,10});")  # html.unescape fails on longer ones
_DIGIT = re.compile(r"(?![0-9])\d")
_TIGHT_DASH = re.compile(r"[‐‑‒–⁻](?=[$€£]?\d)")

_SHORT_FRACTION = re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)")
_FRACTION = re.compile(r"\\[dtc]?frac(?![A-Za-z])")
_DEGREES = re.compile(r"\^\s*\{?\s*\\circ\s*\}?")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_COMMANDS = {
    **dict.fromkeys(["times", "cdot", "ast"], "*"),
    **dict.fromkeys(["boxed", "fbox"], "\\boxed"),
    **dict.fromkeys([",", ";", ":", " "], THIN_SPACE),
    **dict.fromkeys(["(", ")", "[", "]"], " "),
    **dict.fromkeys(["text", "textbf", "textit", "textrm", "mathrm", "mathbf", "mathit", "mbox"], ""),
    **{"div": "/", "approx": "≈", "pm": "±", "sqrt": "√", "%": "%", "$": "$", "!": "", "\\": "\n"},
}
_EMPHASIS = re.compile(r"(?<![0-9A-Za-z*)\]])\*{1,3}(?=[^\s*])([^*\n]*[^\s*])\*{1,3}(?![0-9A-Za-z(])")
_UNDERLINED = re.compile(r"(?<!\w)__?(?=[^\s_])([^_\n]*[^\s_])__?(?!\w)")

_SPECIAL_TOKEN = r"<\|[a-z_]{2,20}\|>|</s>|<eos>|<end_of_turn>"
_NEXT_QUESTION = re.compile(
    r"^[ \t>#*\[(<-]*(?:\d{1,3}[.)][ \t]*)?(?:(?:next|new|another|second|follow-?up)[ \t]+)?"
    r"(?:question|q|problem|exercise|human|user|instruction)"
    r"(?:[ \t]*#?\d{0,6}[ \t]*:|[ \t]*#?\d{1,6}[ \t]*(?:[.)\]]|$)|[\]>])"
    r"|^[ \t>#]*(?:q\.[ \t]|(?:example|task)[ \t]*#?\d{1,6}[ \t]*:)"
    r"|^\#{1,6}[ \t]*(?:question|problem|exercise|instruction)\b"
    r"|^next[ \t]+(?:question|problem)\b"
    r"|(?<=[.!?)\]}\d])[ \t]*(?:question|problem|q)[ \t]*\d{0,6}[ \t]*:"
    r"|" + _SPECIAL_TOKEN,
    re.IGNORECASE | re.MULTILINE,
)


def after_thinking(text: str) -> str | None:
    """The text after the last ``</think>``; ``None`` when a ``<think>`` stays open.

    >>> after_thinking("<think>12+30=42</think>46"), after_thinking("<think> ... 46")
    ('46', None)
    """
    end = 0
    for match in _THINK_CLOSE.finditer(text):
        end = match.end()
    return None if _THINK_OPEN.search(text, end) else text[end:]


def plain(text: str) -> str:
    """ASCII digits, signs and operators; LaTeX and Markdown reduced to what they print, ``\\boxed{...}`` kept.

    >>> plain("It is −５"), plain("**46**"), plain(r"\\boxed{1{,}234}"), plain(r"\\text{46}")
    ('It is -5', '46', '\\\\boxed{1,234}', '{46}')
    """
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text).translate(_CHARACTERS)
    text = _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)
    text = _TIGHT_DASH.sub("-", text).replace("+/-", "±")
    return _without_markdown(_without_latex(text))


def first_turn(text: str, *, echo: bool) -> str:
    """Cut where the model goes on to a next question; ``echo`` tells whether a question at the very start is its own.

    >>> first_turn("The answer is 46.\\n\\nQuestion: What is 5+5?\\nAnswer: 10", echo=True)
    'The answer is 46.\\n\\n'
    >>> first_turn("Question: What is 12+34?\\nAnswer: 46", echo=True)
    'Question: What is 12+34?\\nAnswer: 46'
    """
    for match in _NEXT_QUESTION.finditer(text):
        if text[: match.start()].strip():
            return text[: match.start()]
        if not echo:
            return ""
        # Two headers in a row ("<|user|>Question:") are still the same beginning.
    return text


def _without_latex(text: str) -> str:
    if "\\" in text:
        text = _DEGREES.sub("°", _SHORT_FRACTION.sub(r"\1/\2", text))
        text, fractions = _FRACTION.subn("", text)
        if fractions:
            text = re.sub(r"\}\s*\{", "}/{", text)
        text = _COMMAND.sub(_command, text)
    return text.replace("{,}", ",").replace(f"{{{THIN_SPACE}}}", THIN_SPACE)


def _command(match: re.Match[str]) -> str:
    name = match[1]
    return _COMMANDS.get(name, " " if name.isalpha() else name)


def _without_markdown(text: str) -> str:
    text = text.replace("`", "").replace("|", " ") if "<|" not in text else text.replace("`", "")
    return _UNDERLINED.sub(r"\1", _EMPHASIS.sub(r"\1", text))
