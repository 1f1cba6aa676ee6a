"""Pools, headroom and advanced buffers that do not fit together, or that Cumulus Linux refuses."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from rocecfg.core.units import show_number, show_percent
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.spectrum.ranges import parse_port
from rocecfg.vendors.spectrum.reading.implied import LOSSLESS, LOSSY, MULTI_TC, WITH_PFC
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig, format_numbers, format_ports
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.pools import LOSSLESS_POOLS, get_advanced_buffers, get_threshold_mode
from rocecfg.vendors.spectrum.reading.qos import PRIORITIES
from rocecfg.vendors.spectrum.reading.schema_qos import ALPHAS, GLOBAL

_MTU = 9216
_SHORT = 1  # metre
_WITHIN_REACH = 32  # cages whose cables cannot all be that short: what they lead to takes 32 rack units at least
_SIZES = ("port-buffer", "xoff-threshold", "xon-threshold")


# -- traffic pools -----------------------------------------------------------------------------------------------------


def check_lossless_pool(known: ResolvedConfig) -> Iterator[Problem]:
    """Two lossless pools, the one that does not go with `qos roce`, or none."""
    stated = {name: node for name, node in known.qos.tree.items("traffic-pool") if name in LOSSLESS_POOLS}
    mode = known.basis.mode
    if len(stated) > 1:
        (_, first), (_, second) = sorted(stated.items(), key=lambda item: item[1].at.start)
        yield Problem(
            "nvue-lossless-pool",
            second.at,
            "two lossless pools, default-lossless and roce-lossless: a switch can have only one",
            f"nv unset qos traffic-pool {'roce-lossless' if mode not in WITH_PFC else 'default-lossless'}",
            ((first.at, "the other one"),),
        )
        return
    for name, node in stated.items():
        right = "roce-lossless" if mode in WITH_PFC else "default-lossless"
        if name != right and known.basis.known and (mode is None or mode in WITH_PFC):
            why = f"`qos roce` is {mode}" if mode is not None else "`qos roce` is off"
            yield Problem(
                "nvue-lossless-pool",
                node.at,
                f"{name} is not the lossless pool here: {why}, so lossless traffic uses {right}",
                f"nv set qos traffic-pool {right} memory-percent ..., and nv unset qos traffic-pool {name}",
                ((known.basis.at, "RoCE"),) if known.basis.stated else (),
            )
    own = get_advanced_buffers(known.qos)
    advanced = own.get("ingress-lossless-buffer") is not None
    if not stated and known.lossless and mode not in WITH_PFC and known.basis.known and not advanced:
        sp, at = next(iter(known.lossless.items()))
        yield Problem(
            "nvue-lossless-pool",
            at,
            f"PFC is on for switch priority {sp}, but no lossless pool is set: default-lossy has the whole buffer, "
            "and packets are dropped despite PFC",
            "nv set qos traffic-pool default-lossless memory-percent 50, and default-lossy memory-percent 50",
        )


def check_pool_priorities(known: ResolvedConfig) -> Iterator[Problem]:
    """A switch priority in two pools or in none, or a lossless one in a lossy pool."""
    lists = {
        name: {int(sp): member.at for sp, member in node.items("switch-priority")}
        for name, node in known.qos.tree.items("traffic-pool")
        if node.items("switch-priority")
    }
    owner: dict[int, str] = {}
    rule = "nvue-pool-priorities"
    for name, members in lists.items():
        for sp, at in members.items():
            other = owner.setdefault(sp, name)
            if other != name:
                yield Problem(
                    rule,
                    at,
                    f"switch priority {sp} is in {other} and in {name}: it can use only one pool",
                    f"nv unset qos traffic-pool {other} switch-priority {sp}",
                    ((lists[other][sp], f"in {other}"),),
                )
            elif name not in LOSSLESS_POOLS and sp in known.lossless:
                yield Problem(
                    rule,
                    at,
                    f"switch priority {sp} has PFC but is in the lossy pool {name}: it drops packets despite PFC",
                    f"nv unset qos traffic-pool {name} switch-priority {sp}",
                    ((known.lossless[sp], "PFC"),),
                )
            elif name in LOSSLESS_POOLS and sp not in known.lossless and (known.basis.known or known.lossless):
                yield Problem(
                    rule,
                    at,
                    (
                        f"switch priority {sp} is in {name} but has no PFC: nothing pauses the senders when the pool "
                        "is full"
                    ),
                    f"nv set qos pfc default-global switch-priority {sp}, or take it out of {name}",
                )
    left = set(PRIORITIES) - set(owner) - set(known.lossless)
    if "default-lossy" in lists and left and (known.basis.known or known.lossless):  # or another part has their pool
        yield Problem(
            rule,
            min(lists["default-lossy"].values()),
            f"switch priority {format_numbers(left)} is in no traffic pool",
            f"nv set qos traffic-pool default-lossy switch-priority {format_numbers(left)}",
        )


# -- headroom ----------------------------------------------------------------------------------------------------------


def check_explicit_sizes(known: ResolvedConfig) -> Iterator[Problem]:
    """Sizes of headroom that are fixed, though Cumulus Linux computes them; and such that cannot be."""
    for kind in ("pfc", "link-pause"):
        for name, node in known.qos.tree.items(kind):
            sizes = {key: given for key in _SIZES if (given := node.val(key)) is not None}
            if not sizes:
                continue
            wrong = _explain_sizes(sizes, _find_largest_packet(known, kind, name))
            key, given = next(iter(sizes.items()))
            reported, at, severity = f"{kind} profile {name} fixes {', '.join(sizes)}", given.at, "warning"
            if wrong is not None:
                key, why = wrong
                reported, at, severity = f"{kind} profile {name}: {why}", sizes[key].at, "error"
            else:
                reported += ": NVIDIA advises leaving them to Cumulus Linux, which computes them from speed and cable"
            yield Problem(
                "nvue-explicit-buffer",
                at,
                reported,
                f"nv unset qos {kind} {quote(name)} {key}, and set cable-length",
                severity=severity,
            )


def _find_largest_packet(known: ResolvedConfig, kind: str, name: str) -> int:
    """The largest MTU of the ports with a profile; of no port that is known, Cumulus Linux's own."""
    pairs = zip(known.places, known.ports, strict=False)  # one port stands for all where no place is named
    mtus = [p.section["mtu"].value for place, p in pairs if place.in_force(kind) == name and "mtu" in p.section]
    return max(mtus, default=_MTU)


def _explain_sizes(sizes: dict[str, Val], packet: int) -> tuple[str, str] | None:
    size, xoff, xon = (sizes[key].value if key in sizes else None for key in _SIZES)
    if xoff is not None and size is not None and xoff > size:
        return "xoff-threshold", f"the pause is sent at {xoff} B, but the buffer ends at {size} B"
    if xoff is not None and xon is not None and xon > xoff:  # equal: as the switch itself sizes them
        why = f"the pause ends {xon} B below xoff-threshold {xoff} B, so never: xon-threshold counts down from it"
        return "xon-threshold", why
    if xoff is not None and xoff < packet:
        return "xoff-threshold", f"the pause is sent at {xoff} B, less than one packet of {packet} B"
    return None


def check_default_cable(known: ResolvedConfig) -> Iterator[Problem]:
    """A PFC profile of a port's own that states no cable length: not what `qos roce` assumes."""
    used = {place.in_force("pfc") for place in known.places}
    for name in sorted(used - {GLOBAL}):
        pfc = known.qos.pfc(name)
        if pfc.name is not None and pfc.priorities and not pfc.cable_stated and pfc.headroom.value == "auto":
            metres = show_number(pfc.cable.value)
            roce = ", not 100 m as with `qos roce`" if known.basis.mode in WITH_PFC else ""
            yield Problem(
                "nvue-cable-default",
                pfc.at,
                f"PFC profile {name} states no cable-length: its headroom is for {metres} m{roce}",
                f"nv set qos pfc {quote(name)} cable-length METRES",
            )


def check_short_cables(known: ResolvedConfig) -> Iterator[Problem]:
    """A length of 1 m for more cages than stand within 1 m of their switch."""
    ports: dict[str, list[str]] = {}
    for place in known.places:
        pfc = known.qos.pfc(place.in_force("pfc"))
        if pfc.name is not None and pfc.priorities and pfc.cable_stated and pfc.cable.value <= _SHORT:
            ports.setdefault(pfc.name, []).extend(place.names)
    for name, names in ports.items():
        fronts = {port.front for each in names if (port := parse_port(each)) is not None}
        profile = known.qos.pfc(name)
        if len(fronts) < _WITHIN_REACH or profile.headroom.value != "auto":
            continue
        yield Problem(
            "nvue-cable-short",
            profile.cable.at,
            f"PFC profile {name} has cable-length {show_number(profile.cable.value)}, and applies to "
            f"{format_ports(names)}: {len(fronts)} cables of one switch are never that short. Each missing metre "
            "costs 1000 B of headroom at 800G and 500 B at 400G (2 x 5 ns/m x speed / 8), and lossless packets are "
            "lost after a pause",
            f"nv set qos pfc {quote(name)} cable-length METRES, of the longest cable of its ports",
        )


# -- advanced buffers --------------------------------------------------------------------------------------------------


def check_service_pools(known: ResolvedConfig) -> Iterator[Problem]:
    """Regions whose kind of threshold is not their pool's, and switch priorities in no priority group."""
    node = get_advanced_buffers(known.qos)
    regions = [
        (f"{way}-{kind}-buffer", way, default, given)
        for way in ("ingress", "egress")
        for kind, default in (("lossless", 1), ("mgmt", 0))
        if (given := node.get(f"{way}-{kind}-buffer")) is not None
    ]
    for path, way in (
        (("ingress-lossy-buffer", "priority-group"), "ingress"),
        (("egress-lossy-buffer", "traffic-class"), "egress"),
        (("egress-lossy-buffer", "multicast-switch-priority"), "egress"),
    ):
        regions += [(f"{' '.join(path)} {name}", way, 0, given) for name, given in node.items(*path)]
    for words, way, default, given in regions:
        yield from _check_threshold(known, words, way, default, given)
    yield from _check_ungrouped(known, node)


def check_egress_limit(known: ResolvedConfig) -> Iterator[Problem]:
    """A bound on what lossless queues may hold at egress, where Cumulus Linux has none."""
    stated = get_advanced_buffers(known.qos).val("egress-lossless-buffer", "shared-alpha")
    if stated is None or stated.value == "alpha_infinity" or not known.lossless:
        return
    alpha = ALPHAS[stated.value]
    yield Problem(
        "buffer-egress-drop",
        stated.at,
        f"lossless queues may hold {show_percent(100 * alpha / (1 + alpha))} of the free egress pool "
        f"(shared-alpha {stated.value}: alpha/(1 + alpha)), but Cumulus Linux gives them alpha_infinity: a queue that "
        "reaches the limit drops packets before ingress pauses any sender",
        "nv set qos advance-buffer-config default-global egress-lossless-buffer shared-alpha alpha_infinity",
    )


def _check_threshold(known: ResolvedConfig, words: str, way: str, default: int, given: Node) -> Iterator[Problem]:
    number = given.val("service-pool")
    pool = default if number is None else int(number.value)
    mode = get_threshold_mode(known.qos, way, pool)
    key, right = ("shared-alpha", "shared-bytes") if mode == "static" else ("shared-bytes", "shared-alpha")
    wrong = given.val(key)
    if wrong is not None:
        yield Problem(
            "nvue-service-pool",
            wrong.at,
            f"{words} has {key}, but {way} service pool {pool} is {mode}: it has no effect there",
            f"nv set qos advance-buffer-config default-global {words} {right} ...",
        )


def _check_ungrouped(known: ResolvedConfig, node: Node) -> Iterator[Problem]:
    groups = {
        name: {int(sp): member.at for sp, member in given.items("switch-priority")}
        for name, given in node.items("ingress-lossy-buffer", "priority-group")
    }
    places = [at for members in groups.values() for at in members.values()]
    bulk = known.qos.profile("traffic-pool", "default-lossy")
    implied = {int(sp) for sp, _ in bulk.items("switch-priority")} if bulk is not None else set()
    grouped = {sp for members in groups.values() for sp in members} | implied | set(known.lossless)
    left = set(PRIORITIES) - grouped
    if left and places and (implied or "bulk" in groups):
        yield Problem(
            "nvue-service-pool",
            min(places),
            f"switch priority {format_numbers(left)} is in no priority group: NVUE refuses this",
            "nv set qos advance-buffer-config default-global ingress-lossy-buffer priority-group bulk switch-priority "
            f"{format_numbers(left)}",
        )


def check_mode_left_out(known: ResolvedConfig) -> Iterator[Problem]:
    """`qos roce` without its mode, in a text that is applied to a switch which may be in another mode."""
    roce = known.qos.tree.get("roce")
    if known.stated.saved or roce is None or known.basis.mode != LOSSLESS or roce.val("mode") is not None:
        return
    yield Problem(
        "nvue-roce-mode",
        roce.at,
        "`qos roce` without mode: it is lossless on a fresh switch, but one that was lossy stays lossy",
        "nv set qos roce mode lossless",
    )


def check_lossy_with_pfc(known: ResolvedConfig) -> Iterator[Problem]:
    """A lossy mode of `qos roce`, and PFC that is set beside it; without a lossless pool that is told already."""
    mode = known.basis.mode
    pools = any(name in LOSSLESS_POOLS for name, _ in known.qos.tree.items("traffic-pool"))
    advanced = get_advanced_buffers(known.qos).get("ingress-lossless-buffer") is not None
    if mode not in (LOSSY, MULTI_TC) or not known.lossless or not (pools or advanced):
        return
    sp, at = next(iter(known.lossless.items()))
    yield Problem(
        "nvue-roce-mode",
        known.basis.at,
        f"`qos roce` has mode {mode}, but PFC is set for switch priority {sp}: one of them is wrong",
        f"nv set qos roce mode lossless, or take PFC off switch priority {sp}",
        ((at, "PFC"),),
        "warning",
    )


CHECKS = (
    check_lossless_pool,
    check_pool_priorities,
    check_explicit_sizes,
    check_default_cable,
    check_short_cables,
    check_service_pools,
    check_egress_limit,
    check_mode_left_out,
    check_lossy_with_pfc,
)
