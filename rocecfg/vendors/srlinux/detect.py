"""Whether a text is of SR Linux: its tree as set lines, as text with braces, or as JSON."""

from __future__ import annotations

import re

from rocecfg.vendors.protocol import Match

_PROMPT = r"(?:(?:[AB]:)?[\w.@-]+[#>] ?)?"
_SURE = re.compile(
    rf"^[ \t]*{_PROMPT}(?:set|delete) ?/ ?(?:interface|qos|system|network-instance|acl|platform|routing-policy)\b|"
    r"^--\{.{1,80}\}--\[.{0,200}\]--|"
    r"^[ \t]*interface ethernet-\d+/\d+(?:/\d+)? \{|"
    r"^[ \t]*(?:pfc-mapping-profile|dscp-policy|buffer-allocation-profile|queue-management-profile) \S+ \{",
    re.MULTILINE,
)
_JSON = re.compile(
    r'"srl_nokia-[\w-]+:(?:interface|qos|system|network-instance|acl|platform|routing-policy)"|'
    r'"name": ?"ethernet-\d+/\d+|"interface-id": ?"(?:ethernet-|lag)\d|"path": ?"/(?:qos|interface)\b|'
    r'"(?:pfc-mapping-profile|forwarding-classes|buffer-management)": ?[\[{]'
)
_OTHER_MODELS = re.compile(r'\s*[\[{][^:]{0,200}"openconfig-')  # which the same box takes, and are not read
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}|\{%-? ?\w|\$\{\w")
_MANIFEST = re.compile(r"^apiVersion: ", re.MULTILINE)  # of EDA, with such JSON in it


def detect(head: str) -> Match | None:
    """What no other system has: a slash behind `set`, names such as ethernet-1/1, modules called srl_nokia."""
    found = _JSON if head.lstrip()[:1] in ("{", "[") else _SURE
    if found.search(head) is None or _OTHER_MODELS.match(head) is not None:
        return None
    return Match(sure=True, ours=_TEMPLATE.search(head) is None and _MANIFEST.search(head) is None)
