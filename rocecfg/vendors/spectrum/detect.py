"""Whether a text is of NVUE: its commands, its YAML or its JSON."""

from __future__ import annotations

import re

from rocecfg.vendors.protocol import Match

_NV = re.compile(  # as a script has them, or a terminal after its prompt
    r"^[ \t]*(?:[\w.-]{1,64}@[^\s#$>]{1,99}[#$>][ \t]*)?(?:sudo )?nv (?:set|unset) ", re.MULTILINE
)
_NVUE_LIST = re.compile(r"^- (?:header|set|unset):", re.MULTILINE)
_NVUE_BODY = re.compile(r"^[\"']?(?:qos|interface|system|router|set)[\"']?:\s*(?:$|\{)", re.MULTILINE)
_NVUE_JSON = re.compile(r'"(?:set|qos|interface)"\s*:\s*\{')
_NVUE_FIRST = re.compile(  # JSON of others has such keys too, deeper down
    r'\s*\[?\s*\{\s*"(?:header|set|unset|acl|bridge|evpn|interface|mlag|nve|platform|qos|router|service|system|vrf)"'
    r"\s*:\s*\{"
)
_NVUE_WORDS = re.compile(  # and so has the YAML of others; but not these
    r"\bswp\d|\bnvue|\b(?:default-global|br_default|congestion-control|egress-scheduler|egress-queue-mapping|traffic-pool)"
    r"[\"']?:|^[ \t]+[\"']?(?:roce|pfc|pfc-watchdog|mapping)[\"']?:\s*(?:$|\{)",
    re.MULTILINE,
)
_NO_SWITCH = re.compile(  # a template, whose words stand for others; NVUE of a DPU
    r"""\{\{-? ?[$\w.]|\{%-? ?\w|^[ \t]+["']?version["']?:[ \t]*["']?HBN """, re.MULTILINE
)


def detect(head: str) -> Match | None:
    """Commands of `nv`, a list of patches, or keys of its tree beside words that no other system has there."""
    if head.lstrip()[:1] in ("{", "["):
        found = _NVUE_JSON.search(head) and (_NVUE_FIRST.match(head) or '"nvue-api-version"' in head)
        sure = '"nvue-api-version"' in head  # else JSON of others that has such keys goes by words of its own
    else:
        sure = bool(_NV.search(head) or _NVUE_LIST.search(head))
        found = sure or (_NVUE_BODY.search(head) and _NVUE_WORDS.search(head))
    return Match(sure, _NO_SWITCH.search(head) is None) if found else None
