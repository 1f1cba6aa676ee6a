"""Write docs/advised.md: published ECN curves beside what `ecn: auto` takes, by the model of `rocecfg advise`.

nice python docs/advised.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rocecfg.advice.predict import predict
from rocecfg.advice.wording import show_about, show_share
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.profiles import SHIPPED
from rocecfg.sizing.marking import scale_family

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "advised.md"
SENDERS = PAPER._replace(packet=4096)
HEAD = """\
# Published ECN curves beside `ecn: auto`

What NVIDIA, SONiC, Arista, Azure and HPCC publish for such ports, and what `ecn: auto` takes on Tomahawk 5, by the
model that `rocecfg advise --published` uses: mean and standard deviation of the queue, the depth that it exceeds 1 % of
the time, and how much of the link is used.

This page is written by `python docs/advised.py`.

| port | senders | curve | kmin / kmax / pmax | queue | 1 % above | link |
|---|---|---|---|---|---|---|
"""
_CHIP = "tomahawk5"
_BESIDE = tuple((gbit * 10**9, flows) for gbit in (400, 800) for flows in (8, 64))  # port, senders


def published() -> Iterator[str]:
    """Lines of the table."""
    for speed, flows in _BESIDE:
        table = SHIPPED.curves_of(_CHIP)
        taken = table.curve(speed, flows) if table is not None else None
        assert taken is not None
        curves = [("`ecn: auto`", float(taken.kmin), float(taken.kmax), taken.pmax)]
        curves += [(f.title, *scale_family(f, speed), f.pmax) for f in SHIPPED.compared_families()]
        for name, kmin, kmax, pmax in curves:
            got = predict(speed, flows, Curve(kmin, kmax, pmax / 100), SENDERS)
            ecn = f"{show_size(round(kmin))} / {show_size(round(kmax))} / {show_number(pmax)}%"
            queue = f"{show_about(got.mean)} ± {show_about(got.sd)}"
            reported = (queue, show_about(got.high), show_share(got.utilisation))
            yield f"| {' | '.join((show_rate(speed), str(flows), name, ecn, *reported))} |\n"


def main() -> None:
    """Write the page."""
    text = HEAD + "".join(published())
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
