"""What people write, for the slow second scanner: written down anew by Unicode name, so that a wrong table in the
compiled scanner is seen. Nothing here is imported from it.
"""

import unicodedata
from functools import cache


def _named(*names: str) -> str:
    return "".join(unicodedata.lookup(name) for name in names)


PLUSES = _named(
    "HEAVY PLUS SIGN", "HEBREW LETTER ALTERNATIVE PLUS SIGN", "HEAVY GREEK CROSS", "MODIFIER LETTER PLUS SIGN"
)
MINUSES = _named("MINUS SIGN", "HEAVY MINUS SIGN", "MODIFIER LETTER MINUS SIGN", "DOT MINUS")
DASHES = "\x96" + _named(
    *("HYPHEN", "NON-BREAKING HYPHEN", "FIGURE DASH", "EN DASH", "HYPHEN BULLET", "HEBREW PUNCTUATION MAQAF"),
    *("HORIZONTAL LINE EXTENSION", "BOX DRAWINGS LIGHT HORIZONTAL"),
)
LONG_DASHES = "\x97" + _named("EM DASH", "HORIZONTAL BAR", "SMALL EM DASH")
TIMES = _named(
    *("INVISIBLE TIMES", "MULTIPLICATION SIGN", "MIDDLE DOT", "GREEK ANO TELEIA", "ARABIC FIVE POINTED STAR", "BULLET"),
    *("HYPHENATION POINT", "LOW ASTERISK", "ASTERISK OPERATOR", "BULLET OPERATOR", "DOT OPERATOR", "STAR OPERATOR"),
    *("MULTIPLICATION X", "HEAVY MULTIPLICATION X", "N-ARY TIMES OPERATOR", "VECTOR OR CROSS PRODUCT"),
    *("HEAVY ASTERISK", "WORD SEPARATOR MIDDLE DOT", "KATAKANA MIDDLE DOT", "BOX DRAWINGS LIGHT DIAGONAL CROSS"),
    *("CIRCLED TIMES", "SQUARED TIMES", "BLACK CIRCLE", "HEAVY BALLOT X", "EIGHT SPOKED ASTERISK"),
    "EIGHT POINTED BLACK STAR",
)
DIVISIONS = _named(
    *("DIVISION SIGN", "FRACTION SLASH", "DIVISION SLASH", "HEAVY DIVISION SIGN", "BIG SOLIDUS"),
    *("TRIPLE SOLIDUS BINARY RELATION", "BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT"),
)
WIDE_SIGNS = {
    **dict.fromkeys(_named("FULLWIDTH PLUS SIGN", "SMALL PLUS SIGN"), "+"),
    **dict.fromkeys(_named("FULLWIDTH ASTERISK", "SMALL ASTERISK", "HALFWIDTH KATAKANA MIDDLE DOT"), "*"),
    _named("FULLWIDTH SOLIDUS"): "/",
}
WIDE_DASHES = _named("FULLWIDTH HYPHEN-MINUS", "SMALL HYPHEN-MINUS")
SAME_AS = {
    **dict.fromkeys(_named("CYRILLIC SMALL LETTER HA", "CYRILLIC CAPITAL LETTER HA"), "x"),
    **dict.fromkeys("\x85" + _named("LINE SEPARATOR", "PARAGRAPH SEPARATOR"), "\v"),
    _named("ARABIC DECIMAL SEPARATOR"): ".",
    **dict.fromkeys(_named("ARABIC THOUSANDS SEPARATOR", "ARABIC COMMA"), ","),
    **dict.fromkeys(
        _named("LEFT SINGLE QUOTATION MARK", "RIGHT SINGLE QUOTATION MARK", "MODIFIER LETTER APOSTROPHE"), "'"
    ),
    **dict.fromkeys(
        _named("LEFT DOUBLE QUOTATION MARK", "RIGHT DOUBLE QUOTATION MARK", "DOUBLE LOW-9 QUOTATION MARK")
        + _named("LEFT-POINTING DOUBLE ANGLE QUOTATION MARK", "RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK"),
        '"',
    ),
    **dict.fromkeys(_named("LOWER ONE EIGHTH BLOCK", "LATIN CAPITAL LETTER G WITH DOT ABOVE"), " "),
}
THIN_SPACES = _named(
    *("NO-BREAK SPACE", "FIGURE SPACE", "PUNCTUATION SPACE", "THIN SPACE", "HAIR SPACE", "NARROW NO-BREAK SPACE"),
    *("THREE-PER-EM SPACE", "FOUR-PER-EM SPACE", "SIX-PER-EM SPACE", "MEDIUM MATHEMATICAL SPACE"),
)
DEGREES = _named("DEGREE SIGN", "MASCULINE ORDINAL INDICATOR", "RING ABOVE", "DEGREE CELSIUS", "DEGREE FAHRENHEIT")

FRACTIONS = ["frac", "dfrac", "tfrac", "cfrac", "sfrac", "nicefrac", "flatfrac"]
OPERATOR_MACROS = {
    "*": ["times", "cdot", "cdotp", "ast", "bullet", "star", "centerdot", "cross", "texttimes"],
    "/": ["div", "over", "slash", "textdiv"],
    "+": ["plus"],
    "-": ["minus", "textminus"],
}
UNSEEN_MACROS = [
    "left",
    "right",
    "big",
    "Big",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "bigg",
    "Bigg",
    "biggl",
    "biggr",
    "Biggl",
    "Biggr",
    "displaystyle",
    "textstyle",
    "limits",
    "text",
    "textbf",
    "textit",
    "textrm",
    "textnormal",
    "mathrm",
    "mathbf",
    "mathit",
    "mathsf",
    "mathtt",
    "boldsymbol",
    "bf",
    "rm",
    "it",
    "boxed",
    "fbox",
    "mbox",
    "mathbin",
    "mathop",
    "mathrel",
    "mathord",
    "pmb",
    "bm",
    "cancel",
    "underline",
]
SYMBOL_MACROS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "varepsilon",
    "zeta",
    "eta",
    "theta",
    "vartheta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "pi",
    "varpi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "varphi",
    "chi",
    "psi",
    "omega",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Pi",
    "Sigma",
    "Upsilon",
    "Phi",
    "Psi",
    "Omega",
    "sqrt",
    "ell",
    "hbar",
    "infty",
    "partial",
    "nabla",
    "sin",
    "cos",
    "tan",
    "cot",
    "log",
    "ln",
    "exp",
    "binom",
    "vec",
    "hat",
    "bar",
    "overline",
    "mathbb",
    "mathcal",
]

# A pattern for each word operator, and what it does: "-b" is b - a, "/?" the larger by the smaller.
WORD_OPERATORS = {
    "+": "plus|add|added to|added with|in addition to|combined with|together with|increased by|more than",
    "-": "minus|subtract|less|take away|take-away|takeaway|decreased by|diminished by|reduced by",
    "-b": "subtracted from|deducted from|taken from|taken away from|less than|fewer than",
    "*": "times|times by|multiply|multiply by|multiplied by|multiplied with|groups of|lots of",
    "/": (
        "over|divide|divide by|divided by|divided evenly by|divided equally by|divided among|divided between|"
        "divided equally among|divided equally between|shared among|shared between|shared equally among|"
        "shared equally between|split among|split between|in groups of|divided into groups of|split into groups of"
    ),
    "/?": "divided into|divided equally into|goes into|go into",
}
AUXILIARIES = "is|are|was|were|be|and|then"
DONE = "added|combined|decreased|deducted|diminished|divided|increased|multiplied|reduced|shared|split|subtracted|taken"
# Heads of phrases by what stands between the numbers.
PHRASES: dict[str, dict[str, str]] = {
    "and": {
        "+": "add|adding|adds|added|sum|summing|addition!|total!|totals!|put!|putting!|combine|combining",
        "*": "multiply|multiplying|multiplies|multiplication|product|prod",
        "-?": "difference!|distance!",
        "/": "divide|dividing|divides|division!|quotient|ratio!",
    },
    "to": {"+": "add|adding|adds|added|sum|summing|addition!", "/": "ratio!"},
    "from": {
        "-b": ("subtract|subtracting|subtracts|subtraction|take|taking|deduct|deducting|remove|removing|withdraw")
    },
    "by": {
        "+": "increase|increasing|raise|raising",
        "-": "decrease|decreasing|reduce|reducing|diminish|lower|lowering",
        "*": "multiply|multiplying|multiplies|multiplication|product|prod",
        "/": "divide|dividing|divides|division!|quotient|share|sharing|split|splitting|distribute|distributing",
    },
    "with": {
        "+": ("add|adding|adds|added|sum|summing|addition!|total!|totals!|put!|putting!|combine|combining"),
        "*": "multiply|multiplying|multiplies|multiplication|product|prod",
    },
    "into": {"/?": "divide|dividing|divides|division!|share|sharing|split|splitting|distribute|distributing"},
    "among": {"/": "divide|dividing|divides|division!|share|sharing|split|splitting|distribute|distributing"},
    ",": {
        "+": "add|adding|adds|added|sum|summing|addition!",
        "*": "multiply|multiplying|multiplies|multiplication|product|prod",
    },
}
CALLS = {
    "+": "add|adding|adds|added|sum|summing|addition|plus",
    "-": "subtract|subtracting|subtracts|subtraction|sub|minus|difference|distance",
    "*": "multiply|multiplying|multiplies|multiplication|product|prod|mul|mult|times",
    "/": "divide|dividing|divides|division|quotient|div|truediv|floordiv",
}
FILLERS = (
    "the|numbers|number|integers|integer|values|value|two|following|both|up|terms|amounts|quantities|factors|figures|"
    "whole|natural|operands|a|b|x|y|is"
)
PARTICLES = "of|between|together|away|in"
ATTACHED_UNITS = (
    "mm|cm|dm|km|mg|kg|ml|dl|cl|lb|lbs|oz|ft|yd|yds|mi|hr|hrs|min|mins|sec|secs|mph|kmh|kph|gal|qt|pt|kwh|kw|hz|khz|mb|"
    "gb|kb|tb|usd|eur|gbp|cents|hours|minutes|seconds|days|weeks|months|years|miles|feet|inches|meters|metres|grams|"
    "pounds|dollars|liters|litres|points|pts|pcs"
)
SINGLE_UNITS = "mglhsMGLHSCFKVWNJ"
NO_UNITS = "and|or|but|is|are|was|were|to|than|equals|so|then|if|from|with|by"
DATED = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|"
    "sep|sept|oct|nov|dec|am|pm|bc|ad|bce|ce"
)


@cache
def classify(character: str) -> tuple[str, str]:
    """A character as one symbol of the slow scanner (``reference_scanner.py``), and the form it gives an operator."""
    signs = ((PLUSES, "\u229e"), (MINUSES, "\u229f"), (TIMES, "\u22a0"), (DIVISIONS, "\u22a1"))
    for characters, sign in signs:
        if character in characters:
            return sign, "unicode"
    if character in WIDE_SIGNS:
        return {"+": "\u229e", "*": "\u22a0", "/": "\u22a1"}[WIDE_SIGNS[character]], "fullwidth"
    if character in DASHES or character in WIDE_DASHES:
        return "\u2013", "fullwidth" if character in WIDE_DASHES else "unicode"
    if character in LONG_DASHES:
        return "\u2014", "unicode"
    if character in SAME_AS:
        return SAME_AS[character], ""
    if character in THIN_SPACES:
        return "\u2009", ""
    if character in DEGREES:
        return "\u00b0", ""
    return (character, "") if ord(character) < 128 else (_by_unicode(character), "")


def _by_unicode(character: str) -> str:
    category = unicodedata.category(character)
    if ord(character) >= 0x20000 or (ord(character) >= 256 and category in ("Lo", "So", "Cn", "Co", "Cs")):
        return "\u2610"
    if category == "Nd":
        return "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19"[unicodedata.decimal(character)]
    form = unicodedata.decomposition(character).partition(" ")[0]
    if form in ("<super>", "<sub>", "<fraction>"):
        return "\u00b2"
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) == 1 and "!" <= folded <= "~" and form != "<circle>" and folded not in "+-*/&\\":
        return folded
    if category in ("Mn", "Me", "Cf"):
        return ""
    return {"Lu": "\u03bb", "Ll": "\u03bb", "Lt": "\u03bb", "Zs": " ", "Sc": "\u20ac"}.get(category, "\u2610")
