"""The PFC watchdog of each port: PFC_WD, and the priorities that PORT_QOS_MAP has it watch."""

from __future__ import annotations

from shlex import quote

from rocecfg.model import Span
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.vendors.sonic import commands
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.rows import Row, parse_priorities, shorten
from rocecfg.vendors.sonic.settings import FIELDS, read_values

_WATCH = "sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|PORT' pfcwd_sw_enable PRIORITIES"
_POLL = int(commands.POLL)
_NO_FORWARD = ("cisco-8",)  # HwSKUs of Cisco 8000 begin so


class Watchdogs:
    """The watchdogs of a switch."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        everywhere = ctx.row("PFC_WD", "GLOBAL")
        self._poll = Val(_POLL, ctx.at)
        self._poll_said = everywhere is not None and "POLL_INTERVAL" in everywhere.cells
        if everywhere is not None and self._poll_said:
            said = read_values(everywhere, "polls")
            self._poll = said.get("poll_interval") or Val(MISSING, everywhere.locate("POLL_INTERVAL"))
        self.forced = everywhere is not None and everywhere.get("BIG_RED_SWITCH") == "enable"
        self._stated = ctx.whole or (not ctx.patch and bool(ctx.table("PFC_WD")))  # a table is there whole
        self._at = everywhere.at if everywhere is not None else None
        local = ctx.row("DEVICE_METADATA", "localhost")
        self._hwsku = ((local.get("hwsku") if local is not None else None) or "").lower()
        self._masked = any("pfcwd_sw_enable" in each.cells for each in ctx.table("PORT_QOS_MAP").values())
        self._default = local is not None and local.get("default_pfcwd_status") == "enable"
        if everywhere is not None and "BIG_RED_SWITCH" in everywhere.cells and not self.forced:
            at = everywhere.locate_name(everywhere.cells["BIG_RED_SWITCH"])
            words = "the YANG model has no BIG_RED_SWITCH: while it is here, config apply-patch refuses every patch"
            fix = "; ".join(commands.FORGET_FORCED_DROP)
            ctx.notes.report("device-unknown", "PFC_WD", "GLOBAL", at, words, fix)

    def read_watchdog(self, row: Row | None, qos: Row | None, at: Span) -> Val | None:
        """The watchdog of a port with these rows of PFC_WD and PORT_QOS_MAP; None where nothing is known of it."""
        if row is None:
            if not self._stated:
                return Val("vendor-default", self._ctx.at) if self._default and qos is not None else None
            return Val(OFF, qos.locate("pfc_enable") if qos is not None else self._at or at)
        action = row.get("action") or "drop"
        said = read_values(row, "watchdog")
        if "detection_time" not in said or not self._is_accepted(row, action):
            return Val(MISSING, row.at)  # told already: the row is refused
        restoration = said.get("restoration_time")
        if restoration is None and "restoration_time" in row.cells:
            return Val(MISSING, row.at)
        out: Section = {
            "detection_time": said["detection_time"],
            "restoration_time": restoration or Val(None, row.at),
            "poll_interval": self._poll if self._poll_said else Val(_POLL, row.at),
            "action": Val(action, row.locate("action")),
        }
        watched = self._find_watched(qos)
        if watched is not None:
            out["priorities"] = watched
        return Val(out, row.at)

    def _is_accepted(self, row: Row, action: str) -> bool:
        """Whether orchagent takes the row: it refuses all of it for one field that it does not know."""
        if any(name not in FIELDS["PFC_WD"] for name in row.cells) or action not in FIELDS["PFC_WD"]["action"].words:
            return False
        if action == "forward" and self._hwsku.startswith(_NO_FORWARD):
            words = "action forward is refused on Cisco's chips: no watchdog runs there"
            detection = quote(row.get("detection_time") or "DETECTION")
            fix = f"sudo pfcwd start --action drop {quote(shorten(row.key))} {detection}"
            self._ctx.notes.report("device-value", "PFC_WD", row.key, row.locate("action"), words, fix)
            return False
        stated = self._ctx.stated_release is not None
        return not ("pfc_stat_history" in row.cells and stated and not self._ctx.release.watch_history)

    def _note_unknown(self, qos: Row, *, bracketed: bool) -> None:
        """Notes that without the release, and without pfcwd_sw_enable, what is watched is a guess or not known."""
        if bracketed:
            words = (
                f"SONiC {self._ctx.release.name} or earlier is assumed, since references are in brackets; its watchdog "
                "follows pfc_enable, but late builds of 202012 then watch nothing"
            )
            old, severity = "202012", "info"
        else:
            words = (
                "from 202205 the watchdog then watches nothing, so a storm never ends; on 202111, which lacks the "
                "field, it follows pfc_enable"
            )
            old, severity = "202205 or later", "warning"
        self._ctx.notes.report(
            "watchdog-priorities",
            "PORT_QOS_MAP",
            "",
            qos.locate("pfc_enable"),
            f"no pfcwd_sw_enable, and the release is unknown: {words}",
            f"if `show version` prints {old}: {_WATCH}",
            severity=severity,
        )

    def _find_watched(self, qos: Row | None) -> Val | None:
        """What is watched: pfcwd_sw_enable, nothing where it is absent; before it, what PFC is on for.

        None where nothing tells whether the release has the field.
        """
        if qos is None:
            return None
        field = "pfcwd_sw_enable" if self._ctx.release.watch_mask else "pfc_enable"
        if self._ctx.patch and field not in qos.cells:
            return None
        at = qos.locate(field)
        release = self._ctx.release
        if release.assumed and not self._masked and parse_priorities(qos.get("pfc_enable") or ""):
            self._note_unknown(qos, bracketed=release.bracketed)
            if not release.bracketed:
                return None
        return Val([Val(n, at) for n in parse_priorities(qos.get(field) or "")], at)
