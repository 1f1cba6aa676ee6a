"""Which HwSKU the update gate of `config apply-patch` knows, and from which release and build date.

Facts of gcu_field_operation_validators.conf.json and field_operation_validators.py in sonic-utilities, heads of the
branches 202205 to 202605 and of master in July 2026. Branch 202211 has no gate.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.sonic.release import MASTER

FIRST_RELEASE = 202205
WITHOUT_GATE = (202211,)


class Chip(NamedTuple):
    """From which release the gate takes changes on a chip, and from which build date: "" is never."""

    since: int
    tuning: str  # watchdog timers, dynamic_th, WRED thresholds
    headroom: str  # xoff of profiles and pools, pool sizes


CHIPS = {
    "spc1": Chip(202205, "20181100", "20191100"),
    "spc2": Chip(202205, "20191100", "20191100"),
    "spc3": Chip(202205, "20220500", "20220500"),
    "spc4": Chip(202205, "20221100", "20221100"),
    "spc5": Chip(202505, "20241200", "20241200"),
    "spc6": Chip(MASTER, "20260500", "20260500"),
    "th": Chip(202205, "20181100", "20221100"),
    "th2": Chip(202205, "20181100", "20221100"),
    "th3": Chip(202405, "20240500", "20240500"),
    "th4": Chip(202405, "20240500", "20240500"),
    "th5": Chip(202405, "20240500", "20240500"),
    "th6": Chip(202605, "20251100", "20251100"),
    "td2": Chip(202205, "20181100", ""),
    "td3": Chip(202205, "20201200", "20221100"),
    "td4": Chip(202505, "20241100", "20241100"),
    "j2c+": Chip(202405, "20220500", "20220500"),
    "q2c+": Chip(202505, "20241100", "20241100"),
    "q3d": Chip(202511, "20251100", "20251100"),
    "cisco-8000": Chip(202305, "20201200", "20201200"),  # 202205 takes watchdog timers only
    "marvell-teralynx": Chip(202511, "20241100", ""),
}  # jr2 has HwSKUs and no dates: refused

# Chip, first release, last release (None: still), HwSKUs. NVIDIA names match whole, Broadcom ones as a part.
HWSKUS: tuple[tuple[str, int, int | None, tuple[str, ...]], ...] = (
    ("spc1", 202205, None, ("ACS-MSN2700", "ACS-MSN2740", "ACS-MSN2100", "ACS-MSN2410", "ACS-MSN2010")),
    ("spc1", 202205, None, ("Mellanox-SN2700", "Mellanox-SN2700-D48C8")),
    ("spc1", 202305, None, ("Mellanox-SN2700-C28D8", "Mellanox-SN2700-D40C8S8", "Mellanox-SN2700-D44C10")),
    ("spc1", 202305, None, ("ACS-MSN2700-A1", "Mellanox-SN2700-A1", "Mellanox-SN2700-A1-C28D8")),
    ("spc1", 202305, None, ("Mellanox-SN2700-A1-D40C8S8", "Mellanox-SN2700-A1-D44C10")),
    ("spc1", 202305, None, ("Mellanox-SN2700-A1-D48C8",)),
    ("spc2", 202205, None, ("ACS-MSN3800", "Mellanox-SN3800-D112C8")),
    ("spc2", 202305, None, ("ACS-MSN3420", "ACS-MSN3700C", "ACS-MSN3700", "Mellanox-SN3800-C64")),
    ("spc2", 202305, None, ("Mellanox-SN3800-D100C12S2", "Mellanox-SN3800-D24C52", "Mellanox-SN3800-D28C49S1")),
    ("spc2", 202305, None, ("Mellanox-SN3800-D28C50",)),
    ("spc3", 202205, None, ("ACS-MSN4700", "ACS-MSN4600", "ACS-MSN4600C", "ACS-MSN4410")),
    ("spc3", 202205, None, ("Mellanox-SN4600C-D112C8", "Mellanox-SN4600C-C64", "Mellanox-SN4700-O8C48")),
    ("spc3", 202305, None, ("Mellanox-SN4600C-D100C12S2", "Mellanox-SN4600C-D48C40", "Mellanox-SN4700-A96C8V8")),
    ("spc3", 202305, None, ("Mellanox-SN4700-C128", "Mellanox-SN4700-O28", "Mellanox-SN4700-O8V48")),
    ("spc3", 202305, None, ("Mellanox-SN4700-V48C32",)),
    ("spc3", 202311, None, ("Mellanox-SN4700-O32", "Mellanox-SN4700-V64")),
    ("spc3", 202405, None, ("ACS-SN4280", "Mellanox-SN4280-O28")),
    ("spc3", 202411, None, ("Mellanox-SN4280-C48", "Mellanox-SN4280-O8C40", "Mellanox-SN4280-O8V40")),
    ("spc3", 202505, None, ("Mellanox-SN4280-O8C80",)),
    ("spc3", 202511, None, ("Mellanox-SN4280-O4X96",)),
    ("spc4", 202205, None, ("ACS-SN5600",)),
    ("spc4", 202311, None, ("Mellanox-SN5600-O128", "Mellanox-SN5600-V256", "ACS-SN5400")),
    ("spc4", 202405, None, ("Mellanox-SN5600-C256S1", "Mellanox-SN5600-C224O8")),
    ("spc4", 202411, None, ("Mellanox-SN5610N-C256S2", "Mellanox-SN5610N-C224O8")),
    ("spc5", 202505, None, ("ACS-SN5640", "Mellanox-SN5640-C512S2", "Mellanox-SN5640-C448O16")),
    ("spc5", 202511, None, ("Mellanox-SN5640-C512X2", "Mellanox-SN5640-C508O1X2", "Mellanox-SN5640-O128X2")),
    ("spc6", MASTER, None, ("ACS-SN6600_LD", "Mellanox-SN6600_LD-P128C2", "Mellanox-SN6600_LD-P64O128C2")),
    ("spc6", MASTER, None, ("ACS-SN6810_LD",)),
    ("th", 202205, None, ("Force10-S6100", "Arista-7060CX-32S-C32", "Arista-7060CX-32S-C32-T1")),
    ("th", 202205, None, ("Arista-7060CX-32S-D48C8", "Celestica-DX010-C32", "Seastone-DX010")),
    ("th2", 202205, None, ("Arista-7260CX3-D108C8", "Arista-7260CX3-C64", "Arista-7260CX3-Q64")),
    ("th2", 202405, None, ("Arista-7260CX3-D108C10",)),
    ("th2", 202511, 202511, ("Arista-7260CX3-Q44",)),
    ("th2", MASTER, None, ("Arista-7260CX3-Q44",)),
    ("th3", 202405, None, ("Nokia-IXR7220-H3",)),
    ("th4", 202405, None, ("Nokia-IXR7220-H4-64D", "Nokia-IXR7220-H4-32D")),
    ("th5", 202405, None, ("Nokia-IXR7220-H5-64D",)),
    ("th5", 202411, None, ("Arista-7060X6-64DE", "Arista-7060X6-64PE")),
    ("th5", 202505, None, ("Arista-7060X6-64PE-C224O8", "Arista-7060X6-64PE-C256S2", "Nokia-IXR7220-H5-64O")),
    ("th5", 202505, None, ("Nokia-IXR7220-H5-32D", "Arista-7060X6-64PE-B-C512S2")),
    ("th5", 202505, None, ("Arista-7060X6-64PE-B-C448O16", "Arista-7060X6-64PE-B-O128")),
    ("th5", 202505, None, ("Arista-7060X6-64PE-B-O128S2", "Arista-7060X6-16PE-384C-B-O128S2")),
    ("th5", 202511, None, ("Arista-7060X6-64PE-B-P32O64", "Arista-7060X6-64PE-B-P64")),
    ("th5", 202511, None, ("Arista-7060X6-64PE-B-P32V128", "Arista-7060X6-64PE-O128")),
    ("th5", 202511, None, ("Arista-7060X6-64PE-O128S2", "Arista-7060X6-64PE-P32O64", "Arista-7060X6-64PE-P64")),
    ("th5", 202511, None, ("Arista-7060X6-64PE-P32V128",)),
    ("th6", 202605, None, ("Nokia-IXR7220-H6-64", "Nokia-IXR7220-H6-P128", "Nokia-IXR7220-H6-O256")),
    ("td2", 202205, None, ("Force10-S6000", "Force10-S6000-Q24S32", "Arista-7050-QX32", "Arista-7050-QX-32S")),
    ("td2", 202205, None, ("Nexus-3164", "Arista-7050QX32S-Q32")),
    ("td3", 202205, None, ("Arista-7050CX3-32S-C32", "Arista-7050CX3-32S-D48C8")),
    ("td3", 202405, None, ("Arista-7050CX3-32S-C28S4",)),
    ("td3", 202505, None, ("Arista-7050CX3-32C-C32",)),
    ("td3", 202605, None, ("Arista-7050CX3-32C-C28S4",)),
    ("td4", 202505, None, ("Nokia-IXR7220-D4-36D",)),
    ("j2c+", 202405, None, ("Nokia-IXR7250E-36x100G", "Nokia-IXR7250E-36x400G")),
    ("j2c+", 202505, None, ("Nokia-IXR7250-X3B",)),
    ("j2c+", 202511, None, ("Arista-7800R3A-36DM2-D36",)),
    ("q2c+", 202505, None, ("Nokia-IXR7250-X1B",)),
    ("jr2", 202511, None, ("Arista-7800R3-48CQ2-C48", "Arista-7800R3-48CQM2-C48", "Arista-7808R3A-FM")),
    ("q3d", 202511, None, ("Arista-7280R4-32QF-32DF-64O", "Arista-7280R4K-32QF-32DF-64O")),
)

_VOQ_CHIPS = frozenset(("j2c+", "q2c+", "jr2", "q3d"))  # Broadcom DNX; the other chips have no virtual output queues


def lacks_voq(hwsku: str) -> bool:
    """Whether the chip behind a HwSKU is known to have no virtual output queues."""
    name = hwsku.lower()
    chips = {chip for chip, _, _, skus in HWSKUS if name in map(str.lower, skus)}
    return bool(chips) and chips.isdisjoint(_VOQ_CHIPS)
