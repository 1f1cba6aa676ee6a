"""CONFIG_DB as the models want it: rows nested by table, what a part of one lacks, and where each row is."""

from __future__ import annotations

import re
from typing import Any

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError
from rocecfg.source.json import Array, Object, parse

Tables = dict[str, Any]

# Leaf-lists that CONFIG_DB stores as one text. Source: sonic-net/sonic-buildimage, src/sonic-yang-mgmt,
# sonic_yang_ext.py, LEAF_LIST_WITH_STRING_VALUE_DICT.
SEPARATORS = {
    ("MIRROR_SESSION", "src_ip"): ",",
    ("NTP", "src_intf"): ";",
    ("BGP_ALLOWED_PREFIXES", "prefixes_v4"): ",",
    ("BGP_ALLOWED_PREFIXES", "prefixes_v6"): ",",
    ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list"): ",",
    ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list"): ",",
    ("PORT", "adv_speeds"): ",",
    ("PORT", "adv_interface_types"): ",",
}
_BY_PORT = (  # tables whose rows are of a port
    "PORT_QOS_MAP",
    "QUEUE",
    "BUFFER_PG",
    "BUFFER_QUEUE",
    "PFC_WD",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
)
_PORT = re.compile(r"Ethernet[-\w]*")
_TABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_SPACE = re.compile(r"localhost|asic\d+")
_WITHOUT_LANES = ("voq", "chassis-packet", "fabric")  # types of switch whose ports have their lanes elsewhere
_SPEED = "100000"  # Mbit/s, of a port that only has to be there


class ConfigTables(NamedTuple):
    """What a text holds. `spaces`: by ASIC where it has several, else of one without a name."""

    root: Object
    spaces: dict[str, Tables]
    flat: bool  # rows under `TABLE|key`, as redis has them
    repeated: tuple[str, ...]  # keys that stand twice, of which the last counts


def read(document: Document) -> ConfigTables:
    """The tables of a text. Raises SourceError for what is no JSON, or no mapping of tables."""
    root = parse(document)
    if not isinstance(root, Object):
        fix = "a patch is checked by its result on a configuration: rocecfg render --as patch --running FILE --validate"
        raise SourceError(document.path, "is a list, but CONFIG_DB is a mapping of tables", fix)
    repeated: list[str] = []
    plain: Tables = _to_python(root, "", repeated)
    spaces = {name: tables for name, tables in plain.items() if _SPACE.fullmatch(name) and isinstance(tables, dict)}
    if not spaces or len(spaces) < len(plain):
        spaces = {"": plain}
    nested = {name: _nest_rows(tables) for name, tables in spaces.items()}
    return ConfigTables(
        root, nested, any(_table_of_flat_key(key) for tables in spaces.values() for key in tables), tuple(repeated)
    )


def is_whole(tables: Tables) -> bool:
    """Whether tables are all of a switch: they say which box it is, and have its ports."""
    local = _device_metadata(tables)
    return bool(local.get("hwsku")) and isinstance(tables.get("PORT"), dict) and bool(tables["PORT"])


def release_of(config: ConfigTables) -> str | None:
    """The version of the database, which names the branch of SONiC that wrote it; None: it is not there."""
    for tables in config.spaces.values():
        row = _get_row(tables, "VERSIONS", "DATABASE")
        if isinstance(row.get("VERSION"), str):
            return str(row["VERSION"])
    return None


def complete_tables(tables: Tables) -> tuple[Tables, list[str]]:
    """A part of a configuration with what its rows refer to and it does not have, and what that is, in words."""
    assumed: list[str] = []
    if _is_dynamic(tables) and "buffer_model" not in _device_metadata(tables):
        row = {**_device_metadata(tables), "buffer_model": "dynamic"}
        tables = {**tables, "DEVICE_METADATA": {**_get_rows(tables, "DEVICE_METADATA"), "localhost": row}}
        assumed.append("DEVICE_METADATA|localhost: buffer_model dynamic, as its buffers have it")
    ports, lacking = ports_of(tables)
    if lacking:
        assumed.append(f"rows of PORT: {fold(tuple(lacking))}")
    return ({**tables, "PORT": ports} if ports else tables), assumed


def ports_of(tables: Tables) -> tuple[Tables, list[str]]:
    """The rows of PORT, with those that other rows refer to, each with a speed and lanes; and which were not there."""
    local = _device_metadata(tables)
    lanes = not (local.get("switch_type") in _WITHOUT_LANES and "asic_name" not in local)
    ports = dict(_get_rows(tables, "PORT"))
    lacking = []
    for number, port in enumerate(sorted(_referenced_ports(tables), key=_port_sort_key)):
        if not _PORT.fullmatch(port):
            continue
        lacking += [port] if port not in ports else []
        row = ports.get(port, {})
        if isinstance(row, dict):
            ports[port] = {"speed": _SPEED, **({"lanes": str(number)} if lanes else {}), **row}
    return ports, lacking


def find_line(document: Document, config: ConfigTables, space: str, path: tuple[str, ...]) -> int | None:
    """The line of a table, a row, or a field of it; of what is nearest above it where it is not there itself."""
    start: Object = config.root
    at: int | None = None
    keys = [space, *path] if space else [*path]
    if len(path) > 1 and config.flat and not space:
        flat = f"{path[0]}|{path[1]}"
        if any(member.key == flat for member in start.members):
            keys = [flat, *path[2:]]
    while keys:
        key = keys.pop(0)
        found = next((member for member in reversed([*start.members]) if member.key in (key, f"{key}@")), None)
        if found is None:
            break
        at = start.start + found.key_start
        if not isinstance(found.value, Object):
            break
        start = found.value
        inner = next((m for m in start.members if m.key == "value"), None)
        if inner is not None and isinstance(inner.value, Object) and any(m.key == "type" for m in start.members):
            start = inner.value
    return None if at is None else document.place(at)[0]


def _to_python(value: Any, where: str, repeated: list[str]) -> Any:
    if isinstance(value, Object):
        out: Tables = {}
        for member in value.members:
            here = f"{where}|{member.key}" if where else member.key
            if member.key in out:
                repeated.append(here)
            out[member.key] = _to_python(member.value, here, repeated)
        return out
    if isinstance(value, Array):
        return [_to_python(item.value, where, repeated) for item in value.items]
    return value


def _table_of_flat_key(key: str) -> str | None:
    """The table of a key that names a row as well."""
    table, bar, _ = key.partition("|")
    return table if bar and _TABLE.fullmatch(table) else None


def _nest_rows(tables: Tables) -> Tables:
    """Tables of rows. SONiC's own loader knows flat rows for no tables, and would pass each of them unread."""
    out: Tables = {}
    for key, value in tables.items():
        table = _table_of_flat_key(key)
        if table is not None:
            row = value
            if isinstance(row, dict) and row.keys() >= {"type", "value"}:  # redis-dump puts these around it
                row = row["value"]
            if isinstance(row, dict):  # redis marks lists by an @ behind their names
                row = dict(_split_list(name, of) for name, of in row.items())
            rows = out.setdefault(table, {})
            if isinstance(rows, dict):
                rows[key[len(table) + 1 :]] = row
        elif isinstance(value, dict) and isinstance(out.get(key, {}), dict):
            out.setdefault(key, {}).update(value)
        else:
            out[key] = value
    return out


def _split_list(name: str, value: Any) -> tuple[str, Any]:
    if name.endswith("@") and isinstance(value, str):
        return name[:-1], value.split(",")
    return name, value


def _is_dynamic(tables: Tables) -> bool:
    """Whether rows are there that the dynamic buffer model alone has."""
    profiles, groups = _get_rows(tables, "BUFFER_PROFILE").values(), _get_rows(tables, "BUFFER_PG").values()
    return (
        bool(_get_rows(tables, "DEFAULT_LOSSLESS_BUFFER_PARAMETER"))
        or any(isinstance(row, dict) and row.get("headroom_type") == "dynamic" for row in profiles)
        or any(isinstance(row, dict) and row.get("profile") == "NULL" for row in groups)
    )


def _referenced_ports(tables: Tables) -> set[str]:
    """The ports that rows are of. A row of a virtual output queue names the switch and the ASIC before the port."""
    ports: set[str] = set()
    for table in _BY_PORT:
        for key in _get_rows(tables, table):
            parts = key.split("|")
            ports.update((parts[-2] if len(parts) > 2 else parts[0]).split(","))
    for row in _get_rows(tables, "CABLE_LENGTH").values():
        ports.update(row if isinstance(row, dict) else ())
    return ports


def _port_sort_key(port: str) -> tuple[int, str]:
    """Ports by their numbers: Ethernet8 comes before Ethernet16."""
    return len(port), port


def _get_rows(tables: Tables, name: str) -> dict[str, Any]:
    rows = tables.get(name)
    return rows if isinstance(rows, dict) else {}


def _get_row(tables: Tables, name: str, key: str) -> dict[str, Any]:
    row = _get_rows(tables, name).get(key)
    return row if isinstance(row, dict) else {}


def _device_metadata(tables: Tables) -> dict[str, Any]:
    return _get_row(tables, "DEVICE_METADATA", "localhost")
