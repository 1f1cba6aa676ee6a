"""docs/advised.md says what the model says: rows of its table, computed again."""

from __future__ import annotations

import pytest
from checkout import ROOT

from rocecfg.advice.predict import predict
from rocecfg.advice.wording import show_about, show_share
from rocecfg.core.units import parse_percent, parse_rate, parse_size
from rocecfg.physics.dcqcn import PAPER, Curve

pytestmark = pytest.mark.usefixtures("kept_simulations")

PAGE = (ROOT / "docs" / "advised.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")][
    1:
]


def test_each_port_has_auto_and_what_five_publish() -> None:
    assert len(ROWS) == 24
    assert [row[2] for row in ROWS].count("`ecn: auto`") == 4
    assert len({row[2] for row in ROWS}) == 6


@pytest.mark.parametrize("number", [8, 20])
def test_a_row_is_what_the_model_says(number: int) -> None:
    port, senders, _, curve, queue, high, used = ROWS[number]
    kmin, kmax, pmax = curve.split(" / ")
    asked = Curve(parse_size(kmin), parse_size(kmax), parse_percent(pmax) / 100)
    got = predict(parse_rate(port), int(senders), asked, PAPER._replace(packet=4096))
    assert queue == f"{show_about(got.mean)} ± {show_about(got.sd)}"
    assert (high, used) == (show_about(got.high), show_share(got.utilisation))
