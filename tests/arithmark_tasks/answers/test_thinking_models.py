"""Reading answers of models that think, speak in channels, say how sure they are, or keep special tokens."""

import pytest

from arithmark_tasks.answers import extract, extract_clock

NO, THINK, NOT_INTEGER = "no_answer", "unclosed_think", "not_an_integer"

CHANNELS = [
    ("analysisTotal 46, 2 digits.assistantfinal46", 46),
    ("<|channel|>analysis<|message|>2<|end|><|channel|>final<|message|>46", 46),
    (
        "<|channel|>analysis<|message|>2<|end|><|start|>assistant<|channel|>final<|message|>It is 46.<|return|>",
        46,
    ),
    ("<|channel|>analysis<|message|>12+34 is 46, I think", THINK),
    ("<|CHANNEL|>analysis<|MESSAGE|>2<|END|><|CHANNEL|>Final<|MESSAGE|>46", 46),
    ('<|channel|>final <|constrain|>json<|message|>{"answer": 46}', 46),
    ('<|channel|>commentary to=functions.calc <|constrain|>json<|message|>{"a": 12}<|call|>', THINK),
    ("<|channel|>commentary<|message|>I will add 12 and 34.<|end|><|start|>assistant<|channel|>final<|message|>46", 46),
    ("46<|return|><|start|>user<|message|>5+5?<|end|><|start|>assistant<|channel|>final<|message|>10", 46),
    ("46<|end|><|start|>user<|message|>5+5?<|end|><|start|>assistant<|channel|>analysis<|message|>hm", 46),
    (
        "<|start|>user<|message|>What is 12+34?<|end|><|start|>assistant<|channel|>analysis<|message|>a 2<|end|>"
        "<|start|>assistant<|channel|>final<|message|>46<|return|>",
        46,
    ),
    (
        "<|channel|>analysis<|message|>2<|end|><|start|>assistant<|channel|>final<|message|>46<|return|><|start|>user<|message|>5+5<|end|><|start|>assistant<|channel|>final<|message|>10",
        46,
    ),
    ("thoughts 7<|end|><|start|>assistant<|channel|>final<|message|>46", 46),
    ("analysisWe need 12+34 = 46", THINK),
    ("analysis46", THINK),
    ("assistantanalysisTwo digits.assistantfinal46", 46),
    ("analysisTwo.assistantcommentaryThree.assistantfinal46", 46),
    ("Total 46, so done.assistantfinal46", 46),
    ("assistantfinal46", 46),
    ("final46", 46),
    ("analysisTwo 2.assistantfinalThe answer is 46.", 46),
    ("analysis2assistantfinal46assistantanalysis7", 46),
    ("analysis: the total is 46.", 46),
    ("Analysis shows 46.", 46),
    ("analysis of 12+34 gives 46", 46),
    ("The word assistantfinal marks 12 answers. The answer is 46.", 46),
    ("46 is the answer, as 'assistantfinal' says.", 46),
    ("final answer: 46", 46),
    ("Final 46", 46),
    ("<|channel>thought\n12+34 is 42<channel|>46", 46),
    ("<|channel>thought\n12+34 is 42", THINK),
    ("[THINK]The answer is 42.[/THINK]So 46.", 46),
    ("[THINK]The answer is 42.", THINK),
    ("[think]42[/think]46", 46),
    ("[Reasoning]\n12+34 = 46\n[Answer]\n46", 46),
    ("[Reasoning]42[/Reasoning]46", 46),
]
TAGS = [
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<thinking>", "</thinking>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<THOUGHTS>", "</Thoughts>"),
    ("<mm:think>", "</mm:think>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|cot_start|>", "<|cot_end|>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<reflection>", "</reflection>"),
    ("<analysis>", "</analysis>"),
    ("<inner_monologue>", "</inner_monologue>"),
    ("< think >", "< / think >"),
    ('<think time="3">', "</think>"),
    ("＜think＞", "＜/think＞"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("<think>", "<\\/think>"),
    ("<|think|>", "<|/think|>"),
    ("<|thinking|>", "</|thinking|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<reason>", "</reason>"),
    ("<thought_process>", "</thought_process>"),
    ("<internal_thought>", "</internal_thought>"),
    ("<|thought_start|>", "<|thought_end|>"),
    ("<chain-of-thought>", "</chain-of-thought>"),
    ("<internal-reasoning>", "</internal-reasoning>"),
]
CERTAINTY = [
    ("46\nConfidence: 95%", 46),
    ("Answer: 46\nConfidence: 95%", 46),
    ("Confidence: 95%\nAnswer: 46", 46),
    ("Confidence: 95%\n46", 46),
    ("46 (95% confident)", 46),
    ("46 (confidence: 0.95)", 46),
    ("I am 95% confident that the answer is 46.", 46),
    ("I am 95% sure: 46", 46),
    ("46, with 95% confidence.", 46),
    ("46\nConfidence: high (9/10)", 46),
    ("46\nConfidence: 9 out of 10", 46),
    ("46\nConfidence score: 0.95", 46),
    ("46\nConfidence (0-100): 95", 46),
    ("46\n**Confidence:** 95%", 46),
    ("46 <confidence>95</confidence>", 46),
    ('{"answer": 46, "confidence": 0.95}', 46),
    ('{"confidence": 0.95, "answer": 46}', 46),
    ("46 (95%)", 46),
    ("46\nConfidence Level: 95/100", 46),
    ("46\n\nConfidence:\n95%", 46),
    ("46 | Confidence: 95%", 46),
    ("46\nMy confidence is 95%.", 46),
    ("46\nCertainty: 100%", 46),
    ("46\nCONFIDENCE = 95 percent", 46),
    ("46\nConfidence: ~95%", 46),
    ("46\nConfidence: 95", 46),
    ("Confidence: 95%", NO),
    ("The share is 46%", 46),
    ("\\boxed{46}\n\nConfidence: 95\\%", 46),
    ("#### 46\nConfidence: 95%", 46),
    ("46\nI am 90% certain of this", 46),
    ("46\n(95% confidence)", 46),
    ("46\n95% confidence", 46),
    ("46\nConfidence: 95%\n\nQuestion: 5+5\nAnswer: 10", 46),
    ("46\nconfidence interval 40 to 50", 46),
]
TOKENS = [
    ("The answer is <|begin_of_box|>46<|end_of_box|>.", 46),
    ("<|begin_of_box|>46<|end_of_box|>", 46),
    ("Total <|box_start|>-46<|box_end|>", -46),
    ("<answer><|begin_of_box|>46<|end_of_box|></answer> in 3 steps", 46),
    ("12<|sep|>34 and the answer is 46", 46),
    ("46<pad><pad>", 46),
    ("46 <|reserved_special_token_5|> 10?", 10),
    ("46<|eot_id|>10", 46),
    ("46<|endoftext|>10", 46),
    ("46<|user|>5+5?", 46),
    ("46[INST] 5+5 [/INST] 10", 46),
    ("46<｜end▁of▁sentence｜>10", 46),
    ("46<｜User｜>5+5<｜Assistant｜>10", 46),
    ("<|start_header_id|>assistant<|end_header_id|>\n\n46<|eot_id|>", 46),
    ("<|im_start|>assistant\n46<|im_end|>\n<|im_start|>user\n5+5", 46),
    ("<start_of_turn>model\n46<end_of_turn>\n10", 46),
    ("<|user|>What is 12+34?<|assistant|>46<|user|>5+5?<|assistant|>10", 46),
    ("<s>46</s>10", 46),
    ("<s>[INST] What is 12+34? [/INST] 46</s>", 46),
    ("<|endoftext|>46", 46),
    ("\n<|begin_of_box|>46<|end_of_box|>", 46),
]
MARKS = [
    ("ー46", -46),
    ("━46", -46),
    ("─46", -46),
    ("ㅡ46", -46),
    ("ｰ46", -46),
    ("答えはー46です", -46),
    ("答えは-46です", -46),
    ("答案是-46。", -46),
    ("スコアー46", 46),
    ("スコアは46", 46),
    ("The answer is ━46.", -46),
    ("—46", -46),
    ("The answer is —46.", -46),
    ("Answer: —46", -46),
    ("The total — 46 crates", 46),
    ("total—46 crates", 46),
    ("━━━━\n46", 46),
    ("────46", 46),
    ("10━3", NOT_INTEGER),
    ("10━3=7", 7),
    ("10 ー 3 = 7", 7),
    ("= ー46", -46),
    ("ー$46", -46),
    ("ー４６", -46),
    ("x-46", 46),
    ("é-46", 46),
    ("Ответ -46", -46),
    ("答案：-46", -46),
    ("46—50", NOT_INTEGER),
    ("\\boxed{ー46}", -46),
    ("10—3 = 7", 7),
    ("46 km/h", 46),
    ("46 m²", 46),
    ("46 cm^2", 46),
    ("46 %", 46),
    ("€46", 46),
    ("46 per cent", 46),
    ("46°C", 46),
    ("-46°C", -46),
    ("46 kg, i.e. 46 kilograms", 46),
]


@pytest.mark.parametrize(("text", "right"), [*CHANNELS, *CERTAINTY, *TOKENS, *MARKS])
def test_the_answer_is_read(text, right):
    assert extract(text) == ((None, right) if isinstance(right, str) else (right, "ok"))


@pytest.mark.parametrize(("opening", "closing"), TAGS)
def test_only_what_follows_the_thoughts_is_read(opening, closing):
    assert extract(f"{opening}The answer is 42.{closing}So 46.") == (46, "ok")
    assert extract(f"The answer is 42.{closing}\n46") == (46, "ok")  # the template has opened them
    assert extract(f"{opening}a{opening}b 42{closing}c 42{closing}46") == (46, "ok")
    assert extract(f"{opening}The answer is 42.{closing}") == (None, NO)
    assert extract(f"{opening}The answer is 46.") == (None, THINK)
    assert extract(f"{opening}a 42{closing}46{opening}or") == (None, THINK)
    assert extract_clock(f"{opening}2:30 p.m.{closing}It is 2:45 p.m.") == (885, "ok")


@pytest.mark.parametrize(
    "text", ["46 <nothing> here", "<no_think>46", "[thoughtful] 46", "a <- think -> 46", "/no_think 46"]
)
def test_what_only_looks_like_a_thought_is_none(text):
    assert extract(text) == (46, "ok")


def test_a_time_of_day_is_read_behind_channels_and_confidence():
    assert extract_clock("analysisIt is 1:15.assistantfinalIt ended at 2:45 p.m.") == (885, "ok")
    assert extract_clock("14:45\nConfidence: 95%") == (885, "ok")


# fmt: off
REPEATED = [
    "<", "< ", "<|", "<|a|>", "[ ", "</think", "<think ", "<think a=", "<a:a:", "<|channel|>", "<|channel|>final",
    "<|start|>user", "<|return|>", "assistantfinal", "aassistant", "confidence ", "confidence (", "1% ", "1 (1%)",
    "certain (1", "ー1", "—1", "<|user|>", "<|im_start|>assistant\n", "<channel|>", "[/INST]", " \n", "<confidence>",
]
# fmt: on


@pytest.mark.parametrize("text", [*REPEATED, "analysisA assistantfinal", "<|start|>user<|return|>"])
def test_reading_time_grows_linearly(text):
    # A quadratic reader would need minutes here; the suite's time-out is the judge.
    start, piece = ("analysisA", "assistant ") if text.startswith("analysis") else ("", text)
    long = start + piece * (40_000 // len(piece))
    extract(long)
    extract_clock(long)
