"""What a CONFIG_DB states, field by field, and why a switch may do the same without one of them."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.source.document import Document
from rocecfg.vendors.fates import Path, by_itself
from rocecfg.vendors.sonic.reading.forms import read_config_db

REASONS = (
    *by_itself("what a map leaves out goes to 0", "DSCP_TO_TC_MAP|TC_TO_QUEUE_MAP|TC_TO_PRIORITY_GROUP_MAP *"),
    *by_itself(
        "PFC is off for the priority: none of its pauses is obeyed or sent",
        "MAP_PFC_PRIORITY_TO_QUEUE|PFC_PRIORITY_TO_PRIORITY_GROUP_MAP *",
    ),
    *by_itself("portmgrd sets 9100 where PORT has no mtu", "PORT * mtu"),
    *by_itself("orchagent's own action is drop", "PFC_WD * action"),
    *by_itself("orchagent polls at 100 ms", "PFC_WD GLOBAL"),
    *by_itself("init_cfg.json enables the counters", "FLEX_COUNTER_TABLE"),
    *by_itself("a boot and config reload take it from init_cfg.json", "DEVICE_METADATA"),
)


def list_stated(document: Document) -> Iterator[tuple[Path, int, int]]:
    """The words of each field, its value the last, and where it stands."""
    for space in read_config_db(document).spaces.values():
        for table, rows in space.tables.items():
            for key, row in rows.items():
                for field, text in row.cells.texts.items():
                    at = row.locate(field)
                    yield (table, key, field, text), at.start, at.end
                if not row.cells.texts:
                    yield (table, key), row.at.start, row.at.end
