"""Fabrics of several designs, and one fault of a kind in each: a cable, a line, a card, a port."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from intents import TODAY, write
from topology_cases import Wiring, clos

from rocecfg.intent import load
from rocecfg.linting.run import lint
from rocecfg.rules import ALL
from rocecfg.source.document import Sources

Told = tuple[str, str, str]  # severity, rule, message


def planes(leaves: int = 3, spines: int = 2, hosts: int = 4) -> Wiring:
    """Two planes; a host has a NIC on a leaf of each."""
    wiring = Wiring()
    for plane in "ab":
        for n in range(spines):
            wiring.switch(f"{plane}-spine{n}", "spine")
        for n in range(leaves):
            wiring.switch(f"{plane}-leaf{n}", "leaf")
    for n in range(leaves):
        for h in range(hosts):
            for plane in "ab":
                wiring.host(f"gpu{n}x{h}", f"{plane}-leaf{n}")
        for plane in "ab":
            for s in range(spines):
                wiring.cable(f"{plane}-leaf{n}", f"{plane}-spine{s}", count=2)
    return wiring


def racks(count: int = 3, spines: int = 4, hosts: int = 4) -> Wiring:
    """Racks with two ToRs, which hosts hang on both of, below one set of spines."""
    wiring = Wiring()
    for n in range(spines):
        wiring.switch(f"spine{n}", "spine")
    for n in range(count):
        tors = [wiring.switch(f"tor{n}{side}", "tor") for side in "ab"]
        for h in range(hosts):
            for tor in tors:
                wiring.host(f"gpu{n}x{h}", tor)
        for tor in tors:
            for s in range(spines):
                wiring.cable(tor, f"spine{s}")
    return wiring


def railed(groups: int = 2, rails: int = 4, spines: int = 4, hosts: int = 4) -> Wiring:
    """Groups of hosts whose NICs are each on the leaf of their rail."""
    wiring = Wiring()
    for n in range(spines):
        wiring.switch(f"spine{n}", "spine")
    for g in range(groups):
        leaves = [wiring.switch(f"g{g}-rail{n}", "rail") for n in range(rails)]
        for h in range(hosts):
            for leaf in leaves:
                wiring.host(f"gpu{g}x{h}", leaf)
        for leaf in leaves:
            for s in range(spines):
                wiring.cable(leaf, f"spine{s}")
    return wiring


def pods(count: int = 2, leaves: int = 2, hosts: int = 4) -> Wiring:
    """Pods of leaves below two spines each, and two superspines; hosts have one NIC."""
    wiring = Wiring()
    cores = [wiring.switch(f"core{n}", "superspine") for n in range(2)]
    for p in range(count):
        spines = [wiring.switch(f"pod{p}-spine{n}", "spine") for n in range(2)]
        for n in range(leaves):
            leaf = wiring.switch(f"pod{p}-leaf{n}", "leaf")
            for h in range(hosts):
                wiring.host(f"gpu{p}x{n}x{h}", leaf)
            for spine in spines:
                wiring.cable(leaf, spine, count=2)
        for spine in spines:
            for core in cores:
                wiring.cable(spine, core, count=2)
    return wiring


class Design(NamedTuple):
    """A kind of fabric, built anew by each call."""

    build: Callable[[], Wiring]
    fabric: str = "{name: lab}"
    homed: int = 1  # NICs of a host on switches of their own
    rails: bool = False

    def hosts(self, wiring: Wiring, first: str = "connectx-7") -> str:
        """The section of hosts, an entry each, with the card of the first."""
        ports = ", ".join(f"nic{n}: {{rail: {n}}}" for n in range(self.homed))
        rails = f", ports: {{{ports}}}" if self.rails else ""
        marks = "rdma_dscp: 26, cnp_dscp: 48, pfc_priorities: [3]"
        cards = [first, *["connectx-7"] * (len(wiring.hosts) - 1)]
        rows = zip(wiring.hosts, cards, strict=True)
        return "hosts:\n" + "".join(f"  {name}: {{nic: {card}, {marks}{rails}}}\n" for name, card in rows)


DESIGNS = {
    "clos": Design(lambda: clos(4, 4, 4)),
    "planes": Design(planes, homed=2),
    "racks": Design(racks, homed=2),
    "rails": Design(railed, "{name: lab, topology: rail}", homed=4, rails=True),
    "pods": Design(pods),
}
_ASKED = tuple(
    rule
    for rule in ALL
    if rule.name.startswith(("topology-", "link-", "path-", "ops-stage", "schema-")) and rule.name != "link-wd"
)


def told(text: str, folder: Path) -> list[Told]:
    """What the rules on cables, ports and stages find."""
    sources = Sources()
    write(folder, {"fabric.yaml": text})
    run = lint([load(str(folder / "fabric.yaml"), sources, None)], sources, rules=_ASKED, today=TODAY)
    return [(f.severity, f.rule.name, f.message) for f in run.causes]


# -- cables ------------------------------------------------------------------------------------------------------------


def uplinks(wiring: Wiring, leaf: str | None = None) -> list[int]:
    """The numbers of the rows from a leaf, or all of the lowest tier, to switches above."""
    low = ("leaf", "tor", "rail")
    return [
        n
        for n, (a, _, b, _) in enumerate(wiring.rows)
        if a in wiring.ports and b in wiring.ports and wiring.roles[a] in low and leaf in (None, a)
    ]


def nics(wiring: Wiring) -> list[int]:
    """The numbers of the rows from hosts."""
    return [n for n, (a, *_) in enumerate(wiring.rows) if a not in wiring.ports]


def cross(wiring: Wiring, x: int, y: int) -> None:
    """Let two cables change their upper ends."""
    a, b = wiring.rows[x], wiring.rows[y]
    wiring.rows[x], wiring.rows[y] = (*a[:2], *b[2:]), (*b[:2], *a[2:])


def drop(wiring: Wiring, leaf: str, *spines: str) -> None:
    """Take the links from a leaf to some switches away; to all, if none is named."""
    wiring.rows = [row for row in wiring.rows if row[0] != leaf or (row[2] not in spines if spines else False)]
