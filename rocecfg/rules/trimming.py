"""Packet trimming: whose packets are trimmed, and how what is left of them goes on: rules MIX450 to MIX452."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Fabric, TrafficClass
from rocecfg.rules.base import ALL_CLASSES, ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.common import join_words

_SAI = (
    "SAI, packet trimming proposal: the head of a packet is sent on in another queue, so that its loss is known at once"
)


def _trimmed_classes(device: Device) -> list[TrafficClass]:
    """The classes whose packets are trimmed: as the intent names them, or by the queues that ports trim."""
    assert device.trimming is not None
    queues = {queue for port in device.ports if port.running is not None for queue in port.running.trimmed or ()}
    return [cls for cls in device.classes if cls.name in device.trimming.classes or cls.queue in queues]


@rule("MIX450", "mix-trimmed-queue", WARNING, source=_SAI, classes=ALL_CLASSES)
def mix_trimmed_queue(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Trimmed packets leave by a queue that is paused, or by the full one that they were trimmed in."""
    trimming, queue = device.trimming, device.trim_queue
    if trimming is None or queue is None:
        return
    places = trimming.at("queue", "dscp"), trimming.at("")
    lossless = [cls for cls in device.classes if cls.queue == queue and cls.lossless]
    full = [cls for cls in _trimmed_classes(device) if cls.queue == queue and not cls.lossless]
    fix = "give trimmed packets a class of their own: a DSCP and a queue that nothing else has, bandwidth: strict"
    if lossless:
        yield Hit(
            f"trimmed packets leave by queue {queue}, which is lossless "
            f"({join_words(cls.name for cls in lossless)}): a pause holds them back, and the sender learns of the "
            "loss only by its timeout",
            places,
            fix,
            ((lossless[0].at("lossless", "queue"), f"class {lossless[0].name}"),),
        )
    elif full:
        yield Hit(
            f"trimmed packets leave by queue {queue}, the queue of class {full[0].name} whose packets are trimmed: "
            "it is full, so they wait or are dropped there too",
            places,
            fix,
            ((full[0].at("queue", "priority"), f"class {full[0].name}"),),
        )


@rule("MIX451", "mix-trimmed-dscp", WARNING, source=_SAI, classes=ALL_CLASSES)
def mix_trimmed_dscp(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The DSCP of trimmed packets maps to another queue than theirs: the next switch uses that one."""
    trimming = device.trimming
    if trimming is None or trimming.queue is None:
        return
    tc = device.maps.dscp_to_tc[trimming.dscp]
    found = None if tc is None else device.maps.tc_to_queue[tc]
    if found is None or found == trimming.queue:
        return
    owner = next((cls for cls in device.classes if trimming.dscp in cls.dscps), None)
    named = f", that of class {owner.name}" if owner is not None else ""
    yield Hit(
        f"trimmed packets leave by queue {trimming.queue} with DSCP {trimming.dscp}, which maps to queue "
        f"{found}{named}: the next switch puts them there",
        (trimming.at("dscp"), trimming.at("")),
        f"state a dscp that maps to queue {trimming.queue}, or remove queue",
        ((trimming.at("queue"), f"queue {trimming.queue}"),),
    )


@rule("MIX452", "mix-trimmed-class", WARNING, worst=ERROR, source=_SAI, classes=ALL_CLASSES)
def mix_trimmed_class(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Trimming names a class that does not exist, or a lossless one, which drops nothing."""
    trimming = device.trimming
    if trimming is None:
        return
    places = trimming.at("classes"), trimming.at("")
    for name in trimming.classes:
        if not device.has(name) and all(name != cls.name for cls in device.taken_off):
            known = [cls.name for cls in device.classes]
            help = f"classes: {join_words(known)}" if known else "state the class below classes, or leave it out"
            help = f"classes: {join_words(known)}" if known else "state the class below classes, or remove it"
            yield Hit(f"trimming names class {name}, which does not exist", places, help, severity=ERROR)
    for cls in _trimmed_classes(device):
        if cls.lossless:
            also = " and fabric.mode: lossy" if "rdma" in cls.carries and fabric.mode != "lossy" else ""
            yield Hit(
                f"class {cls.name} is listed for trimming but is lossless: PFC on priority {cls.priority} pauses "
                "its senders before anything is dropped, so nothing is trimmed",
                (*places, cls.at("lossless")),
                f"remove {cls.name} from trimming.classes; or, if it is to be lossy, set lossless: false{also}",
                ((cls.at("lossless"), "lossless"),),
            )


RULES: tuple[Rule, ...] = (mix_trimmed_queue, mix_trimmed_dscp, mix_trimmed_class)
