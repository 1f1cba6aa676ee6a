"""How time grows with what is read: ten times the text should take ten times as long, not a hundred.

    python benchmarks/growth.py

For each reader it prints what the large text takes in multiples of the small one, for ten times the bytes; and what
looking for secrets in a description takes in multiples of splitting it into words. Times are CPU seconds, the least of
three runs.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rocecfg.intent.secrets import find_secret
from rocecfg.linting.roots import is_root
from rocecfg.source.document import Sources
from rocecfg.vendors.junos.reading.set_lines import parse_set_lines
from rocecfg.vendors.running import read_drafts

SMALL, TIMES = 1850, 10  # ports, and how many times as many
LINES = 100_000
PORT = """interface Ethernet{n}/1
   description host {n}
   mtu 9214
   speed 400g-8
   no switchport
   ip address 10.0.{n}.1/31
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   tx-queue 3
      no priority
      bandwidth percent {share}
!
"""
ODD = {  # what a search for the key of an intent could go back and forth in
    "empty lines": "\n",
    "blanks": " ",
    "comments": "# c\n",
    "open braces": "\n{",
    "quoted keys": "'rocecfg'\n",
    "lines of a blank": "\n \n",
}
DESCRIPTION = "leaf {n}: row 12, rack 7, high density, two power feeds"


def eos(ports: int) -> str:
    """A running-config of so many ports."""
    return "hostname x\n" + "".join(PORT.format(n=n, share=n % 99 + 1) for n in range(ports))


def least(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of three runs."""
    taken = []
    for _ in range(3):
        gc.collect()
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


def growth(what: str, work: Callable[[int], Callable[[], object]]) -> None:
    """Print what ten times the text takes; `work`: how many times the small one -> what reads it."""
    small, large = least(work(1)), least(work(TIMES))
    print(f"{what}: {TIMES} times the text takes {large / small:.1f} times as long ({small:.3f} s, {large:.3f} s)")


def reading(times: int) -> Callable[[], object]:
    """Reads a running-config."""
    text = eos(SMALL * times)
    return lambda: read_drafts(Sources().add("switch", text), "arista")


def deleting(times: int) -> Callable[[], object]:
    """Reads set lines of Junos, of which the second half takes back what the first one says."""
    ports = range(SMALL * times)
    lines = [f"set interfaces et-0/0/{n} mtu 9216" for n in ports] + [
        f"delete interfaces et-0/0/{n} mtu" for n in ports
    ]
    document = Sources().add("switch", "\n".join(lines))
    return lambda: parse_set_lines(document)


def looking(line: str) -> Callable[[int], Callable[[], object]]:
    """Looks for the key of an intent in a file of such lines."""

    def of(times: int) -> Callable[[], object]:
        data = (line * LINES * times).encode()
        return lambda: is_root(data)

    return of


def main() -> None:
    """Print all of it."""
    growth(f"EOS running-config of {SMALL} ports", reading)
    growth(f"set lines of Junos, {SMALL} of them taken back", deleting)
    for what, line in ODD.items():
        growth(f"looking for the key in {LINES} {what}", looking(line))
    texts = [DESCRIPTION.format(n=n) for n in range(10_000)]
    words = least(lambda: [text.split() for text in texts])
    secrets = least(lambda: [find_secret(text) for text in texts])
    wording = f"{secrets / words:.1f} times splitting it ({secrets / len(texts) * 1e6:.1f} us)"
    print(f"looking for secrets in a description: {wording}")


if __name__ == "__main__":
    main()
