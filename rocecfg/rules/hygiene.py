"""What is said in vain or untidily: rules HYG907 to HYG909."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Fabric, TrafficClass
from rocecfg.rules.base import ERROR, INFO, OFF, Hit, Rule, rule, source_rule

hygiene_secret = source_rule(
    "HYG907",
    "hygiene-secret",
    ERROR,
    "A password, token or key in a text of the intent.",
    source="the forms that issuers publish: ghp_ (GitHub), glpat- (GitLab), xoxb- (Slack), AKIA (AWS)",
)


hygiene_order = source_rule(
    "HYG908",
    "hygiene-order",
    INFO,
    "A list of priorities that does not ascend.",
    source="lists of priorities mean the same in any order: one order keeps differences between versions readable",
)


@rule(
    "HYG909",
    "hygiene-unused",
    INFO,
    source="a class that no port lists gets no PFC, watchdog, headroom or ECN anywhere",
    by_kind={"running": OFF},  # the classes there are those of its maps
)
def hygiene_unused(fabric: Fabric) -> Iterator[Hit]:
    """A class that crosses no port of any device."""
    if not fabric.links:
        return  # the ports that are named need not be all there are
    classes: dict[str, TrafficClass] = {}
    crossing: set[str] = set()
    for device in fabric.devices:
        for port in device.ports:
            crossing.update(port.classes)
        for cls in device.classes:
            classes.setdefault(cls.name, cls)
    for name in sorted(classes.keys() - crossing):
        cls = classes[name]
        if cls.rest:
            continue  # the map needs it, whatever the ports carry
        yield Hit(
            f"class {name} crosses no port of any device: its code points, queue and bandwidth serve nothing",
            (cls.at(),),
            f"add {name} to the classes of the ports it crosses, or remove the class",
            cls=name,
        )


RULES: tuple[Rule, ...] = (hygiene_secret, hygiene_order, hygiene_unused)
