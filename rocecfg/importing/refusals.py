"""Switches of an imported intent that cannot be rendered, so that drift cannot compare them either."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing.portsets import by_number, fold_short
from rocecfg.model import Fabric
from rocecfg.vendors import part
from rocecfg.vendors.base import CannotRender


class Refusal(NamedTuple):
    """Why switches cannot be rendered, and what there is to do."""

    switches: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        switches = fold_short(sorted(self.switches, key=by_number))
        return f"{switches} cannot be rendered, nor compared by drift: {self.reason}"


def find_refusals(fabric: Fabric | None) -> Sequence[Refusal]:
    """The switches of a fabric that their writer refuses, by reason."""
    found: dict[str, list[str]] = {}
    for device in fabric.devices if fabric is not None else ():
        try:
            if fabric is not None and device.vendor is not None:
                part(device.vendor, "writer").render(fabric, device)
        except CannotRender as error:
            found.setdefault(str(error), []).extend(device.names)
    return [Refusal(tuple(names), reason) for reason, names in found.items()]
