"""The way back of a change that disturbs nothing: its inverse, with the values that ran before it."""

from __future__ import annotations

from rocecfg.source.document import Document
from rocecfg.vendors.sonic.change.difference import ORDER, operations_of, table_of
from rocecfg.vendors.sonic.change.tables import tables_in
from rocecfg.vendors.sonic.change.written import write_commands

_FORGOTTEN = ("QUEUE", "PORT_QOS_MAP")  # tables of which a field that is taken out is in force no more (qosorch.cpp)
_FORCED = "/PFC_WD/GLOBAL/BIG_RED_SWITCH"


def list_inverse(before: Document, after: str) -> tuple[str, ...]:
    """What writes the rows that ran before; (): where that alone does not bring all of it back.

    Of most tables a field that is taken out stays in force until swss is restarted, and PFC_WD|GLOBAL is never to be
    deleted (`commands.FORGET_FORCED_DROP`). The watchdog's emergency drop is not turned on again.
    """
    meant, config = tables_in(before), tables_in(Document(before.number, before.path, after))
    if meant is None or config is None:
        return ()
    found, _ = operations_of(config, meant, ORDER)
    operations = [op for op in found if op["path"] != _FORCED]
    removals = [op for op in operations if op["op"] == "remove"]
    for op in removals:
        of_field = op["path"].count("/") > 2
        if op["path"] in ("/PFC_WD", "/PFC_WD/GLOBAL") or (of_field and table_of(op) not in _FORGOTTEN):
            return ()
    return write_commands([*(op for op in operations if op["op"] != "remove"), *reversed(removals)], config)
