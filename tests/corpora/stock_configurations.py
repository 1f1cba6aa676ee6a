"""Renders the QoS and buffer configuration of each HwSKU of sonic-buildimage, as `config qos reload` leaves it.

Run by hand: `PYTHONPATH=tests python tests/corpora/stock_configurations.py MIRROR COMMIT [RELEASE=COMMIT ...]`, MIRROR
being a clone of sonic-net/sonic-buildimage, COMMIT one of master; it writes `stock.txt` beside it, which `reduced.py`
reads, and says what does not render. Of a release it has what differs from master: another configuration, or the same
one of which something else is said there. Virtual boxes and simulators are left out.

A template is rendered as sonic-cfggen does (src/sonic-config-engine/sonic-cfggen): with the ports of port_config.ini or
of platform.json and hwsku.json, no neighbors, and the type of the role whose buffers_defaults_*.j2 is there. What
buffermgrd adds (sonic-swss cfgmgr/buffermgr.cpp) for pg_profile_lookup.ini is added in the traditional buffer model,
and PFC_WD as `pfcwd start_default` writes it (sonic-utilities pfcwd/main.py).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
from linted import ROLES, STOCK, said, with_local, without_local
from reduced import written

Config = dict[str, dict[str, dict[str, str]]]

_WANTED = re.compile(
    r"device/.*(\.j2|pg_profile_lookup\.ini|port_config\.ini|hwsku\.json|platform\.json|platform_asic)"
    r"|files/build_templates/(qos|buffers)_config\.j2"
)
_BREAKOUT = re.compile(r"(\d+)x(\d+)(G?)(?:\[[^\]]*\])?(?:\((\d+)\))?")
_BUILD = "files/build_templates"


def files(mirror: str, commit: str, wanted: re.Pattern[str]) -> Iterator[tuple[str, bytes, bool]]:
    """The files of a commit whose paths match, and links of boxes, with what is in them and whether it is a link's."""

    def git(*words: str, given: str | None = None) -> bytes:
        command = ["git", "-C", mirror, *words]
        return subprocess.run(command, input=given and given.encode(), capture_output=True, check=True).stdout

    rows = [row.split("\t") for row in git("ls-tree", "-r", "-z", commit).decode().split("\0") if row]
    links = {path for meta, path in rows if meta.startswith("120000") and path.startswith("device/")}
    taken = [(*meta.split(), path) for meta, path in rows if path in links or wanted.fullmatch(path)]
    rest, at = git("cat-file", "--batch", given="".join(f"{blob}\n" for _, _, blob, _ in taken)), 0
    for mode, _, _, path in taken:
        end = rest.index(b"\n", at) + 1
        size = rest[at:end].split()[-1]
        at = end
        if size != b"missing":  # as large files are in a clone without them
            yield path, rest[end : end + int(size)], mode == "120000"
            at += int(size) + 1


def export(mirror: str, commit: str, out: Path) -> None:
    """Writes the files of a commit that configurations are rendered from, links as links."""
    for path, body, is_link in files(mirror, commit, _WANTED):
        file = out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if is_link:
            file.symlink_to(body.decode())
        else:
            file.write_bytes(body)


def _rows(file: Path) -> Iterator[list[str]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split()


def _ini_ports(file: Path) -> dict[str, dict[str, str]]:
    titles = ["name", "lanes", "alias", "index"]
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") and "name" in line:
            titles = line.strip("#").split()
    return {(row := dict(zip(titles, words, strict=False))).pop("name"): row for words in _rows(file) if len(words) > 1}


def _json_ports(platform: dict[str, Any], hwsku: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The ports of the breakout modes that hwsku.json names."""
    out: dict[str, dict[str, str]] = {}
    for name, facts in platform["interfaces"].items():
        if name not in hwsku["interfaces"]:
            continue
        lanes, first, made = facts["lanes"].split(","), 0, {}
        for mode in hwsku["interfaces"][name]["default_brkout_mode"].split("+"):
            count, speed, giga, taken = _BREAKOUT.match(mode).groups()  # type: ignore[union-attr]
            each = int(taken or len(lanes)) // int(count)
            mbit = int(speed) * (1000 if giga else 1)
            for _ in range(int(count)):
                row = {"lanes": ",".join(lanes[first : first + each]), "speed": str(mbit)}
                if mbit // each >= 50000:
                    row["fec"] = "rs"
                made[f"Ethernet{int(name[8:]) + first}"] = row
                first += each
        for row in made.values():
            row |= {k: v for k, v in hwsku["interfaces"][name].items() if k in ("fec", "autoneg", "role")}
        out |= made
    return out


def ports_of(folder: Path) -> dict[str, dict[str, str]]:
    """The PORT table of a HwSKU's folder, or of a chip's folder in it."""
    if (folder / "port_config.ini").is_file():
        ports = _ini_ports(folder / "port_config.ini")
    else:
        platform, hwsku = (folder.parent / "platform.json", folder / "hwsku.json")
        ports = _json_ports(json.loads(platform.read_text()), json.loads(hwsku.read_text()))
    keep = ("lanes", "speed", "fec", "autoneg", "role")
    return {
        name: {k: v for k, v in row.items() if k in keep} for name, row in ports.items() if name.startswith("Ethernet")
    }


def _environment(folder: Path, root: Path) -> jinja2.Environment:
    loader = jinja2.FileSystemLoader([str(folder), str(root / _BUILD)])
    env = jinja2.Environment(loader=loader, trim_blocks=True)  # noqa: S701

    def sort_by_port_index(value: list[str]) -> None:
        value.sort(key=lambda k: int(k[8:]) if "BP" not in k else int(k[11:]) + 1024)

    def template_exists(name: str) -> bool:
        try:
            loader.get_source(env, name)
        except jinja2.TemplateNotFound:
            return False
        return True

    env.filters["sort_by_port_index"] = sort_by_port_index
    env.globals |= {"template_exists": template_exists, "is_smartswitch": False}
    return env


def _ranges(numbers: list[int]) -> list[str]:
    """3, 4, 6 -> 3-4, 6, as buffermgrd writes the keys of priority groups."""
    out: list[list[int]] = []
    for n in numbers:
        if out and out[-1][-1] == n - 1:
            out[-1].append(n)
        else:
            out.append([n])
    return [str(each[0]) if len(each) == 1 else f"{each[0]}-{each[-1]}" for each in out]


def _paused(config: Config) -> dict[str, str]:
    """Port -> its pfc_enable; a key of older templates names several ports."""
    rows = config["PORT_QOS_MAP"].items()
    return {port: row["pfc_enable"] for key, row in rows if row.get("pfc_enable") for port in key.split(",")}


def _add_lossless(config: Config, table: Path) -> None:
    """The rows that buffermgrd adds for each port with PFC whose speed and length the table has."""
    known = {(words[0], words[1]): words[2:] for words in _rows(table)}
    mode = config.get("BUFFER_POOL", {}).get("ingress_lossless_pool", {}).get("mode")
    lengths = next(iter(config.get("CABLE_LENGTH", {}).values()), {})
    paused = _paused(config)
    for port, row in config["PORT"].items():
        pfc = paused.get(port)
        speed, cable = row.get("speed", ""), lengths.get(port, "")
        found = known.get((speed, cable))
        if mode is None or not pfc or found is None:
            continue
        name = f"pg_lossless_{speed}_{cable}_profile"
        size, xon, xoff, threshold, *offset = found
        profile = {"pool": "ingress_lossless_pool", "xon": xon, "xoff": xoff, "size": size, f"{mode}_th": threshold}
        if offset:
            profile["xon_offset"] = offset[0]
        config["BUFFER_PROFILE"].setdefault(name, profile)
        for group in _ranges(sorted(int(n) for n in pfc.split(","))):
            config.setdefault("BUFFER_PG", {})[f"{port}|{group}"] = {"profile": name}


def _add_watchdog(config: Config) -> None:
    ports = _paused(config)
    if not ports:
        return
    times = 200 * max(1, (len(config["PORT"]) - 1) // 32 + 1)
    dog = {"action": "drop", "detection_time": str(times), "restoration_time": str(times)}
    config["PFC_WD"] = dict.fromkeys(ports, dog) | {"GLOBAL": {"POLL_INTERVAL": str(min(times, 1000))}}


PARTS = ("buffers", "qos")


def rendered(folder: Path, root: Path, role: str, dynamic: bool, parts_of: tuple[str, ...] = PARTS) -> Config:
    """A HwSKU's configuration in a role, or what some of its templates make."""
    parts = folder.relative_to(root / "device").parts
    asic = (root / "device" / parts[0] / parts[1] / "platform_asic").read_text().split()[0].split("-")[0]
    local = {"hostname": "switch", "hwsku": parts[2], "platform": parts[1]}
    if ROLES[role]:
        local["type"] = ROLES[role]
    if asic in ("mellanox", "barefoot") or dynamic:
        local["buffer_model"] = "dynamic" if dynamic else "traditional"
    ports = ports_of(folder if len(parts) == 3 or parts[3].isdigit() else folder.parent)
    env = _environment(folder, root)
    given = {"PORT": ports, "DEVICE_METADATA": {"localhost": local}, "asic_type": asic}
    if not ROLES[role]:
        given["default_topo"] = role
    config: Config = {"DEVICE_METADATA": {"localhost": local}, "PORT": ports}
    for part in parts_of:
        name = "buffers_dynamic.json.j2" if dynamic and part == "buffers" else f"{part}.json.j2"
        if (folder / name).is_file():
            config |= json.loads(env.get_template(name).render(given))
    for table in [t for t, rows in config.items() if not rows]:
        del config[table]
    if not dynamic and (folder / "pg_profile_lookup.ini").is_file() and "PORT_QOS_MAP" in config:
        _add_lossless(config, folder / "pg_profile_lookup.ini")
    if "PORT_QOS_MAP" in config:
        _add_watchdog(config)
    return config


def stock(root: Path) -> Iterator[tuple[str, Config | str]]:
    """HwSKU, role and buffer model, and the configuration, or why there is none."""
    found = [*root.glob("device/*/*/*/qos.json.j2"), *root.glob("device/*/*/*/*/qos.json.j2")]
    folders = sorted(file.parent for file in found)
    for folder in folders:
        _, platform, *rest = folder.relative_to(root / "device").parts
        if re.search("[-_](kvm|simx)", platform) or (len(rest) > 1 and not rest[1].isdigit()):
            continue  # the latter: what HwSKUs of several tunings take their files from
        roles = [r for r in ROLES if (folder / f"buffers_defaults_{r}.j2").is_file()]
        for role in roles or ["def"]:
            for dynamic in (False, True):
                if dynamic and not (folder / "buffers_dynamic.json.j2").is_file():
                    continue
                name = f"{platform}/{'/'.join(rest)} {role}"
                try:
                    config = rendered(folder, root, role, dynamic)
                except (jinja2.TemplateError, ValueError, KeyError, OSError) as error:
                    yield name, f"{type(error).__name__}: {error}"
                    continue
                model = config["DEVICE_METADATA"]["localhost"].get("buffer_model")
                if "PORT" in config and len(config) > 2:
                    yield f"{name} {model}" if model else name, without_local(config)


def main(mirror: str, commit: str, *others: str) -> None:
    configs: dict[str, Config] = {}
    found: dict[str, frozenset[str]] = {}
    for release, _, at in (other.rpartition("=") for other in (commit, *others)):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            export(mirror, at, root)
            every = dict(stock(root))
        for base, config in every.items():
            name = f"{base} @{release}" if release else base
            if isinstance(config, str):
                sys.stdout.write(f"{name}: {config}\n")
                continue
            rules = frozenset(rule for _, rule, _ in said(with_local(config, name)))
            if configs.get(base) != config or found[base] != rules:
                configs[name], found[name] = config, rules
    at = " ".join([commit, *others])
    head = f"# QoS, buffers and ports of the HwSKUs of sonic-net/sonic-buildimage {at}: stock_configurations.py\n"
    STOCK.write_text(head + written(configs, found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
