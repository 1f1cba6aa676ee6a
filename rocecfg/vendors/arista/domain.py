"""What EOS's commands bear on: which settings a line may set, and of which lines nothing is to be known.

Every line of a mode that is read here either sets something, or is told as not understood, or has a row that says why
nothing hangs on it. The rows of commands that are read follow from their table, those of others stand here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from rocecfg.vendors.arista.reading.commands import FORMS, Form, strip_sign
from rocecfg.vendors.arista.reading.grammar import Placeholder, Token, expand_pattern, join_numbers
from rocecfg.vendors.table import ANY, VALUE, N, Path, Row, Table, make_rows

OF_SWITCH = frozenset(
    {"dscp", "pcp", "remarks", "recovers", "buffers", "pool", "load_balancing"}
)  # settings that no port has by itself


_FEW = 4  # words for one value that are told apart


def _make_rows(mode: str, form: Form) -> Iterator[Row]:
    """The rows of a command, for each that it sets: of each way to write it, and of as much as is read behind `no`."""
    row = Row((), form.says, by=form.by, beside=form.beside, source=form.source, into=mode)
    for pattern in (form.pattern, form.head) if form.head else (form.pattern,):
        for tokens in expand_pattern(pattern):
            for path in product(*(_spell_token(token, form.each) for token in tokens)):
                words = {
                    token.name: word for token, word in zip(tokens, path, strict=True) if isinstance(token, Placeholder)
                }
                yield from (row._replace(path=path, key=key.format_map(words)) for key in form.keys or ("",))


def _spell_token(token: Token, each: str) -> Path:
    """The words of a path that a token stands for; N for a number that settings go by, VALUE for all that follows."""
    if isinstance(token, str):
        return (token,)
    if token.name == each:
        return (N,)
    return (VALUE,) if token.rest else token.words if 0 < len(token.words) <= _FEW else (ANY,)


# fmt: off
_OTHERS = (  # lines that are told as not understood, or are of other features
    make_rows("pfc|roce|dcqcn|congestion-control", "pfc watchdog", by=""),
    make_rows("ecn|wred", "ecn discards", by=""),
    make_rows("qos|ip|mac"),  # more than one feature's
    make_rows("vxlan", beside="which interface and port a tunnel has; that there is one is read", source="AVD"),
    make_rows("vxlan qos", "dscp pcp remarks tunnels copies_dscp copied_by", by=""),
    make_rows("queue", beside="opens the mode of a queue: what stands in it counts", source="AVD"),
    make_rows("match|class|set|police", beside="of a policy-map: reported with the line that binds it", source="AVD"),
    make_rows("interface", beside="takes a whole interface back, or opens it: what stands in it counts",
              source="EOS user manual"),
    make_rows("qos profile", beside="opens a profile: what stands in it counts", source="AVD"),
    make_rows("queue-monitor", beside="LANZ: reports of queue lengths", source="AVD"),
    *(make_rows(path, beside="chooses among equal paths, and no queue",
                source="AVD; EOS user manual, cluster load balancing")
      for path in ("load-balance", "ip hardware fib load-balance", "port-channel load-balance",
                   "forwarding|destination|aging|limit|balance|flow", "port group")),
    make_rows("description|load-interval|phy|vrf|spanning-tree|vlan|ipv6", beside="of other features", source="AVD"),
    make_rows("ip routing", beside="of other features", source="AVD"),
)
# fmt: on
_READ = (row for mode, forms in FORMS.items() for form in forms for row in _make_rows(mode, form))
TABLE = Table((*_READ, *(row for rows in _OTHERS for row in rows)))
_BEGUN: dict[str, list[Row]] = {}  # by their first words; rows of one path that bear on the same are one here
for _row in {(row.path, row.says, row.beside): row for row in TABLE.rows}.values():
    _BEGUN.setdefault(_row.path[0], []).append(_row)


def _find_rows(line: str) -> tuple[list[Row], bool]:
    """The rows of a line, and whether it has what they say; else they are those that begin alike."""
    words = join_numbers(line.split(" "))
    begun = _BEGUN.get(words[0]) or next((_BEGUN[word] for word in _BEGUN if words[0].startswith(word)), [])
    rows = [(_count_alike(row, words), row) for row in begun]
    alike = max((count for count, _ in rows), default=0)
    whole = [(count, row) for count, row in rows if count == len(row.path)]
    longest = max((count for count, _ in whole), default=0)
    found = [row for count, row in whole if count == longest]
    if longest == alike or any(row.path[-1] == VALUE for row in found):
        return found, True
    return [row for count, row in rows if count == alike], False


def _count_alike(row: Row, words: Sequence[str]) -> int:
    """The words of a row that a line has, before the first that it has not; slips of them count, but for `beside`."""
    count = 0
    for word, own in zip(row.path, words, strict=False):
        if word not in (ANY, N, VALUE, own) and (row.beside or not own.startswith(word)):
            break
        count += 1
    return count


def settings_of(line: str) -> tuple[str, ...]:
    """The settings, by their names in the catalogue, that a line may bear on; (): not known which."""
    rows, _ = _find_rows(strip_sign(line))
    return tuple(dict.fromkeys(setting for row in rows for setting in row.says))


@lru_cache(maxsize=4096)
def is_beside(line: str) -> bool:
    """Whether nothing that is compared hangs on a line."""
    rows, whole = _find_rows(strip_sign(line))
    return whole and bool(rows) and all(row.beside for row in rows)
