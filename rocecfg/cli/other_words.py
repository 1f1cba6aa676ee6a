"""What other tools call our commands and options: a slip is answered with the word to type here."""

from __future__ import annotations

from rocecfg.vendors import TABLE

COMMANDS = {  # what people type -> what does that here
    **dict.fromkeys(("check", "verify", "audit", "doctor", "analyze", "analyse", "scan"), "lint"),
    **dict.fromkeys(("fmt", "format", "fix", "autofix"), "lint --fix"),
    **dict.fromkeys(("generate", "gen", "build", "template", "compile", "export", "make"), "render"),
    **dict.fromkeys(("diff", "compare", "status", "drift-check", "reconcile"), "drift"),
    **dict.fromkeys(("apply", "deploy", "push", "commit", "install"), "render -o DIR: its APPLY files say how"),
    **dict.fromkeys(
        ("rollback", "restore", "backup", "rollout", "upgrade", "migrate"), "plan: it says how to roll back"
    ),
    "patch": "drift --patch, or render --as patch",
    "ansible": "render --as ansible",
    **dict.fromkeys(("new", "start", "create", "bootstrap", "quickstart"), "init"),
    **dict.fromkeys(("convert", "parse", "read", "learn", "discover"), "import"),
    **dict.fromkeys(
        ("cables", "links", "lldp", "neighbors", "neighbours", "cabling"), "import --links, or drift --cabling"
    ),
    **dict.fromkeys(("topology", "graph", "fabric"), "show --topology"),
    **dict.fromkeys(("values", "resolve", "get", "print", "inspect"), "show"),
    **dict.fromkeys(("html", "visualize", "visualise", "draw", "gui", "web"), "report -o FILE.html"),
    **dict.fromkeys(("docs", "doc", "man", "why", "what", "info"), "explain RULE"),
    **dict.fromkeys(("list", "ls"), "rules, or profiles for platforms and chips"),
    **dict.fromkeys(("platforms", "asics", "nics", "workloads", "switches", "boxes"), "profiles"),
    **dict.fromkeys(("simulate", "predict", "tune", "recommend", "optimize", "headroom", "thresholds"), "advise"),
    **dict.fromkeys(("benchmark", "perftest", "nccl", "results"), "measured"),
    **dict.fromkeys(
        ("monitor", "monitoring", "prometheus", "dashboard", "grafana", "alerts"), "render --vendor prometheus"
    ),
    **dict.fromkeys(("host", "hosts", "nic"), "render --vendor host"),
    **dict.fromkeys(("config", "settings"), "lint --show-settings"),
    **dict.fromkeys(("pfc", "ecn", "watchdog", "dscp", "mtu", "buffer"), "explain WORD: the rules on it"),
    **dict.fromkeys(("serve", "server", "editor", "vscode"), "lsp"),
    "version": "--version",
    "help": "--help",
}

# What people type -> options here, in order of preference: the first that the command has is offered, with its value.
OPTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("--os", "--nos", "--system", "--vendor", "--from", "--type", "--flavor"), ("--vendor", "--from")),
    **dict.fromkeys(("--version", "--os-version", "--nos-version", "--branch"), ("--release",)),
    "--switch": ("--platform", "--device"),
    **dict.fromkeys(("--box", "--hwsku", "--model", "--hardware", "--asic", "--chip", "--sku"), ("--platform",)),
    **dict.fromkeys(("--host", "--hostname", "--node", "--name", "--target", "--limit", "--devices"), ("--device",)),
    **dict.fromkeys(
        ("--out", "--outdir", "--output-dir", "--outfile", "--dir", "--dest", "--file", "--to"), ("--output",)
    ),
    "--format": ("--as",),
    "--json": ("--format json",),
    **dict.fromkeys(("--markdown", "--md"), ("--format markdown",)),
    "--sarif": ("--format sarif",),
    **dict.fromkeys(("--output-format", "--out-format", "--fmt", "-f"), ("--format",)),
    **dict.fromkeys(("--dry-run", "--dryrun", "--noop", "--preview"), ("--diff",)),
    **dict.fromkeys(("--exclude", "--skip", "--disable", "--suppress", "--no-rule"), ("--ignore",)),
    **dict.fromkeys(("--only", "--rule", "--rules", "--enable", "--include"), ("--select", "--key")),
    **dict.fromkeys(("--strict", "--werror", "--warnings-as-errors"), ("--fail-on warning",)),
    **dict.fromkeys(("--severity", "--level", "--min-severity", "--fail-level", "--max-severity"), ("--fail-on",)),
    **dict.fromkeys(("--no-color", "--no-colour", "--nocolor", "--monochrome"), ("--color never",)),
    **dict.fromkeys(("--silent", "--terse", "-s"), ("--quiet",)),
    **dict.fromkeys(("--stats", "--summary", "--count"), ("--statistics",)),
    **dict.fromkeys(("--write", "--autofix", "--in-place", "--apply"), ("--fix",)),
    **dict.fromkeys(("--no-waivers", "--no-suppressions", "--all"), ("--no-ignores",)),
    **dict.fromkeys(("--branch-from", "--base", "--diff-base", "--changed"), ("--since",)),
    **dict.fromkeys(
        (
            "--config",
            "--configs",
            "--configuration",
            "--running-config",
            "--current",
            "--actual",
            "--live",
            "--against",
        ),
        ("--running", "--config"),
    ),
    **dict.fromkeys(("--old", "--before", "--previous", "--old-intent", "--base-intent"), ("--running-intent",)),
    **dict.fromkeys(("--settings", "--config-file", "--rc"), ("--config",)),
    **dict.fromkeys(("--env", "--stage"), ("--environment",)),
    **dict.fromkeys(("--models", "--yang-models", "--yang-dir"), ("--yang",)),
    **dict.fromkeys(("--template", "--template-dir"), ("--templates",)),
    **{f"--{form}": (f"--as {form}",) for vendor in TABLE for form in vendor.forms},
    **dict.fromkeys(("--patch", "--as-patch"), ("--patch", "--as patch")),
    **dict.fromkeys(("--prometheus", "--monitoring"), ("--vendor prometheus",)),
    **dict.fromkeys(("--lldp", "--cables", "--links", "--neighbors", "--neighbours"), ("--cabling", "--links")),
    **dict.fromkeys(("--ports", "--ignore-ports", "--allow-ports", "--exclude-ports"), ("--known-ports",)),
    **dict.fromkeys(("--class", "--setting", "--path", "--get", "--filter", "--field"), ("--key",)),
    **dict.fromkeys(("--why", "--source", "--sources", "--origin"), ("--origins",)),
    **dict.fromkeys(("--graph", "--fabric", "--links-only"), ("--topology",)),
    **dict.fromkeys(("--threads", "--parallel", "--workers", "-j"), ("--jobs",)),
    **dict.fromkeys(("--leafs", "--tors", "--racks"), ("--leaves",)),
    **dict.fromkeys(
        ("--servers", "--hosts", "--nodes", "--hosts-per-rack", "--servers-per-leaf"), ("--hosts-per-leaf",)
    ),
    **dict.fromkeys(("--tc", "--pcp", "--cos", "--prio", "--queue", "--pg"), ("--priority",)),
    **dict.fromkeys(("--tos", "--traffic-class"), ("--dscp",)),
    **dict.fromkeys(("--port-speed", "--rate", "--bandwidth"), ("--speed",)),
    **dict.fromkeys(("--nics", "--hca", "--card", "--adapter"), ("--nic",)),
    **dict.fromkeys(("--non-interactive", "--no-input", "--batch", "--assume-yes", "--defaults", "-y"), ("--yes",)),
    **dict.fromkeys(("--help-all", "-?", "--usage"), ("--help",)),
}
