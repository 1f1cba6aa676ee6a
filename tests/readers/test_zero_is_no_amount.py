"""Values of 0 that are no amounts: set in a sound configuration, none is read as a size or a rate of nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from agreement_cases import written

from rocecfg.intent import load
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts

SHAPED = {"share": "bandwidth: 60\n    max_rate: 100G"}


class Read(NamedTuple):
    """What a changed configuration is read as, and what is found in it but for notes."""

    device: Device
    findings: list[Finding]

    @property
    def grave(self) -> list[str]:
        """The messages that are no info."""
        return [f"{f.rule.name}: {f.message}" for f in self.findings if f.severity != "info"]


def read(folder: Path, vendor: str, stated: dict[str, str], pattern: str, value: str) -> Read:
    """The rendered configuration with what a pattern finds after its key replaced."""
    path = folder / "fabric.yaml"
    path.write_text(written(vendor, stated), encoding="utf-8")
    fabric = load(str(path), Sources()).fabric
    assert fabric is not None
    file = next(f for f in render_files(fabric, vendor) if f.name.startswith("leaf01."))
    text, count = re.subn(pattern, rf"\g<1>{value}", file.text)
    assert count
    sources = Sources()
    document = sources.add(file.name, text)
    loaded = fabric_of(file.name, [(document, read_drafts(document, vendor))], [], sources)
    found, failed = judge(loaded)
    assert not failed
    assert loaded.fabric is not None
    return Read(loaded.fabric.devices[0], found)


def test_a_threshold_of_zero_is_the_whole_buffer_on_sonic(tmp_path: Path) -> None:
    # SAI, inc/saiwred.h 0e1fcb6f: thresholds are 1 to the size of the buffer; 0, the default, is that size
    for ends, harm in (("min|max", "never marks"), ("min", "never marks"), ("max", "never marks all")):
        got = read(tmp_path, "sonic", {}, rf'("\w+_(?:{ends})_threshold": ")\d+', "0")
        (told,) = [message for message in got.grave if message.startswith("ecn-order")]
        assert "its whole buffer" in told
        assert told.endswith(harm)
        rdma = next(cls for cls in got.device.classes if cls.lossless)
        assert rdma.ecn is None, "no curve that begins at 0 bytes"
    sound = read(tmp_path, "sonic", {}, r'("\w+_min_threshold": ")\d+', "400001")
    assert sound.grave == []


def test_a_shaper_of_zero_is_no_rate(tmp_path: Path) -> None:
    # NVUE takes 0 to 2147483647 kbit/s. NVIDIA's pages have that as the default, 0 as the least without a guarantee,
    # and nothing of 0 as the most
    got = read(tmp_path, "spectrum", SHAPED, r"(max-rate: )\d+", "0")
    assert got.grave == []
    assert [f for f in got.findings if f.rule.name == "device-unread" and "max-rate 0" in f.message]
    assert all(cls.max_rate is None for cls in got.device.classes)
    # SAI, inc/saischeduler.h: a MAX_BANDWIDTH_RATE of 0 is no limit; sonic-scheduler.yang has pir >= cir > 0
    pir = read(tmp_path, "sonic", SHAPED, r'("pir": ")\d+', "0")
    (told,) = pir.grave
    assert told.endswith(
        "pir 0, which means no limit on the chip (SAI), is below cir 1: sonic-scheduler.yang refuses it"
    )
    assert all(cls.max_rate is None for cls in pir.device.classes)
    whole = read(tmp_path, "spectrum", SHAPED, r"(max-rate: )(\d+)", r"\g<2>\n          port-max-rate: 0")
    assert whole.grave == []
    (told,) = [f.message for f in whole.findings if "port-max-rate" in f.message]
    assert told.startswith("port-max-rate 0 of egress-shaper profile rocecfg-shaper, which no page of NVIDIA documents")
    rated = read(tmp_path, "arista", SHAPED, r"(shape rate )\d+", "0")  # EOS takes 1 to 4294967295
    assert "EOS takes rate 1 to 4294967295, not 0" in rated.grave[0]
    near = read(tmp_path, "spectrum", SHAPED, r"(max-rate: )\d+", "1")
    assert [cls.max_rate for cls in near.device.classes if cls.max_rate] == [1000]


def test_a_promise_beside_a_shaper_of_zero_contradicts_nothing(tmp_path: Path) -> None:
    got = read(tmp_path, "spectrum", SHAPED, r"(max-rate: )\d+", "0\n              min-rate: 100")
    assert got.grave == []
