"""The commands that give a whole configuration, for whoever has only a part of one."""

from __future__ import annotations

FETCH = {
    "sonic": "show runningconfiguration all, or /etc/sonic/config_db.json",
    "spectrum": "nv config show -o yaml, or nv config show -o commands",
    "arista": "show running-config",
}
