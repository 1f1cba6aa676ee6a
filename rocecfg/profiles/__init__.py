"""Facts about network operating systems, chips, boxes and workloads, read from `profiles/` when first asked for."""

from __future__ import annotations

from rocecfg.profiles.files import UnknownProfile, known
from rocecfg.profiles.load import Workload, load_asic, load_box, load_nos, load_platform, load_workload
from rocecfg.profiles.releases import applies, release_key

__all__ = [
    "UnknownProfile",
    "Workload",
    "applies",
    "known",
    "load_asic",
    "load_box",
    "load_nos",
    "load_platform",
    "load_workload",
    "release_key",
]
