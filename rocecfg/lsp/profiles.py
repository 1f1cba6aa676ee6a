"""Profiles, as they are named in intents and in each other."""

from __future__ import annotations

import os

from rocecfg.intent.names import ANY, find_profile_keys
from rocecfg.linting.roots import list_folders_above
from rocecfg.lsp.schema import ITEM, Path

_IN_PROFILES: dict[str, dict[Path, str]] = {  # kind of profile -> keys from its root -> the kind that is named there
    "platforms": {
        ("asic",): "asics",
        ("asic", "value"): "asics",
        ("nos", "*", "headroom", ITEM, "table"): "headroom",
    },
    "asics": {("nos", "value", ITEM): "nos"},
    "workloads": {("ecn",): "ecn", ("ecn", "value"): "ecn"},
}


def find_kind(path: Path) -> str | None:
    """The kind of profile that an intent names at a place."""
    keys = tuple(part for part in path if part != ITEM)
    for known, kind in list_places().items():
        if len(known) == len(keys) and all(a in (ANY, b) for a, b in zip(known, keys, strict=True)):
            return kind
    return None


def list_places() -> dict[Path, str]:
    """Where intents name profiles: keys from the root, `*` for any, and the kind."""
    return {path: of.kind for path, of in find_profile_keys().items()}


def list_places_in(kind: str) -> dict[Path, str]:
    """Where profiles of a kind name others."""
    return {("extends",): kind, **_IN_PROFILES.get(kind, {})}


def find_own_folder(path: str) -> str | None:
    """The folder beside which a file of an intent finds the user's own profiles; None where there are none."""
    from rocecfg.profiles import FOLDER

    # an included file may lie deeper than its intent
    return next((folder for folder in list_folders_above(path) if os.path.isdir(os.path.join(folder, FOLDER))), None)


def kind_of_file(path: str) -> str | None:
    """The kind of a profile by its file; None where it is not one of the user's own, nor a shipped one."""
    from rocecfg.core.data import data_path
    from rocecfg.profiles import FOLDER, KINDS

    folder, kind = os.path.split(os.path.dirname(path))
    ours = os.path.basename(folder) == FOLDER or folder == data_path("profiles")
    return kind if ours and kind in KINDS and path.endswith(".yaml") else None


def find_file(kind: str, name: str, path: str) -> str | None:
    """The file of a profile that a file names: the user's own, else the shipped one; None where there is none.

    A profile of the user's that extends its own name means the shipped one.
    """
    from rocecfg.profiles import FOLDER
    from rocecfg.profiles.files import SHIPPED_FOLDER, is_plausible_name

    if not is_plausible_name(name):
        return None
    folder = find_own_folder(path)
    found = [os.path.join(folder, FOLDER, kind, f"{name}.yaml")] if folder is not None else []
    found.append(SHIPPED_FOLDER.file(kind, name))
    return next((one for one in found if os.path.isfile(one) and os.path.abspath(one) != path), None)
