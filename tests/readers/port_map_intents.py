"""Intents in which ports of one switch sort packets in several ways."""

from __future__ import annotations

from hypothesis import strategies as st

TOP = """\
rocecfg: 1
fabric: {name: lab}
classes:
  rdma:    {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 50,
            ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}
  storage: {carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 20}
  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 30}
pfc:
  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}
"""


def intent(groups: list[str], names: list[str], defaults: str) -> str:
    """An intent of one switch; `groups`: the classes of ports, as written; `names`: the ports of each."""
    rows = "".join(
        f'      "{key}": {{speed: 400G, faces: host, cable: 3m{f", classes: {classes}" if classes else ""}}}\n'
        for key, classes in zip(names, groups, strict=True)
    )
    return f"{TOP}defaults: {{{defaults}}}\ndevices:\n  leaf1:\n    ports:\n{rows}"


@st.composite
def classes(draw: st.DrawFn) -> str:
    """What a port changes of its classes; empty: nothing. Classes keep apart in what they need apart."""
    if draw(st.booleans()):
        return ""
    rdma, storage = draw(st.permutations([1, 2, 3, 4, 5]))[:2]
    changes = []
    dscps = draw(st.lists(st.sampled_from([24, 25, 26, 30, 31]), min_size=1, unique=True))
    stated = {"priority": str(rdma), "dscp": str(dscps)}
    kept = [key for key in stated if key == "priority" or draw(st.booleans())]
    changes.append(f"rdma: {{{', '.join(f'{key}: {stated[key]}' for key in kept)}}}")
    if draw(st.booleans()):
        changes.append("storage: off")
    else:
        lossless = ", lossless: true" if draw(st.booleans()) else ""
        changes.append(f"storage: {{priority: {storage}{lossless}}}")
    if draw(st.booleans()):
        changes.append("cnp: {dscp: [48, 46]}")
    return "{" + ", ".join(changes) + "}"


def groups(least: int = 2, most: int = 4) -> st.SearchStrategy[list[str]]:
    """What each group of ports changes."""
    return st.lists(classes(), min_size=least, max_size=most)
