"""How queues send: QUEUE rows with their schedulers and WRED profiles, as the intent says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Origin, RunningQueue, Span
from rocecfg.model.stated import OFF, Section, Val, make_section
from rocecfg.vendors.sonic.reading.context import Context, referenced_name
from rocecfg.vendors.sonic.reading.rows import Row, parse_number, shorten
from rocecfg.vendors.sonic.settings import BURSTS, COLORS, ECN_MODES, field_of, read_values

_NO_GUARANTEE = 8  # bit/s: pir needs cir beside it, and this is none
_CURVE = ("kmin", "kmax", "pmax")
_WHOLE = 100
_UNTYPED = "WRR"  # SAI's default, which a scheduler without a type keeps
_SHARING = ("WRR", "DWRR")
_CLOSE = 1e-9
# Chips that mark where WRED is off too. NVIDIA's published SAI turns marking on by `ecn` alone, and its stock profiles
# of SN5600 have wred_*_enable false beside ecn_all; other chips take `ecn` for what WRED does with packets it picks.
_MARK_ALONE = ("-mlnx_", "-nvidia_")  # in the names that ONIE has for such boxes
_SKUS_ALONE = ("ACS-MSN", "ACS-SN", "Mellanox-", "NVIDIA-")


_Curve = tuple[str, int | None, int | None, int | None]  # colour, kmin, kmax, pmax


class Marking(NamedTuple):
    """What a WRED profile does. Without a policer all packets are green."""

    ecn: Val  # a curve, or OFF
    discards: bool
    others: tuple[_Curve, ...] = ()  # of colours that are marked by another curve
    judged: str | None = None  # the colour whose curve `ecn` is


def _row_identity(row: Row | None) -> int:
    """Equal rows have one number."""
    return id(row.cells) if row is not None else 0


class Queues:
    """What QUEUE says, computed once for each profile and for each combination of rows."""

    def __init__(self, ctx: Context, used: Iterable[int]) -> None:
        self._ctx = ctx
        self._used = tuple(used)  # queues that packets are sent from
        self._marks: dict[str, Marking | None] = {}
        self.marking: set[str] = set()  # WRED profiles by which green packets in use are marked
        local = ctx.row("DEVICE_METADATA", "localhost")
        onie, hwsku = (local.get("platform") or "", local.get("hwsku") or "") if local is not None else ("", "")
        self._alone = hwsku.startswith(_SKUS_ALONE) or any(word in onie for word in _MARK_ALONE)
        self._known: dict[object, tuple[dict[int, Section], tuple[RunningQueue, ...]]] = {}

    def read_queues(
        self,
        rows: Mapping[int, tuple[Row | None, Row | None]],
        at: Span,
        used: tuple[int, ...] | None = None,
    ) -> tuple[dict[int, Section], tuple[RunningQueue, ...]]:
        """How the queues of a port send. `rows`: by queue those that name its scheduler and its WRED profile.

        `used`: the queues that its packets are sent from, where they are not those of most ports.
        """
        used = self._used if used is None else used
        key = used, tuple((q, _row_identity(scheduler), _row_identity(wred)) for q, (scheduler, wred) in rows.items())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._work_out(rows, at, used)
        return found

    def _work_out(
        self, rows: Mapping[int, tuple[Row | None, Row | None]], at: Span, used: tuple[int, ...]
    ) -> tuple[dict[int, Section], tuple[RunningQueue, ...]]:
        shares = self._compute_shares({queue: row for queue, (row, _) in rows.items() if row is not None}, used)
        given = self._ctx.whole or (bool(rows) and not self._ctx.patch)
        sendings: dict[int, Section] = {}
        running = []
        for queue in sorted({*rows, *used}):
            scheduler, wred = rows.get(queue, (None, None))
            place = next((row.at for row in (wred, scheduler) if row is not None), at)
            marking = self.find_marking(wred) if wred is not None else None
            if queue in used and wred is not None and marking is not None and marking.judged == "green":
                self.marking.add(referenced_name(wred.get("wred_profile") or "", "WRED_PROFILE"))
            ecn = marking.ecn if marking is not None else Val(OFF, place) if given and wred is None else None
            row = self._scheduler_row(scheduler)
            sendings[queue] = make_section(
                bandwidth=shares.get(queue),
                ecn=ecn,
                max_rate=self._read_rate(row, "max_rate"),
                guaranteed=self._read_rate(row, "guaranteed", least=_NO_GUARANTEE),
            )
            own = self._make_running_queue(queue, place, marking, row)
            if own is not None:
                running.append(own)
        return sendings, tuple(running)

    @staticmethod
    def _make_running_queue(
        queue: int, place: Span, marking: Marking | None, scheduler: Row | None
    ) -> RunningQueue | None:
        """What an intent has no word for; None: nothing of it is said."""
        origins: dict[str, Origin] = {"": place}
        discards = kind = None
        curves: tuple[_Curve, ...] = ()
        if marking is not None and marking.discards:
            discards, origins["discards"] = True, marking.ecn.at
        if marking is not None and marking.others:
            curves, origins["ecn_curves"] = marking.others, marking.ecn.at
        if scheduler is not None and (scheduler.get("type") or _UNTYPED) in _SHARING:
            kind, origins["scheduling"] = scheduler.get("type") or _UNTYPED, scheduler.locate("type")
        if discards is None and kind is None and not curves:
            return None
        return RunningQueue(queue, discards=discards, scheduling=kind, ecn_curves=curves, origins=origins)

    # -- schedulers ----------------------------------------------------------------------------------------------------

    def _scheduler_row(self, queue: Row | None) -> Row | None:
        """The SCHEDULER row of a QUEUE row."""
        name = queue.get("scheduler") if queue is not None else None
        return None if name is None else self._ctx.row("SCHEDULER", referenced_name(name, "SCHEDULER"))

    def _compute_shares(self, rows: Mapping[int, Row], used: tuple[int, ...]) -> dict[int, Val]:
        """Strict, or the percentage of what strict queues leave, among the queues that packets are sent from."""
        out: dict[int, Val] = {}
        weights: dict[int, Val] = {}
        for queue, queue_row in rows.items():
            row = self._scheduler_row(queue_row)
            if row is None:
                continue
            kind = row.get("type") or _UNTYPED
            if kind == "STRICT":
                out[queue] = Val("strict", row.locate("type"))
            elif kind in _SHARING:
                weight = read_values(row, "scheduler", silence=True).get("weight")
                if weight is not None:
                    weights[queue] = weight
        sharing = {q: w for q, (w, _) in weights.items() if q in used} or {q: w for q, (w, _) in weights.items()}
        total = sum(sharing.values())
        for queue, (weight, at) in weights.items():
            percent = _WHOLE * weight / total
            whole = round(percent)
            out[queue] = Val(whole if abs(percent - whole) < _CLOSE else percent, at)
        return {queue: val for queue, val in out.items() if queue in used or val.value == "strict"}

    def _read_rate(self, row: Row | None, name: str, least: int = 0) -> Val | None:
        """A rate in bit/s."""
        if row is None:
            return None
        rate, field = read_values(row, "scheduler").get(name), field_of("scheduler", name)
        if rate is None or rate.value <= least:
            return None
        burst = row.get(BURSTS[field])
        if burst is not None and parse_number(burst) != 0:
            words = f"{BURSTS[field]} {shorten(burst)}, a burst size, is not checked"
            self._ctx.notes.report("device-unread", "SCHEDULER", row.key, row.locate(BURSTS[field]), words)
        if row.get("meter_type") == "packets":
            words = f"{field} counts packets, and is not checked"
            self._ctx.notes.report("device-unread", "SCHEDULER", row.key, row.locate(field), words)
            return None
        return rate

    # -- marking -------------------------------------------------------------------------------------------------------

    def find_marking(self, queue: Row) -> Marking | None:
        """What the WRED profile of a queue does; None where it is not known."""
        name = referenced_name(queue.get("wred_profile") or "", "WRED_PROFILE")
        if name not in self._marks:
            row = self._ctx.row("WRED_PROFILE", name)
            self._marks[name] = None if row is None else self._read_profile(row)
        return self._marks[name]

    def _read_profile(self, row: Row) -> Marking | None:
        mode = row.get("ecn") or "ecn_none"
        if mode not in ECN_MODES:
            return None
        said = {c: {k: val.value for k, val in read_values(row, c, silence=True).items()} for c in COLORS}
        enabled = [color for color in COLORS if said[color].get("enabled")]
        marked = [c for c in ECN_MODES[mode] if c in enabled or self._alone]
        discards = "green" in enabled and "green" not in marked
        if not marked:
            # else nobody meant it to mark: what it drops, rules on the model tell
            if any(said[color].get("pmax") != 0 for color in ECN_MODES[mode]):
                self._note_unmarked(row, mode)
            return Marking(Val(OFF, row.locate("ecn")), discards)
        judged = "green" if "green" in marked else marked[0]
        curve = self._read_curve(row, judged)
        if curve is None:
            return None
        curves: list[_Curve] = [(c, said[c].get("kmin"), said[c].get("kmax"), said[c].get("pmax")) for c in marked]
        ends = next(own[1:] for own in curves if own[0] == judged)
        others = tuple(own for own in curves if own[1:] != ends)
        if len(marked) < len(COLORS):
            curve["colors"] = Val([Val(c, row.locate("ecn")) for c in marked], row.locate("ecn"))
        return Marking(Val(curve, row.at), discards, others, judged)

    def _note_unmarked(self, row: Row, mode: str) -> None:
        """A profile that says to mark, and has WRED on for none of the colours that it names."""
        fields = [field_of(color, "enabled") for color in ECN_MODES[mode]]
        first = fields[0]
        at = row.locate(first if first in row.cells else "ecn")
        words = (
            f"ecn is {mode}, and {', '.join(fields)} {'is' if len(fields) == 1 else 'are'} not true: nothing is marked"
        )
        fix = "set wred_green_enable to true: packets are green without a policer"
        self._ctx.notes.report("ecn-color", "WRED_PROFILE", row.key, at, words, fix)

    def _read_curve(self, row: Row, color: str) -> Section | None:
        """The curve of packets of one colour; None where its ends are not both known."""
        said = read_values(row, color, silence=True)
        fields = [field_of(color, key) for key in ("kmin", "kmax")]
        low, high = (said[key].value if key in said else None for key in ("kmin", "kmax"))
        if not low or not high:
            lacking = [field for field in fields if field not in row.cells]
            zero = [field for field, size in zip(fields, (low, high), strict=True) if size == 0]
            if lacking or zero:
                what = f"{' and '.join(lacking or zero)} {'missing' if lacking else '0'}"
                harm = f"never marks{'' if fields[0] in lacking + zero else ' all'}"
                words = f"{what}: the chip uses its whole buffer as threshold, and {harm}"
                at = row.locate(zero[0]) if zero and not lacking else row.at
                self._ctx.notes.report("ecn-order", "WRED_PROFILE", row.key, at, words, "write both thresholds")
            return None
        return {key: said[key] for key in _CURVE} if "pmax" in said else None
