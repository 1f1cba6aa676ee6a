"""Which line of a running-config says what: by mode, and in it by setting."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block
from rocecfg.vendors.arista.reading.commands import GONE, Key
from rocecfg.vendors.arista.reading.modes import GLOBAL, MMU, PORT, PROFILE
from rocecfg.vendors.arista.reading.names import interfaces
from rocecfg.vendors.arista.reading.parse import command
from rocecfg.vendors.arista.reading.scan import scan


class Line(NamedTuple):
    """A line that sets something. `queue`: the line that opens the queue it stands in, or empty."""

    value: Hashable
    text: str
    queue: str = ""


Settings = dict[Key, Line]


class Said:
    """The settings of a text."""

    def __init__(self, text: str) -> None:
        config = scan(text, 0)
        self.globals = _settings([config.globals], GLOBAL)
        self.profiles = {name: _settings([block], PROFILE) for name, block in config.profiles.items()}
        self.mmu = {name: _settings([block], MMU) for name, block in config.mmu.items()}
        blocks: dict[str, list[Block]] = {}
        for block in config.ports:
            for name in interfaces(block.name) or ():
                blocks.setdefault(name, []).append(block)
        known: dict[Hashable, Settings] = {}
        self.ports: dict[str, Settings] = {}
        for name, own in blocks.items():
            key = tuple(tuple(block.lines) for block in own)
            if key not in known:
                known[key] = _settings(own, PORT)
            self.ports[name] = known[key]

    def profile_of(self, port: str) -> str | None:
        """The profile that a port is bound to."""
        line = self.ports.get(port, {}).get("profile")
        return str(line.value) if line is not None else None

    def in_force(self, port: str) -> Settings:
        """The settings of a port: its own over its profile's."""
        profile = self.profile_of(port)
        return {**(self.profiles.get(profile, {}) if profile is not None else {}), **self.ports.get(port, {})}


def _settings(blocks: Iterable[Block], mode: str) -> Settings:
    out: Settings = {}
    for block in blocks:
        for line in block.lines:
            queue, _, text = line.rpartition(IN_QUEUE)
            for key, value in command(mode, line).sets:
                if value is GONE:
                    out.pop(key, None)
                else:
                    out[key] = Line(value, text, queue)
    return out


def says(settings: Settings) -> dict[Key, Hashable]:
    """What is said, without how."""
    return {key: line.value for key, line in settings.items() if key[0] != "queue"}
