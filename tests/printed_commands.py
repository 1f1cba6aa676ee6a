"""Every command that rocecfg prints for a system but SONiC: in fixes, notes, scripts, plans, task lists and pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from change_pairs import Case, lines
from checkout import ROOT
from intents import POLICY, loaded

from rocecfg import vendors
from rocecfg.linting.rendering import render_device
from rocecfg.model import Device, Fabric
from rocecfg.vendors import part
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.procedure import LINES
from rocecfg.vendors.rollout import make_safeguards
from rocecfg.vendors.spectrum.procedure import procedure_in

VENDORS = tuple(name for name in vendors.VENDORS if name != "sonic")  # SONiC's are `COMMANDS` of test_sonic_fixes
RELEASES = {"spectrum": ("5.8", "5.12", "5.14", "5.18"), "arista": ("4.33.2F",), "junos": ("23.4R2",)}
RELEASES |= {"nxos": ("10.5(1)",), "srlinux": ("24.10", "25.3")}
_PLATFORM = {
    "spectrum": ("nvidia-sn5600",),
    "arista": ("arista-7060x6-64pe", "arista-7280cr3-32d4"),
    "junos": ("juniper-qfx5240-64od",),
    "nxos": ("cisco-9364d-gx2a",),
    "srlinux": ("nokia-ixr7220-h4-32d",),
}
_PORTS = {"spectrum": "swp", "arista": "Ethernet%d/1", "junos": "et-0/0/%d", "nxos": "Ethernet1/%d"}
_PORTS |= {"srlinux": "ethernet-1/%d"}
_PLAIN = {"spectrum": "commands", "arista": "cli", "junos": "set", "nxos": "cli", "srlinux": "set"}
_MORE = {  # what else there is to be told
    "spectrum": (
        "",
        "load_balancing: {mode: ecmp}\n",
        "load_balancing: {mode: adaptive, hash: [src-ip, dst-ip, src-port, dst-port]}\n",
        "buffers: {pools: {lossless: 60%, lossy: 40%}, alpha: 1}\n",
    ),
    "arista": ("", "buffers: {alpha: 1}\n"),
    "junos": (
        "buffers: {queue_limit: 4MB, pools: {lossless: 60%, lossy: 40%}}\n",
        "buffers: {queue_limit: 4MB}\nload_balancing: {mode: flowlet}\n",
    ),
    "nxos": ("",),
    "srlinux": ("buffers: {queue_limit: 4MB}\n",),
}
_RAGGED = POLICY.replace("bandwidth: strict}", "bandwidth: strict, max_rate: 5%}").replace("dscp: 48", "dscp: [48, 49]")
_POLICIES = (
    POLICY,
    POLICY.replace("lossless: true, ", ""),
    POLICY.replace("priority: 3", "priority: 4"),
    POLICY.replace("  watchdog: {detection_time: 200ms", "  headroom: auto\n  watchdog: {detection_time: 400ms"),
    _RAGGED.replace("priority: 6", "priority: 5"),
)
_ROOTS = "acl|bridge|evpn|interface|maintenance|mlag|nve|platform|qos|router|service|system|vrf"
_NVUE = re.compile(rf"\bnv (?:(?:set|unset) (?:{_ROOTS})|config [a-z]|show [a-z]|action [a-z])[^`;\n]*")
# A snippet of a page that is a command of a system, by its first words; `show` is told by every system.
_ON_PAGES = {
    "spectrum": r"nv (?:set|unset|config|show|action) \S",
    "arista": r"(?:no|default) (?:qos|priority|random|band|shape|dcbx|flow|errdis|platform)|"
    r"configure (?!exclusive)|copy |commit timer",
    "junos": r"(?:set|delete) (?:class-of-service|interfaces|protocols|forwarding-options|chassis) |load \S|"
    r"commit\b(?! (?:timer|now|validate|confirmed timeout))",
    "nxos": r"(?:no )?(?:priority-flow-control (?:mode|watch-dog|override)|pause pfc|(?:class|policy)-map|match \w+ \d|"
    r"service-policy|set qos-group|bandwidth remaining|system qos|feature lldp|system mode|switchport)|"
    r"mtu \d|checkpoint |rollback |copy \S+ (?:run|start)",
    "srlinux": r"(?:set|delete) / |enter candidate|commit (?:now|validate|confirmed timeout)|tools |save startup|"
    r"info(?: |$)|diff /|source /",
}
_UNQUOTED = {  # in notes, which are comments of a file
    "arista": r"no qos profile [\w-]+|show qos interfaces|errdisable recovery cause \S+",
    "junos": r"set interfaces PORT .*|show (?:class-of-service|interfaces) [a-z -]+",
    "nxos": r"show queuing pfc-queue detail|(?:priority-flow-control (?:mode|watch)|service-policy |(?<!\.)mtu )[^;]*",
    "srlinux": r"set / qos .*",
}
_GUIDES = (*ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/*.md"), ROOT / "README.md")  # whose blocks are to be typed
PAGES = (*_GUIDES, *ROOT.glob("docs/*/**/*.md"), *ROOT.glob("rocecfg/rules/pages/*.md"))


class Printed(NamedTuple):
    """A command, and what prints it."""

    command: str
    where: str
    whole: bool  # False: prose may go on behind it


def printed_by(vendor: str, folder: Path) -> dict[str, Printed]:
    """All that is printed for a system, each once; those that are whole before those that are not."""
    found = (*_in_procedures(vendor), *_in_renderings(vendor, folder), *_in_fixes(vendor), *_in_prose(vendor))
    tidy = ((" ".join(each.command.split()), each) for each in sorted(found, key=lambda each: not each.whole))
    return {command: each for command, each in reversed(list(tidy)) if command}


def _in_text(vendor: str, where: str, text: str) -> Iterator[Printed]:
    """Commands in prose: those of NVUE are told by their first words, others stand in backquotes."""
    if vendor == "spectrum":
        yield from (Printed(found[0], where, whole=False) for found in _NVUE.finditer(text))
        return
    yield from (Printed(found, where, whole=True) for found in re.findall(r"`([^`\n]+)`", text))
    yield from (Printed(found, where, whole=False) for found in re.findall(_UNQUOTED[vendor], text))


def _in_fixes(vendor: str) -> Iterator[Printed]:
    for rule, fix in part(vendor, "fixes").FIXES.items():
        yield from _in_text(vendor, f"fix of {rule}", fix)


def _in_procedures(vendor: str) -> Iterator[Printed]:
    module: Any = part(vendor, "procedure")
    releases = ((5, 8), (5, 12), (5, 14))
    for one in map(procedure_in, releases) if vendor == "spectrum" else [module.PROCEDURE]:
        around = make_safeguards(one, (), "NAME")
        typed = (*one.load, *one.show, *one.commit, *one.confirm, *one.save.lines, *around.save, *around.back)
        for line in (*typed, *one.drain, *one.undrain, *getattr(module, "VERIFY", ())):
            if not line.startswith(LINES):
                yield Printed(line.partition("  #")[0], "procedure", whole=True)


def _in_renderings(vendor: str, folder: Path) -> Iterator[Printed]:
    """Files, their notes, scripts and task lists, and the changes from each to each."""
    for release in RELEASES[vendor]:
        meant: list[tuple[Fabric, Device]] = []
        for fabric in _fabrics(vendor, release, folder / release):
            device = fabric.devices[0]
            try:
                plain = render_device(fabric, device, form=_PLAIN[vendor])
            except CannotRender:
                continue  # of another chip
            meant.append((fabric, device))
            where = f"render, {release}"
            body = (line.strip() for line in plain.body.splitlines() if line.strip(" !") and line[0] not in "#!")
            yield from (Printed(line, where, whole=True) for line in body)
            assert plain.apply is not None
            for do in (*plain.apply.order, *plain.apply.check):
                lone = (re.findall(r"nv [^;]*", line.replace("$PORT", "swp1")) or [line] for line in do.lines)
                typed = (line for each in lone for line in each if not line.startswith((LINES, "bash ")))
                yield from (Printed(line, where, whole=True) for line in typed)
            for line in (*plain.notes, *plain.apply.more):
                yield from _in_text(vendor, where, line)
            if vendor == "spectrum":
                yield from _in_text(vendor, "script", "\n".join(plain.apply.script))
                tasks = part(vendor, "writer").render(fabric, device, form="ansible").body
                argv = (re.findall(r"- (.*)\n", found) for found in re.findall(r"argv:\n((?: +- .*\n)+)", tasks))
                yield from (Printed(" ".join(words), "task list", whole=True) for words in argv)
        assert len(meant) >= len(_POLICIES)
        if release not in (RELEASES[vendor][0], RELEASES[vendor][-1]):
            continue  # what a change prints differs less than what is rendered
        cases = [(Case(*each), _whole(vendor, *each)) for each in meant]
        pairs = [pair for one in cases[1:] for pair in ((one, cases[0]), (cases[0], one))]
        for (case, _), (_, runs) in [*pairs, *pairwise(cases)]:
            changed = case.fixed(runs)
            inner = (line.strip() for line in lines(changed) if line.strip(" !"))
            yield from (Printed(line, f"change, {release}", whole=True) for line in inner)


def _whole(vendor: str, fabric: Fabric, device: Device) -> str:
    """The complete configuration of a switch that runs what is rendered."""
    writer = part(vendor, "writer")
    body = writer.render(fabric, device, form=writer.FORMS[0]).body
    return str(part(vendor, "rollout").complete_config(body, "leaf01", device))


def _fabrics(vendor: str, release: str, folder: Path) -> Iterator[Fabric]:
    folder.mkdir()
    name = _PORTS[vendor]
    first, second, third = (name % n if "%" in name else f"{name}{n}" for n in (1, 2, 3))
    ports = (
        f"devices: {{leaf01: {{ports: {{{first}: {{faces: switch, cable: 5m}}, "
        f"{second}: {{faces: switch, cable: 30m}}, "
        f"{third}: {{faces: host, cable: 5m, classes: [cnp, control, default]}}}}}}}}\n"
    )
    for platform in _PLATFORM[vendor]:
        head = f'defaults: {{vendor: {vendor}, platform: {platform}, version: "{release}", speed: 400G, mtu: 9000}}\n'
        for more in _MORE[vendor]:
            for policy in _POLICIES:
                text = policy.replace(", restoration_time: 400ms", "") + head + more + ports
                text = text.replace("max_rate: 5%", "max_rate: 20G") if vendor == "nxos" else text
                found = loaded(folder, text)[0].fabric
                assert found is not None, text
                yield found


def _in_blocks_and_profiles(vendor: str) -> Iterator[Printed]:
    """Blocks of the guides, which are to be typed, and messages of profiles, which are told."""
    for path in _GUIDES:
        for block in re.findall(r"^```[^\n]*\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            for line in (line.strip().lstrip("$#> ") for line in block.splitlines()):
                if re.match(_ON_PAGES[vendor], line):
                    yield Printed(line, str(path.relative_to(ROOT)), whole=True)
    own = ("exporters/*.yaml",) if vendor == "spectrum" else ()
    for path in (each for glob in (f"nos/{vendor}.yaml", *own) for each in (ROOT / "profiles").glob(glob)):
        told = (line for line in path.read_text(encoding="utf-8").splitlines() if "source:" not in line)
        yield from _in_text(vendor, str(path.relative_to(ROOT)), "\n".join(told).replace('"', ""))


def _in_prose(vendor: str) -> Iterator[Printed]:
    """Pages, and for NVUE every text in the code: its commands are told by their first words."""
    for path in PAGES:
        if path.name.partition("-")[0] in {*VENDORS} - {vendor}:
            continue  # of rules on one system alone
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for snippet in re.findall(r"`([^`\n]+)`", text):
            if re.match(_ON_PAGES[vendor], snippet):
                yield Printed(snippet, str(path.relative_to(ROOT)), whole=True)
    yield from _in_blocks_and_profiles(vendor)
    if vendor != "spectrum":
        return
    for path in ROOT.glob("rocecfg/**/*.py"):
        source = path.read_text(encoding="utf-8")
        if path.name != "fixes.py" and "nv " in source:  # the texts of fixes are asked for whole
            for text in texts_in(ast.parse(source)):
                if "(?P<" not in text:  # a pattern that reads
                    yield from _in_text(vendor, str(path.relative_to(ROOT)), text)


def texts_in(tree: ast.Module) -> Iterator[str]:
    """The texts of a module, docstrings left out; X for what is filled in."""
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inner |= {id(each) for each in node.values}
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "X" for each in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.value
