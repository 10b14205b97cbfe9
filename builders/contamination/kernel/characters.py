"""Tables from what a text can hold (characters, entities, macros) to the matcher's alphabet.

Digits, letters and compatibility forms come from ``unicodedata``; only what the Unicode tables do not say, which
characters people write for the four operators, is listed here.
"""

import html.entities
import unicodedata
from functools import cache

import numpy as np

from . import alphabet as a

CHARACTERS = 0x20000  # the planes that hold digits, operators and cased letters; what lies above is OTHER

PLUSES = "\u2795\ufb29\u271a\u02d6"
MINUSES = "\u2212\u2796\u02d7\u2238"
DASHES = "\u2010\u2011\u2012\u2013\u2043\u05be\u23af\u2500\u0096"  # U+0096 and U+0097: dashes of Windows-1252
EM_DASHES = "\u2014\u2015\ufe58\u0097"
TIMES = (
    "\u2062\u00d7\u00b7\u0387\u066d\u2022\u2027\u204e\u2217\u2219\u22c5\u22c6\u2715\u2716\u2a09\u2a2f\u2731\u2e31\u30fb\u2573"
    "\u2297\u22a0\u25cf\u2718\u2733\u2734"
)
DIVISIONS = "\u00f7\u2044\u2215\u2797\u29f8\u2afb\u2571"
WIDE_OPERATORS = {"\uff0b": 1, "\ufe62": 1, "\uff0a": 3, "\ufe61": 3, "\uff0f": 4, "\uff65": 3}
WIDE_DASHES = "\uff0d\ufe63"
CYRILLIC_X = "\u0445\u0425"
BREAKS = "\u0085\u2028\u2029"
QUOTES = "\u201c\u201d\u201e\u00ab\u00bb"
DEGREES = "\u00b0\u00ba\u02da\u2103\u2109"
TOKEN_SPACES = "\u2581\u0120"  # a space in the vocabularies of SentencePiece and of byte-level BPE
THIN_SPACES = "\u00a0\u2007\u2008\u2009\u200a\u202f\u2004\u2005\u2006\u205f"

_BY_CHARACTER = {
    **dict.fromkeys(PLUSES, a.UNICODE + a.PLUS - 1),
    **dict.fromkeys(MINUSES, a.UNICODE + a.MINUS - 1),
    **dict.fromkeys(TIMES, a.UNICODE + a.TIMES - 1),
    **dict.fromkeys(DIVISIONS, a.UNICODE + a.DIVIDE - 1),
    **{character: a.WIDE + code - 1 for character, code in WIDE_OPERATORS.items()},
    **dict.fromkeys(DASHES, a.DASH),
    **dict.fromkeys(WIDE_DASHES, a.DASH_WIDE),
    **dict.fromkeys(EM_DASHES, a.EM_DASH),
    **dict.fromkeys(CYRILLIC_X, ord("x")),
    **dict.fromkeys(BREAKS, a.BREAK),
    **dict.fromkeys(THIN_SPACES, a.THIN),
    **dict.fromkeys(QUOTES, ord('"')),
    **dict.fromkeys(DEGREES, a.DEGREE),
    **dict.fromkeys(TOKEN_SPACES, ord(" ")),
    "\u066b": ord("."),  # Arabic decimal separator
    "\u066c": ord(","),  # Arabic thousands separator
    **dict.fromkeys("\u2018\u2019\u02bc", ord("'")),
    "\u060c": ord(","),  # Arabic comma
}

_BY_CATEGORY = {
    **dict.fromkeys(("Lu", "Ll", "Lt"), a.LETTER),
    **dict.fromkeys(("Mn", "Me", "Cf"), a.DROPPED),  # accents, keycaps, zero-width characters
    "Zs": ord(" "),
    "Sc": a.CURRENCY,
}

_NEVER_SPECIAL = frozenset(("Lo", "So", "Cn", "Co", "Cs"))

_STYLES = (
    "left right big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr Biggl Biggr displaystyle textstyle limits "
    "text textbf textit textrm textnormal mathrm mathbf mathit mathsf mathtt boldsymbol bf rm it boxed fbox mbox "
    "mathbin mathop mathrel mathord pmb bm cancel underline"
)
_SYMBOLS = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho "
    "sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega sqrt "
    "ell hbar infty partial nabla sin cos tan cot log ln exp binom vec hat bar overline mathbb mathcal"
)

MACROS: dict[str, int] = {
    **dict.fromkeys(
        ["times", "cdot", "cdotp", "ast", "bullet", "star", "centerdot", "cross", "texttimes"], a.LATEX + a.TIMES - 1
    ),
    **dict.fromkeys(("div", "over", "slash", "textdiv"), a.LATEX + a.DIVIDE - 1),
    **dict.fromkeys(("plus",), a.LATEX + a.PLUS - 1),
    **dict.fromkeys(("minus", "textminus"), a.LATEX + a.MINUS - 1),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac", "sfrac", "nicefrac", "flatfrac"), a.FRACTION),
    "textendash": a.DASH,
    "textemdash": a.EM_DASH,
    **dict.fromkeys(("degree", "textdegree"), a.DEGREE),
    **dict.fromkeys(("quad", "qquad", "enspace", "space", "t"), ord(" ")),
    **dict.fromkeys(("thinspace", "nobreakspace"), a.THIN),
    **dict.fromkeys(("n", "r", "newline", "par", "cr"), a.BREAK),
    **dict.fromkeys(_STYLES.split(), a.DROPPED),
    **dict.fromkeys(_SYMBOLS.split(), a.LETTER),
}

ESCAPES: dict[str, int] = {
    **dict.fromkeys(",;: ", a.THIN),
    "!": a.DROPPED,  # a negative space, as in 1,\!200
    **dict.fromkeys("()[]$", ord("$")),
    "{": ord("("),
    "}": ord(")"),
    "+": a.LATEX + a.PLUS - 1,
    "-": a.DASH,
    "*": a.LATEX + a.TIMES - 1,
    "/": a.LATEX + a.DIVIDE - 1,
    "%": ord("%"),
    "_": ord("_"),
    ".": ord("."),
    "^": ord("^"),
    '"': ord('"'),
    "&": ord("&"),
}


def _by_unicode(character: str, category: str) -> int:
    """The symbol of a character that no list here names."""
    if category == "Nd":
        return a.WIDE_DIGIT + unicodedata.decimal(character)
    form = unicodedata.decomposition(character).partition(" ")[0]
    if form in ("<super>", "<sub>", "<fraction>"):
        return a.RAISED
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) == 1 and "!" <= folded <= "~" and form != "<circle>" and folded not in "+-*/&\\":
        return ord(folded)
    return _BY_CATEGORY.get(category, a.OTHER)


@cache
def character_table() -> np.ndarray:
    """``uint8[CHARACTERS]``: the symbol of each code point; ASCII stands for itself."""
    table = np.full(CHARACTERS, a.OTHER, dtype=np.uint8)
    table[:128] = np.arange(128)
    for code in range(128, CHARACTERS):
        character = chr(code)
        category = unicodedata.category(character)
        # Nine in ten are letters without case, symbols or unassigned; beyond Latin-1 what folds there is decoration.
        if category not in _NEVER_SPECIAL or code < 256:
            table[code] = _by_unicode(character, category)
    for character, symbol in _BY_CHARACTER.items():
        table[ord(character)] = symbol
    return table


def entities() -> dict[str, int]:
    """HTML5's named entities that stand for one character, with their code points."""
    return {name[:-1]: ord(text) for name, text in html.entities.html5.items() if name.endswith(";") and len(text) == 1}


def bare_entities() -> dict[str, int]:
    """The entities that HTML5 reads without a semicolon too, such as ``&times34``; letters only."""
    return {name: ord(text) for name, text in html.entities.html5.items() if name.isalpha()}


def escape_table() -> np.ndarray:
    """``uint8[128]``: the symbol of a backslash and that character; ``OTHER`` where the pair means nothing here."""
    table = np.full(128, a.OTHER, dtype=np.uint8)
    for character, symbol in ESCAPES.items():
        table[ord(character)] = symbol
    return table
