"""What a configuration says of pools and thresholds counts, not what profiles expect of such a switch."""

from __future__ import annotations

import pytest
from switches import Places, loaded, port, switch

from rocecfg.model import Device, Running, RunningGroup, RunningPool, Span

MB = 10**6
AT = Span(0, 900, 901)
GROUP = RunningGroup(3, lossless=True, pool="ingress_lossless_pool", alpha=0.25, origins={"alpha": AT})
POOL = RunningPool("ingress_lossless_pool", "ingress", lossless=True, size=30 * MB, origins={"size": AT})
LOSSY = RunningPool("ingress_lossy_pool", "ingress", lossless=False, size=5 * MB)


def device(*pools: RunningPool, group: RunningGroup = GROUP, **section: object) -> Device:
    """A switch of Tomahawk 5, of which profiles say other figures, with these pools."""
    at = Places()
    of = switch(
        at,
        [port(at, "Ethernet0", groups=(group,))],
        running=Running("config_db", pools=pools),
        **{"platform": "dell-z9864f", **section},
    )
    fabric = loaded(of).fabric
    assert fabric is not None
    return fabric.devices[0]


def test_the_size_of_the_pool_is_the_one_stated() -> None:
    of = device(POOL, LOSSY)
    assert (of.pools.lossless, of.pools.at("lossless")) == (30 * MB, AT)
    assert of.pools.shared_headroom == 0
    assert of.pools.total == device().pools.total  # the chip's


def test_the_headroom_pool_is_the_one_stated() -> None:
    pool = RunningPool("ingress_lossless_pool", "ingress", lossless=True, size=30 * MB, shared_headroom=2 * MB)
    assert device(pool).pools.shared_headroom == 2 * MB


@pytest.mark.parametrize(
    "pools",
    [
        (),
        (RunningPool("ingress_lossless_pool", "ingress", lossless=True),),  # worked out by the switch
        (RunningPool("egress_lossless_pool", "egress", lossless=True, size=1 * MB),),
        (RunningPool("another", "ingress", lossless=True, size=1 * MB),),  # the groups draw from elsewhere
    ],
)
def test_pools_that_say_nothing_of_it_leave_what_profiles_say(pools: tuple[RunningPool, ...]) -> None:
    assert device(*pools).pools == device().pools
    assert device().pools.lossless != 30 * MB


def test_alpha_is_that_of_the_lossless_group() -> None:
    (of,) = device(POOL).ports
    assert (of.alpha, of.at("alpha")) == (0.25, AT)


def test_a_group_that_pauses_at_a_fixed_size_has_no_alpha() -> None:
    (of,) = device(POOL, group=RunningGroup(3, lossless=True, pool=POOL.name, static=1000)).ports
    assert of.alpha is None


@pytest.mark.parametrize("group", [RunningGroup(0, lossless=False, alpha=8), RunningGroup(3, lossless=True)])
def test_other_groups_do_not_change_alpha(group: RunningGroup) -> None:
    (of,) = device(POOL, group=group).ports
    assert of.alpha == 1  # of the box's own headroom table: dynamic_th 0
