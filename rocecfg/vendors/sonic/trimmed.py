"""Queues that trim: those whose buffer profile says so, beside SWITCH_TRIMMING, which says what trimmed packets become.

sonic-buffer-profile.yang, packet_discard_action (from 202505); SONiC's design of packet trimming. A profile serves many
queues: where all of them are intended alike its field is changed, else those that differ are bound to a copy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rocecfg.model import Device, PortGroup
from rocecfg.vendors.sonic.keys import covering_key, parse_range, referenced_name, replace_overlapping

_ACTION = "packet_discard_action"
_QUEUES = 8  # that classes can have

Tables = dict[str, dict[str, dict[str, str]]]


def trimmed_queues(device: Device, port: PortGroup) -> frozenset[int]:
    """The queues of a port that are intended to trim; none where trimming is off, or nobody states whose packets."""
    trimming = device.trimming
    if trimming is None:
        return frozenset()
    return frozenset(cls.queue for cls in device.classes_on(port) if cls.name in trimming.classes)


def bind_trimmed_queues(target: Tables, trims: Mapping[str, Collection[int]], port: str) -> Iterator[str]:
    """Make the queues of a port trim, or not, as is intended; yields what no row can say.

    `trims`: the queues that are to trim, by port: of all ports of the intent, since ports share profiles.
    """
    for queue in range(_QUEUES):
        wanted = queue in trims[port]
        key = covering_key(target.get("BUFFER_QUEUE", {}), port, queue)
        name = referenced_name(target["BUFFER_QUEUE"][key].get("profile", "")) if key is not None else ""
        profile = target.get("BUFFER_PROFILE", {}).get(name)
        if key is None or profile is None:
            if wanted:
                yield (
                    f"queue {queue} of {port} has no buffer profile in BUFFER_QUEUE, and one that trims needs the size "
                    f"and threshold of the platform's: bind it to the profile of lossy queues first"
                )
            continue
        if (profile.get(_ACTION) == "trim") == wanted:
            continue
        if all((other in trims.get(name_of, ())) == wanted for name_of, other in _queues_bound_to(target, name)):
            _set_discard(profile, wanted=wanted)
        else:
            _bind_to_copy(target, name, f"{port}|{queue}", wanted=wanted)


def _set_discard(profile: dict[str, str], *, wanted: bool) -> None:
    profile[_ACTION] = "trim" if wanted else "drop"


def _bind_to_copy(target: Tables, name: str, key: str, *, wanted: bool) -> None:
    """Bind one queue to a copy of its profile that differs in this alone."""
    profiles = target["BUFFER_PROFILE"]
    row = dict(profiles[name])
    _set_discard(row, wanted=wanted)
    copy = f"{name}_{row[_ACTION]}"
    while profiles.get(copy, row) != row:  # another one has the name
        copy += "_1"
    profiles[copy] = row
    have = target["BUFFER_QUEUE"]
    before = have[covering_key(have, *_split_key(key)) or key]["profile"]
    bound = {"profile": before.replace(name, copy)}  # in brackets, as old releases refer to rows, or without
    target["BUFFER_QUEUE"] = replace_overlapping({**have, key: bound}, {key: bound})


def _split_key(key: str) -> tuple[str, int]:
    port, _, queue = key.rpartition("|")
    return port, int(queue)


def _queues_bound_to(target: Tables, name: str) -> Iterator[tuple[str, int]]:
    """The queues that a profile serves, with their ports."""
    for key, row in target.get("BUFFER_QUEUE", {}).items():
        if referenced_name(row.get("profile", "")) == name:
            port, _, index = key.rpartition("|")
            yield from ((each, n) for each in port.split(",") for n in parse_range(index))
