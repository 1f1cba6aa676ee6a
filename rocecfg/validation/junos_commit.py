"""What a commit of Junos refuses beyond the models' words: choices, numbers of entries, sums of class-of-service."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rocecfg.core.records import NamedTuple
from rocecfg.validation.junos_must import holds
from rocecfg.validation.junos_schema import LIST, OPAQUE
from rocecfg.validation.junos_tree import JunosNode

_PARTITIONS = {
    "ingress": ("lossless", "lossless-headroom", "lossy"),
    "egress": ("lossless", "lossy", "multicast"),
}


class CommitRefusal(NamedTuple):
    """What a commit refuses: a line, a path and why."""

    line: int
    where: str
    message: str


class ReadConfig(NamedTuple):
    """A configuration as it was read."""

    root: JunosNode
    broken: set[JunosNode]  # nodes with a refused statement: what is missing there may be in it
    tops: set[str]  # the words with which its statements begin
    part: bool  # what it asks for may stand elsewhere


def find_refusals(read: ReadConfig) -> Iterator[CommitRefusal]:
    """All that a commit refuses of what is there, but for names that are defined nowhere."""
    yield from _check_below(read.root, read)
    cos = read.root.one("class-of-service")
    if cos is not None:
        for each in (
            _check_classes,
            _check_curves,
            _check_partitions,
            _check_profiles,
            _check_schedulers,
            _check_scheduler_maps,
            _check_code_points,
        ):
            yield from each(cos, read)


# -- the models' own checks --------------------------------------------------------------------------------------------


def _check_below(node: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    for name, entries in node.below.items():
        active = [child for child in entries.values() if child.active]
        for child in active:
            if child.schema is not None and child.kind != OPAQUE:
                yield from _check_musts(child, node, read)
            yield from _check_below(child, read)
        most = active[0].schema.most if active and active[0].schema is not None and active[0].kind == LIST else None
        if most and len(active) > most:
            yield CommitRefusal(active[-1].line, node.path(), f"{len(active)} '{name}', at most {most}")


def _check_musts(node: JunosNode, parent: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    assert node.schema is not None
    for must in node.schema.musts:
        if read.part and not must.expression.startswith("(!"):
            continue
        if holds(must.expression, node, read.root, read.tops) is False:
            yield CommitRefusal(node.line or parent.line, node.path(), must.message)
    for key, value in zip(node.schema.keys, node.key, strict=False):
        schema = node.schema.child(key) if node.kind == LIST else None
        if schema is None or not schema.musts:
            continue
        leaf = JunosNode(schema, key, (), node, node.line)
        leaf.values = [value]
        for must in schema.musts:
            if holds(must.expression, leaf, read.root, read.tops) is False:
                yield CommitRefusal(node.line, node.path(), must.message)
    for cases in node.schema.choices:
        chosen = [[word for word in case if node.one(word) is not None] for case in cases]
        chosen = [words for words in chosen if words]
        if len(chosen) > 1:
            yield CommitRefusal(node.line, node.path(), f"only one of {', '.join(map('/'.join, chosen))}")


# -- class-of-service --------------------------------------------------------------------------------------------------


def _check_classes(cos: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    classes = cos.one("forwarding-classes")
    queues: dict[str | None, list[JunosNode]] = {}
    for each in classes.all("class") if classes is not None else []:
        if each in read.broken:
            continue
        if each.one("queue-num") is None and not read.part:
            yield CommitRefusal(each.line, each.path(), "queue-num is missing")
        if each.one("pfc-priority") is not None and each.one("no-loss") is None:
            yield CommitRefusal(each.line, each.path(), "pfc-priority needs no-loss")
        queues.setdefault(each.value("queue-num"), []).append(each)
    for queue, those in queues.items():
        if queue is not None and len({each.one("no-loss") is not None for each in those}) > 1:
            names = ", ".join(each.first for each in those)
            yield CommitRefusal(those[-1].line, "forwarding-classes", f"queue {queue} is lossless and lossy ({names})")


def _check_curves(cos: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    for profile in cos.all("drop-profiles"):
        curve = profile.one("interpolate")
        steps = profile.all("fill-level")
        if curve in read.broken or profile in read.broken:
            continue
        if curve is not None:
            yield from _check_interpolated(curve)
            if steps:
                yield CommitRefusal(curve.line, profile.path(), "interpolate or fill-level, not both")
        elif not steps and not read.part:
            yield CommitRefusal(profile.line, profile.path(), "no fill-level")
        for step in steps:
            if step.one("drop-probability") is None:
                yield CommitRefusal(step.line, step.path(), "drop-probability is missing")


def _check_interpolated(curve: JunosNode) -> Iterator[CommitRefusal]:
    fill, drop = curve.one("fill-level"), curve.one("drop-probability")
    levels = fill.values if fill is not None else []
    chances = drop.values if drop is not None else []
    if len(levels) != len(chances):
        message = f"{len(levels)} fill-level but {len(chances)} drop-probability values"
        yield CommitRefusal((drop or fill or curve).line, curve.path(), message)
    elif fill is not None:
        pairs = pairwise(levels)
        if any(one.isdigit() and two.isdigit() and int(one) >= int(two) for one, two in pairs):
            yield CommitRefusal(fill.line, curve.path(), "fill levels must rise")


def _check_partitions(cos: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    buffer = cos.one("shared-buffer")
    for side, names in _PARTITIONS.items():
        pool = buffer.one(side) if buffer is not None else None
        if pool is None:
            continue
        partitions = pool.all("buffer-partition")
        for partition in partitions:
            if partition.first not in names:
                yield CommitRefusal(
                    partition.line, partition.path(), f"no such partition, must be one of {', '.join(names)}"
                )
        stated = [(each, each.value("percent") or "") for each in partitions]
        numbers = [(each, int(percent)) for each, percent in stated if percent.isdigit()]
        total = sum(percent for _, percent in numbers)
        line = numbers[-1][0].line if numbers else pool.line
        if total > 100:
            yield CommitRefusal(line, pool.path(), f"partitions add up to {total} percent")
        elif side == "ingress" and len(partitions) == len(names) and total != 100 and not read.part:
            yield CommitRefusal(line, pool.path(), f"partitions add up to {total} percent, must be 100")


def _check_profiles(cos: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    for profile in cos.all("congestion-notification-profile"):
        sends, obeys = profile.one("input"), profile.one("output")
        if sends is not None:
            kinds = [sends.one(kind) for kind in ("dscp", "ieee-802.1")]
            if all(kind is not None and kind.all("code-point") for kind in kinds):
                yield CommitRefusal(sends.line, profile.path(), "dscp and ieee-802.1 in one input")
        elif obeys is None and not read.part:
            yield CommitRefusal(profile.line, profile.path(), "neither input nor output")
        tags = obeys.one("ieee-802.1") if obeys is not None else None
        for code in tags.all("code-point") if tags is not None else []:
            if code.one("flow-control-queue") is None and code not in read.broken:
                yield CommitRefusal(code.line, code.path(), "flow-control-queue is missing")


def _check_schedulers(cos: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    for scheduler in cos.all("schedulers"):
        for curve in scheduler.all("drop-profile-map"):
            if curve.one("drop-profile") is None and curve not in read.broken:
                yield CommitRefusal(curve.line, curve.path(), "drop-profile is missing")
        for word in ("transmit-rate", "buffer-size", "shaping-rate"):
            stated = scheduler.one(word)
            if stated is None or any(stated.everything()) or {stated, scheduler} & read.broken:
                continue
            lacking = "a size" if word == "buffer-size" else "a rate, a percent or a remainder"
            yield CommitRefusal(stated.line, stated.path(), f"{lacking} is missing")


def _check_scheduler_maps(cos: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    schedulers = {each.first: each for each in cos.all("schedulers")}
    for map_ in cos.all("scheduler-maps"):
        total = line = 0
        for cls in map_.all("forwarding-class"):
            if cls.one("scheduler") is None and cls not in read.broken:
                yield CommitRefusal(cls.line, cls.path(), "scheduler is missing")
            scheduler = schedulers.get(cls.value("scheduler") or "")
            rate = scheduler.one("transmit-rate") if scheduler is not None else None
            percent = rate.one("percent") if rate is not None else None
            if (
                percent is None
                or not percent.values
                or scheduler is None
                or scheduler.value("priority") == "strict-high"
            ):
                continue
            total += int(percent.values[-1]) if percent.values[-1].isdigit() else 0
            line = percent.line
        if total > 100:
            yield CommitRefusal(line, map_.path(), f"transmit-rate percent adds up to {total}")


def _check_code_points(cos: JunosNode, read: ReadConfig) -> Iterator[CommitRefusal]:
    for kind in ("classifiers", "rewrite-rules"):
        tables = cos.one(kind)
        for table in tables.everything() if tables is not None else []:
            if table.kind == LIST and table.active:
                yield from _check_table(table, read, exclusive=kind == "classifiers")


def _check_table(table: JunosNode, read: ReadConfig, *, exclusive: bool) -> Iterator[CommitRefusal]:
    """`exclusive`: a code point belongs to one class."""
    owner: dict[str, str] = {}
    for cls in table.all("forwarding-class"):
        if cls in read.broken:
            continue
        if not cls.all("loss-priority") and not read.part:
            yield CommitRefusal(cls.line, cls.path(), "loss-priority is missing")
        for loss in cls.all("loss-priority"):
            if loss in read.broken:
                continue
            codes = loss.one("code-points") or loss.one("code-point")
            if codes is None:
                yield CommitRefusal(loss.line, loss.path(), "code points are missing")
                continue
            for code, line in zip(codes.values, codes.lines, strict=False) if exclusive else ():
                if owner.get(code, cls.first) != cls.first:
                    message = f"code point {code} in {owner[code]} and in {cls.first}"
                    yield CommitRefusal(line, table.path(), message)
                owner[code] = cls.first
