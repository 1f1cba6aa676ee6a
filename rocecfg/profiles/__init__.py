"""Facts about network operating systems, chips, boxes, cards and workloads, read when first asked for."""

from __future__ import annotations

from rocecfg.profiles.kinds import FOLDER, KINDS, MARKS, UnknownProfile
from rocecfg.profiles.releases import applies, is_build_of, plain_release, release_key, value_in_release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rocecfg.profiles.files import ProfileError
    from rocecfg.profiles.library import SHIPPED, Library, library_in

__all__ = [
    "FOLDER",
    "KINDS",
    "MARKS",
    "SHIPPED",
    "Library",
    "ProfileError",
    "UnknownProfile",
    "applies",
    "is_build_of",
    "library_in",
    "plain_release",
    "release_key",
    "value_in_release",
]


def __getattr__(name: str) -> Any:
    """The library is loaded when first asked for: a policy that names no profile needs none, and it costs time."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rocecfg.profiles import files, library

    return getattr(library if name in ("SHIPPED", "Library", "library_in") else files, name)
