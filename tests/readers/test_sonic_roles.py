"""Where the role of an imported SONiC switch is from: its host name, or `type`, which images preset."""

from __future__ import annotations

import json
from pathlib import Path

from intents import rocecfg
from loops import loop
from sonic_clean import changed
from sonic_text import device


@loop(
    ("hostname", "type_", "written", "taken"),
    [
        ("leaf01", "ToRRouter", "role: leaf # guessed from the hostname and type ToRRouter\n", "leaf"),
        ("leaf01", "LeafRouter", "role: leaf # guessed from the hostname, but type LeafRouter has spine", None),
        (
            "spine01",
            "SpineRouter",
            "role: spine # guessed from the hostname, but type SpineRouter has superspine",
            None,
        ),
        ("sw7", "SpineRouter", "role: superspine # guessed from type SpineRouter\n", "superspine"),
        ("leaf01", "MgmtToRRouter", "role: leaf # guessed from the hostname\n", None),
    ],
)
def test_a_role_says_what_it_is_guessed_from(
    hostname: str, type_: str, written: str, taken: str | None, tmp_path: Path
) -> None:
    config = changed(DEVICE_METADATA={"localhost": {"hostname": hostname, "type": type_}})
    (tmp_path / "config_db.json").write_text(json.dumps(config))
    assert written in rocecfg(tmp_path, "import", "config_db.json").stdout
    assert device(config).role == taken  # by lint: what two sources say otherwise is not known
