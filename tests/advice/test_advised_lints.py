"""What `rocecfg advise` proposes lints: written into the intent, it brings no new warning or error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from advice_cases import advised
from agreement_cases import SWITCHES, written
from followed import follow
from offers import lint
from sampling import few
from test_advice_holds import slips

from rocecfg.advice.advise import Overrides, advise
from rocecfg.intent import load
from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Sources

RELEASES = {
    "sonic": "202311 202405 202411 202505 202511 202605 202705",
    "spectrum": "5.3 5.5 5.6 5.9 5.12 5.14 5.18 6.2",
    "arista": "4.28.1F 4.33.2F 4.35.2F",
    "junos": "21.4R1 23.4R2 23.4X100-D31 24.4R1 25.4R1",
    "nxos": "9.3(5) 10.5(1) 10.7(1)",
}
PLATFORMS = {
    "sonic": "arista-7060x6-64pe nvidia-sn4700 nvidia-sn2700 arista-7050cx3-32s",
    "spectrum": "nvidia-sn5600 nvidia-sn4700 nvidia-sn2700",
    "arista": "arista-7060x6-64pe arista-7050cx3-32s arista-7280cr3-32d4",
    "junos": "juniper-qfx5240-64od juniper-qfx5120-48y juniper-qfx5220-32cd",
    "nxos": "cisco-9332d-gx2b cisco-93180yc-fx3",
}
PORTS = {
    "sonic": "Ethernet{}",
    "spectrum": "swp{}",
    "arista": "Ethernet{}/1",
    "junos": "et-0/0/{}",
    "nxos": "Ethernet1/{}",
}
SPEEDS = "10G 25G 100G 400G 800G"
DOG = "{detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}"
WATCHED = ("", "pfc: {watchdog: off}", "pfc: {watchdog: vendor-default}", f"pfc: {{watchdog: {DOG}}}")
ROOMS = ("", "headroom: auto", "headroom: {size: 40KB, xon: 1KB, xoff: 20KB}")
CURVES = ("", "ecn: off", "ecn: auto", "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}")
ROLES = (
    ("leaf", "spine"),
    ("spine", "leaf"),
    ("leaf", "leaf", "leaf"),
    ("a", "a", "a"),
    ("leaf", "spine", "core"),
    ("a", "b", "c", "d"),
)
AIMS = ("", ", mtu: 9000, rtt: 8us, incast: 32", ", incast: 256, rtt: 200us", ", workload: ai-training")


def tiers(vendor: str, platform: str, release: str, *, curve: str = "", pfc: str = "", **more: str) -> str:
    """Switches, one above the other, of which the first has a host."""
    first, last = (PORTS[vendor].format(n) for n in (8, 16))
    cable, speed, aims = more.get("cable", "5m"), more.get("speed", "100G"), more.get("aims", "")
    roles = more.get("roles", "leaf spine").split()
    out = written(vendor, {"ecn": curve, "pfc": pfc, "fabric": f"fabric: {{name: t{aims}}}"}).split("defaults:")[0]
    out += f'defaults: {{vendor: {vendor}, platform: {platform}, version: "{release}"}}\ndevices:\n'
    links = [f'{{a: "gpu1:nic0", b: "sw0:{first}"}}']
    for n, role in enumerate(roles):
        named = f"    role: {role}\n" if more.get("words", "yes") == "yes" else ""
        out += f"  sw{n}:\n{named}    ports:\n"
        for port, faces in ((first, "switch" if n else "host"), (last, "switch")):
            out += f'      "{port}": {{speed: {speed}, faces: {faces}, cable: {cable}}}\n'
        if n:
            links.append(f'{{a: "sw{n - 1}:{last}", b: "sw{n}:{first}"}}')
    return out + (f"links: [{', '.join(links)}]\n" if more.get("links", "yes") == "yes" else "")


def fabrics(vendor: str) -> Iterator[str]:
    """Intents in which each thing that a proposal goes by is varied."""
    platforms, releases = PLATFORMS[vendor].split(), RELEASES[vendor].split()
    usual = platforms[0], releases[len(releases) // 2]
    for platform in platforms:
        for release in releases:
            yield from (tiers(vendor, platform, release, curve=curve, pfc=pfc) for curve in CURVES for pfc in WATCHED)
        for speed in SPEEDS.split():
            for curve in CURVES:
                for room in ROOMS:
                    pfc = f"pfc: {{watchdog: {DOG}, {room}}}"
                    yield tiers(vendor, platform, usual[1], curve=curve, pfc=pfc, speed=speed, aims=AIMS[1])
    for roles in ROLES:
        for pfc in WATCHED:
            for words, links in (("yes", "no"), ("no", "yes"), ("yes", "yes"), ("no", "no")):
                yield tiers(vendor, *usual, curve="ecn: auto", pfc=pfc, roles=" ".join(roles), words=words, links=links)
    for aims in AIMS:
        yield from (tiers(vendor, *usual, aims=aims, cable=cable) for cable in ("1m", "300m", "2km"))


def check(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    before = lint(path, None).count("warning")
    proposed = follow(path)
    if proposed is None or proposed == text:
        return
    path.write_text(proposed, encoding="utf-8")
    after = lint(path, None)
    new = after.count("warning") - before
    assert not new, [f"{f.rule.name}: {f.message}" for f in after.findings if f.rule.name in new] + [proposed]


def test_what_is_proposed_lints(tmp_path: Path) -> None:
    assert {name for names in PLATFORMS.values() for name in names.split()} <= set(SHIPPED.names("platforms"))
    cases = [text for vendor in SWITCHES for text in fabrics(vendor)]
    for text in few(few(cases)):
        check(tmp_path / "fabric.yaml", text)


def test_what_is_proposed_where_one_value_is_wrong_lints(tmp_path: Path) -> None:
    for text in few(written(vendor, slip) for vendor in SWITCHES for slip in slips(vendor)):
        check(tmp_path / "fabric.yaml", text)


@pytest.mark.parametrize(
    ("vendor", "stated", "release"),
    [
        ("spectrum", {"pfc": "pfc: {watchdog: off}"}, "5.5"),  # NVUE has no watchdog before 5.6
        ("junos", {"ecn": "ecn: off"}, "23.4R2"),  # nor has Junos thresholds in bytes
        ("sonic", {"rest": "buffers: {model: dynamic}"}, "202405"),  # nor SONiC headroom of which xon is not known
    ],
)
def test_nothing_is_proposed_that_the_system_cannot_express(
    vendor: str, stated: dict[str, str], release: str, tmp_path: Path
) -> None:
    text = written(vendor, stated).replace("5.14", release)
    check(tmp_path / "fabric.yaml", text)
    (kind,) = advised(tmp_path, text)["kinds"]
    refused = {key: one["why"] for key, one in kind["settings"].items() if "cannot express" in one["why"]}
    assert refused
    assert all(kind["settings"][key]["advised"] is None for key in refused)


def test_ports_are_told_apart_by_what_they_are_and_not_by_the_word_for_their_switch(tmp_path: Path) -> None:
    usual = ("sonic", "arista-7060x6-64pe", "202511")
    path = tmp_path / "fabric.yaml"

    def timers(text: str) -> dict[str, float]:
        path.write_text(text, encoding="utf-8")
        fabric = load(str(path), Sources()).fabric
        assert fabric is not None
        found = advise(fabric, "", Overrides()).advices
        return {
            one.kind.device.key: setting.advised  # type: ignore[misc]
            for one in found
            for setting in one.settings
            if setting.key == "watchdog_detection_ms"
        }

    usual_words = timers(tiers(*usual, roles="leaf spine", links="no"))
    assert usual_words["sw0"] < usual_words["sw1"]
    assert timers(tiers(*usual, roles="a b", links="no")) == usual_words
    assert timers(tiers(*usual, roles="leaf leaf", links="no")) == usual_words
    assert timers(tiers(*usual, words="no", links="no")) == usual_words
    alike = tiers(*usual, roles="tor", links="no").replace("sw0:", "a:")
    other = alike.replace("role: tor", "role: agg").split("devices:\n")[1].replace("  a:", "  b:")
    path.write_text(alike + other, encoding="utf-8")
    fabric = load(str(path), Sources()).fabric
    assert fabric is not None
    kinds = [advice.kind for advice in advise(fabric, "", Overrides()).advices]
    assert [(kind.where, kind.role) for kind in kinds] == [("a,b:Ethernet8", None), ("a,b:Ethernet16", None)]
