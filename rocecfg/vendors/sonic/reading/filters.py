"""ACL_TABLE and ACL_RULE: what rules take, and do to RoCEv2 before it is sorted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.model.switch import Chain, Port
from rocecfg.vendors.packet_filters import (
    DIVERTS,
    DROPS,
    MARKS,
    ODD,
    BoundFilter,
    Entry,
    FilterEffect,
    FoundFilter,
    Match,
    find_rdma,
    is_no_unicast,
    parse_ports,
)
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.rows import Row, parse_number

_OTHER_TYPES = ("CTRLPLANE", "MIRROR", "MIRRORV6", "MIRROR_DSCP", "DTEL_FLOW_WATCHLIST")  # drop nothing in transit
_IP = {"0X0800", "0X86DD", "2048", "34525"}  # EtherTypes of IPv4 and IPv6
_NO_ROCE = ("TCP_FLAGS", "ICMP_TYPE", "ICMP_CODE", "ICMPV6_TYPE", "ICMPV6_CODE")
_PASS = (
    "",
    "FORWARD",
    "ACCEPT",
    "COPY",
    "DO_NOT_NAT",
    "DISABLE_TRIM",
)  # actions of aclorch.h after which a packet goes its way
_PLAIN = ("PRIORITY", "PACKET_ACTION", "DSCP_ACTION", "MIRROR_ACTION", "MIRROR_INGRESS_ACTION", "MIRROR_EGRESS_ACTION")
_NO_IP = ("ARP", "ARP_REQUEST", "ARP_REPLY", "NON_IP", "NON_IPV4", "NON_IPV6")


def list_access_lists(ctx: Context, ports: Sequence[Port], chain: Chain) -> Iterator[FoundFilter]:
    """The access lists that take what comes in or goes out."""
    rules: dict[str, list[Row]] = {}
    for key, row in ctx.table("ACL_RULE").items():
        rules.setdefault(key.partition("|")[0], []).append(row)
    for name, table in ctx.table("ACL_TABLE").items():
        if (table.get("type") or "").upper() in _OTHER_TYPES or name not in rules:
            continue
        names = {part.strip() for part in (table.get("ports") or "").split(",") if part.strip()}
        if not names:
            continue
        members = _expand_lags(ctx, names)
        on = [port for port in ports if not members.isdisjoint(port.names)]
        if not on and all(name.startswith(("Ethernet", "PortChannel")) for name in names):
            continue
        own = sorted(rules[name], key=lambda row: -(parse_number(row.get("PRIORITY")) or 0))
        way = "out" if (table.get("stage") or "").lower() == "egress" else "in"
        reached = tuple(port for each in on for port in each.names if port in members)
        entries = tuple(_make_entry(row) for row in own)
        text = "\n".join(
            " ".join((row.key, *(f"{field}={value}" for field, value in sorted(row.cells.texts.items()))))
            for row in own
        )
        bound = BoundFilter(f"ACL_TABLE {name}", table.at, way, reached, entries, drops_rest=False)
        yield FoundFilter(bound, find_rdma(on or ports, chain), text)


def _expand_lags(ctx: Context, names: set[str]) -> set[str]:
    """The ports of an access list, those of LAGs and VLANs in it among them."""
    out = set(names)
    for table in ("VLAN_MEMBER", "PORTCHANNEL_MEMBER"):
        out |= {key.partition("|")[2] for key in ctx.table(table) if key.partition("|")[0] in out}
    return out


def _make_entry(row: Row) -> Entry:
    action = (row.get("PACKET_ACTION") or "").upper()
    effects: list[FilterEffect] = []
    field = "PACKET_ACTION"
    if action in ("DROP", "DENY"):
        effects.append(FilterEffect(DROPS))
    elif action.startswith("REDIRECT"):
        effects.append(FilterEffect(DIVERTS))
    elif action not in _PASS:
        effects.append(FilterEffect(ODD, f"PACKET_ACTION {action}", row.locate(field)))
    if "DSCP_ACTION" in row.cells:
        field = "DSCP_ACTION"
        effects.append(FilterEffect(MARKS, parse_number(row.get("DSCP_ACTION"))))
    return Entry(
        row.locate(field), f"ACL_RULE {row.key.partition('|')[2]}", _make_match(row), tuple(effects), ends=True
    )


def _parse_dscps(text: str) -> frozenset[int] | None:
    """A DSCP, or value and mask, as orchagent takes them: `26`, `24/56`, `0x18/0x38`."""
    value, slash, mask = (part.strip() for part in text.partition("/"))
    try:
        wanted, bits = int(value, 0), int(mask, 0) if slash else 63
    except ValueError:
        return None
    return frozenset(dscp for dscp in range(64) if dscp & bits == wanted & bits)


def _make_match(row: Row) -> Match:
    out = Match()
    for field, text in row.cells.texts.items():
        number = parse_number(text)
        if field in ("IP_PROTOCOL", "NEXT_HEADER"):
            out = out._replace(protocols=frozenset({"udp" if number == 17 else text}))
        elif field in ("L4_DST_PORT", "L4_DST_PORT_RANGE", "L4_SRC_PORT", "L4_SRC_PORT_RANGE"):
            ports = parse_ports([text.strip()])
            if ports is None:
                out = out._replace(other=field)
            elif "DST" in field:
                out = out._replace(targets=ports)
            else:
                out = out._replace(sources=ports)
        elif field == "DSCP":
            dscps = _parse_dscps(text)
            out = out._replace(other=field) if dscps is None else out._replace(dscps=dscps)
        elif field in _NO_ROCE:
            out = out._replace(never=True)
        elif field == "ETHER_TYPE":
            out = out._replace(never=out.never or text.upper() not in _IP)
        elif field in ("DST_IP", "DST_IPV6", "DST_MAC") and is_no_unicast(text):
            out = out._replace(never=True)
        elif field == "IP_TYPE":
            out = out._replace(never=out.never or text.upper() in _NO_IP)
        elif field not in _PLAIN and text not in ("0.0.0.0/0", "::/0"):
            out = out._replace(other=field)
    return out
