"""Arista EOS, both chip families: strata (Broadcom XGS) and sand (Broadcom DNX)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # mypy checks that the package offers what every vendor's does
    from rocecfg.vendors.arista import change, detect, fixes, front, procedure, reader, rollout, stating, writer
    from rocecfg.vendors.protocol import Vendor

    _OFFERED = Vendor(change, detect, front, fixes, procedure, reader, rollout, stating, writer)
