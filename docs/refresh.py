"""What an upstream repository says of the facts in `profiles/`, as a diff of YAML to review. Nothing is written.

`python docs/refresh.py CLONE [RELEASE=REF ...]`, CLONE being a clone of sonic-net/sonic-buildimage with its history and
branches. Without RELEASE=REF, each release of `commits` in profiles/nos/sonic.yaml at its branch. Of each it prints the
commit and its day, what pg_profile_lookup.ini of each HwSKU says otherwise, and HwSKUs that no profile knows. A clone
that is shallow, one without the commits that the profiles name, and a row that cannot be read are errors: nothing is
guessed. Exit 0 where nothing differs, 1 where something does, 2 for an error.
"""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from rocecfg.core.units import show_rate
from rocecfg.profiles import SHIPPED, release_key

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "corpora")]

from stock_configurations import files  # type: ignore[import-not-found]  # noqa: E402

UPSTREAM = "sonic-net/sonic-buildimage"
_TABLE = "pg_profile_lookup.ini"
_WANTED = re.compile(rf"device/.*/({_TABLE}|platform_asic)")
_BOARD = re.compile(r"device/([\w.-]+/[\w.-]+)")
_VIRTUAL = re.compile(r"(?:^virtual/|[-_]simx|[-_]kvm)")
_MOST_LINKS = 40
COMMITS = SHIPPED.nos("sonic").commits  # releases whose tables are known -> where they were read

Rows = dict[int, dict[int, tuple[str, ...]]]  # speed in bit/s -> cable in metres -> size, xon, xoff, threshold, offset


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
            raise RefreshError(f"{path}:{number}: {line.strip()!r} is no row of a headroom table")
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


def compare(tree: Tree, release: str, cited: str) -> Iterator[str]:
    """What a commit says otherwise than the profiles. `cited`: the repository, the commit and its day."""
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
        lines, lacking = list[str](), set[str]()
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
            lines += compare(tree, release, f"{UPSTREAM} {commit[:8]} of {day}")
    except (RefreshError, ValueError) as error:
        sys.stderr.write(f"refresh: {error}; nothing was compared\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    if lacking:
        sys.stderr.write(f"no profile names {len(lacking)} boxes with a table: {', '.join(sorted(lacking))}\n")
    return int(bool(lines))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} CLONE [RELEASE=REF ...]")
    sys.exit(main(*sys.argv[1:]))
