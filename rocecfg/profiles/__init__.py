"""Facts about network operating systems, chips, boxes, cards and workloads, read when first asked for."""

from __future__ import annotations

from rocecfg.profiles.files import FOLDER, KINDS, MARKS, ProfileError, UnknownProfile
from rocecfg.profiles.library import SHIPPED, Library, library_in
from rocecfg.profiles.releases import applies, release_key

__all__ = [
    "FOLDER",
    "KINDS",
    "MARKS",
    "SHIPPED",
    "Library",
    "ProfileError",
    "UnknownProfile",
    "applies",
    "library_in",
    "release_key",
]
