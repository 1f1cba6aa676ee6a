"""A running-config as a tree: the modes in it, and in each the line that sets a thing, by what it sets."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block
from rocecfg.vendors.arista.reading.commands import GONE, Key
from rocecfg.vendors.arista.reading.modes import GLOBAL, MMU, PORT, PROFILE
from rocecfg.vendors.arista.reading.names import expand_interfaces
from rocecfg.vendors.arista.reading.parse import parse_line
from rocecfg.vendors.arista.reading.scan import scan

Place = tuple[str, str]  # the words that open a mode, and a name: ("qos profile", "ROCE"), ("interface", "Ethernet1/1")
GLOBALLY: Place = ("", "")
OF_PROFILE, OF_PORT, OF_MMU = "qos profile", "interface", "platform trident mmu queue profile"
MODES_OF = {GLOBALLY[0]: GLOBAL, OF_PROFILE: PROFILE, OF_PORT: PORT, OF_MMU: MMU}
_PROFILE = re.compile(r"\bservice-profile (\S+)")
_LISTED = re.compile(r"(qos map (?:dscp|cos|traffic-class)) [\d ,-]+ to ")


class Line(NamedTuple):
    """A line that sets something. `queue`: the line that opens the queue it stands in, or empty."""

    value: Hashable
    text: str
    queue: str = ""


Settings = Mapping[Key, Line]
_NOTHING: Settings = {}


class Tree:
    """The settings of a text, or those that it is to have."""

    def __init__(self, blocks: Mapping[Place, Settings], elsewhere: frozenset[str] = frozenset()) -> None:
        """`elsewhere`: the profiles that lines name which are not taken apart, as those of VLAN interfaces."""
        self.blocks = blocks
        self.elsewhere = elsewhere

    def settings_at(self, place: Place) -> Settings:
        """What is set in a mode."""
        return self.blocks.get(place, _NOTHING)

    def modes_opened_by(self, words: str) -> dict[str, Settings]:
        """The modes that these words open, by name."""
        return {place[1]: settings for place, settings in self.blocks.items() if place[0] == words}

    def profile_of(self, port: str) -> str | None:
        """The profile that a port is bound to."""
        line = self.settings_at((OF_PORT, port)).get("profile")
        return str(line.value) if line is not None else None

    def in_force(self, port: str) -> Settings:
        """The settings of a port: its own over its profile's."""
        profile = self.profile_of(port)
        return {
            **(self.settings_at((OF_PROFILE, profile)) if profile is not None else {}),
            **self.settings_at((OF_PORT, port)),
        }

    def used_profiles(self) -> set[Place]:
        """The profiles that ports are bound to, and the MMU profiles that are applied, defined or not."""
        ports = self.modes_opened_by(OF_PORT).values()
        profiles = {(OF_PROFILE, str(own["profile"].value)) for own in ports if "profile" in own}
        return profiles | {
            (OF_MMU, str(own["mmu"].value)) for own in (*ports, self.settings_at(GLOBALLY)) if "mmu" in own
        }


def parse_tree(text: str) -> Tree:
    """The tree of a running-config, or of lines that are typed."""
    config = scan(text, 0)
    blocks: dict[Place, Settings] = {GLOBALLY: _parse_settings([config.globals], GLOBAL)}
    blocks |= {(OF_PROFILE, name): _parse_settings([block], PROFILE) for name, block in config.profiles.items()}
    blocks |= {(OF_MMU, name): _parse_settings([block], MMU) for name, block in config.mmu.items()}
    ports: dict[str, list[Block]] = {}
    for block in config.ports:
        for name in expand_interfaces(block.name) or ():
            ports.setdefault(name, []).append(block)
    known: dict[Hashable, Settings] = {}
    for name, own in ports.items():
        key = tuple(tuple(block.lines) for block in own)
        if key not in known:
            known[key] = _parse_settings(own, PORT)
        blocks[OF_PORT, name] = known[key]
    elsewhere = (_PROFILE.search(line) for block in config.virtual for line in block.lines)
    return Tree(blocks, frozenset(found[1] for found in elsewhere if found is not None))


def _parse_settings(blocks: Iterable[Block], mode: str) -> Settings:
    out: dict[Key, Line] = {}
    for block in blocks:
        for line in block.lines:
            queue, _, text = line.rpartition(IN_QUEUE)
            for key, value in parse_line(mode, line).sets:
                if key == "dcbx version":
                    continue  # said by the line that turns DCBX on, and no intent asks for one
                if key[0] == "queue":
                    if value is GONE:  # with all that is said of it
                        out = {k: v for k, v in out.items() if not (v.queue and k[1] == key[1])}
                elif value is GONE:
                    out.pop(key, None)
                else:
                    out[key] = Line(value, _LISTED.sub(rf"\1 {key[1]} to ", text), queue)
    return out


def values_of(settings: Settings) -> dict[Key, Hashable]:
    """What is set, without how it is said."""
    return {key: line.value for key, line in settings.items()}
