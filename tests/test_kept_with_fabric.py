"""What is worked out of a fabric is kept with it: once for each, however many there are, and not in its copies."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import rocecfg
from rocecfg.model import Fabric, kept_with_fabric
from rocecfg.model.frozen import replace

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
asked: list[str] = []


@kept_with_fabric
def name_of(fabric: Fabric) -> str:
    asked.append(fabric.name)
    return fabric.name


def test_each_fabric_keeps_its_own_result() -> None:
    one, other = (rocecfg.load(str(EXAMPLES / name / "fabric.yaml")) for name in ("converged", "auto"))
    asked.clear()
    for _ in range(3):
        assert name_of(one) == one.name
        assert name_of(other) == other.name
    assert asked == [one.name, other.name]


def test_a_copy_works_it_out_anew() -> None:
    fabric = rocecfg.load(str(EXAMPLES / "converged" / "fabric.yaml"))
    name_of(fabric)
    changed = replace(fabric, name="changed")
    assert name_of(changed) == "changed"
    assert name_of(fabric) != "changed"
    for made in (pickle.loads(pickle.dumps(fabric)), copy.copy(fabric)):  # noqa: S301 - our own bytes
        asked.clear()
        assert name_of(made) == fabric.name
        assert asked == [fabric.name]
