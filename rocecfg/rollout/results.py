"""What perftest and nccl-tests say they measured: `--out_json` of the one, the table of the other."""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Node, Scalar, compose

_COLUMNS = 13  # size count type redop root, then time algbw busbw #wrong out of place and in place
_BUSBW = (7, 11)
_WRONG = (8, 12)
_RANK = re.compile(r"#\s+Rank\s+\d+ .*? on\s+(\S+)\s+device")
_TEST = re.compile(r"# Collective test concluded: (\S+)|(?:^|/)(\w+_perf)\b", re.MULTILINE)
_MTU, _BW, _SIZE = "Mtu", "BW_average", "MsgSize"


class Perftest(NamedTuple):
    """A result of perftest."""

    test: str
    queue_pairs: int | None
    path_mtu: int | None  # bytes
    size: int | None  # of a message, bytes
    average: float  # as it stands: Gbit/s with --report_gbits


class Nccl(NamedTuple):
    """A result of nccl-tests: its largest message."""

    test: str
    ranks: int
    hosts: int
    size: int  # bytes
    busbw: float  # GB/s, the better of out of place and in place
    wrong: int  # values that are not as they must be, of all sizes


def read_result(document: Document) -> Perftest | Nccl:
    """The result in a text. Raises SourceError for what is none, or lacks what is compared."""
    text = document.text
    if text.lstrip().startswith("{"):
        return _read_perftest(document)
    if "busbw" in text:
        return _read_nccl(document)
    raise SourceError(
        document.path,
        "no result of perftest or nccl-tests",
        "give the file of perftest's --out_json_file, or the output of nccl-tests",
    )


def _read_perftest(document: Document) -> Perftest:
    """Some releases write names without quotes and a comma behind the last: YAML takes both."""
    root = compose(document)
    info, results = (_read_scalars(root, name) for name in ("test_info", "results"))
    average = _read_number(results, _BW)
    if average is None:
        raise SourceError(
            document.path, f"results has no {_BW}", "run a bandwidth test with --out_json --out_json_file=FILE"
        )
    pairs, mtu, size = (_read_number(*at) for at in ((info, "Number_of_qps"), (info, _MTU), (results, _SIZE)))
    return Perftest(info.get("test") or "perftest", _make_int(pairs), _make_int(mtu), _make_int(size), average)


def _read_scalars(root: Node | None, name: str) -> dict[str, str]:
    """The scalars of an object in the root."""
    for key, node in root.pairs if isinstance(root, Map) else ():
        if key.text == name and isinstance(node, Map):
            return {inner.text: value.text for inner, value in node.pairs if isinstance(value, Scalar)}
    return {}


def _read_number(stated: dict[str, str], name: str) -> float | None:
    try:
        return float(stated[name])
    except (KeyError, ValueError):
        return None


def _make_int(number: float | None) -> int | None:
    return None if number is None else int(number)


def _read_nccl(document: Document) -> Nccl:
    rows = [row for line in document.text.splitlines() if (row := _read_row(line)) is not None]
    if not rows:
        raise SourceError(document.path, "a table of nccl-tests without a row", "give its whole output, with the sizes")
    hosts = _RANK.findall(document.text)
    named = _TEST.search(document.text)
    size, busbw, _ = max(rows)
    test = next((name for name in named.groups() if name), "") if named is not None else ""
    return Nccl(test or "nccl-tests", len(hosts), len(set(hosts)), size, busbw, sum(row[2] for row in rows))


def _read_row(line: str) -> tuple[int, float, int] | None:
    """Size, the better busbw and the wrong values of a row; None for another line. Launchers put words before it."""
    cells = line.split()[-_COLUMNS:]
    if len(cells) < _COLUMNS or not cells[0].isdigit():
        return None
    try:
        busbw = max(float(cells[n]) for n in _BUSBW)
    except ValueError:
        return None
    return int(cells[0]), busbw, sum(int(cells[n]) for n in _WRONG if cells[n].isdigit())
