"""The modes of the EOS command line, as far as RoCE is told in them, and the words that commands there begin with."""

from __future__ import annotations

import re

GLOBAL, PORT, PROFILE, QUEUE, MMU, VXLAN, DEFAULTS, VIRTUAL, POLICY, ACCESS, FOREIGN = (
    "global", "port", "profile", "queue", "mmu", "vxlan", "defaults", "virtual", "policy", "access", "foreign",
)  # fmt: skip

# A line of its mode; one that opens or leaves a mode, or is shared with another one; one that says nothing of RoCE.
PLAIN, SPECIAL, IGNORED = 0, 1, 2

QUEUES = ("tx-queue", "uc-tx-queue", "mc-tx-queue")
# Begin no command of EOS outside of modes where they stand below, yet many texts that were meant for it.
_STRANGE = ("pfc", "ecn", "wred", "roce", "dcqcn", "random-detect", "congestion-control")
# So do these, but below other features' modes they may stand for something.
_INVENTED = "pfc-watchdog watchdog rdma lossless no-drop trust mls qos-map buffer buffer-profile headroom"


def _classify_words(special: str, plain: str, ignored: str = "") -> dict[str, int]:
    kinds = ((special, SPECIAL), (plain, PLAIN), (ignored, IGNORED))
    return {word: kind for words, kind in kinds for word in words.split()}


_PORT = _classify_words(
    "qos priority-flow-control platform ip ipv6 mac switchport profile priority exit " + " ".join(QUEUES),
    f"bandwidth pfc ecn wred roce queue {_INVENTED}",
    "description load-interval lldp lacp spanning-tree logging snmp storm-control sflow bfd vrf phy arp ntp",
)
# Beside the first words of the commands that are read, which are plain: what else opens a mode, or is told below one.
OWN_WORDS: dict[str, dict[str, int]] = {
    GLOBAL: _classify_words(
        "interface int qos priority-flow-control platform class-map policy-map banner exit end",
        "dcbx flowcontrol service-profile service-policy "
        + " ".join((*_STRANGE, *QUEUES, "traffic-class", _INVENTED)),
    ),
    PORT: _PORT,
    PROFILE: _classify_words(
        "qos priority-flow-control platform exit " + " ".join(QUEUES),
        "random-detect bandwidth priority flowcontrol pfc ecn wred roce",
    ),
    QUEUE: _classify_words("exit", "ecn wred pfc"),
    MMU: _classify_words("exit", ""),
    VXLAN: _classify_words("exit", "vxlan"),
    DEFAULTS: _classify_words("exit", ""),
    VIRTUAL: _classify_words(
        "exit priority-flow-control hardware",
        "service-profile service-policy command",
        "description switchport mtu vrf flowcontrol dcbx",
    ),
    POLICY: _classify_words("exit", "match class set police"),
    ACCESS: _classify_words("exit", "permit deny seq", "remark counters statistics resequence"),
    FOREIGN: _classify_words("exit", ""),
}  # fmt: skip

# Commands long enough that a slip of the keyboard in their first word is told from a command of another feature.
WRITTEN_WRONG = ("priority-flow-control", "service-profile", "random-detect", "uc-tx-queue", "flowcontrol", "tx-queue")

# What every line below is about: one that begins with an unknown word is unknown to EOS too.
WHOLLY_OWNED = frozenset({PROFILE, QUEUE, MMU})

# These begin no command of other features' modes, however such a line is indented.
NEVER_FOREIGN = frozenset({"qos", "priority-flow-control", *_STRANGE})

# What of another feature's mode bears on queues: the mode's first word, and what such lines begin with.
WITHIN_FOREIGN = {"load-balance": "flow exhaustion action "}

# What of `qos`, `priority-flow-control` and `platform` belongs to the global mode, wherever it stands.
GLOBAL_ONLY = (
    "qos map ",
    "qos rewrite",
    "qos random-detect ",
    "qos profile ",
    "qos tx-queue ",
    "qos uc-tx-queue ",
    "qos mc-tx-queue ",
    "qos traffic-class ",
    "priority-flow-control all",
    "priority-flow-control pause watchdog default",
    "priority-flow-control pause watchdog action",
    "priority-flow-control pause watchdog override",
    "platform ",
    "errdisable ",
    "hardware counter ",
)
# Commands of the global mode that begin as those of interfaces do.
OF_SWITCH = re.compile(
    r"(?:no |default )?ip(?:v6)? (?:access-list|routing|route|unicast-routing|prefix-list|name-server|domain|dns"
    r"|virtual-router mac|community-list|as-path|http|ssh|radius|tacacs|hardware|icmp redirect|load-sharing)\b"
)
OF_ECMP = re.compile(r"(?:no |default )?ip hardware fib load-balance distribution\b")  # of these, what is read
IN_PORT = ("platform trident mmu queue interface-profile",)
TEXTS = frozenset({"comment", "action bash"})  # followed by lines of any text, up to one that says EOF

# Words that begin commands of other features in global mode, and none below an interface: where a text is not indented,
# they end it.
OTHERS = frozenset(
    _classify_words(
        "",
        """aaa agent alias clock control-plane cvx daemon event-handler event-monitor management match-list monitor
    object-group peer-filter policy radius-server role route-map router schedule snmp-server stun
    tacacs-server terminal traffic-policies username virtual vlan zerotouch""",
    )
)
