"""Fabrics of many files, and what people do to these: for tests that compare a lint with a cache to one without."""

from __future__ import annotations

import random
from pathlib import Path

from intents import write

from rocecfg.engine.cache import keep, recall
from rocecfg.engine.discover import discover
from rocecfg.engine.run import Run, lint
from rocecfg.intent import Loaded
from rocecfg.report import github, gitlab, json_format, junit, sarif, text
from rocecfg.settings.find import Finder
from rocecfg.settings.policies import Policies
from rocecfg.settings.values import Layer
from rocecfg.source.document import SourceError, Sources

TODAY = "2026-06-30"
FORMATS = {
    "full": text.full,
    "concise": text.concise,
    "json": json_format.render,
    "sarif": sarif.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "junit": junit.render,
}
SPINE = 6  # every sixth switch is one

# -- fabrics -----------------------------------------------------------------------------------------------------------

CLASSES = """\
classes:
  rdma: {{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 80, ecn: {ecn}}}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  control: {{carries: [control], dscp: 56, priority: 7, bandwidth: strict}}
  storage: {{carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 10}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 10}}
"""
CURVE = "{kmin: 400KB, kmax: 1200KB, pmax: 20%}"
WATCHDOG = "pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}"


def name_of(number: int) -> str:
    """leaf01 to leaf05, spine06, leaf07 ..."""
    return f"spine{number:02}" if number % SPINE == 0 else f"leaf{number:02}"


def plain_device(number: int, more: str = "", links: str = "") -> str:
    """A file of one device, which says all of its ports itself."""
    name = name_of(number)
    return f"""\
devices:
  {name}:
    role: {name[:-2]}
    platform: arista-7060x6-64pe
    description: number {number}
    address: 10.0.0.{number}/32
{more}    ports:
      "Ethernet[0-56/8]": {{speed: 400G, faces: switch, cable: 30m}}
      "Ethernet[64-120/8]": {{speed: 400G, faces: host, cable: 5m}}
{links}"""


def plain_fabric(count: int = 24, root: str = "") -> dict[str, str]:
    """A fabric in which nothing is wrong: the root and a file for each device. `root`: what the root says besides."""
    head = "rocecfg: 1\ninclude: [devices/*.yaml]\nfabric: {name: f, kind: converged, mtu: 9000}\n"
    top = head + CLASSES.format(ecn=CURVE) + WATCHDOG + '\ndefaults: {vendor: sonic, version: "202505"}\n' + root
    return {"fabric.yaml": top, **{f"devices/{name_of(n)}.yaml": plain_device(n) for n in range(1, count + 1)}}


def any_fabric(rng: random.Random) -> dict[str, str]:
    """A fabric of some style, in which much may be wrong."""
    count = rng.randint(30, 44)
    linked = rng.random() < 0.5  # what ports lead to is said by links
    pods = rng.random() < 0.3
    include = "[devices/*/*.yaml]" if pods else rng.choice(["[devices/*.yaml]", "./devices/*.yaml"])
    root = [
        "rocecfg: 1",
        f"include: {include}",
        f"fabric: {{name: f, kind: converged, mtu: 9000{rng.choice(['', ', mode: lossy', ', rtt: 8us, incast: 16'])}}}",
        CLASSES.format(ecn=rng.choice([CURVE, "auto", "off"])),
        rng.choice([WATCHDOG, "pfc: {watchdog: off}", f"{WATCHDOG[:-1]}, headroom: {{size: 60KB, xon: 10KB}}}}"]),
        f"defaults: {{vendor: {rng.choice(['sonic', 'spectrum', 'arista'])}{rng.choice(['', ', cable: 3m'])}}}",
    ]
    if rng.random() < 0.3:
        root.append("hosts:\n  h[1-9]: {nic: connectx-7, cable_len: 5m, buffer: 200KB, ib_timeout: 14}")
    if rng.random() < 0.2:
        root.append("telemetry: {scrape_interval: 60s, metrics: [pause], alerts: [cpu]}")
    if rng.random() < 0.3:
        root.append("devices:\n  leaf[01-44]: {role: leaf}")
    out = {"fabric.yaml": "\n".join(root) + "\n"}
    kinds = [rng.randint(0, 10**9) for _ in range(rng.randint(1, 3))]
    for number in range(1, count + 1):
        folder = f"devices/p{number // 8}" if pods else "devices"
        of_kind = random.Random(rng.choice(kinds))  # noqa: S311 - no secret
        out[f"{folder}/{name_of(number)}.yaml"] = _any_device(of_kind, number, count, linked=linked)
    if rng.random() < 0.2:
        out["rocecfg.toml"] = rng.choice(
            ['fail-on = "warning"\n', 'ignore = ["buffer"]\n', '[per-file-ignores]\n"devices/*" = ["buffer"]\n']
        )
    if rng.random() < 0.2:
        rule = "{name: cable, for: port, path: cable, operator: le, value: 100m, severity: warning}"
        out["rocecfg-rules.yaml"] = f"rules:\n  - {rule}\n"
    return out


def _any_device(rng: random.Random, number: int, count: int, *, linked: bool) -> str:
    name = name_of(number)
    lines = ["devices:", f"  {name}:", f"    description: number {number}", f"    address: 10.0.0.{number}/32"]
    if name.startswith("spine") or rng.random() < 0.5:
        lines.append(f"    role: {name[:-2]}")
    for chance, line in (
        (0.5, "platform: arista-7060x6-64pe"),
        (0.2, 'version: "202411"'),
        (0.2, "pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}"),
        (0.2, "classes: {rdma: {ecn: {kmin: 300KB, kmax: 900KB, pmax: 10%}}}"),
    ):
        if rng.random() < chance:
            lines.append(f"    {line}")
    up = rng.choice(["", ", faces: switch", ", cable: 30m"]) if linked else ", faces: switch, cable: 30m"
    down = rng.choice(["", ", trust: pcp", ", pfc: {watchdog: off}", ", classes: [default, control]", ", mtu: 1500"])
    lines += [
        "    ports:",
        f'      "Ethernet[0-56/8]": {{speed: 400G{up}}}',
        f'      "Ethernet[64-120/8]": {{speed: 400G, faces: host, cable: 5m{down}}}',
    ]
    if rng.random() < 0.7:
        lines.append("links:")
        spine = min(count // SPINE, number // SPINE + 1) * SPINE
        for k in range(rng.randint(1, 3)):
            far = rng.choice(["h1", "nobody"]) if rng.random() < 0.1 else name_of(spine if number % SPINE else 1)
            cable = rng.choice([", cable: 30m", "", ", cable: 300m"])
            ends = f'a: "{name}:Ethernet{8 * k}", b: "{far}:Ethernet{8 * ((number + k) % 8)}"'
            lines.append(f"  - {{{ends}{cable}}}")
    if rng.random() < 0.05:
        lines.append("# rocecfg: ignore[buffer-headroom] -- known")
    return "\n".join(lines) + "\n"


# -- changes -----------------------------------------------------------------------------------------------------------

EDITS = (
    ("speed: 400G", "speed: 800G"),
    ("speed: 400G, faces: host", "speed: 100G, faces: host"),
    ("speed: 400G", "speed: 40x"),
    ("cable: 5m", "cable: 900m"),
    ("cable: 30m", "cable: 31m"),
    ("cable: 300m", "cable: 2km"),
    (", cable: 30m", ""),
    (", faces: switch", ""),
    ("faces: host", "faces: switch"),
    ("role: leaf", "role: spine"),
    ("platform: arista-7060x6-64pe", "platform: nobody"),
    ("description: number", "description: No."),
    ('version: "202411"', 'version: "202311"'),
    ("    address:", "    adress:"),
    ("    ports:", "    mtu: 4200\n    ports:"),
    ("    ports:", "    classes: {rdma: {ecn: {kmin: 1KB, kmax: 2KB, pmax: 100%}}}\n    ports:"),
    ("    ports:", "    classes: {rdma: {priority: 4}}\n    ports:"),
    ("    ports:", "    pfc: {watchdog: off}\n    ports:"),
    ("    ports:", "    pfc: {headroom: 9MB}\n    ports:"),
    ("    ports:", "    vendor: arista\n    ports:"),
    ("    ports:", "    # rocecfg: ignore[watchdog-missing] -- why\n    ports:"),
    ("Ethernet[0-56/8]", "Ethernet[0-64/8]"),
    ("trust: pcp", "trust: dscp"),
    ("mtu: 1500", "mtu: 9100"),
    ("[default, control]", "[default, contrl]"),
    ("links:", 'links:\n  - {a: "leaf01:Ethernet64", b: "leaf02:Ethernet64", cable: 50m}'),
    ("links:", 'links:\n  - {a: "leaf01:Ethernet64", b: "who:Ethernet64", cable: 50m}'),
    ("devices:\n", "# moved down\n\ndevices:\n"),
    ("devices:\n", "pfc: {watchdog: off}\ndevices:\n"),
)


def edited(rng: random.Random, content: str) -> str:
    """A file as somebody left it who changed one thing, or took such a change back."""
    for _ in range(20):
        old, new = rng.choice(EDITS)
        if new and rng.random() < 0.3:
            old, new = new, old
        if old in content:
            return content.replace(old, new, 1)
    return content + "# more\n"


def rewrite(folder: Path, files: dict[str, str]) -> None:
    """Write the files that say something else than they did; remove what is no longer among them."""
    write(folder, {name: said for name, said in files.items() if _said(folder / name) != said})
    for path in (folder / "devices").rglob("*.yaml"):
        if str(path.relative_to(folder)) not in files:
            path.unlink()


def _said(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


# -- lints -------------------------------------------------------------------------------------------------------------


def whole(*paths: str, noting: bool = False) -> dict[str, str]:
    """What a lint that reads all files prints, in each format; `noting`: it writes the cache."""
    sources = Sources()
    found = discover(paths, sources, noting=noting)
    fabrics = found.fabrics + [_stranger(path) for path in found.strangers]
    run = lint(fabrics, sources, focus=found.focus, today=TODAY, policies=_policies(fabrics))
    if noting:
        keep(found, sources, None)
    return _printed(run)


def by_cache(*paths: str) -> dict[str, str] | None:
    """The same of a lint that reads what the cache does not know; None where it cannot be by that."""
    recalled = recall(paths)
    if recalled is None:
        return None
    found, sources, _ = recalled
    policies = _policies(found.fabrics)
    run = lint(found.fabrics, sources, focus=found.focus, today=TODAY, policies=policies)
    if not recalled.holds(run, policies):
        return None
    keep(found, sources, recalled)
    return _printed(run)


def files_read(*paths: str) -> list[str] | None:
    """The files that a lint with the cache reads; None where it cannot be used."""
    recalled = recall(paths)
    return [d.path for d in recalled.sources.documents if d.is_read] if recalled is not None else None


def _stranger(path: str) -> Loaded:
    return Loaded(path, None, (), [], [SourceError(path, "belongs to no intent")])


def _policies(fabrics: list[Loaded]) -> Policies | None:
    finder = Finder()
    return Policies(finder, Layer()) if any(finder.settings(one.root) for one in fabrics) else None


def _printed(run: Run) -> dict[str, str]:
    ends = f"failing {run.failing}, unreadable {run.unreadable}, failed {list(map(str, run.failed))}"
    return {name: form(run) for name, form in FORMATS.items()} | {"end": ends}


def repository(folder: Path, files: dict[str, str]) -> None:
    """Write a fabric where nothing above it is looked at."""
    (folder / ".git").mkdir(parents=True)
    write(folder, files)
