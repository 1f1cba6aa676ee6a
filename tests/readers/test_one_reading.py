"""What lint and `show` have of a switch's configuration is what drift compares of it: one value, at one place.

The model is made of what a reader gives, and so are the facts that configurations are compared by. A setting that both
have may have no other value in one of them, and stand nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import page_cases
from sampling import part as sample
from test_fates import texts

from rocecfg.core.units import Percent
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.model import Span
from rocecfg.model.catalogue import CATALOGUE, What
from rocecfg.model.switch import Facts
from rocecfg.model.values import Watched, of_device, of_port
from rocecfg.source.document import SourceError, Sources
from rocecfg.vendors import part
from rocecfg.vendors.draft import draft_of
from rocecfg.vendors.running import fabric_of

OF_DEVICE = {row.name: row.compared for row in CATALOGUE if row.compared and row.name in SCOPES["device"]}
OF_PORT = {row.name: row.compared for row in CATALOGUE if row.compared and row.name in SCOPES["port"]}
OF_CLASS = {  # of the queue that it leaves by
    **{row.name: row.compared for row in CATALOGUE if row.path.startswith("ports[].queues[].ecn")},
    "bandwidth": "weight",
    "max_rate": "max_rate",
    "max_percent": "max_rate",
    "guaranteed_rate": "guaranteed",
    "guaranteed_percent": "guaranteed",
}
PFC = What("pfc")
Places = dict[What, set[Span]]


def in_both(
    scope: str, element: Any, facts: Facts, places: Places, number: int | None = None
) -> Iterator[tuple[What, Any, Any]]:
    """The settings that an element and the facts have, what each of them says, and a place that facts do not have."""
    compared = {"device": OF_DEVICE, "port": OF_PORT, "class": OF_CLASS}[scope]
    for name in compared.keys() & SCOPES[scope].keys():
        topic, _, of = compared[name].partition(".")
        what = What(topic, number, of)
        for reading in SCOPES[scope][name].read(element):
            if what in facts and facts[what].value is not None:
                found = as_shown(reading.value), None if reading.at in places[what] else reading.at
                yield what, found, (as_shown(facts[what].value), None)


def as_shown(value: Any) -> Any:
    """A value in the words of `show`."""
    if isinstance(value, Watched):
        return value.priorities
    if isinstance(value, Percent):
        return float(value)
    return "on" if isinstance(value, tuple) and value and isinstance(value[0], tuple) else value


def compare(text: str, vendor: str) -> Iterator[tuple[object, ...]]:
    """Each setting that both the model and the facts of a text have: where it is, and what each of the two says."""
    document = Sources().add("leaf01", text)
    switches = part(vendor, "reader").read(document)
    fabric = fabric_of("leaf01", [(document, list(map(draft_of, switches)))], [], Sources()).fabric
    assert fabric is not None
    for switch, device in zip(switches, fabric.devices, strict=True):
        ports = [of_port(port) for port in switch.ports]
        places: Places = {}  # alike ports have those of one of them, and so do classes
        for facts in (of_device(switch), *ports):
            for what, fact in facts.items():
                places.setdefault(what, set()).add(fact.at)
        yield from in_both("device", device, of_device(switch), places)
        for port, facts in zip(switch.ports, ports, strict=True):
            group = next(one for one in device.ports if not port.names or port.names[0] in one.names)
            partly = port.running.partly_paused if port.running is not None else ()
            for what, model, fact in in_both("port", group, facts, places):
                if what == PFC:  # in the model worked out from the classes, and with what is paused in part
                    yield what, model[0], tuple(sorted((*fact[0], *partly)))
                else:
                    yield what, model, fact
            for cls in device.classes_on(group):
                yield from in_both("class", cls, facts, places, cls.queue)


def test_lint_and_drift_read_one_value_at_one_place(tmp_path: Path) -> None:
    pages = (page.read_text("utf-8") for page in sorted(page_cases.PAGES.glob("*.md")))
    found_there = (one for page in pages for one in page_cases.blocks(page) if one.kind in page_cases.SWITCHES)
    running = [(page_cases.SWITCHES[one.kind][0], one.text) for one in found_there]
    compared = 0
    for vendor, text in (*sample(running, "rocecfg/vendors", "rocecfg/model"), *texts(tmp_path)):
        try:
            found = list(compare(text, vendor))
        except SourceError:
            continue
        compared += len(found)
        assert [(text, *one) for one in found if one[1] != one[2]] == []
    assert compared > 5000
