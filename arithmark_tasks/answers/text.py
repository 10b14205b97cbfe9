"""What a generated text says once thoughts, markup, special tokens and further questions are taken away.

Everything here maps any string to a string and runs in linear time, because models emit any string.
"""

import html
import re
import unicodedata

_THOUGHT = (
    r"(?!no[_-])(?:[a-z]{1,12}[:_-]){0,2}"
    r"(?:think(?:ing)?|thoughts?|thought_process|reason(?:ing)?|reasoning_content|reflection|scratchpad|analysis"
    r"|monologue|cot)"
)
# <think>, </think>, <mm:think>, [THINK], [/THINK], ◁think▷, <|begin_of_thought|>, <|END_THINKING|>, <|cot_start|>, ...
_TAG = re.compile(
    r"(?:[<◁]|(?P<bracket>\[))[\s|]{0,3}\\?(?P<slash>/?)[\s|]{0,3}"
    rf"(?:(?:(?:begin|start|(?P<end>end))[_▁ ](?:of[_▁ ])?)?{_THOUGHT}(?:[_▁ ](?:start|begin|(?P<stop>end|stop)))?"
    r"|inner_prefix|(?P<suffix>inner_suffix))"
    r"(?:\s{1,3}[\w-]{1,20}=[^<>\n]{0,60})?[\s|]{0,3}[>▷\]]",
    re.IGNORECASE,
)
_MISTRAL = re.compile(r"\[\s{0,3}think\s{0,3}\]", re.IGNORECASE)

_MESSAGE = r"(?:[^<\n]{0,60}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>)?"
_FINAL_CHANNEL = re.compile(rf"<\|channel\|?>\s{{0,3}}(?:final|answer|response){_MESSAGE}", re.IGNORECASE)
_THOUGHT_CHANNEL = re.compile(
    rf"<\|channel\|?>\s{{0,3}}(?:analysis|commentary|thoughts?|thinking|reasoning){_MESSAGE}", re.IGNORECASE
)
_CHANNEL_END = re.compile(r"<channel\|>", re.IGNORECASE)
_TOKENS = re.compile(r"(?:\s|<\|[^|<>\n]{1,40}\|>)*")
_OTHER_TURN = re.compile(r"<\|return\|>|<\|start\|>\s{0,3}(?:user|system|developer)", re.IGNORECASE)
_REPEATED = re.compile(rf"{_TOKENS.pattern}(?<=<\|start\|>)(?:user|system|developer)", re.IGNORECASE)
_OWN_TURN = re.compile(r"<\|start\|>\s{0,3}assistant", re.IGNORECASE)

# The same without its special tokens: "analysis...assistantfinal46". Roles and channels are glued to what follows.
_GLUED_THOUGHT = re.compile(r"\s*(?:assistant)?(?:analysis|commentary)(?=[^\W_]|[\"'“(\[$\\*<])")
_GLUED_FINAL = re.compile(r"(?:(?<=[^\s\"'`“‘(\[])|\A\s*)assistantfinal(?=[\w$\\*(<−-])|\A\s*final(?=[\d$\\*−-])")
_GLUED_TURN = re.compile(r"(?<=\S)assistant(?:analysis|commentary|final)")
THIN_SPACE = "\u202f"  # stands for every space that may group thousands
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
    **dict.fromkeys(map(ord, "\u2028\u2029\u0085"), "\n"),
    **dict.fromkeys(map(ord, "ｰ─━⎯ㅡ﹘"), "ー"),
}
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,10});")  # html.unescape fails on longer ones
_DIGIT = re.compile(r"(?![0-9])\d")
# A long mark is a vowel's length after katakana, a line among its like, and else what a minus is.
_LONG_MARK = re.compile(r"(?<![A-Za-z゠-ヿ])ー(?=[ \t]?[$€£]?\d)")
_LONG_DASH = re.compile(r"(?:\A|(?<=\n)|(?<=[=≈:(])|(?<=[=≈:(] )|(?<=\bis )|(?<=\bequals )|(?<=\d))[—―](?=[$€£]?\d)")
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
# Tokens that begin or end a turn; all others (box, tool and vision tokens, padding) are only taken away.
_TURN_TOKEN = (
    r"<\|(?:im_(?:start|end|sep)|eo[tms](?:_id)?|bos|endof(?:text|prompt)|end|return|call|start|user|human|system"
    r"|assistant|observation|(?:begin|start|end)[_▁]of[_▁](?:text|turn|message|sentence|sequence|role)"
    r"|(?:start|end)_header_id)\|>"
    r"|</?s>|<[be]os>|<(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>"
)
_SPECIAL_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|<(?:pad|unk|mask|sep|cls|extra_id_\d{1,3}|unused\d{1,4})>", re.I)
_TURN = re.compile(_TURN_TOKEN, re.IGNORECASE)
_HEADER = re.compile(  # with what a template or a repeated prompt puts in front of the model's own words
    rf"(?:\s|{_TURN_TOKEN})*(?:(?<=[>\]])(?:assistant|model)(?=\s|<)(?:\s|{_TURN_TOKEN})*)?", re.IGNORECASE
)
_OWN_HEADER = re.compile(
    r"<\|assistant\|>|<\|(?:im_start|start_header_id|start)\|>\s{0,3}assistant|<start_of_turn>\s{0,3}model|\[/INST\]",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(
    r"^[ \t>#*\[(<-]*(?:\d{1,3}[.)][ \t]*)?(?:(?:next|new|another|second|follow-?up)[ \t]+)?"
    r"(?:question|q|problem|exercise|human|user|instruction)"
    r"(?:[ \t]*#?\d{0,6}[ \t]*:|[ \t]*#?\d{1,6}[ \t]*(?:[.)\]]|$)|[\]>])"
    r"|^[ \t>#]*(?:q\.[ \t]|(?:example|task)[ \t]*#?\d{1,6}[ \t]*:)"
    r"|^\#{1,6}[ \t]*(?:question|problem|exercise|instruction)\b"
    r"|^next[ \t]+(?:question|problem)\b"
    r"|(?<=[.!?)\]}\d])[ \t]*(?:question|problem|q)[ \t]*\d{0,6}[ \t]*:"
    r"|" + _TURN_TOKEN,
    re.IGNORECASE | re.MULTILINE,
)


def after_thinking(text: str) -> str | None:
    """What follows the final channel or the last closing tag; ``None`` when the thoughts never end.

    >>> after_thinking("<think>12+30=42</think>46"), after_thinking("[THINK]42[/THINK]46"), after_thinking("<think>46")
    ('46', '46', None)
    >>> after_thinking("<|channel|>analysis<|message|>2<|end|><|channel|>final<|message|>46")
    '46'
    """
    spoken = _of_final_channel(text)
    return None if spoken is None else _after_tags(spoken)


def opens_thinking(prompt: str) -> str:
    """The mark by which a prompt ends inside the model's thoughts, as some chat templates do; else "".

    >>> opens_thinking("<|assistant|>\\n<think>\\n"), opens_thinking("<think></think>\\n"), opens_thinking("12+34?")
    ('<think>', '', '')
    """
    end = prompt.rstrip()[-120:]
    marks = [*_TAG.finditer(end), *_THOUGHT_CHANNEL.finditer(end)]
    return next((mark[0] for mark in marks if mark.end() == len(end) and after_thinking(mark[0]) is None), "")


def _of_final_channel(text: str) -> str | None:
    text = _first_turn(text)
    if final := _FINAL_CHANNEL.search(text):
        return text[final.end() :]
    glued = _GLUED_THOUGHT.match(text)
    if final := _GLUED_FINAL.search(text) or (re.search("assistantfinal", text) if glued else None):
        rest = text[final.end() :]
        turn = _GLUED_TURN.search(rest)
        return rest[: turn.start()] if turn else rest
    for end in reversed(list(_CHANNEL_END.finditer(text))):
        text = text[end.end() :]
        break
    return None if glued or _THOUGHT_CHANNEL.search(text) else text


def _first_turn(text: str) -> str:
    """Without the turns that follow the model's own; a repeated prompt at the very start is passed over."""
    begin = _TOKENS.match(text).end()  # type: ignore[union-attr]
    if _REPEATED.match(text) and (own := _OWN_TURN.search(text, begin)):
        begin = own.end()
    turn = _OTHER_TURN.search(text, begin)
    return text[: turn.start()] if turn else text


def _after_tags(text: str) -> str | None:
    end, last = 0, None
    for match in _TAG.finditer(text):
        if match["slash"] or match["end"] or match["stop"] or match["suffix"]:
            end, last = match.end(), None
        elif not match["bracket"] or _MISTRAL.fullmatch(match[0]):  # "[Reasoning]" is a heading, unless it is closed
            last = match
    return None if last else text[end:]


def characters(text: str) -> str:
    """ASCII digits, signs and operators; entities as what they stand for, invisible characters gone.

    >>> characters("It is −５"), characters("ー46"), characters("&lt;think&gt;")
    ('It is -5', '-46', '<think>')
    """
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text).translate(_CHARACTERS)
    text = _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)
    text = _LONG_DASH.sub("-", _LONG_MARK.sub("-", text))
    return _TIGHT_DASH.sub("-", text).replace("+/-", "±")


def markup(text: str) -> str:
    """LaTeX, Markdown and special tokens reduced to what they print; ``\\boxed{...}`` and the tokens of turns are kept.

    >>> markup("**46**"), markup(r"\\boxed{1{,}234}"), markup(r"\\text{46}"), markup("<|begin_of_box|>46<|end_of_box|>")
    ('46', '\\\\boxed{1,234}', '{46}', '46')
    """
    return _without_markdown(_without_latex(_SPECIAL_TOKEN.sub(_between_turns, text)))


def first_turn(text: str, *, echo: bool) -> str:
    """Cut where the model goes on to a next turn; ``echo`` tells whether a question at the very start is its own.

    >>> first_turn("The answer is 46.\\n\\nQuestion: What is 5+5?\\nAnswer: 10", echo=True)
    'The answer is 46.\\n\\n'
    >>> first_turn("Question: What is 12+34?\\nAnswer: 46", echo=True)
    'Question: What is 12+34?\\nAnswer: 46'
    """
    text = _without_header(text)
    for match in _NEXT_QUESTION.finditer(text):
        if text[: match.start()].strip():
            return text[: match.start()]
        if not echo:
            return ""
        # Two headers in a row ("<|user|>Question:") are still the same beginning.
    return text


def _between_turns(match: re.Match[str]) -> str:
    if _TURN.fullmatch(match[0]):
        return match[0]
    text, start, end = match.string, match.start(), match.end()
    return " " if text[start - 1 : start].isalnum() and text[end : end + 1].isalnum() else ""


def _without_header(text: str) -> str:
    """Without the turn tokens at the start: the model's own header, or the repeated prompt up to there."""
    header = _HEADER.match(text)
    if header is None or not header[0].strip():
        return text
    own = _OWN_HEADER.search(text, header.end())
    return text[own.end() :] if own else text[header.end() :]


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
