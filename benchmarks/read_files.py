"""What reading a configuration takes, a file, and what a plain parser of that format takes for the same bytes.

    python read_files.py FOLDER

FOLDER is what configurations.py wrote. For each kind of file it prints a line of JSON: `kind`, `files`, `lines` and
`bytes` of a file on average, `read` and `base` in seconds a file, and `against`, what the base is; then `bulk` and
`bulk_base`, seconds a file where all `all` of the kind are read together, each shape once. All texts are in memory and
differ; times are the thread's CPU time, the least of some rounds in turn, collection of garbage off as in the command.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import yaml
from configurations import KINDS

from rocecfg.source.document import Sources
from rocecfg.vendors.alike import Batch, Read, VendorText
from rocecfg.vendors.running import read_drafts

ROUNDS = 9
BULK_ROUNDS = 5
FILES = 24
# What is read of each kind: leaves; of SONiC spines, which have the larger files.
PICKED = {kind: "*-spine*" if kind == "sonic" else "*-leaf*" for kind in KINDS}


_Work = TypeVar("_Work")


def events(text: str) -> None:
    """Every event of PyYAML's C parser, nothing kept."""
    for _ in yaml.parse(text, Loader=yaml.CLoader):
        pass


def words(text: str) -> list[list[str]]:
    """Every line in its words."""
    return [line.split() for line in text.splitlines()]


def eos() -> tuple[str, Callable[[str], object]]:
    """netutils' parser of EOS, which finds the parents of each line; without it the words of each line."""
    try:
        from netutils.config.parser import EOSConfigParser
    except ImportError:
        return "splitting lines into words", words
    return "netutils' EOSConfigParser", lambda text: EOSConfigParser(text).build_config_relationship()


def measured(texts: Iterable[_Work], function: Callable[[_Work], object]) -> float:
    """Seconds of the thread's CPU time for all texts."""
    gc.collect()
    gc.disable()
    start = time.thread_time()
    for text in texts:
        function(text)
    taken = time.thread_time() - start
    gc.enable()
    return taken


def main(folder: str) -> None:
    """Measure each kind and print it."""
    bases = {"eos": eos(), "sonic": ("json.loads", json.loads), "nvue": ("C event loop", events)}
    for kind, pattern in PICKED.items():
        texts = [path.read_text(encoding="utf-8") for path in sorted(Path(folder, kind).glob(pattern))[:FILES]]
        against, base = bases.get(kind, ("splitting lines into words", words))
        reader = _reader(KINDS[kind][0])
        taken: dict[str, list[float]] = {"read": [], "base": []}
        for _ in range(ROUNDS):
            taken["read"].append(measured(texts, reader))
            taken["base"].append(measured(texts, base))
        count = len(texts)
        size = {"lines": sum(text.count("\n") for text in texts), "bytes": sum(map(len, texts))}
        reported = {name: value / count for name, value in size.items()} | {n: min(t) / count for n, t in taken.items()}
        reported |= bulk(
            [path.read_text(encoding="utf-8") for path in sorted(Path(folder, kind).iterdir())], kind, base
        )
        print(json.dumps({"kind": kind, "files": count, "against": against, **reported}))


def bulk(texts: list[str], kind: str, base: Callable[[str], object]) -> dict[str, float]:
    """The same of many texts at once, of which one of each shape is read in full."""
    vendor, *_ = KINDS[kind]
    taken: dict[str, list[float]] = {"bulk": [], "bulk_base": []}
    for _ in range(BULK_ROUNDS):
        taken["bulk"].append(measured([texts], partial(_read_together, vendor=vendor)))
        taken["bulk_base"].append(measured(texts, base))
    return {"all": len(texts)} | {name: min(times) / len(texts) for name, times in taken.items()}


def _read_together(texts: list[str], vendor: str) -> None:
    sources, alone = Sources(), list[VendorText]()
    batch = Batch(alone.append, by_shape=True)
    for number, text in enumerate(texts):
        batch.add(sources.add(f"switch{number}", text), lambda _: vendor)
    batch.read(_in_full(alone), _in_full)


def _in_full(texts: list[VendorText]) -> Iterator[Read]:
    return (read_drafts(document, vendor) for document, vendor in texts)


def _reader(vendor: str) -> Callable[[str], object]:
    return lambda text: read_drafts(Sources().add("switch", text), vendor)


if __name__ == "__main__":
    main(sys.argv[1])
