"""Write docs/advised.md: the curves of the examples beside what `ecn: auto` takes, under both models.

    nice python docs/advised.py

Each curve that an example states for lossless ports, under 8, 16, 32 and 64 senders. One model is what `rocecfg advise`
uses: the noise about the fixed point where swings are small, else senders one by one, few times. The other is what
`--confirm` uses: senders one by one, three runs. A minute.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rocecfg.advice.compare import CurveVerdict, compare_predictions
from rocecfg.advice.marking import advise_marking, merge_kind_demands
from rocecfg.advice.port_kinds import find_port_kinds
from rocecfg.advice.predict import Prediction, physics_curve, predict
from rocecfg.advice.wording import show_about, show_share
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.intent import load
from rocecfg.model import Ecn
from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.physics.dcqcn_linear import most_senders
from rocecfg.profiles import SHIPPED
from rocecfg.sizing.marking import USUAL_FAMILY, Aims, scale_family

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "advised.md"
EXAMPLES = ("converged", "rail-1024", "train-256", "train-256-as-published")
FLOWS = (8, 16, 32, 64)
SENDERS = PAPER._replace(packet=4096)
HEAD = """\
# The examples' curves and what auto takes

Whether `rocecfg advise` would replace the marking curves that the [examples](../examples) state by those of
`ecn: auto`, by the model it uses and by the one that `--confirm` uses. Queues are mean and
standard deviation, and links the part used, by the latter.

This page is written by `python docs/advised.py`.

| example | ports | senders | stated | auto | its queue | auto's | its link | auto's | replace: advise | --confirm |
|---|---|---|---|---|---|---|---|---|---|---|
"""


class Case(NamedTuple):
    """A stated curve and what auto takes in its place, for so many senders."""

    example: str
    speed: int
    flows: int
    stated: Ecn
    auto: Ecn


def cases(examples: tuple[str, ...] = EXAMPLES, flows: tuple[int, ...] = FLOWS) -> Iterator[Case]:
    """Those of the examples, each once."""
    for example in examples:
        fabric = load(str(ROOT / "examples" / example / "fabric.yaml")).fabric
        assert fabric is not None
        found: dict[tuple[object, ...], Case] = {}
        kinds = find_port_kinds(fabric)
        for kind in kinds:
            for senders in flows:
                given = Aims(SHIPPED.family(USUAL_FAMILY), fabric.rtt, None, senders, (), SHIPPED.curves_of)
                others: list[tuple[Ecn, Ecn]] = []

                def keep(now: Ecn, other: Ecn, others: list[tuple[Ecn, Ecn]] = others) -> CurveVerdict:
                    others.append((now, other))
                    return CurveVerdict(change=False, why="")

                advise_marking(kind, given, merge_kind_demands(kinds, given), keep)
                for stated, auto in others:
                    assert kind.port.speed is not None
                    case = Case(example, kind.port.speed, senders, stated, auto)
                    found.setdefault((case.speed, senders, physics_curve(stated), physics_curve(auto)), case)
        yield from found.values()


def judged(case: Case, *, confirm: bool) -> tuple[Prediction, Prediction, CurveVerdict]:
    """What either curve does, and whether auto's is to be set, by one model."""
    now, other = (
        predict(case.speed, case.flows, physics_curve(c), SENDERS, confirm=confirm) for c in (case.stated, case.auto)
    )
    held = (most_senders(case.speed, curve.pmax / 100, SENDERS) for curve in (case.stated, case.auto))
    return now, other, compare_predictions(now, other, *held)


def _curve(of: Ecn) -> str:
    return f"{show_size(of.kmin)} / {show_size(of.kmax)} / {show_number(of.pmax)}%"


def _queue(of: Prediction) -> str:
    return f"{show_about(of.mean)} ± {show_about(of.sd)}"


def row(case: Case) -> str:
    """A line of the page."""
    *_, quick = judged(case, confirm=False)
    now, other, confirmed = judged(case, confirm=True)
    cells = (
        case.example,
        show_rate(case.speed),
        case.flows,
        _curve(case.stated),
        _curve(case.auto),
        _queue(now),
        _queue(other),
        show_share(now.utilisation),
        show_share(other.utilisation),
        *("yes" if verdict.change else "no" for verdict in (quick, confirmed)),
    )
    return f"| {' | '.join(map(str, cells))} |\n"


PUBLISHED_HEAD = """\

## Published curves beside it

What NVIDIA, SONiC, Arista, Azure and HPCC publish for such ports, and what `ecn: auto` takes on Tomahawk 5, by the
model that `rocecfg advise --published` uses: the queue's mean and standard deviation, the depth that it exceeds 1 % of
the time, the part of the link that is used.

| port | senders | curve | kmin / kmax / pmax | queue | 1 % above | link |
|---|---|---|---|---|---|---|
"""
_CHIP = "tomahawk5"
_BESIDE = tuple((gbit * 10**9, flows) for gbit in (100, 400, 800) for flows in (8, 64))  # port, senders


def published() -> Iterator[str]:
    """Lines of the second table."""
    for speed, flows in _BESIDE:
        table = SHIPPED.curves_of(_CHIP)
        taken = table.curve(speed, flows) if table is not None else None
        assert taken is not None
        curves = [("`ecn: auto`", float(taken.kmin), float(taken.kmax), taken.pmax)]
        curves += [(f.title, *scale_family(f, speed), f.pmax) for f in SHIPPED.compared_families()]
        for name, kmin, kmax, pmax in curves:
            got = predict(speed, flows, Curve(kmin, kmax, pmax / 100), SENDERS)
            ecn = f"{show_size(round(kmin))} / {show_size(round(kmax))} / {show_number(pmax)}%"
            reported = (_queue(got), show_about(got.high), show_share(got.utilisation))
            yield f"| {' | '.join((show_rate(speed), str(flows), name, ecn, *reported))} |\n"


def main() -> None:
    """Write the page."""
    text = HEAD + "".join(map(row, cases())) + PUBLISHED_HEAD + "".join(published())
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
