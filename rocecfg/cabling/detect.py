"""Which kind of file a text is, told by its content; and what one looks like that is not one of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from rocecfg.cabling import (
    avd,
    dot,
    eos,
    inventory,
    junos,
    labs,
    lldpd,
    nvue,
    nxos,
    sonic,
    tables,
)
from rocecfg.cabling.statements import Broken, Statements, UnreadableCables
from rocecfg.cabling.tree import from_json, from_yaml
from rocecfg.cabling.xmltree import Element, from_xml
from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document

KNOWN = (
    "known: LLDP neighbours (lldpctl, SONiC, NVUE, EOS, Junos, NX-OS), cables of NetBox and Nautobot, AVD, "
    "containerlab, topology.dot, NVIDIA Air, SONiC's minigraph.xml and lab links, CSV"
)
_PROMPT = re.compile(r"^(?:[\w.-]+@)?(?P<name>[\w.-]+?)(?:\([\w-]+\))?(?::[^\n#$>]*)?[#>$] ?[^\n]*$", re.MULTILINE)
_COMMAND = re.compile(r"[#>$] ?(?:sudo |run )?(?:show |sh |lldp|nv |net |docker )")
_YAML = re.compile(r"(?:\s*+(?:#[^\n]*\n)?)*+(?:---[ \t]*\n|[\w.-]+:(?:\s|$)|- )")

_LONGEST = 40  # characters of the name of a column
Reader = Callable[[Any, str], Statements]


class DetectedPart(NamedTuple):
    """A file that was told: its reader, what it is given, and the device that the file is of."""

    read: Reader
    value: Any
    local: str
    kind: str
    start: int = 0  # where its text begins in the file


# kind, whether a value is it, its reader, the device it names itself ("": none)
_JSON: tuple[tuple[str, Callable[[Any], bool], Reader, Callable[[Any], str] | None], ...] = (
    ("lldpctl", lldpd.is_json, lldpd.read_json, lldpd.local_name),
    ("EOS LLDP", lambda value: eos.unwrap_answer(value) is not None, eos.read_json, None),
    ("Junos LLDP", junos.is_json, junos.read_json, None),
    ("NX-OS LLDP and CDP", nxos.is_json, nxos.read_json, None),
    ("NVUE LLDP", nvue.is_json, nvue.read_json, None),
    ("Batfish", labs.is_batfish, labs.read_batfish, None),
    ("NVIDIA Air", labs.is_air, labs.read_air, None),
    ("containerlab", labs.is_containerlab, labs.read_containerlab, None),
    ("AVD structured configuration", avd.is_structured, avd.read_structured, avd.local_name),
    ("AVD inputs", avd.is_inputs, avd.read_inputs, None),
    ("NetBox or Nautobot", inventory.is_json, inventory.read_json, None),
)
_XML: dict[str, tuple[str, Reader]] = {
    "DeviceMiniGraph": ("minigraph", sonic.read_minigraph),
    "lldp-neighbors-information": ("Junos LLDP", junos.read_xml),
    "rpc-reply": ("Junos LLDP", junos.read_xml),
    "lldp": ("lldpctl", lldpd.read_xml),
}
_TEXTS: tuple[tuple[str, re.Pattern[str], Reader], ...] = (
    ("SONiC LLDP table", sonic.TABLE, sonic.read_table),
    ("Cumulus Linux LLDP table", nvue.NET_SHOW, nvue.read_table),
    ("NVUE LLDP table", nvue.TABLE, nvue.read_table),
    ("EOS LLDP", eos.TABLE, eos.read_table),
    ("EOS LLDP", eos.DETAIL, eos.read_detail),
    ("Junos LLDP", junos.TABLE, junos.read_table),
    ("Junos LLDP", junos.DETAIL, junos.read_detail),
    ("NX-OS LLDP", nxos.DETAIL, nxos.read_detail),
    ("NX-OS CDP", nxos.CDP_DETAIL, nxos.read_cdp_detail),
    ("NX-OS LLDP and CDP", nxos.TABLE, nxos.read_table),
    ("lldpctl", lldpd.TEXT, lldpd.read_text),
    ("lldpctl", re.compile(r"^lldp\.\S+?\.(?:via|chassis|port)\S*=", re.MULTILINE), lldpd.read_keyvalue),
    ("Junos configuration", junos.INTERFACES, junos.read_descriptions),
)


def detect_parts(document: Document) -> list[DetectedPart]:
    """How a text is to be read, part by part. Raises UnreadableCables for one that is not one of the kinds."""
    stem = os.path.basename(document.path).partition(".")[0]
    parts = _split_at_prompts(document.text)
    out = []
    for name, start, end in parts:
        part = document if not name else Document(document.number, document.path, document.text[start:end])
        try:
            out.append(_detect(part, name or stem)._replace(start=start))
        except UnreadableCables as error:
            error.at += start
            raise
    return out


def _detect(document: Document, local: str) -> DetectedPart:
    """One text of one kind."""
    text = document.text
    start = text.lstrip()[:1]
    if not start:
        raise UnreadableCables("is empty")
    if start in ("{", "["):
        return _detect_value(from_json(text), local)
    if start == "<":
        return _detect_xml(from_xml(text), local)
    if dot.is_dot(text):
        return DetectedPart(dot.read_dot, text, local, "DOT")
    for kind, heading, reader in _TEXTS:
        if heading.search(text):
            own = junos.local_name(text) if reader is junos.read_descriptions else ""
            return DetectedPart(reader, text, own or local, kind)
    found = tables.heading_of(text)
    if found is not None and tables.columns_of(found[0]) is not None:
        return DetectedPart(lambda given, _: tables.read_table(given), text, local, "CSV")
    named = document.path.lower().endswith((".yml", ".yaml"))
    if named or _YAML.match(text):
        try:
            return _detect_value(from_yaml(document), local)
        except Broken:
            if named:
                raise
    raise UnreadableCables(*_describe_unknown(text, found))


def _detect_value(value: Any, local: str) -> DetectedPart:
    for kind, fits, reader, named in _JSON:
        if fits(value):
            return DetectedPart(reader, value, (named(value) if named is not None else "") or local, kind)
    what = "a list" if isinstance(value, list) else f"an object with {_list_keys(value)}"
    help = KNOWN
    if isinstance(value, dict):
        if "rocecfg" in value:
            raise UnreadableCables("is an intent: its links are below `links`", "name it to `rocecfg lint`")
        if "DEVICE_METADATA" in value or "PORT" in value:
            what, help = (
                "SONiC's config_db.json, which is a configuration",
                "`rocecfg import` takes its DEVICE_NEIGHBOR",
            )
        elif "all" in value or "_meta" in value:
            what, help = "an Ansible inventory, which names no cables", "AVD's cables are in its group_vars and outputs"
    raise UnreadableCables(f"has no cables: it is {what}", help)


def _list_keys(value: Any) -> str:
    keys = [str(key) for key in value][:4] if isinstance(value, dict) else []
    return ", ".join(keys) + (", ..." if isinstance(value, dict) and len(value) > len(keys) else "") or "no keys"


def _detect_xml(root: Element, local: str) -> DetectedPart:
    known = _XML.get(root.name)
    if known is None:
        raise UnreadableCables(f"has no cables: it is XML that begins with <{root.name}>", KNOWN)
    kind, reader = known
    return DetectedPart(reader, root, local, kind)


def _split_at_prompts(text: str) -> list[tuple[str, int, int]]:
    """The parts of a text that a shell's lines divide: the device in the prompt, and where its output stands."""
    prompts = [found for found in _PROMPT.finditer(text) if _COMMAND.search(found[0])] if _COMMAND.search(text) else []
    if not prompts or text[: prompts[0].start()].strip():
        return [("", 0, len(text))]
    out = []
    for number, found in enumerate(prompts):
        end = prompts[number + 1].start() if number + 1 < len(prompts) else len(text)
        last = _PROMPT.search(text, text.rfind("\n", 0, len(text[:end].rstrip())) + 1, end)
        if last is not None and last["name"] == found["name"] and last.start() > found.start():
            end = last.start()  # the prompt that waits for the next command
        if text[found.end() : end].strip():
            out.append((found["name"], found.end(), end))
    return out or [("", 0, len(text))]


def _describe_unknown(text: str, heading: tuple[list[str], str] | None) -> tuple[str, str]:
    if heading is not None and len(heading[0]) > 2 and max(map(len, heading[0])) <= _LONGEST:
        columns = ", ".join(cell.strip() for cell in heading[0][:6])
        return f"is not a known table of cables: its columns are {columns}", (
            "name the columns a_device,a_port,b_device,b_port,cable in its first line"
        )
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return f"has no cables that rocecfg understands; it begins with {first[:60]!r}", KNOWN
