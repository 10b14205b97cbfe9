"""Where a model's thoughts end and its answer begins: tags and channels, as different models write them.

Everything here maps any string to a string and runs in linear time, because models emit any string.
"""

import re

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
