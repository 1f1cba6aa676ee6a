"""Hosts by node set, and the NICs in them by kind: which values hold for which."""

from __future__ import annotations

from rocecfg.intent.host_schema import HOST, NIC
from rocecfg.intent.nodeset_merge import groups
from rocecfg.intent.precedence import overlay, readable, report_repeats, section, settled
from rocecfg.model.stated import MISSING, Problem, Section, Val

_OF_THE_HOST = HOST.keys.keys() - NIC.keys.keys() - {"nic"}  # not of its NICs

_ASKING = frozenset(("gpu_initiated",))  # what is judged by other keys that are absent


def resolved(stated: Section, problems: list[Problem]) -> Section:
    """The hosts that a section `hosts` states, by disjoint node sets, without what could not be read.

    Under `nics` of a host stands each kind of NIC by a node set of its ports, disjoint too, with what it inherits from
    the host; the profile it names is `nic` there, as on the host itself.
    """
    out: Section = {}
    for group in groups({key: val for key, val in stated.items() if val.value is not MISSING}, "host", problems):
        host = settled(group.section)
        if any(val.value is MISSING for val in host.values()):
            host = {
                key: val for key, val in host.items() if key not in _ASKING
            }  # the answer may be what is not readable
        kinds = group.section.get("nics")
        if kinds is not None and kinds.value is not MISSING:
            host = {**host, "nics": Val(_kinds(group.section, section(kinds), problems), kinds.at)}
        out[group.key] = Val(readable(host), group.at)
    return out


def _kinds(host: Section, kinds: Section, problems: list[Problem]) -> Section:
    shared = {key: val for key, val in host.items() if key not in _OF_THE_HOST}
    out: Section = {}
    for group in groups({key: val for key, val in kinds.items() if val.value is not MISSING}, "NIC", problems):
        own = {"nic" if key == "kind" else key: val for key, val in group.section.items()}
        if group.alone:
            report_repeats(own, shared, problems, "")
        out[group.key] = Val(settled(overlay(shared, own)), group.at)
    return out
