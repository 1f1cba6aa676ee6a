"""Nokia SR Linux on 7220 IXR and 7250 IXR."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # mypy checks that the package offers what every vendor's does
    from rocecfg.vendors.protocol import Vendor
    from rocecfg.vendors.srlinux import change, detect, fixes, front, procedure, reader, rollout, stating, writer

    _OFFERED = Vendor(change, detect, front, fixes, procedure, reader, rollout, stating, writer)
