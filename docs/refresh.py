"""What an upstream repository says of the facts in `profiles/`, as a diff of YAML to review. Nothing is written.

`python docs/refresh.py CLONE [RELEASE=REF ...]`, CLONE being a clone of sonic-net/sonic-buildimage with its history and
branches. Without RELEASE=REF, each release of `commits` in profiles/nos/sonic.yaml at its branch. Of each it prints the
commit and its day, and what each HwSKU says otherwise: the rows of pg_profile_lookup.ini, the pools that its
buffers_defaults_*.j2 make, names and speeds of its ports; and what no profile has: curves that mark lossless traffic of
a chip, and HwSKUs. A clone that is shallow, one without the commits that the profiles name, and a row that cannot be
read are errors: nothing is guessed. Templates that do not render, upstream's own slips, are named and not compared.
Exit 0 where nothing differs, 1 where something does, 2 for an error.
"""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

import jinja2

from rocecfg.core.nodeset import fold_set, name_set
from rocecfg.core.units import show_rate
from rocecfg.model import Box
from rocecfg.profiles import SHIPPED, release_key

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "corpora")]

from linted import ROLES  # type: ignore[import-not-found]  # noqa: E402
from stock_configurations import export, files, ports_of, rendered  # type: ignore[import-not-found]  # noqa: E402

UPSTREAM = "sonic-net/sonic-buildimage"
_TABLE = "pg_profile_lookup.ini"
_WANTED = re.compile(rf"device/.*/({_TABLE}|platform_asic)")
_BOARD = re.compile(r"device/([\w.-]+/[\w.-]+)")
_VIRTUAL = re.compile(r"(?:^virtual/|[-_]simx|[-_]kvm)")
_MOST_LINKS = 40
COMMITS = SHIPPED.nos("sonic").commits  # releases whose tables are known -> where they were read

Rows = dict[int, dict[int, tuple[str, ...]]]  # speed in bit/s -> cable in metres -> size, xon, xoff, threshold, offset


Pools = dict[str, dict[str, str]]  # template -> key of a profile -> bytes, or the mode
_POOL_KEYS = {  # key of a profile -> pool, and its field
    "ingress_lossless": ("ingress_lossless_pool", "size"),
    "shared_headroom": ("ingress_lossless_pool", "xoff"),
    "ingress_lossy": ("ingress_lossy_pool", "size"),
    "egress_lossless": ("egress_lossless_pool", "size"),
    "egress_lossy": ("egress_lossy_pool", "size"),
}


class RefreshError(Exception):
    """Why nothing can be said."""


class Tree(NamedTuple):
    """The tables of a commit by their paths, and its links."""

    files: dict[str, bytes]
    links: dict[str, str]

    def find(self, path: str) -> bytes | None:
        """What is at a path, links followed; None: nothing."""
        for _ in range(_MOST_LINKS):
            parts = path.split("/")
            prefixes = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
            link = next((prefix for prefix in prefixes if prefix in self.links), None)
            if link is None:
                return self.files.get(path)
            path = posixpath.normpath(posixpath.join(posixpath.dirname(link), self.links[link], path[len(link) + 1 :]))
        raise RefreshError(f"{path}: its links lead round")

    def boards(self) -> set[str]:
        """The device folders of real boxes that have a table."""
        found = {match[1] for path in self.files if (match := _BOARD.match(path))}
        return {board for board in found if not _VIRTUAL.search(board) and self.skus(board)}

    def skus(self, board: str) -> set[str]:
        """The HwSKUs of a board that have a table, or a link that may lead to one."""
        under = f"device/{board}/"
        names = {path[len(under) :].split("/")[0] for path in (*self.files, *self.links) if path.startswith(under)}
        return {name for name in names if self.table(board, name) is not None}

    def table(self, board: str, sku: str) -> tuple[str, bytes] | None:
        """The path of a HwSKU's table, of its first chip where it has several, and what it says."""
        for path in (f"device/{board}/{sku}/{_TABLE}", f"device/{board}/{sku}/0/{_TABLE}"):
            body = self.find(path)
            if body is not None:
                return path, body
        return None


def git(clone: str, *words: str) -> str:
    """What git prints; RefreshError with what it says where it fails."""
    command = ["git", "-C", clone, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - what the maintainer names
    if done.returncode:
        raise RefreshError(f"{clone}: {done.stderr.strip() or 'git fails'}")
    return done.stdout.strip()


def check_clone(clone: str) -> None:
    """That it is a clone of the upstream repository, with its history."""
    if git(clone, "rev-parse", "--is-shallow-repository") == "true":
        raise RefreshError(f"{clone} is a shallow clone: git fetch --unshallow")
    for release, commit in COMMITS.items():
        try:
            git(clone, "cat-file", "-e", f"{commit}^{{commit}}")
        except RefreshError:
            told = f"which profiles/nos/sonic.yaml names for {release}"
            raise RefreshError(f"{clone} has no commit {commit}, {told}: is it a clone of {UPSTREAM}?") from None


def resolve(clone: str, release: str, ref: str | None) -> str:
    """The commit of a release: of its ref, else of its branch."""
    for name in (ref,) if ref is not None else (f"refs/remotes/origin/{release}", f"refs/heads/{release}"):
        try:
            return git(clone, "rev-parse", "--verify", f"{name}^{{commit}}")
        except RefreshError:
            continue
    raise RefreshError(f"{clone} has no {ref or f'branch {release}'}: git fetch origin {ref or release}")


def read_tree(clone: str, commit: str) -> Tree:
    """The tables of a commit."""
    found, links = dict[str, bytes](), dict[str, str]()
    for path, body, is_link in files(clone, commit, _WANTED):
        if is_link:
            links[path] = body.decode()
        else:
            found[path] = body
    return Tree(found, links)


def parse_table(path: str, body: bytes) -> Rows:
    """The rows of a pg_profile_lookup.ini; RefreshError for one that cannot be read."""
    rows: Rows = {}
    for number, line in enumerate(body.decode().splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        speed, cable, *rest = words
        if len(rest) not in (4, 5) or not speed.isdigit() or not re.fullmatch(r"[0-9]+m", cable):
            raise RefreshError(f"{path}:{number}: {line.strip()!r} is not a row of a headroom table")
        rows.setdefault(int(speed) * 10**6, {})[int(cable[:-1])] = (*rest, *[""] * (5 - len(rest)))
    return rows


def known_rows(platform: str, sku: str, release: str) -> tuple[str, Rows] | None:
    """The profile of the table that a HwSKU has in a release, and its rows; none: it is known to have none.

    None: the profile does not tell its boards apart, or where its ports lie, and names no table.
    """
    box = SHIPPED.box(platform, "sonic", sku, release)
    first = None if box is None else box.since
    if box is not None and box.headroom is None and box.lossless:
        return None
    if box is None or box.headroom is None or box.skipped:
        return "", {}
    if first is not None and release_key("sonic", release) < release_key("sonic", first):
        return "", {}
    rows: Rows = {}
    for speed, cables in box.headroom.rows.items():
        for metres, row in cables.items():
            offset = "" if row.xon_offset is None else str(row.xon_offset)
            figures = (str(row.size), str(row.xon), str(row.xoff), str(row.dynamic_th), offset)
            rows.setdefault(speed, {})[metres] = figures
    return box.headroom.file, rows


def as_yaml(rows: Rows) -> list[str]:
    """Rows as a profile of kind headroom has them."""
    lines = ["rows:"] if rows else []
    for speed, cables in sorted(rows.items()):
        lines.append(f"  {show_rate(speed)}:")
        for metres, (size, xon, xoff, threshold, offset) in sorted(cables.items()):
            more = f", xon_offset: {offset}B" if offset else ""
            lines.append(
                f'    {metres}m: {{size: {size}B, xon: {xon}B, xoff: {xoff}B{more}, dynamic_th: "{threshold}"}}'
            )
    return lines


def boards_of(platform: str) -> list[str]:
    """The device folders that the profile of a platform names."""
    text = (ROOT / "profiles" / "platforms" / f"{platform}.yaml").read_text(encoding="utf-8")
    return list(dict.fromkeys(_BOARD.findall(text)))


def find_folder(root: Path, board: str, sku: str) -> Path | None:
    """Where a HwSKU's templates are, of its first chip where it has several."""
    folder = root / "device" / board / sku
    return next((each for each in (folder / "0", folder) if (each / "buffers.json.j2").is_file()), None)


def make_pools(folder: Path, root: Path, failed: set[str]) -> Pools | None:
    """The pools that each template of a HwSKU makes for lossless traffic; None, and `failed`: one does not render."""
    out: Pools = {}
    for file in sorted(folder.glob("buffers_defaults_*.j2")):
        role = file.stem.removeprefix("buffers_defaults_")
        if not ROLES.get(role):
            continue
        try:
            made = rendered(folder, root, role, dynamic=False, parts_of=("buffers",)).get("BUFFER_POOL", {})
        except (jinja2.TemplateError, ValueError, KeyError, OSError) as error:
            failed.add(f"{file.relative_to(root)}: {type(error).__name__}: {error}")
            return None
        if made.get("ingress_lossless_pool"):
            figures = {key: int(made.get(pool, {}).get(field, 0)) for key, (pool, field) in _POOL_KEYS.items()}
            sizes = {key: f"{size}B" for key, size in figures.items() if size}
            out[role] = sizes | {"mode": made["ingress_lossless_pool"]["mode"]}
    return out


def make_curves(folder: Path, root: Path, failed: set[str]) -> set[str]:
    """The marking curves of lossless traffic that a HwSKU's qos.json.j2 makes, of green packets."""
    if not (folder / "qos.json.j2").is_file():
        return set()
    role = next((role for role in ROLES if (folder / f"buffers_defaults_{role}.j2").is_file()), "def")
    try:
        rows = rendered(folder, root, role, dynamic=False, parts_of=("qos",)).get("WRED_PROFILE", {})
    except (jinja2.TemplateError, ValueError, KeyError, OSError) as error:
        failed.add(f"{folder.relative_to(root)}/qos.json.j2: {type(error).__name__}: {error}")
        return set()
    return {
        f"kmin: {row['green_min_threshold']}B, kmax: {row['green_max_threshold']}B, "
        f"pmax: {row.get('green_drop_probability', '100')}%"
        for name, row in rows.items()
        if "LOSSLESS" in name and row.get("wred_green_enable") == "true"
    }


def known_curves(chip: str) -> set[str]:
    """Those that the profile of a chip has."""
    curves = [curve for curve in SHIPPED.asic(chip).stock_ecn if curve.nos == "sonic"]
    return {f"kmin: {curve.kmin}B, kmax: {curve.kmax}B, pmax: {curve.pmax:g}%" for curve in curves}


def known_pools(box: Box) -> Pools:
    """Those that the profile has."""
    out: Pools = {}
    for pools in box.pools:
        sizes = {key: f"{size}B" for key in _POOL_KEYS if (size := getattr(pools, key))}
        out |= dict.fromkeys(pools.templates, sizes | {"mode": pools.mode})
    return out


def pools_as_yaml(pools: Pools) -> list[str]:
    """Pools as a profile of a platform has them, a template each."""
    return [
        line
        for template, figures in sorted(pools.items())
        for line in (f"- templates: [{template}]", *(f"  {key}: {value}" for key, value in figures.items()))
    ]


def ports_as_yaml(names: frozenset[str], speeds: set[int]) -> list[str]:
    """Names and speeds of ports as a profile of a platform has them."""
    return [f"ports: {fold_set(tuple(names))}", f"speeds: [{', '.join(map(show_rate, sorted(speeds)))}]"]


def compare_rendered(root: Path, release: str, cited: str, failed: set[str]) -> Iterator[str]:
    """What templates and port tables of a commit, which are in `root`, say otherwise than the profiles."""
    curves: dict[tuple[str, str], str] = {}  # chip, curve -> one of the HwSKUs
    for platform in SHIPPED.names("platforms"):
        boards = boards_of(platform)
        for sku in SHIPPED.hwskus(platform, "sonic"):
            box = SHIPPED.box(platform, "sonic", sku, release)
            folders = [folder for board in boards if (folder := find_folder(root, board, sku)) is not None]
            if box is None or len(folders) != 1:  # boards of one name have each its own: by_board
                continue
            folder = folders[0]
            for curve in sorted(make_curves(folder, root, failed)):
                curves.setdefault((SHIPPED.platform(platform).asic, curve), str(folder.relative_to(root)))
            pools = make_pools(folder, root, failed)
            begun = box.since is None or release_key("sonic", release) >= release_key("sonic", box.since)
            before = known_pools(box) if begun else {}
            found = ports_of(folder if folder.name != "0" else folder.parent / "0")
            front = {name: row for name, row in found.items() if "role" not in row}
            names = name_set(box.ports) | {*front}
            speeds = {*box.speeds, *(int(row["speed"]) * 10**6 for row in front.values() if "speed" in row)}
            speeds = speeds if box.speeds else set()  # the chip says it
            pairs = [(ports_as_yaml(name_set(box.ports), {*box.speeds}), ports_as_yaml(names, speeds))]
            if pools is not None:
                pairs.append((pools_as_yaml(before), pools_as_yaml(pools)))
            for old, new in pairs:
                to = f"{cited} {folder.relative_to(root)}"
                if old != new:
                    yield f"# {release}: {platform} {sku}"
                    yield from unified_diff(old, new, f"profiles/platforms/{platform}.yaml", to, lineterm="")
                    yield ""
    for (chip, curve), where in sorted(curves.items()):
        if curve not in known_curves(chip):
            yield f"# {release}: {chip}"
            yield f"+++ {cited} {where}/qos.json.j2"
            yield f"+    - {{nos: sonic, {curve}}}  # stock_ecn in profiles/asics/{chip}.yaml"
            yield ""


def compare(tree: Tree, release: str, cited: str) -> Iterator[str]:
    """What headroom tables of a commit say otherwise. `cited`: the repository, the commit and its day."""
    told: dict[str, list[str]] = {}
    for platform in SHIPPED.names("platforms"):
        known = set(SHIPPED.hwskus(platform, "sonic"))
        boards = boards_of(platform)
        for sku in sorted(known.union(*(tree.skus(board) for board in boards))):
            found = [table for board in boards if (table := tree.table(board, sku)) is not None]
            new = [parse_table(*table) for table in found]
            if any(rows != new[0] for rows in new):
                continue  # boards differ, and a profile has one table: by_board
            told_before = known_rows(platform, sku, release) if sku in known else ("", {})
            rows = new[0] if new else {}
            if told_before is None or rows == told_before[1]:
                continue
            profile, old = told_before
            name = f"profiles/{profile}.yaml" if profile else "no table"
            to = f"{cited} {found[0][0]}" if found else f"{cited}: no table"
            changed = "\n".join(unified_diff(as_yaml(old), as_yaml(rows), name, to, lineterm=""))
            told.setdefault(changed, []).append(f"{platform} {sku}{'' if sku in known else ' (not known)'}")
    for diff, places in told.items():
        yield f"# {release}: {', '.join(places)}"
        yield from diff.splitlines()
        yield ""


def main(clone: str, *wanted: str) -> int:
    """Prints the diff; the exit code."""
    try:
        check_clone(clone)
        refs: dict[str, str | None] = dict.fromkeys(COMMITS)
        if wanted:
            pairs = [each.partition("=") for each in wanted]
            refs = {release: ref or None for release, _, ref in pairs}
        lines, lacking, failed = list[str](), set[str](), set[str]()
        for release, ref in refs.items():
            release_key("sonic", release)
            commit = resolve(clone, release, ref)
            day = git(clone, "show", "-s", "--format=%cs", commit)
            at = COMMITS.get(release)
            if at is None or not commit.startswith(at):
                lines.append(
                    f"# {release}: {at or 'not known'} becomes {commit[:8]} of {day}, in profiles/nos/sonic.yaml"
                )
                lines.append(f'# and in profiles/commits.yaml: {commit[:8]}: "{day}" # {release}')
            tree = read_tree(clone, commit)
            lacking = tree.boards() - {board for name in SHIPPED.names("platforms") for board in boards_of(name)}
            cited = f"{UPSTREAM} {commit[:8]} of {day}"
            lines += compare(tree, release, cited)
            with tempfile.TemporaryDirectory() as folder:
                export(clone, commit, Path(folder))
                lines += compare_rendered(Path(folder), release, cited, failed)
    except (RefreshError, ValueError) as error:
        sys.stderr.write(f"refresh: {error}; nothing was compared\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    for each in sorted(failed):
        sys.stderr.write(f"does not render, not compared: {each}\n")
    if lacking:
        sys.stderr.write(f"no profile names {len(lacking)} boxes with a table: {', '.join(sorted(lacking))}\n")
    return int(bool(lines))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} CLONE [RELEASE=REF ...]")
    sys.exit(main(*sys.argv[1:]))
