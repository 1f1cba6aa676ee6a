"""From the HwSKU in a configuration to the platform whose tables and pools the switch has."""

from __future__ import annotations

import pytest

from rocecfg.profiles import SHIPPED
from rocecfg.vendors.sonic.reading.boxes import box_of, platform_of


def hwskus() -> list[tuple[str, str]]:
    """Every HwSKU that a platform's profile lists, and the platform."""
    found = []
    for name in SHIPPED.names("platforms"):
        sonic = dict(SHIPPED.entry("platforms", name).named("nos")).get("sonic")
        if sonic is not None:
            listed = [sku for table in sonic.entries("headroom") for sku in table.pairs("hwskus")]
            found += [(sku, name) for sku in (*listed, *sonic.pairs("lossy"))]
    return found


def test_every_hwsku_leads_to_a_platform_that_has_it() -> None:
    known = hwskus()
    assert len(known) > 200
    for sku, _ in known:
        platform = platform_of(sku, None)
        assert (sku, platform) in known
        assert platform is not None
        box = box_of(platform, sku, "master")
        assert box is not None
        assert box.hwsku == sku


@pytest.mark.parametrize(
    ("hwsku", "onie", "platform"),
    [
        ("DellEMC-Z9264f-C64", "x86_64-dellemc_z9264f_c3538-r0", "dell-z9264f"),
        ("ACS-MSN4600C", None, "nvidia-sn4600c"),
        ("ACS-MSN4600", None, "nvidia-sn4600"),  # not the beginning of another name
        ("Somebodys-Own", "x86_64-dellemc_z9264f_c3538-r0", "dell-z9264f"),  # by the box
        ("montara", "x86_64-accton_wedge100bf_32qs-r0", "accton-wedge100bf-32qs"),  # two boxes have that HwSKU
        ("montara", "x86_64-accton_wedge100bf_32x-r0", "accton-wedge100bf-32x"),
        ("Somebodys-Own", None, None),
        ("x", None, None),
        ("", None, None),
        ("../../etc/passwd", "/", None),
    ],
)
def test_the_platform_of_a_switch(hwsku: str, onie: str | None, platform: str | None) -> None:
    assert platform_of(hwsku, onie) == platform
