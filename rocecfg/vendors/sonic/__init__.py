"""SONiC: the RoCE tables of CONFIG_DB."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # mypy checks that the package offers what every vendor's does
    from rocecfg.vendors.protocol import Vendor
    from rocecfg.vendors.sonic import change, detect, fixes, front, procedure, reader, rollout, stating, writer

    _OFFERED = Vendor(change, detect, front, fixes, procedure, reader, rollout, stating, writer)
