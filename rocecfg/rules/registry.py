"""The modules that hold rules, and what their rules declare: from this `index` is generated.

A new rule is declared by `@rule` and stands in the RULES of its module; a new module is named here. Nothing is scanned.
"""

from __future__ import annotations

from importlib import import_module

from rocecfg.rules.base import Rule

MODULES = (
    *("schema", "lanes", "nos", "errata"),
    *("pfc", "pfc_exempt", "pfc_ports", "running_pfc", "topology_l2"),
    *("watchdog", "watchdog_timers", "watchdog_hosts", "watchdog_tier", "running_watchdog"),
    *("ecn", "ecn_bounds", "ecn_values", "ecn_hosts", "running_ecn"),
    *("mix_map", "mix_classes", "mix_isolation", "packets", "trimming", "running_mix"),
    *("ets", "ets_shares", "running_ets"),
    *(
        "buffer_headroom",
        "buffer_pools",
        "buffer_links",
        "buffer_phy",
        "buffer_values",
        "buffer_per_port",
        "running_buffer",
    ),
    *("links", "links_ends", "hosts", "hosts_marks", "hosts_gpu", "hosts_lldp"),
    *("ops", "ops_exporters", "ops_plan", "ops_rollout", "roles"),
    *(
        "oversubscription",
        "topology_capacity",
        "topology_uplinks",
        "topology_crossed",
        "topology_deadlock",
        "topology_paths",
        "topology_rails",
        "topology_flat",
        "balancing",
    ),
    "hygiene",
    *("running", "running_sonic", "running_nvue", "running_eos", "running_junos", "running_nxos", "running_srlinux"),
)
FAMILIES = (
    *("SCH", "PFC", "WDG", "ECN", "MIX", "ETS", "BUF", "LNK", "NIC", "OPS", "ROL", "TOP", "HYG"),
    *("DEV", "SON", "NVU", "EOS", "JUN", "NXO", "SRL"),
)  # in the order in which rules are listed
_HEAD = '''"""What each rule declares, so that a module is loaded only when a rule of it may find something.

Generated from the modules of `registry`: python docs/regenerate.py.
"""

from __future__ import annotations

Row = tuple[str, str, str, tuple[str, ...], str, str]
# code, name, module, the sections it needs, what it judges, the most severe that it finds

ROWS: tuple[Row, ...] = (
'''


def list_declared() -> list[tuple[str, Rule]]:
    """Every rule with its module, in the order of families and codes."""
    found = [(module, rule) for module in MODULES for rule in import_module(f"rocecfg.rules.{module}").RULES]
    return sorted(found, key=lambda each: (FAMILIES.index(each[1].code[:3]), each[1].code))


def render_index() -> str:
    """The text of `index`."""
    rows = "".join(f"    {_format_row(module, rule)},\n" for module, rule in list_declared())
    return f"{_HEAD}{rows})\n"


def _format_row(module: str, rule: Rule) -> str:
    needs = ", ".join(f'"{section}"' for section in rule.needs) + ("," if len(rule.needs) == 1 else "")
    return f'("{rule.code}", "{rule.name}", "{module}", ({needs}), "{rule.on}", "{rule.worst}")'


__all__ = ["MODULES", "list_declared", "render_index"]
