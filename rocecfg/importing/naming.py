"""Names for the traffic classes of switches, as people call them, and what each is guessed from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from rocecfg.importing.texts import ClassText, SwitchText

RDMA, CNP, CONTROL, DEFAULT = "rdma", "cnp", "control", "default"
_CNP_DSCP, _CONTROL_DSCP, _CONTROL_TC = 48, 56, 7
_WHY = {
    RDMA: "guessed: RDMA, since PFC is on",
    CNP: f"guessed: CNPs, since DSCP {_CNP_DSCP} has its own strict queue",
    CONTROL: f"guessed: network control, since it is strict and class {_CONTROL_TC}, or DSCP {_CONTROL_DSCP} is in it",
    DEFAULT: "guessed: everything else, since it has most code points",
}
_UNKNOWN = "the traffic of classes named by number is unknown: rename them, or state carries"

Names = Mapping[int, str]  # of one switch: traffic class -> the name of its class


def guess_kind(name: str) -> str | None:
    """What a class of that name is guessed to carry; None: not known."""
    word = RDMA if name.startswith(f"{RDMA}-") else name
    return word if word in _WHY else None


def explain_guess(name: str) -> str:
    """What a name is guessed from, for a comment."""
    return _WHY.get(guess_kind(name) or "", _UNKNOWN)


def name_classes(switches: Sequence[SwitchText]) -> list[Names]:
    """A name for each traffic class of each switch: the same one for what is the same, though numbers may differ."""
    known = [_name_known_classes(switch) for switch in switches]
    lossless = [_list_lossless(switch) for switch in switches]
    counted = Counter(tc for tcs in lossless for tc in tcs)
    usual = min(counted, key=lambda tc: (-counted[tc], tc), default=None)
    several = any(len(tcs) > 1 for tcs in lossless)
    for own, tcs in zip(known, lossless, strict=True):
        own.update({tc: f"{RDMA}-tc{tc}" if several and tc != usual else RDMA for tc in tcs})
    _extend_names(switches, known)
    return [{tc: own.get(tc, f"tc{tc}") for tc in switch.classes} for own, switch in zip(known, switches, strict=True)]


def _list_lossless(switch: SwitchText) -> list[int]:
    return [tc for tc, cls in switch.classes.items() if cls.lossless]


def _name_known_classes(switch: SwitchText) -> dict[int, str]:
    """The lossy classes whose use shows."""
    lossy = {tc: cls for tc, cls in switch.classes.items() if not cls.lossless}
    out: dict[int, str] = {}
    if lossy:
        out[max(lossy, key=lambda tc: (len(lossy[tc].dscps), -tc))] = DEFAULT
    for name, fits in ((CNP, _is_cnp), (CONTROL, _is_control)):
        found = [tc for tc, cls in lossy.items() if tc not in out and fits(cls)]
        if found:
            out[max(found)] = name
    return out


def _is_cnp(cls: ClassText) -> bool:
    return cls.dscps == (_CNP_DSCP,) and cls.shares.get("bandwidth") == "strict"


def _is_control(cls: ClassText) -> bool:
    strict = cls.shares.get("bandwidth") == "strict"
    return strict and (cls.tc == _CONTROL_TC or _CONTROL_DSCP in cls.dscps)


def _extend_names(switches: Sequence[SwitchText], known: Sequence[dict[int, str]]) -> None:
    """Give a switch's class the name that it has on most others, where it has the same number and code points.

    What is set otherwise there (CNPs without a strict queue, RDMA without PFC) then shows as a difference.
    """
    numbers: dict[str, Counter[int]] = defaultdict(Counter)
    points: dict[str, set[int]] = defaultdict(set)
    for switch, own in zip(switches, known, strict=True):
        for tc, name in own.items():
            numbers[name][tc] += 1
            points[name].update(switch.classes[tc].dscps)
    for switch, own in zip(switches, known, strict=True):
        for name in [name for name in numbers if name != DEFAULT and name not in own.values()]:
            tc = numbers[name].most_common(1)[0][0]
            cls = switch.classes.get(tc)
            if cls is not None and tc not in own and points[name].intersection(cls.dscps):
                own[tc] = name
