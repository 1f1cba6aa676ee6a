"""NVIDIA Spectrum under Cumulus Linux: NVUE, as the file of `nv config patch` and as `nv set` lines."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # mypy checks that the package offers what every vendor's does
    from rocecfg.vendors.protocol import ImplyingReader, Vendor
    from rocecfg.vendors.spectrum import change, detect, fixes, front, procedure, reader, rollout, stating, writer

    _OFFERED = Vendor(change, detect, front, fixes, procedure, reader, rollout, stating, writer)
    _READER: ImplyingReader = reader
