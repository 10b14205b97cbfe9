"""What the scanner counts as an expression, in words: the text that travels with every index."""

import unicodedata
from typing import Any

from .kernel.alphabet import LEFT_OUT, MAX_DIGITS, SURFACES
from .kernel.operators import WORDS

SCANNER_VERSION = 4  # another one for every change of these texts too: `verify` compares a certificate with them

SURFACE_MEANINGS = {
    "plain": "ASCII digits and + - * / with or without spaces",
    "marked": "brackets, quotes, bars, emphasis, tags, currency or percent signs around an operand alone",
    "zero_fraction": "an operand such as 76.0, whose decimals are all zero",
    "grouped": "thousands separators: 1,200 1{,}200 1'200 1_200 1~200, no-break and thin spaces, 1,00,000",
    "fullwidth": "digits other than ASCII, or a full-width operator",
    "letter_x": "the letter x between two numbers",
    "unicode": "a Unicode operator, such as U+2212 or U+00D7",
    "latex": "a LaTeX operator, \\frac, or an operator behind a backslash",
    "html": "an operator written as a character entity, a \\u escape or a percent code",
    "word": "a word operator",
    "unit": "words of a unit between an operand and what follows it, or a degree sign: 30 snakes * 3 birds/snake",
    "phrase": "the operator first, in words: the sum of a and b, subtract a from b, divide a by b",
    "call": "a function or a list with the operator first: multiply(a, b), (+ a b)",
    "cells": "the operator in a cell of its own: | a | + | b |, a,+,b",
    "factors": "numbers in brackets side by side: (a)(b), and with an equals sign behind it a(b)",
    "spaced_digits": "digits written apart: 1 2 + 3 4 is 12+34; as it is written, 2+3, it counts as chained too",
    "columns": "operands and operator in columns of a table, or fields of an object, of their own",
    "chained": "not the first of a chain (2+3 in 1+2+3), or behind another operator: the text need not compute it",
}

LEFT_OUT_MEANINGS = {
    "too_wide": f"an operand of more than {MAX_DIGITS} significant digits",
    "decimal": "an operand with decimals other than zeros",
    "version": "an operand with two or more points, such as an address or a version",
    "identifier": "an operand joined to a letter or underscore, a function's argument, a hexadecimal number",
    "power": "an operand that is raised, is an exponent, or has a fraction joined to it",
    "time": "minutes or seconds of a clock time",
    "negative": "a negative operand",
    "date": "a date (counted once each)",
}

RULES = (
    "keys: operands of + and * unordered, of - and / ordered, as non-negative integers without leading zeros",
    "an operator may have any spaces and at most one line break on either side",
    "a comma that does not group digits by three separates: 3,5+2 holds 5+2",
    "a decimal is an integer when all its decimals are zero: 76.0-25.0 is 76-25",
    "a plain space does not group digits: 1 200+34 holds 200+34",
    "a hyphen and a space at the start of a line is a bullet, any other sign before the left operand makes it negative",
    "an operand alone in brackets counts, a bracket with more in it does not: 48/(2+6) holds 2+6",
    "\\frac{a}{b} is a/b; without braces it takes one digit: \\frac12 is 1/2",
    "percentages count when both operands are: 12% + 34%, and not 50%+20",
    "before word operators that say what is done (such as added to) may stand is, are, was, were, be, and, then",
    "a plus sign against an operand is none of its own: (+12) + (+34)",
    "an operator may stand in quotation marks, emphasis, braces, \\text, HTML tags or dollar signs of its own",
    "two or three hyphens between spaces are a minus, and a dash before an expression",
    "a divided into b is the larger by the smaller",
    "behind an operand may stand up to five words of a unit; a hyphen or star that begins a line is a bullet then",
    "a negative left operand counts without its sign in a product or quotient: x-12*34 holds 12*34",
    "rows of numbers: columns or fields that are named as two operands (a, b; left, right; num1, num2; x, y; minuend, "
    "subtrahend ...) with a column of operators, signs or words, or one that holds their result; and numbers on both "
    "sides of a column of operators, whatever they are called",
    "bytes that are no UTF-8 are read as Windows-1252, UTF-16 and UTF-32 as what they are",
)

# What no scan reads, whatever is in the files: said with every index, and on the card.
NOT_READ = (
    "numbers in words",
    "a colon as a division sign",
    "12(34) without an equals sign behind it",
    "an operation told as a story, without its two numbers and a sign or word for it beside each other",
    "an operation named behind both numbers, such as: 12 and 34 add up to 46, 12 34 +",
    "words or letters before the right operand: USD 12 + USD 34, int(12) + int(34)",
    "over five words, or words in brackets, between an operand and its sign; a unit of one letter against a number",
    "words of other languages, Roman, hexadecimal and Chinese numerals",
    "numbers set one under another without a sign, and the bracket of long division",
    "operands of more than 18 digits, negative operands and operands with decimals other than zeros",
    "numbers that are tokens of a model, pictures and sounds",
    "styles and scripts of HTML pages, other values of a name that a JSON object repeats",
)


def describe_policy() -> dict[str, Any]:
    """The policy as it is stored in an index."""
    return {
        "operators": {"words": sorted(WORDS)},
        "max_digits": MAX_DIGITS,
        "rules": list(RULES),
        "not_read": list(NOT_READ),
        "surfaces": {name: SURFACE_MEANINGS[name] for name in SURFACES},
        "left_out": {name: LEFT_OUT_MEANINGS[name] for name in LEFT_OUT},
        "unicode": unicodedata.unidata_version,
    }
