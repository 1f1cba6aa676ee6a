"""Secrets of switches in a quoted line, hidden behind asterisks.

Switches write secrets behind words that are known: SONiC and NVUE as the value of a key, or as the keys of a table of
communities; EOS and `nv set` as the words behind one. What people write into an intent is checked by its form instead:
`rocecfg.intent.secrets`.
"""

from __future__ import annotations

import re

_SIGNS = ("pass", "pwd", "secret", "communit", "key", "cak", "token", "snmp", "psk")  # no line without one has a secret
_NAME = (
    r"[\w.-]*(?:passw(?:or)?d|passphrase|passkey|pwd|secret|communit(?:y|ies)|token|psk|[_-]cak|"
    r"(?:pre-shared|shared|private|auth|authentication|encryption|priv|api|ntp|md5)[_-]?key)[\w.-]*"
)
_GIVEN = re.compile(rf"""["']?(?<![\w.-]){_NAME}["']?\s*[:=]\s*""", re.IGNORECASE)
_VALUE = re.compile(r""""(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,}\]"'{\[][^,}\]#]*""")
_TYPED = re.compile(  # EOS and nv set: all behind the word
    r"(?<![\w-])(?:(?:hashed-|auth-|priv-|readonly-|readwrite-)?(?:secret|password|passphrase|passkey|community)|"
    r"pre-shared-key|shared-secret|authentication-key|message-digest-key|key-string|"
    r"(?:radius|tacacs)\S*\s(?:.*?\s)?key|key(?=\s+(?:0|7|8a)\s)|"
    r"snmp-server\s+host\s+\S+|snmp-server\s+user\s(?:.*?\s)?(?:auth|priv))\s+",
    re.IGNORECASE,
)


def mask_secrets(line: str) -> str:
    """A line of a configuration in which each character of a secret is an asterisk."""
    low = line.casefold()
    if not any(sign in low for sign in _SIGNS):
        return line
    for match in _GIVEN.finditer(line):
        line = _hide(line, match.end(), _find_end_of_value(line, match.end()))
    for match in _TYPED.finditer(line):
        line = _hide(line, match.end(), len(line))
    return line


def _find_end_of_value(line: str, start: int) -> int:
    """Where a value ends that begins there: a scalar, or a collection with all that is in it."""
    if line[start : start + 1] not in ("{", "["):
        found = _VALUE.match(line, start)
        return found.end() if found else start
    depth = 0
    for at in range(start, len(line)):
        depth += (line[at] in "{[") - (line[at] in "}]")
        if depth == 0:
            return at + 1
    return len(line)


def _hide(line: str, start: int, end: int) -> str:
    """The line without what stands there; blanks, and what encloses it, show its shape."""
    hidden = "".join(c if c in " \t" else "*" for c in line[start:end])
    if hidden and line[start] in "\"'{[":
        hidden = line[start] + hidden[1:]
        if end - start > 1 and line[end - 1] in "\"'}]":
            hidden = hidden[:-1] + line[end - 1]
    return line[:start] + hidden + line[end:]
