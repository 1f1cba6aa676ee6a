"""What reading a switch's own configuration finds: rules DEV701 to DEV709, whatever the vendor."""

from __future__ import annotations

from rocecfg.rules.base import ERROR, INFO, RUNNING, WARNING, Rule, source_rule

_READ = "the configuration as the switch has it, against what its operating system documents"

RULES: tuple[Rule, ...] = (
    source_rule(
        "DEV701",
        "device-unknown",
        WARNING,
        "A command or field that the switch's operating system does not have: it is refused, or does nothing.",
        source=_READ,
        on=RUNNING,
    ),
    source_rule("DEV702", "device-value", ERROR, "A value that the switch refuses.", source=_READ, on=RUNNING),
    source_rule(
        "DEV703", "device-ref", ERROR, "A reference to a map or profile that is not defined.", source=_READ, on=RUNNING
    ),
    source_rule("DEV704", "device-unbound", INFO, "A profile or map that nothing uses.", source=_READ, on=RUNNING),
    source_rule(
        "DEV705",
        "device-unread",
        INFO,
        "A setting on queues, buffers or pauses that is recognised and not judged.",
        source=_READ,
        on=RUNNING,
    ),
    source_rule(
        "DEV706",
        "device-conflict",
        WARNING,
        "The configuration says two things about one setting: which one holds is the switch's choice.",
        source=_READ,
        on=RUNNING,
    ),
)
