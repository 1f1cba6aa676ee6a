"""Write a fabric of 10 to 10,000 switches as an intent: one file of node sets, or one file a switch.

    python benchmarks/generate.py OUT --switches 10000 --layout files

Both layouts say the same fabric. It is made of pods of ten switches, eight leaves and two spines, none oversubscribed:
a leaf has 16 x 400G to hosts and 16 x 400G up, eight to each spine. The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

POD = 10
LEAVES = 8
SPINES = 2
MOST = 10_000


class Naming(NamedTuple):
    """How a NOS names the front ports of its 64 x 800G platform."""

    platform: str
    version: str
    # node set of undivided cages: {low}-{high} are cages, {from0}-{to0} the same from 0, {low0}-{high0} these times 8
    whole: str
    split: str  # node set of cages divided into two ports: the same, {end} being the number of the last port
    one: str  # one undivided port
    half: str  # one half of a divided cage
    ecn: str = "{kmin: 400KB, kmax: 1200KB, pmax: 20%}"


NAMINGS = {
    "sonic": Naming(
        "arista-7060x6-64pe",
        "202505",
        "Ethernet[{low0}-{high0}/8]",
        "Ethernet[{low0}-{end}/4]",
        "Ethernet{n}",
        "Ethernet{n}",
    ),
    "spectrum": Naming(
        "nvidia-sn5600", "5.14", "swp[{low}-{high}]", "swp[{low}-{high}]s[0-1]", "swp{cage}", "swp{cage}s{side}"
    ),
    "arista": Naming(
        "arista-7060x6-64pe",
        "4.33.2F",
        "Ethernet[{low}-{high}]/1",
        "Ethernet[{low}-{high}]/[1,5]",
        "Ethernet{cage}/1",
        "Ethernet{cage}/{lane}",
    ),
    "junos": Naming(
        "juniper-qfx5240-64od",
        "23.4X100-D31",
        "et-0/0/[{from0}-{to0}]",
        "et-0/0/[{from0}-{to0}]:[0-1]",
        "et-0/0/{cage0}",
        "et-0/0/{cage0}:{side}",
        "{kmin: 55%, kmax: 90%, pmax: 100%}",  # of the queue's buffer
    ),
    "nxos": Naming(
        "cisco-9364e-sg2",
        "10.5(3)",
        "Ethernet1/[{low}-{high}]",
        "Ethernet1/[{low}-{high}]/[1-2]",
        "Ethernet1/{cage}",
        "Ethernet1/{cage}/{part}",
    ),
}

# Cages 1-32 are whole 800G ports, 33-64 two 400G ports each. Port i of the latter is half i % 2 of cage 33 + i // 2.
UPLINKS = (33, 40)  # on a leaf: eight ports to each spine
HOSTS = (41, 48)
STORAGE = (49, 52)
DOWNLINKS = (33, 64)  # on a spine: eight ports from each leaf
EDGE = (1, 16)
SPARE = (17, 24)
_LOSSY = "classes: [storage, control, default]"


def _cages(form: str, low: int, high: int) -> str:
    eighths = {"low0": 8 * (low - 1), "high0": 8 * (high - 1), "end": 8 * (high - 1) + 4}
    return form.format(low=low, high=high, from0=low - 1, to0=high - 1, **eighths)


def _half(naming: Naming, port: int) -> str:
    cage, side = 33 + port // 2, port % 2
    return naming.half.format(
        cage=cage, cage0=cage - 1, side=side, lane=1 + 4 * side, part=1 + side, n=8 * (cage - 1) + 4 * side
    )


def _whole(naming: Naming, cage: int) -> str:
    return naming.one.format(cage=cage, cage0=cage - 1, n=8 * (cage - 1))


def _link(a: str, b: str, more: str = "") -> str:
    return f'  - {{a: "{a}", b: "{b}", cable: 30m{more}}}\n'


def _label(number: int, port: int) -> str:
    """The label on a cable, as a cable database has it."""
    return f", description: C{number:05d}-{port:02d}"


def _head(name: str, vendor: str, layout: str) -> str:
    """What both layouts share: the fabric, its classes and timers."""
    restoration = "" if vendor == "spectrum" else ", restoration_time: 400ms"  # Cumulus Linux has no such setting
    watchdog = f"{{detection_time: 200ms{restoration}, poll_interval: 100ms, action: drop}}"
    watchdog = "vendor-default" if vendor == "nxos" else watchdog  # NX-OS has its own times
    include = "include: [devices/*.yaml]\n" if layout == "files" else ""
    return f"""# Written by benchmarks/generate.py.
rocecfg: 1
{include}fabric: {{name: {name}, kind: converged, topology: clos, mtu: 9000}}
classes:
  rdma:
    carries: [rdma]
    dscp: 26
    priority: 3
    lossless: true
    bandwidth: 80
    ecn: {NAMINGS[vendor].ecn}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  control: {{carries: [control], dscp: 56, priority: 7, bandwidth: strict}}
  storage: {{carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 10}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 10}}
pfc:
  watchdog: {watchdog}
defaults: {{vendor: {vendor}, version: "{NAMINGS[vendor].version}"}}
"""


def _leaf(naming: Naming, about: str) -> str:
    """The settings of a leaf, but for its name; `about` is what differs from leaf to leaf."""
    return f"""    role: leaf
    platform: {naming.platform}
{about}    ports:
      "{_cages(naming.split, *UPLINKS)}": {{speed: 400G, faces: switch, cable: 30m}}
      "{_cages(naming.split, *HOSTS)}": {{speed: 400G, faces: host, cable: 5m}}
      "{_cages(naming.split, *STORAGE)}": {{speed: 400G, faces: storage, cable: 5m, {_LOSSY}}}
"""


def _spine(naming: Naming, vendor: str, about: str) -> str:
    """The settings of a spine; its watchdog waits until the leaves have dealt with a storm."""
    restoration = "" if vendor == "spectrum" else ", restoration_time: 800ms"
    watchdog = f"    pfc: {{watchdog: {{detection_time: 400ms{restoration}}}}}\n" if vendor != "nxos" else ""
    return f"""    role: spine
    platform: {naming.platform}
{about}{watchdog}    ports:
      "{_cages(naming.split, *DOWNLINKS)}": {{speed: 400G, faces: switch, cable: 30m}}
      "{_cages(naming.whole, *EDGE)}": {{speed: 800G, faces: edge, cable: 30m, classes: [control, default]}}
      "{_cages(naming.whole, *SPARE)}": {{speed: 800G, faces: storage, cable: 30m, {_LOSSY}}}
"""


def _about(number: int, text: str, host: str) -> str:
    """What no two switches share."""
    return f"""    description: {text}
    hostname: {host}.fabric.example.net
    address: 10.{number >> 16}.{number >> 8 & 255}.{number & 255}/32
"""


def nodesets(switches: int, vendor: str) -> str:
    """The fabric as one file: two device keys, three lines of links, whatever its size."""
    naming = NAMINGS[vendor]
    pods = f"p[0001-{switches // POD:04d}]"
    lines = [
        _head(f"fabric-{switches}", vendor, "nodesets"),
        "devices:\n",
        f'  "{pods}-leaf[1-{LEAVES}]":\n',
        _leaf(naming, ""),
        f'  "{pods}-spine[1-{SPINES}]":\n',
        _spine(naming, vendor, ""),
        "links:\n",
    ]
    down = _cages(naming.split, *DOWNLINKS)
    for spine in range(1, SPINES + 1):
        up = _cages(naming.split, UPLINKS[0] + 4 * (spine - 1), UPLINKS[0] + 4 * spine - 1)
        lines.append(_link(f"{pods}-leaf[1-{LEAVES}]:{up}", f"{pods}-spine{spine}:{down}"))
    edge = _cages(naming.whole, *EDGE)
    lines.append(_link(f"{pods}-spine[1-{SPINES}]:{edge}", f"{pods}-edge[1-{SPINES}]:et[1-{EDGE[1]}]"))
    return "".join(lines)


def files(switches: int, vendor: str) -> dict[str, str]:
    """The fabric as one file a switch, with its 16 links, by path below the root; `fabric.yaml` includes them."""
    out = {"fabric.yaml": _head(f"fabric-{switches}", vendor, "files")}
    for number in range(switches):
        pod, place = divmod(number, POD)
        leaf, spine = place + 1, place + 1 - LEAVES
        name = f"p{pod + 1:04d}-" + (f"leaf{leaf}" if leaf <= LEAVES else f"spine{spine}")
        make = _leaf_file if leaf <= LEAVES else _spine_file
        out[f"devices/{name}.yaml"] = make(number, name, vendor)
    return out


def _leaf_file(number: int, name: str, vendor: str) -> str:
    """One leaf with its uplinks: eight to each spine of its pod."""
    naming = NAMINGS[vendor]
    pod, place = divmod(number, POD)
    body = _leaf(naming, _about(number, f"pod {pod + 1}, rack {place + 1}, leaf {place + 1} of {LEAVES}", name))
    links = [
        _link(
            f"{name}:{_half(naming, 8 * spine + k)}",
            f"p{pod + 1:04d}-spine{spine + 1}:{_half(naming, 8 * place + k)}",
            _label(number, 8 * spine + k),
        )
        for spine in range(SPINES)
        for k in range(8)
    ]
    return f"devices:\n  {name}:\n{body}links:\n{''.join(links)}"


def _spine_file(number: int, name: str, vendor: str) -> str:
    """One spine with its links to an edge router."""
    naming = NAMINGS[vendor]
    pod, place = divmod(number, POD)
    spine = place + 1 - LEAVES
    body = _spine(naming, vendor, _about(number, f"pod {pod + 1}, rack {place + 1}, spine {spine} of {SPINES}", name))
    links = [
        _link(f"{name}:{_whole(naming, cage)}", f"p{pod + 1:04d}-edge{spine}:et{cage}", _label(number, cage - 1))
        for cage in range(EDGE[0], EDGE[1] + 1)
    ]
    return f"devices:\n  {name}:\n{body}links:\n{''.join(links)}"


def check(switches: int) -> None:
    """Raise ValueError for a number of switches that is not a multiple of ten from 10 to 10,000."""
    if switches % POD or not POD <= switches <= MOST:
        raise ValueError(f"{switches} switches: a multiple of {POD} from {POD} to {MOST} is wanted")


def write(out: Path, switches: int, layout: str, vendor: str = "sonic") -> Path:
    """Write a fabric to a folder and return its root file.

    Raises ValueError as `check` does, and OSError where the folder exists or cannot be made.
    """
    check(switches)
    texts = files(switches, vendor) if layout == "files" else {"fabric.yaml": nodesets(switches, vendor)}
    (out / "devices" if layout == "files" else out).mkdir(parents=True)
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
    return out / "fabric.yaml"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Write a fabric of 10 to 10,000 switches.")
    parser.add_argument("out", type=Path, help="folder to write to; must not exist")
    parser.add_argument("--switches", type=int, default=100, help="a multiple of ten; default 100")
    parser.add_argument("--layout", choices=("nodesets", "files"), default="nodesets")
    parser.add_argument("--vendor", choices=sorted(NAMINGS), default="sonic")
    args = parser.parse_args()
    try:
        print(write(args.out, args.switches, args.layout, args.vendor))
    except (ValueError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
