"""Whether the switch makes headroom where PFC is on, and why not. As buffermgrd does it, in either buffer model."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.model import RunningGroup, Span
from rocecfg.model.stated import Section
from rocecfg.vendors.sonic.reading import boxes
from rocecfg.vendors.sonic.reading.buffers import POOL, Buffers
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.rows import Row, parse_number

_STATUS_AWAITED = (202012, *range(202205, 202511))  # releases whose buffermgrd waits for admin_status


_NEEDED = {  # by the script that works headroom out (buffer_headroom_mellanox.lua), and by buffermgrd
    "LOSSLESS_TRAFFIC_PATTERN": "which headroom is computed from",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": "which has the threshold of its profiles",
}


class Reason(NamedTuple):
    """Why there is no headroom, in words that follow `no headroom:`, and where to look."""

    words: str
    at: Span


class HeadroomReasons:
    """Looks for what buffermgrd needs."""

    def __init__(self, ctx: Context, buffers: Buffers) -> None:
        self._ctx = ctx
        self._model = buffers.model
        local = ctx.row("DEVICE_METADATA", "localhost")
        self._hwsku = (local.get("hwsku") if local is not None else None) or ""
        # what is rendered and completed by hand leaves stock tables to the switch; a switch's own names its platform
        self._own = local is not None and "platform" in local.cells
        platform = boxes.platform_of(self._hwsku, local.get("platform")) if local is not None else None
        # where nobody says which release it runs, what is missing has to be missing in all that have the HwSKU
        named = boxes.releases_with_tables() if ctx.release.assumed else (ctx.release.name,)
        found = [boxes.box_of(platform, self._hwsku, r) for r in named] if platform is not None and ctx.whole else []
        self._boxes = list({box.release: box for box in found if box is not None}.values())
        if self._model is None and self._boxes:
            self._model = self._boxes[0].buffer_model

    def find_reason(
        self,
        port: Row | None,
        cable: tuple[str, Span] | None,
        section: Section,
        enabled: tuple[int, ...],
        groups: Mapping[int, RunningGroup],
    ) -> Reason | None:
        """What keeps a port with PFC without headroom; None: nothing that the text shows."""
        if not self._ctx.whole or not enabled:
            return None
        if port is None or port.get("admin_status") == "down":
            return None  # what is missing counts once the port is used
        given = [n for n in enabled if n in groups and groups[n].lossless]
        if self._model == "dynamic":
            return self._find_in_dynamic_model(
                port, cable, enabled, given, sized=any(groups[n].computed for n in given)
            )
        # one that is not told may be either, and a port without a lossless row gets headroom from the traditional alone
        return None if given else self._find_in_traditional_model(port, cable, section)

    def _find_in_dynamic_model(
        self,
        port: Row,
        cable: tuple[str, Span] | None,
        enabled: tuple[int, ...],
        given: list[int],
        *,
        sized: bool,
    ) -> Reason | None:
        """`sized`: the switch computes the headroom of some of the `given`."""
        if self._own:
            for table, what in _NEEDED.items() if sized else ():
                if not self._ctx.table(table):
                    return Reason(f"there is no {table}, {what} for the dynamic model", port.at)
            if POOL not in self._ctx.table("BUFFER_POOL"):
                return Reason(f"BUFFER_POOL has no {POOL}, which buffermgrd waits for", port.at)
        bare = [n for n in enabled if n not in given]
        if bare:
            named = ", ".join(map(str, bare))
            words = f"BUFFER_PG has no lossless row for priority group {named}, and the dynamic model creates none"
            return Reason(words, port.at)
        if cable is not None and cable[0] == "0m":
            return Reason("its cable length is 0m, which marks a port without lossless traffic", cable[1])
        return None

    def _find_in_traditional_model(self, port: Row, cable: tuple[str, Span] | None, section: Section) -> Reason | None:
        if cable is None:
            return Reason("CABLE_LENGTH does not name it", port.at)
        text, at = cable
        if text == "0m":
            return Reason("its cable length is 0m, which marks a port without lossless traffic", at)
        speed, metres = section.get("speed"), parse_number(text.removesuffix("m"))
        lacking = self._find_awaited(port)
        if lacking is not None or speed is None or metres is None:
            return lacking
        return self._find_unlisted(port, speed.value, metres, at)

    def _find_awaited(self, port: Row) -> Reason | None:
        """What buffermgrd waits for, and the text does not have."""
        if "speed" not in port.cells:
            return Reason("PORT has no speed for it", port.at)
        if "admin_status" not in port.cells and self._ctx.release.number in _STATUS_AWAITED:
            return Reason("PORT has no admin_status for it, which buffermgrd waits for up to 202505", port.at)
        if POOL not in self._ctx.table("BUFFER_POOL"):
            return Reason(f"BUFFER_POOL has no {POOL}, which buffermgrd waits for", port.at)
        return None

    def _find_unlisted(self, port: Row, speed: int, metres: int, at: Span) -> Reason | None:
        """A speed or a length that the box's table, where it is known, does not list."""
        tables = [box.headroom.rows for box in self._boxes if box.headroom is not None]
        if not tables or len(tables) < len(self._boxes) or any(metres in rows.get(speed, ()) for rows in tables):
            return None
        listed = tables[-1].get(speed)
        lacks = f"pg_profile_lookup.ini of {self._hwsku}{self._boxes[-1].tables} has no row for {show_rate(speed)}"
        if listed is None:
            return Reason(lacks, port.locate("speed"))
        return Reason(f"{lacks} and {metres}m: it has {', '.join(f'{m}m' for m in listed)}", at)
