"""Schedulers, and the maps that give them to classes, as they become: in what is in scope as they are rendered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.model.catalogue import What
from rocecfg.vendors.changes import align_names
from rocecfg.vendors.junos.change.config import Edited
from rocecfg.vendors.junos.limits import QUEUES
from rocecfg.vendors.junos.reading.statements import Words
from rocecfg.vendors.junos.settings import COS, MAPS, SCHEDULERS, TABLE

_RATES = frozenset({"transmit-rate", "shaping-rate"})
_PARTS = frozenset(row.path[3] for row in TABLE.rows if row.by and row.path[:2] == SCHEDULERS)


def list_parts(what: What) -> set[str]:
    """The statements of a scheduler that a change of a setting sets."""
    return {row.path[3] for row in TABLE.list_set_by(what) if row.path[:2] == SCHEDULERS}


class Schedulers:
    """Those of a configuration on its way to what is intended."""

    def __init__(self, edited: Edited, maps: dict[str, str]) -> None:
        """`maps`: for each scheduler map that is rendered, the name to use on the switch."""
        self._edited = edited
        self.have, self.meant, self.classes = edited.have, edited.meant, edited.classes
        self._maps = maps
        self._in_use = {row.value for rows in self.have.cos.maps.values() for row in rows.values()}
        self._names, self._drops = self._match_names()

    def _match_names(self) -> tuple[dict[str, str], dict[str, str]]:
        """Schedulers by what they serve, a class of a map; drop profiles by the schedulers that name them."""
        meant: dict[tuple[str, str], str] = {}
        for name, rows in self.meant.cos.maps.items():
            for of, scheduler in rows.items():
                meant[self._maps.get(name, name), self.classes[of]] = scheduler.value
        running = {(name, of): val.value for name, rows in self.have.cos.maps.items() for of, val in rows.items()}
        schedulers = align_names(meant, running, dict.fromkeys(self.have.cos.schedulers, False))
        marked = {
            schedulers.get(name, name): stated["drops"].value
            for name, stated in self.meant.cos.schedulers.items()
            if "drops" in stated
        }
        marking = {
            name: stated["drops"].value for name, stated in self.have.cos.schedulers.items() if "drops" in stated
        }
        return schedulers, align_names(marked, marking, dict.fromkeys(self.have.cos.drops, False))

    def fix_map(self, meant: str, running: str | None, settings: Iterable[What]) -> str:
        """The schedulers of a map that is rendered, for ports that have another, or none; its name on the switch."""
        name = self._maps[meant]
        wanted: dict[int, set[str]] = {}
        for what in settings:
            for part in list_parts(what):
                for queue in QUEUES if what.number is None or what.topic == "shares" else (what.number,):
                    wanted.setdefault(queue, set()).add(part)
        if name != running and not any(w[:3] == (*MAPS, name) for w in self._edited.lines):
            for words in self.have.statements_below(*MAPS, running) if running is not None else ():
                self._edited.add((*MAPS, name, *words[3:]))
        for of, scheduler in self.meant.cos.maps[meant].items():
            queue = self.meant.cos.classes[of]["queue"].value
            if queue in wanted or running is None:
                self._fix_scheduler(name, running, of, scheduler.value, wanted.get(queue, ()))
        self._drop_unmeant_queues(name, running, wanted)
        return name

    def _drop_unmeant_queues(self, name: str, running: str | None, wanted: Iterable[int]) -> None:
        """Take queues that nothing is intended for out of a map."""
        meant = {stated["queue"].value for stated in self.meant.cos.classes.values()}
        for of in self.have.cos.maps.get(running or "", {}):
            queue = self.have.cos.queue_of(of)
            left = queue is not None and queue.value in wanted and queue.value not in meant
            if left and of not in self.classes.values():
                self._edited.replace((*MAPS, name, "forwarding-class", of), ())

    def _fix_scheduler(self, name: str, running: str | None, of: str, meant: str, parts: Iterable[str]) -> None:
        """The scheduler of a class in a map: `parts` of it as rendered, or all where it is not there."""
        own = self.classes[of]
        target = self._names[meant]
        before = self.have.cos.maps.get(running or "", {}).get(own)
        source = before.value if before is not None and before.value in self.have.cos.schedulers else None
        below = (*SCHEDULERS, target)
        if source is not None and "cap" in self.have.cos.schedulers[source] and _RATES & {*parts}:
            parts = {*parts, *_RATES}  # `exact` caps the very rate that is the share, and stands beside no shaper
        if source is None and target in self._in_use:  # which has what nobody means, for other classes or ports
            source, parts = target, _PARTS
        if source is None:
            self._edited.replace(below, self._rename_scheduler(meant, target, None))
        else:
            if target != source and not any(w[:3] == below for w in self._edited.lines):
                for words in self.have.statements_below(*SCHEDULERS, source):
                    self._edited.add((*below, *words[3:]))
            for part in sorted(parts):
                for words in [w for w in self._edited.lines if w[:4] == (*below, part)]:
                    del self._edited.lines[words]
                for words in self._rename_scheduler(meant, target, part):
                    self._edited.add(words)
            if not any(w[:3] == below for w in self._edited.lines):  # what a map names has to be there
                self._edited.replace(below, self._rename_scheduler(meant, target, None))
        self._edited.put((*MAPS, name, "forwarding-class", own, "scheduler", target))

    def _rename_scheduler(self, meant: str, name: str, part: str | None) -> Iterator[Words]:
        """The statements of a rendered scheduler under a name of the switch, and the drop profile that it comes to."""
        for words in self.meant.statements_below(*SCHEDULERS, meant):
            if part is not None and words[3:4] != (part,):
                continue
            if words[3:4] == ("drop-profile-map",):
                profile = self._drops[words[-1]]
                rows = self.meant.statements_below(COS, "drop-profiles", words[-1])
                self._edited.renew(
                    (COS, "drop-profiles", profile), ((COS, "drop-profiles", profile, *w[3:]) for w in rows)
                )
                yield (*SCHEDULERS, name, *words[3:-1], profile)
            else:
                yield (*SCHEDULERS, name, *words[3:])
