"""The one-byte alphabet that the matcher reads, and what each symbol can be.

Plain ASCII text is its own symbol string. Text with anything else is first written in this alphabet by
``normalise.py``: an entity, a LaTeX macro or a character of several bytes becomes one symbol.
"""

from collections.abc import Iterable

import numpy as np

OPERATOR_CODES = "+-*/"
PLUS, MINUS, TIMES, DIVIDE = 1, 2, 3, 4

# The bytes of curly quotes in UTF-8 are no symbols, so that prose without others can be read as it is: 0x80, 0x98,
# 0x99, 0x9C, 0x9D and 0xE2 mean nothing here, but that 0xE2 may begin one.
CURLY = 0xE2
LETTER = 0xD0  # a letter with case outside ASCII: what stands beside it is an identifier
OTHER = 0xD1  # anything that ends a number without joining it: punctuation, CJK characters, unknown macros
RAISED = 0xD2  # superscripts, subscripts and vulgar fractions: they change the number they stand beside
THIN = 0xD3  # no-break and thin spaces: a space, and a thousands separator between digits
FRACTION = 0xD4  # \frac
CURRENCY = 0xD5  # a currency sign other than "$"
DEGREE = 0xD6  # a degree sign, also as ^\circ
BREAK = 0x0B  # a line break that is not a newline byte of the source (rows of text files count those)
WIDE_DIGIT = 0xA0  # + 0..9: a digit that is not ASCII
UNICODE, WIDE, HTML, LATEX = 0xB0, 0xB4, 0xB8, 0xBC  # + operator - 1: an operator in that form
DASH, DASH_WIDE, DASH_HTML = 0xC0, 0xC1, 0xC2  # minus signs that are also hyphens and bullets
EM_DASH, EM_DASH_HTML = 0xC3, 0xC4  # a minus between numbers, punctuation before one
DROPPED = 0xFF  # leaves no symbol: zero-width characters, \left, \mathbf

DIGIT_KIND, SPACE_KIND, NEWLINE_KIND, LETTER_KIND, CURRENCY_KIND, HYPHEN_KIND, ATTACHED_KIND, CLOSING_KIND = (
    1 << bit for bit in range(8)
)

SURFACES = (
    "plain",
    "marked",
    "zero_fraction",
    "grouped",
    "fullwidth",
    "letter_x",
    "unicode",
    "latex",
    "html",
    "word",
    "unit",
    "phrase",
    "call",
    "cells",
    "factors",
    "spaced_digits",
    "columns",
    "chained",
)
(PLAIN, MARKED, ZERO_FRACTION, GROUPED, FULLWIDTH, LETTER_X, UNICODE_FORM, LATEX_FORM, HTML_FORM, WORD) = range(10)
(UNIT, PHRASE, CALL, CELLS, FACTORS, SPACED_DIGITS, COLUMNS, CHAINED) = range(10, len(SURFACES))

LEFT_OUT = ("too_wide", "decimal", "version", "identifier", "power", "time", "negative", "date")
TOO_WIDE, DECIMAL, VERSION, IDENTIFIER, POWER, TIME, NEGATIVE, DATE = range(len(LEFT_OUT))
ACCEPTED, ACCEPTED_CHAINED = -1, -2

# How a reading names an operation: a code from PLUS to DIVIDE, negative when the operands are swapped ("a from b"), and
# with LARGER_FIRST added when the larger one is the left ("the difference between a and b").
LARGER_FIRST = 8

MAX_DIGITS = 18
OPERATOR_SHIFT = 60  # a packed key is the number of the operator above the left operand, which is under 10**18 < 2**60
LEFT_MASK = (1 << OPERATOR_SHIFT) - 1


def _mark(table: np.ndarray, symbols: Iterable[int], bit: int) -> None:
    for symbol in symbols:
        table[symbol] |= bit


def _kinds() -> np.ndarray:
    """For each symbol the set of roles it can play, as bits."""
    kinds = np.zeros(256, dtype=np.uint8)
    for zero in (0x30, WIDE_DIGIT):
        _mark(kinds, range(zero, zero + 10), DIGIT_KIND)
    _mark(kinds, [*b" \t\n\r\f\v~", THIN], SPACE_KIND)
    _mark(kinds, [*b"\n", BREAK], NEWLINE_KIND)
    _mark(kinds, [*range(0x41, 0x5B), *range(0x61, 0x7B), LETTER], LETTER_KIND)
    _mark(kinds, [*b"$", CURRENCY], CURRENCY_KIND)
    _mark(kinds, [*b"-", DASH, DASH_WIDE, DASH_HTML, EM_DASH, EM_DASH_HTML], HYPHEN_KIND)
    _mark(kinds, [*b"^", RAISED, FRACTION], ATTACHED_KIND)
    _mark(kinds, [*b")]}%!", RAISED], CLOSING_KIND)
    return kinds


def _operators() -> np.ndarray:
    """For each symbol the operator it writes (``PLUS`` to ``DIVIDE``), 0 for none."""
    operators = np.zeros(256, dtype=np.uint8)
    for code, character in enumerate(OPERATOR_CODES, start=1):
        operators[ord(character)] = code
        for form in (UNICODE, WIDE, HTML, LATEX):
            operators[form + code - 1] = code
    operators[[DASH, DASH_WIDE, DASH_HTML, EM_DASH, EM_DASH_HTML]] = MINUS
    return operators


def _forms() -> np.ndarray:
    """For each operator symbol its surface form, ``PLAIN`` for ASCII."""
    forms = np.zeros(256, dtype=np.uint8)
    for base, form in ((UNICODE, UNICODE_FORM), (WIDE, FULLWIDTH), (HTML, HTML_FORM), (LATEX, LATEX_FORM)):
        forms[base : base + 4] = form
    forms[[DASH, EM_DASH]] = UNICODE_FORM
    forms[DASH_WIDE] = FULLWIDTH
    forms[[DASH_HTML, EM_DASH_HTML]] = HTML_FORM
    return forms


STOPS, GOES_ON, IF_DIGIT, IF_SPACED, IF_LISTED, IF_WORDS = range(6)


def _followers() -> np.ndarray:
    """For each symbol what it means behind a digit run: no pair, perhaps one, or perhaps by what follows the symbol.

    The quick test that spares most numbers of a text the full reading.
    """
    kinds = _kinds()
    followers = np.full(256, STOPS, dtype=np.uint8)
    followers[np.flatnonzero(_operators())] = GOES_ON
    followers[[*b"()}{*_`$<|%&\"';", CURRENCY, DEGREE, CURLY]] = GOES_ON
    followers[[*b".", THIN]] = IF_DIGIT
    followers[ord(",")] = IF_LISTED
    followers[np.flatnonzero(kinds & LETTER_KIND)] = IF_WORDS
    followers[np.flatnonzero(kinds & SPACE_KIND)] = IF_SPACED
    return followers


KINDS = _kinds()
FOLLOWERS = _followers()
OPERATORS = _operators()
FORMS = _forms()
