"""What is said in vain or untidily: rules HYG907 to HYG909 and HYG911."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.names import edit_distance
from rocecfg.model import Device, Fabric, Span, TrafficClass
from rocecfg.model.fix import put, replace
from rocecfg.model.traffic import KINDS_OF_TRAFFIC, find_meant_kind
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule, source_rule, unsafe_fix
from rocecfg.rules.common import PRIORITIES, join_words, paused_priorities

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
            f"class {name} crosses no port of any device: its DSCPs, queue and bandwidth are unused",
            (cls.at(),),
            f"add {name} to the classes of the ports it crosses, or remove the class",
            cls=name,
        )


@rule(
    "HYG911",
    "hygiene-unknown-traffic",
    WARNING,
    source="rocecfg, the intent format: any word may stand for what a class carries, and rules know nine of them",
    by_kind={"running": OFF},  # the classes there are those of its maps
)
def hygiene_unknown_traffic(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A word for traffic that is another name or a slip of a known one, or unknown in a lossless class."""
    if "rdma" in cls.carries or not cls.unknown_kinds or len(paused_priorities(device)) == PRIORITIES:
        return  # the last is pfc-all's
    stated = isinstance(cls.origins.get("carries"), Span)
    protected = cls.lossless or fabric.mode == "lossy"  # else RDMA there is an error of its own
    words = join_words(cls.unknown_kinds)
    meant = {word: find_meant_kind(word) or (_find_slip(word) if stated else None) for word in cls.unknown_kinds}
    guess = next(filter(None, meant.values()), None)
    if guess is None and not cls.lossless:
        return
    new = tuple(dict.fromkeys(meant.get(word) or word for word in cls.carries))
    wanted = f"carries: [{', '.join(new)}]"
    beside = "" if protected or guess != "rdma" else _BESIDE
    yield Hit(
        (f"class {cls.name} carries {words}" if stated else f"class {cls.name} does not say what it carries")
        + f": rocecfg does not know whether {'that' if stated else 'it'} is RDMA, and skips the rules on RDMA for it",
        (cls.at("carries"), cls.at()),
        f"did you mean {guess}? Write {wanted}{beside}"
        if guess is not None
        else f"if it carries RDMA, write carries: [{', '.join(dict.fromkeys(('rdma', *cls.carries)))}]",
        cls=cls.name,
        fix=None
        if guess is None or not protected
        else unsafe_fix(f"write {wanted}", replace, cls.origins.get("carries"), new)
        or unsafe_fix(f"write {wanted}", put, cls.at(""), ("carries",), new),
    )


_BESIDE = ", and lossless: true and an ECN curve beside it: RDMA in a class without them is an error (pfc-missing-rdma)"


def _find_slip(word: str) -> str | None:
    """The known kind of traffic of which a word is a slip of one letter; no slip is `storage2`."""
    return next(
        (kind for kind in KINDS_OF_TRAFFIC if word.isalpha() and edit_distance(word.casefold(), kind) == 1), None
    )


RULES: tuple[Rule, ...] = (hygiene_secret, hygiene_order, hygiene_unused, hygiene_unknown_traffic)
