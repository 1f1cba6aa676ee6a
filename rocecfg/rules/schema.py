"""Rules whose findings come from reading the text: the format's own, and those about waivers.

The reader (`rocecfg.intent`) and the waivers (`rocecfg.linting`) name them; here is what is known about each.
"""

from __future__ import annotations

from rocecfg.rules.base import ERROR, INFO, WARNING, source_rule

_FORMAT = "the intent format, version 1"

RULES = (
    source_rule("SCH001", "schema-unknown-key", ERROR, "A key that the format does not know.", source=_FORMAT),
    source_rule("SCH002", "schema-duplicate-key", ERROR, "One key with two values.", source=_FORMAT),
    source_rule(
        "SCH003",
        "schema-yaml-trap",
        WARNING,
        "A scalar that YAML 1.1 and 1.2 read as different types.",
        source="YAML 1.1 type repository (bool, int, float); YAML 1.2.2, 10.3 core schema",
    ),
    source_rule("SCH004", "schema-dscp-range", ERROR, "A DSCP outside 0-63, or named twice.", source="RFC 2474"),
    source_rule(
        "SCH005",
        "schema-priority-range",
        ERROR,
        "A priority, TC, queue or PG outside 0-7, or repeated.",
        source="IEEE 802.1Qbb: eight priorities",
    ),
    source_rule(
        "SCH006",
        "schema-unit",
        ERROR,
        "A time, size, rate, length or probability without its unit, or with a wrong one.",
        source="SONiC and NVUE take ms and bytes, EOS seconds and segments or kbytes",
    ),
    source_rule(
        "SCH007", "schema-kib", INFO, "KB and KiB mixed in one file.", source="IEC 80000-13: KiB is 1024 bytes"
    ),
    source_rule("SCH008", "schema-ref", ERROR, "A name that nothing defines.", source=_FORMAT),
    source_rule(
        "SCH012",
        "schema-transport-scope",
        ERROR,
        "A transport that PFC, DSCP and ECN do not govern.",
        source="RoCEv2 is IBTA Annex A17; InfiniBand has credits, EFA has SRD, Ultra Ethernet UET",
    ),
    source_rule(
        "SCH013", "schema-name", ERROR, "A name that a switch or a file system would not accept.", source=_FORMAT
    ),
    source_rule(
        "SCH014", "schema-dead-override", INFO, "An override that repeats the value it would inherit.", source=_FORMAT
    ),
    source_rule("SCH015", "schema-type", ERROR, "A value of the wrong type.", source=_FORMAT),
    source_rule("SCH016", "schema-value", ERROR, "A word outside a closed list.", source=_FORMAT),
    source_rule("SCH017", "schema-range", ERROR, "A number outside its range.", source=_FORMAT),
    source_rule("SCH018", "schema-required", ERROR, "Something without which the rest means nothing.", source=_FORMAT),
    source_rule("SCH019", "schema-nodeset", ERROR, "A node set that cannot be read.", source="ClusterShell's notation"),
    source_rule("SCH021", "schema-pair", ERROR, "Ends of a link that do not pair.", source=_FORMAT),
    source_rule(
        "SCH022", "schema-overlap", ERROR, "Two values for one name from node sets that overlap.", source=_FORMAT
    ),
    source_rule("SCH023", "schema-rest", ERROR, "`rest` in two classes, or in a lossless one.", source=_FORMAT),
    source_rule(
        "SCH024",
        "schema-port-class",
        ERROR,
        "A share, a rate or what a class carries set on a port.",
        source="the scheduler is device-wide",
    ),
    source_rule(
        "SCH025", "schema-port-name", ERROR, "A port that the platform does not have.", source="profiles/platforms"
    ),
    source_rule(
        "SCH026", "schema-platform", ERROR, "A platform and an asic that is not its chip.", source="profiles/platforms"
    ),
    source_rule(
        "SCH000", "schema-syntax", ERROR, "A file that cannot be read at all.", source="YAML 1.2.2", ignorable=False
    ),
    source_rule(
        "SCH029",
        "schema-undefined",
        WARNING,
        "A name that nothing defines: rules that depend on it are skipped.",
        source=_FORMAT,
    ),
    source_rule(
        "HYG901",
        "hygiene-waiver-reason",
        WARNING,
        "A waiver without a reason: it does not count.",
        source=_FORMAT,
        ignorable=False,
    ),
    source_rule(
        "HYG902",
        "hygiene-waiver-expired",
        WARNING,
        "A waiver past its date: it no longer counts.",
        source=_FORMAT,
        ignorable=False,
    ),
    source_rule(
        "HYG903",
        "hygiene-waiver-unused",
        WARNING,
        "A waiver of a rule that finds nothing there.",
        source=_FORMAT,
        ignorable=False,
    ),
    source_rule(
        "HYG904",
        "hygiene-waiver-unknown",
        WARNING,
        "A waiver of a rule that does not exist.",
        source=_FORMAT,
        ignorable=False,
    ),
    source_rule(
        "HYG905",
        "hygiene-waiver-refused",
        WARNING,
        "A waiver of a rule that cannot be silenced in a line.",
        source=_FORMAT,
        ignorable=False,
    ),
    source_rule(
        "HYG906",
        "hygiene-baseline",
        WARNING,
        "Entries of a baseline that no longer find anything.",
        source="rocecfg lint --baseline: one entry for each known finding",
        ignorable=False,
    ),
    source_rule(
        "HYG910", "hygiene-absent", INFO, "Absent sections, and the rules that are skipped for them.", source=_FORMAT
    ),
)
