"""Whether a text is written as docs/contributing/style.md says, as far as a machine can tell."""

from __future__ import annotations

import re

FIRST = 30  # words of a message before its first full stop, colon or semicolon
LATER = 45  # words of any later part, but for the formula at the end

_ASKED = "(is|are|was|were) (said|told|known|asked|given|compared|judged)"
BANNED = {  # words of our own, and forms that must be read twice -> what to write
    r"judg(e[sd]?|ing)": "check, lint, validate; skipped",
    r"(is|are|was|were|be) (said|told|meant)(?! apart)|(as|unless|until) (told|meant)|nothing says": "stated, intended",
    r"unsaid": "not stated",
    r"by custom": "usually, by convention",
    r"nobody (mark(s|ed)|is told|mends?)": "unmarked",
    r"otherwise than|set otherwise": "differs from",
    r"(DSCPs?|code points?|values?|priority)[^.:;]{0,25}\bleads? to|led to (a )?(queue|class)": "maps to",
    r"stormed": "in a pause storm",
    r"works? (it |them )?out|worked out": "computes, computed",
    r"gear": "devices",
    r"(beside|whatever) PFC( does)?": "with PFC, despite PFC",
    r"(?<!there )(is|are) no (multiple|command|list|name|port|value|number|switch|device|release)": "is not",
    r"is none of": "is not one of",
    r"nothing to look at": "skipped",
    r"stands? (there|here|twice|where|in the|below|beside|alone)": "is, appears",
    r"anew|for ever|in force nowhere|no more(?! (than|ports))": "again, forever, no longer",
    r"goes by": "uses",
    r"bears|borne": "tolerates",
    r"mend(s|ed)?": "fix",
    r"so it is with": "the same for",
    r"whoever": "anyone who",
    r"but for": "except",
    r"is the chip's choice": "depends on the chip",
    r"look (what|whether)|see that": "check",
    rf"^(of|whether|that|what|which) [^.:;]{{0,60}}\b{_ASKED}": "subject, verb, object",
    r"^(of [a-z]+ (it|there) is|for what no)": "subject, verb, object",
}
_SLIPS = {re.compile(rf"(?<![\w-])(?:{word})(?!\w)", re.IGNORECASE): instead for word, instead in BANNED.items()}
_QUOTED = re.compile(r"`[^`]*`|'[^']{0,80}'|\"[^\"]*\"")
_PART = re.compile(r"[:;] |\. |\n")


def find_slips(text: str) -> list[str]:
    """What is wrong with a text, each with what to write instead; names and commands in quotes are left out."""
    prose = _QUOTED.sub("X", text)
    return [f"{found[0]!r}: write {instead!r}" for slip, instead in _SLIPS.items() if (found := slip.search(prose))]


def find_long(message: str) -> list[str]:
    """The parts of a message that have too many words."""
    first, *later = _PART.split(message)
    return [
        part
        for part, most in [(first, FIRST), *((part, LATER) for part in later)]
        if len(part.split()) > most and (part is first or " = " not in part)
    ]
