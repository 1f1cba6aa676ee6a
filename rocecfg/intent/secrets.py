"""Passwords, tokens and keys in a text that people wrote.

A text holds a secret only where its form says so: the formats of well-known issuers, a password in a URL, a value given
to a word such as `password`, or a run of characters as random as a key is. Words about passwords are none.
"""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ISSUED = (  # what such a secret holds, what it is, and its form
    ("PRIVATE KEY", "a private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY"),
    *((f"gh{kind}_", "a GitHub token", rf"\bgh{kind}_[A-Za-z0-9]{{36}}") for kind in "oprsu"),
    ("github_pat_", "a GitHub token", r"\bgithub_pat_\w{22}"),
    ("glpat-", "a GitLab token", r"\bglpat-[\w-]{20}"),
    ("xox", "a Slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10}"),
    ("AKIA", "an AWS access key", r"\bAKIA[A-Z0-9]{16}\b"),
    ("ASIA", "an AWS access key", r"\bASIA[A-Z0-9]{16}\b"),
    ("AIza", "a Google API key", r"\bAIza[\w-]{35}"),
    ("glsa_", "a Grafana token", r"\bglsa_[A-Za-z0-9_]{32}"),
    ("hvs.", "a Vault token", r"\bhvs\.[\w-]{24}"),
    ("eyJ", "a JSON web token", r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\."),
    ("$", "a password hash", r"(?<![\w$])\$(?:1|5|6|y|2[aby])\$[./A-Za-z0-9$=]{20}"),
)
_SHORTEST_ISSUED = 15  # characters: xoxb- and ten more
_URL = r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@]*:([^\s/@]+)@[^\s/]"
_NAMED = ("passw", "passphrase", "pwd", "secret", "token", "api")
_GIVEN = r"\b(passwords?|passwd|passphrase|pwd|secrets?|tokens?|api[ _-]?keys?)\b\s*([=:])\s*[\"']?([^\s\"',;]+)"
_PLACEHOLDERS = frozenset(("password", "passwd", "pass", "secret", "token", "none", "redacted", "changeme"))
_DIFFERENT = 6  # characters of a token that is no placeholder such as ghp_xxxx
_SHORTEST = 8  # characters of a value given to a word
_RANDOM = 32  # characters from which a random run is a key
_EACH = 3  # capitals, small letters and digits in it, at least
_TURNS = 0.5  # how often it changes between these: 0.62 in random characters on average, 0.3 in names


def could_hold(text: str) -> bool:
    """Whether a text, or another one that differs from it in digits alone, could hold a secret."""
    if len(text) >= _SHORTEST_ISSUED and (len(text) >= _RANDOM or any(sign in text for sign, _, _ in _ISSUED)):
        return True
    return ("://" in text and "@" in text) or "=" in text or ":" in text


def find_secret(text: str) -> str | None:
    """What kind of secret a text holds, with its article: `a GitHub token`; None where it holds none.

    Never the secret itself: what this returns goes into messages. Nothing is compiled for a text that cannot hold one.
    """
    for sign, kind, pattern in _ISSUED if len(text) >= _SHORTEST_ISSUED else ():
        if sign in text and any(_is_real(m[0]) for m in _find_matches(pattern, text)):
            return kind
    if "://" in text and "@" in text and any(not _is_placeholder(m[1]) for m in _find_matches(_URL, text)):
        return "a password in a URL"
    named = ("=" in text or ":" in text) and any(name in text.casefold() for name in _NAMED)
    if named and any(_is_given(m[1], m[2], m[3]) for m in _find_matches(_GIVEN, text)):
        return "a password or token"
    if len(text) >= _RANDOM and any(map(_is_random, text.split())):
        return "a key"
    return None


def _find_matches(pattern: str, text: str) -> list[Any]:
    import re

    return list(re.finditer(pattern, text, re.IGNORECASE if pattern is _GIVEN else 0))


def _is_real(token: str) -> bool:
    """Whether a token is not one of a manual: those say EXAMPLE, or repeat a few characters."""
    return "EXAMPLE" not in token and len(set(token)) >= _DIFFERENT


def _is_placeholder(value: str) -> bool:
    return (
        value[0] in "<${%[("
        or len(set(value.casefold())) == 1
        or value.casefold() in _PLACEHOLDERS
        or "EXAMPLE" in value
    )


def _is_given(word: str, sign: str, value: str) -> bool:
    """Whether what stands behind `password =` or `token:` is one: not where it is kept, nor the number of a ticket."""
    value = value.rstrip(".)")
    if len(value) < _SHORTEST or "/" in value or _is_placeholder(value):
        return False
    upper, lower, digits = _count_cases(value)
    if sign == "=" and not word.casefold().startswith("token"):
        return bool((upper or lower) and digits)
    return bool(upper and lower and digits)


def _is_random(word: str) -> bool:
    """Whether a word is a run of base64 as random as a key; names and sums in hexadecimal are not."""
    run = word.strip("\"'()[]{}<>,;.")
    if len(run) < _RANDOM or not run.isascii() or not run.replace("+", "").replace("/", "").rstrip("=").isalnum():
        return False
    if min(_count_cases(run)) < _EACH:
        return False
    kinds = ["u" if c.isupper() else "l" if c.islower() else "d" if c.isdigit() else "-" for c in run]
    return sum(a != b for a, b in pairwise(kinds)) >= _TURNS * (len(run) - 1)


def _count_cases(text: str) -> tuple[int, int, int]:
    """How many capitals, small letters and digits."""
    return sum(map(str.isupper, text)), sum(map(str.islower, text)), sum(map(str.isdigit, text))
