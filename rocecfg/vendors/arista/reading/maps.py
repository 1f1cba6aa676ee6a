"""How packets are sorted: the maps of the text over those of EOS."""

from __future__ import annotations

from collections.abc import Collection

from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.model.switch import TCS, Chain
from rocecfg.vendors.arista.reading.switchwide import Switchwide

# EOS's own map (Arista's manual, as others quote it): eight code points each, the first two blocks the other way round.
OWN = tuple({0: 1, 1: 0}.get(dscp // 8, dscp // 8) for dscp in range(64))
# Its map of 802.1p values has 0 and 1 the other way round too, which no intent can say: of these nothing is taken as
# known where the text is silent, or what is imported would differ from its own switch.
OWN_COS = (None, None, *OWN[16::8])
_CONTROL = 7


def make_chain(switch: Switchwide, lossless: Collection[int], *, tagged: bool) -> Chain:
    """The maps in force. `lossless`: priorities that PFC is on for on some port; `tagged`: some port sorts by 802.1p.

    EOS ties a PFC priority to the traffic class and queue of its number, and says nothing of priority groups: a
    lossless traffic class is taken to have one of its own, others are where an intent puts them.
    """
    given, at = switch.globals, switch.at
    dscp = tuple(given.get(("dscp", d)) or Val(OWN[d], at) for d in range(64))
    fixed = Span(at.doc, at.start, at.start)  # of what holds unless it is said otherwise, in a part too
    queue = tuple(given.get(("tc", tc)) or Val(tc, fixed if tc == _CONTROL else at) for tc in TCS)
    groups = [tc if tc in lossless or tc == _CONTROL else 0 for tc in TCS]
    if 0 in lossless:  # the others do not fill it
        groups = list(TCS)
    own = tuple(Val(tc, at) for tc in TCS)
    tags = tuple(given.get(("cos", cos)) or Val(OWN_COS[cos], at) for cos in TCS) if tagged else ()
    return Chain(dscp, queue, tuple(Val(group, at) for group in groups), own, tags)


def read_remarks(switch: Switchwide) -> tuple[tuple[int, int], ...]:
    """The traffic classes whose packets are given a DSCP when they are sent, as far as stated."""
    if "rewrite" not in switch.globals:
        return ()
    found = {key[1]: val.value for key, val in switch.globals.items() if isinstance(key, tuple) and key[0] == "remark"}
    return tuple(sorted(found.items()))
