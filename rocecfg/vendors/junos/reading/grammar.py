"""The grammar of Junos's lines as far as RoCE goes: several leaves may stand on one line, and each is a statement.

`set interfaces et-0/0/0 description x mtu 9216` sets two leaves. What comes behind a leaf is a sibling of it; what
comes behind a container stands in it, and no line leads back out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from rocecfg.core.records import NamedTuple

Words = tuple[str, ...]
Item = str | Words  # a word, or the values of a list in brackets
_Shape = dict[str, "str | _Shape"]
_LEAVES = ""  # the key under which a container has its leaves

# As Juniper's native models have it (Juniper/yang, Junos 24.4R1); vlans after Juniper's CLI reference. The key of a
# container has its names, and a star for each name of its own that follows. Of leaves `.` is behind those with a value,
# `..` behind those with a list; a lone `.` is a value without a keyword. What is not here takes all that follows it.

_PORT = """
description. external-model-name. disable passive-monitor-mode no-keepalives traps no-traps interface-mib
no-interface-mib accounting-profile. per-unit-scheduler no-per-unit-scheduler shared-scheduler l2tp-maximum-session.
schedulers. cascade-port dce vlan-tagging stacked-vlan-tagging flexible-vlan-tagging vlan-vci-tagging native-vlan-id.
input-native-vlan-push. number-of-sub-ports. unused speed. mtu. link-mode. encapsulation. network-isolation-profile.
mac. no-forwarding-viable shared-interface gratuitous-arp-reply no-gratuitous-arp-reply no-gratuitous-arp-request
no-no-gratuitous-arp-request arp-l2-validate promiscuous-mode multicast-statistics oam-on-svlan bypass-queueing-chip
no-bypass-queueing-chip interface-transmit-statistics no-native-vlan-insert vlan-offload
no-pseudowire-down-on-core-isolation media-type. unidirectional rpf-stats"""
_ETHERNET = """
loopback no-loopback loopback-remote source-filtering no-source-filtering asynchronous-notification auto-negotiation
no-auto-negotiation flow-control no-flow-control link-mode. ignore-l3-incompletes no-auto-mdix fec. mru.
ieee-802-3az-eee autostate-exclude pad-to-minimum-frame-size minimum-links. link-speed. resilient-hash"""
_UNIT = """
interface-tag. alias. disable description. encapsulation. mtu. point-to-point multipoint bandwidth. traps no-traps
vlan-id. vlan-id-range. vlan-id-list.. vlan-tag.. native-inner-vlan-id. accounting-profile. statistics mac.
virtual-gateway-accept-data virtual-gateway-v4-mac. virtual-gateway-v6-mac. proxy-macip-advertisement
no-auto-virtual-gateway-esi no-dhcp-flood etree-ac-role. peer-unit. tunnel-termination"""
_FAMILY = """
mtu. no-redirects no-neighbor-learn unconditional-src-learn primary multicast-only mac-validate. arp-max-cache.
arp-new-hold-limit. tcp-mss. tunnel-termination no-tunnel-termination receive-options-packets receive-ttl-exceeded
transit-options-packets transit-ttl-exceeded source-lookup destination-class-usage nd6-stale-time. nd6-max-cache.
nd6-new-hold-limit. dad-disable no-dad-disable interface-mode. port-mode. recovery-timeout."""
_FROM = """
packet-length.. packet-length-except.. dscp.. dscp-except.. precedence.. precedence-except.. traffic-class..
traffic-class-except.. ip-options.. is-fragment first-fragment egress-to-ingress fragment-offset.. fragment-flags.
protocol.. protocol-except.. next-header.. next-header-except.. payload-protocol.. payload-protocol-except.. ttl..
ttl-except.. hop-limit.. icmp-type.. icmp-type-except.. icmp-code.. icmp-code-except.. source-port..
source-port-except.. destination-port.. destination-port-except.. port.. port-except.. tcp-initial tcp-established
tcp-flags. forwarding-class.. forwarding-class-except.. loss-priority.. loss-priority-except..
source-port-range-optimize destination-port-range-optimize interface-group.. interface-group-except.. ether-type..
ether-type-except.. vlan.. vlan-except.. dot1q-tag.. dot1q-user-priority.. ip-protocol.. ip-protocol-except..
ip-precedence.. learn-vlan-id.. learn-vlan-id-except.. learn-vlan-1p-priority.. learn-vlan-1p-priority-except..
user-vlan-id.. user-vlan-1p-priority.. user-vlan-1p-priority-except.. vlan-ether-type.. traffic-type.. l2-encap-type..
ipv6-next-header.. ipv6-payload-protocol.. ipv6-traffic-class.. extension-header.."""
_ADDRESSES = (
    "address|source-address|destination-address|prefix-list|source-prefix-list|destination-prefix-list|"
    "ip-address|ip-source-address|ip-destination-address|ipv6-address|ipv6-source-address|ipv6-destination-address|"
    "source-mac-address|destination-mac-address|ip6-source-address|ip6-destination-address"
)
_THEN = """
accept next. policer. count. log syslog sample loss-priority. forwarding-class. dscp. traffic-class. port-mirror
port-mirror-instance. analyzer. vlan. interface. hierarchical-policer. policy-map. packet-mode dont-fragment.
next-hop-group. service-accounting flood packet-capture"""
_KINDS = "dscp|dscp-ipv6|exp|ieee-802.1|ieee-802.1ad|inet-precedence"
_CODED = "exp|ieee-802.1|ieee-802.1ad|inet-precedence"
_BOUND: _Shape = {
    _LEAVES: """congestion-notification-profile. decn-profile. dedicated-buffer-profile. scheduler-map.
        input-scheduler-map. scheduler-map-chassis. forwarding-class. fragmentation-map.
        scheduler-map-forwarding-class-set.""",
    "classifiers": {"dscp|dscp-ipv6 *": {_LEAVES: "family.."}, _CODED: {_LEAVES: ". vlan-tag."}},
    "rewrite-rules": {
        "dscp|dscp-ipv6|inet-precedence *": {_LEAVES: "protocol.."},
        "exp|ieee-802.1|ieee-802.1ad": {_LEAVES: ". vlan-tag."},
    },
    "shaping-rate|input-shaping-rate": {_LEAVES: ". percent."},
    "input-traffic-control-profile|output-traffic-control-profile": {_LEAVES: "."},
    "forwarding-class-set *": {"output-traffic-control-profile": {_LEAVES: "."}},
}
_COS: _Shape = {
    "classifiers": {
        f"{_KINDS} *": {
            _LEAVES: "import.",
            "forwarding-class *": {"loss-priority *": {_LEAVES: "code-points.. code-point.."}},
        }
    },
    "rewrite-rules": {
        f"{_KINDS} *": {
            _LEAVES: "import.",
            "forwarding-class *": {"loss-priority *": {_LEAVES: "code-point. code-points."}},
        }
    },
    "code-point-aliases": {_KINDS: {"*": {_LEAVES: "."}}},
    "drop-profiles *": {
        "fill-level *": {_LEAVES: "drop-probability."},
        "interpolate": {_LEAVES: "fill-level.. drop-probability.."},
    },
    "shared-buffer": {
        _LEAVES: "percent.",
        "ingress|egress": {
            _LEAVES: "percent.",
            "buffer-partition *": {_LEAVES: "percent. dynamic-threshold."},
        },
    },
    "forwarding-classes": {
        "class *": {_LEAVES: "queue-num. priority. no-loss pfc-priority. policing-priority."},
        "queue *": {_LEAVES: ". priority."},
    },
    "congestion-notification-profile *": {
        "pfc-watchdog": {_LEAVES: "poll-interval. detection. recovery. watchdog-action."},
        "input": {
            _LEAVES: "cable-length.",
            "dscp|ieee-802.1": {"code-point *": {_LEAVES: "pfc mru. xon. qfc"}},
        },
        "output": {"ieee-802.1": {"code-point *": {_LEAVES: "flow-control-queue.."}}},
    },
    "scheduler-maps *": {"forwarding-class *": {_LEAVES: "scheduler."}},
    "schedulers *": {
        _LEAVES: """priority. excess-priority. explicit-congestion-notification buffer-dynamic-threshold.
            queue-monitoring ecn-rtlog-rate-limit.""",
        "transmit-rate": {_LEAVES: ". percent. exact rate-limit", "remainder": {_LEAVES: "."}},
        "excess-rate": {_LEAVES: "proportion. percent."},
        "shaping-rate": {_LEAVES: ". percent."},
        "buffer-size": {_LEAVES: "percent. shared temporal. exact", "remainder": {_LEAVES: "."}},
        "drop-profile-map": {"loss-priority *": {"protocol *": {_LEAVES: "drop-profile."}}},
    },
    "traffic-control-profiles *": {
        _LEAVES: "scheduler-map. strict-priority-scheduler peak-rate. sustained-rate.",
        "shaping-rate|guaranteed-rate|delay-buffer-rate": {_LEAVES: ". percent. burst-size."},
    },
    "interfaces": {"*": {**_BOUND, "unit *": _BOUND}},
}
_BOUND_FILTER: _Shape = {
    _LEAVES: "input-list.. output-list.. input-chain.. output-chain.. group.",
    "input|output": {_LEAVES: ". precedence."},
}
_INTERFACE: _Shape = {
    _LEAVES: _PORT,
    "hold-time": {_LEAVES: "up. down."},
    "ether-options|gigether-options|aggregated-ether-options": {
        _LEAVES: _ETHERNET,
        "802.3ad": {_LEAVES: ". primary backup port-priority. link-index."},
        "configured-flow-control": {_LEAVES: "rx-buffers. tx-buffers."},
    },
    "unit *": {
        _LEAVES: _UNIT,
        "filter": _BOUND_FILTER,
        "family": {
            "inet|inet6|ethernet-switching": {
                _LEAVES: _FAMILY,
                "filter": _BOUND_FILTER,
                "vlan": {_LEAVES: "members.."},
            }
        },
    },
}
_FILTER: _Shape = {
    _LEAVES: "interface-specific accounting-profile.. physical-interface-filter instance-specific",
    "term *": {
        _LEAVES: "filter.",
        "from": {_LEAVES: _FROM, f"{_ADDRESSES} *": {_LEAVES: "except"}},
        "then": {
            _LEAVES: _THEN,
            "discard": {_LEAVES: "accounting."},
            "three-color-policer": {_LEAVES: "single-rate. two-rate."},
        },
    },
}
_TOP: _Shape = {
    _LEAVES: "version.",
    "system": {_LEAVES: "host-name. domain-name. time-zone. location."},
    "interfaces": {
        "interface-range *": {**_INTERFACE, _LEAVES: f"{_PORT} member..", "member-range *": {_LEAVES: "to."}},
        "*": _INTERFACE,
    },
    "vlans *": {
        _LEAVES: "vlan-id. vlan-id-list.. description. l3-interface. no-mac-learning",
        "forwarding-options": {"filter": {_LEAVES: "input. output."}},
        "filter": {_LEAVES: "input. output."},
        "vxlan": {_LEAVES: "vni. ingress-node-replication static-remote-vtep-list.. encapsulate-inner-vlan"},
    },
    "firewall": {
        "filter *": _FILTER,
        "family": {"inet|inet6|any|ethernet-switching": {"filter *": _FILTER}},
    },
    "forwarding-options": {
        _LEAVES: """vxlan-disable-copy-tos-encap vxlan-disable-copy-tos-decap vxlan-tos-copy-filter
            no-hierarchical-ecmp tunnel-termination vrf-fallback cut-through vxlan-flexflow""",
        "enhanced-hash-key": {
            _LEAVES: "ecmp-resilient-hash no-mpls vxlan-vnid symmetric",
            "ecmp-dlb": {
                _LEAVES: "assigned-flow per-packet sampling-rate.",
                "flowlet": {_LEAVES: "inactivity-interval. flowset-table-size."},
                "ether-type": {_LEAVES: "ipv4 ipv6 mpls none"},
            },
            "hash-mode": {_LEAVES: "layer2-header layer2-payload gtp-header-offset."},
            "inet|inet6": {
                _LEAVES: """no-incoming-port no-incoming-device no-l4-source-port no-l4-destination-port no-protocol
                    no-ipv4-source-address no-ipv4-destination-address vlan-id ipv6-flow-label no-next-header
                    no-ipv6-source-address no-ipv6-destination-address"""
            },
        },
    },
    "class-of-service": _COS,
}
_EVERYWHERE = "apply-groups.. apply-groups-except.."
NOTE = "apply-macro"  # may stand at every level (Juniper, apply-macro), and says nothing to the switch itself
# Leaves of interfaces by where they stand, but for those on queues.
INTERFACE_LEAVES = {
    where: tuple(word.rstrip(".") for word in leaves.split() if "schedul" not in word and "queue" not in word)
    for where, leaves in (("port", _PORT), ("ethernet", _ETHERNET), ("unit", _UNIT), ("family", _FAMILY))
}


class _LeafShape(NamedTuple):
    """How many words follow the keyword of a leaf; whether it has one value."""

    words: int
    single: bool


class _Node(NamedTuple):
    """A container: its leaves, and the containers in it."""

    leaves: dict[str, _LeafShape]
    below: dict[str, tuple[int, _Node]]  # by name: how many names of its own follow


class Leaf(NamedTuple):
    """A statement of one leaf. `single`: it takes the place of another value of the leaf; of its line, what it is."""

    words: Words
    single: bool
    first: int  # of the line's items that are its own
    last: int


def split_leaves(items: Sequence[Item]) -> Iterator[Leaf]:
    """The leaves of a line, each with the words from the top of the hierarchy down; a list as one for each value."""
    node = _root()
    path: Words = ()
    n = start = 0
    bare = open_ = True  # a value without a keyword may come; nothing below the path has come
    while n < len(items):
        word = items[n]
        name = word if isinstance(word, str) else ""
        found = node.below.get(name) or (node.below.get("*") if name not in node.leaves else None)
        if found is not None and all(isinstance(each, str) for each in items[n : n + 1 + found[0]]):
            count, node = found
            path = (*path, *(each for each in items[n : n + 1 + count] if isinstance(each, str)))
            bare = open_ = True
            n += 1 + count
            continue
        leaf = node.leaves.get(name) or (node.leaves.get(".") if bare else None)
        if leaf is None:
            break
        bare = bare and name in node.leaves
        count = leaf.words if name in node.leaves else 0
        own = items[n : n + 1 + count]
        single = leaf.single and len(own) == 1 + count and all(isinstance(each, str) for each in own)
        yield from _spread(path, own, start, n + len(own) - 1, single=single)
        n += 1 + count
        start, open_ = n, False
    if n < len(items) or open_:
        yield from _spread(path, items[n:], start, len(items) - 1, single=False)


def _spread(path: Words, own: Sequence[Item], first: int, last: int, *, single: bool) -> Iterator[Leaf]:
    lists = sum(not isinstance(each, str) for each in own)
    choices = [(each,) if isinstance(each, str) else each for each in own if each]
    if lists > 1:  # of a line that is not known, which may be long
        choices = [(word,) for choice in choices for word in choice]
    for words in product(*choices):
        yield Leaf((*path, *words), single, first, last)


@cache
def _root() -> _Node:
    root = _compile(_TOP)
    root.below["groups"] = (1, root)
    return root


def _compile(shape: _Shape) -> _Node:
    leaves: dict[str, _LeafShape] = {}
    below: dict[str, tuple[int, _Node]] = {}
    for key, inner in shape.items():
        if isinstance(inner, str):
            for word in (*inner.split(), *_EVERYWHERE.split()):
                name = word.rstrip(".") or "."
                dots = len(word) - len(word.rstrip("."))
                leaves[name] = _LeafShape(min(dots, 1) if word != "." else 0, single=dots == 1)
        else:
            heads, *names = key.split(" ")
            node = _compile(inner)
            below.update((head, (len(names), node)) for head in heads.split("|"))
    return _Node(leaves, below)
