"""Cisco NX-OS on Nexus 9000 switches, with the eight-queue names of classes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # mypy checks that the package offers what every vendor's does
    from rocecfg.vendors.nxos import change, detect, fixes, front, procedure, reader, rollout, stating, writer
    from rocecfg.vendors.protocol import Vendor

    _OFFERED = Vendor(change, detect, front, fixes, procedure, reader, rollout, stating, writer)
