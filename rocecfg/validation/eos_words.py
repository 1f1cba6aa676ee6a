"""Words of EOS lines: which lines the forms answer for, and what older releases and other systems write instead."""

from __future__ import annotations

import re

# The first words of the families of lines that the forms answer for: one that matches no form is a fault.
OWNED = re.compile(
    r"^(?:no |default )?(?:"
    r"qos\b|priority-flow-control\b|pfc\b|dcqcn\b|roce\b|ecn\b|wred\b|random-detect\b|congestion\b|"
    r"tx-queue\b|uc-tx-queue\b|mc-tx-queue\b|service-profile\b|service-policy type (?:qos|tx-queue|queuing)\b|"
    r"bandwidth (?:percent|guaranteed|priority|remaining)\b|priority(?:$| strict| group| level)|"
    r"dcbx\b|flowcontrol\b|scheduler profile\b|latency maximum\b|tx-scheduler\b|"
    r"shape\b|ingress (?:threshold|headroom|reserved|resume|priority)|egress (?:unicast|multicast) queue|"
    r"platform trident mmu\b|platform sand qos\b|platform fap\b|"
    r"hardware counter feature (?:ecn|qos|priority)|hardware qos\b|hardware buffer\b|"
    r"queue-monitor\b|load-balance cluster\b|ip hardware fib load-balance\b|port-channel load-balance trident udf\b|"
    r"class-map type (?:qos|quality|traffic|network|queuing)|"
    r"policy-map type (?:qos|quality|tx-queue|queuing|network)|vxlan qos\b|errdisable (?:detect|recovery) cause stuck"
    r")"
)
# Everyday words: these families alone where a queue, a profile, an interface or nothing is known to be open.
GENERIC = re.compile(
    r"^(?:no |default )?(?:bandwidth|priority|latency|scheduler|congestion|ecn|flowcontrol|shape|ingress|egress)\b"
)

_POLICY_TYPE = "EOS has no such policy-map type: queues are set in tx-queue N or uc-tx-queue N of a port or qos profile"
_WATCHDOG = "EOS spells it priority-flow-control pause watchdog ..."

# Lines that are often met, and what is wrong with them.
KNOWN_FAULTS = tuple(
    (re.compile(pattern), message)
    for pattern, message in (
        (
            r"^priority-flow-control mode (on|off|auto)$",
            "a form of old EOS (seen for 4.13) and of NX-OS; current EOS writes priority-flow-control on",
        ),
        (
            r"^priority-flow-control pause watchdog action no-drop$",
            "the watchdog has no action no-drop, EOS rejects it (AVD issue 6399): write drop, errdisable, notify-only",
        ),
        (
            r"^priority-flow-control watchdog\b",
            f"{_WATCHDOG} (without pause it is the form of Dell's SONiC or of NX-OS)",
        ),
        (
            r"^random-detect ecn minimum-threshold \d+ maximum-threshold",
            "the unit after each threshold is missing (segments, bytes, kbytes, mbytes, milliseconds, microseconds)",
        ),
        (r"^qos map dscp [\d ,\-]+$", "`to traffic-class N` is missing"),
        (r"^bandwidth priority", "a strict queue is `priority strict`"),
        (r"^policy-map type (tx-queue|queuing|network-qos)", _POLICY_TYPE),
        (
            r"^service-policy type (tx-queue|queuing)",
            "queues are not set by a service-policy on EOS: write service-profile NAME",
        ),
        (r"^pfc watchdog\b", _WATCHDOG),
        (
            r"^ecn threshold\b",
            "EOS spells it random-detect ecn minimum-threshold N UNIT maximum-threshold N UNIT",
        ),
    )
)
