"""Write the pages of this folder and the index of rules from the code, or with --check say which are stale (exit 1).

python docs/regenerate.py [--check]
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from itertools import groupby
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]  # this checkout, whatever is installed

from rocecfg.rules.registry import list_declared, render_index  # noqa: E402

RULE_INDEX = HERE.parent / "rocecfg" / "rules" / "index.py"
if __name__ == "__main__" and "--check" not in sys.argv[1:] and RULE_INDEX.read_text("utf-8") != render_index():
    RULE_INDEX.write_text(render_index(), encoding="utf-8")  # what follows loads rules by it
    os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 - ourselves, with the new index

import figures  # noqa: E402
import support  # noqa: E402
import terminal  # noqa: E402
import yaml  # noqa: E402
from click.testing import CliRunner  # noqa: E402

from rocecfg.cli import cli  # noqa: E402
from rocecfg.cli.page import make_page as cli_page  # noqa: E402
from rocecfg.config.schema import json_schema as settings_schema  # noqa: E402
from rocecfg.core.site import schema_id  # noqa: E402
from rocecfg.custom_rules.expect import TESTS  # noqa: E402
from rocecfg.custom_rules.page import page as house_page  # noqa: E402
from rocecfg.custom_rules.read import RULES as HOUSE_RULES  # noqa: E402
from rocecfg.drift.json_format import json_schema as drift_schema  # noqa: E402
from rocecfg.intent.page import render_page as intent_page  # noqa: E402
from rocecfg.intent.schema import json_schema  # noqa: E402
from rocecfg.profiles import KINDS, SHIPPED  # noqa: E402
from rocecfg.profiles.page import page, settings_page  # noqa: E402
from rocecfg.profiles.schema import json_schema as profile_schema  # noqa: E402
from rocecfg.report.json_format import json_schema as findings_schema  # noqa: E402
from rocecfg.report.plan_json import json_schema as show_schema  # noqa: E402
from rocecfg.rollout.json_format import json_schema as plan_schema  # noqa: E402
from rocecfg.rules.base import Rule  # noqa: E402
from rocecfg.validation.json_format import json_schema as validation_schema  # noqa: E402

COMMAND = "python docs/regenerate.py"
RULES = f"""\
# Rules

What `rocecfg lint` looks for. A name leads to the rule's page, as `rocecfg explain NAME` prints it: why it matters,
when it fires and when not, the fix, the source. `rocecfg rules WORD` searches this list;
`rocecfg rules --format markdown` adds the source of each rule and its severity on lossy and semi-lossless fabrics.

This page is generated: `{COMMAND}`.
"""
FAMILIES = {  # the beginning of the codes -> what these rules look at
    "SCH": "The file",
    "PFC": "PFC",
    "WDG": "PFC watchdog",
    "ECN": "ECN",
    "MIX": "Classes and maps",
    "ETS": "Bandwidth",
    "BUF": "Buffers and headroom",
    "LNK": "Links",
    "NIC": "NICs",
    "OPS": "Operation",
    "ROL": "Roles and rollout",
    "TOP": "The fabric as a whole",
    "HYG": "Hygiene",
    "DEV": "Running configurations",
    "SON": "SONiC",
    "NVU": "Cumulus Linux",
    "EOS": "EOS",
    "JUN": "Junos",
    "NXO": "NX-OS",
    "SRL": "SR Linux",
}
INTENT = f"""\
# The intent

Every key of format version 1. Keys in bold are required. For editors: [intent.schema.json](intent.schema.json).

- `NODES` and `PORTS` are node sets: `leaf[01-32]`, `Ethernet[0-248/8]`.
- A size is `800KB` or `1MiB`, a time `200ms`, a length `3m`, a rate `400G`, a share `60` or `60%`.
- `default` takes back what a device, port, class or kind of NIC inherits (`alpha: default`): the vendor's own default
  then applies. Two words keep their meaning: `carries: default` is a kind of traffic, `dscp: default` is DSCP 0.

This page is generated: `{COMMAND}`.

"""
CLI = f"""\
# The command line

`rocecfg COMMAND --help` prints this, and more of commands that have a page of their own. This page is generated:
`{COMMAND}`.

| exit code | means |
|---|---|
| 0 | done: nothing found at or above `--fail-on` (default: error), no drift |
| 1 | findings, drift, a failed test; `render`: findings, or `--check` found a file out of date |
| 2 | could not run: bad usage, or a file that cannot be read or parsed |
| 3 | internal error: please report it |

"""
TOLD = {  # commands with pages that say more
    "drift": "[devices](devices.md#what-drift-compared), [cables](cabling.md#cables-that-others-know-of)",
    "import": "[devices](devices.md#what-import-writes), [cables](cabling.md#cables-that-others-know-of)",
    "measured": "[rolling out a change](plan.md#verify)",
    "plan": "[rolling out a change](plan.md)",
    "render": "[render and apply](apply.md), [NICs](hosts.md), [monitoring](telemetry.md)",
    "report": "[the report](report.md)",
    "test": "[house rules and tests](house.md#tests)",
    "validate": "[what a switch takes](validate.md)",
}
HOUSE = f"""\

For editors: [house-rules.schema.json](house-rules.schema.json), [tests.schema.json](tests.schema.json).

This page is generated: `{COMMAND}`.
"""
PROFILES = HERE / "profiles"
CATALOG = {  # entries for src/api/json/catalog.json of SchemaStore: schemas that their authors serve themselves
    "$schema": "https://json.schemastore.org/schema-catalog.json",
    "version": 1,
    "schemas": [
        {"name": name, "description": about, "fileMatch": files, "url": schema_id(schema)}
        for name, about, files, schema in (
            (
                "rocecfg intent",
                "RoCEv2 fabric of which rocecfg lints and renders switch configuration",
                ["*.rocecfg.yaml", "*.rocecfg.yml"],
                "intent",
            ),
            ("rocecfg settings", "Settings of rocecfg, a linter of RoCEv2 fabrics", ["rocecfg.toml"], "settings"),
            (
                "rocecfg house rules",
                "Rules of a team for its RoCEv2 fabrics, checked by rocecfg",
                ["rocecfg-rules.yaml", "**/rocecfg-rules/*.yaml", "**/rocecfg-rules/*.yml"],
                "house-rules",
            ),
            (
                "rocecfg tests",
                "What a team expects of its RoCEv2 fabrics, checked by rocecfg test",
                ["*.rocecfg-test.yaml", "*.rocecfg-test.yml"],
                "tests",
            ),
            *(
                (
                    f"rocecfg profile: {title}",
                    f"Facts about a {title}, for rocecfg",
                    [f"**/rocecfg-profiles/{kind}/*.yaml"],
                    f"profiles/{kind}",
                )
                for kind, title in KINDS.items()
            ),
        )
    ],
}
INDEX = f"""\
# Profiles

Facts about chips, boxes, operating systems, network cards and workloads, each figure with its source and how sure it
is. `rocecfg profiles` lists them, `rocecfg profiles NAME` prints a page; what a page does not have, nobody knows.
`rocecfg profiles --age` tells how old they are: of each body of facts the day of its newest source, and how many have
none.

A repository has its own in `rocecfg-profiles/KIND/NAME.yaml` beside the intent: a whole profile, or `extends: NAME` and
what differs from it. One that extends its own name changes the shipped one:

```yaml
# rocecfg-profiles/asics/tomahawk5.yaml
extends: tomahawk5
usable_buffer: {{value: 160MB, mark: V, source: "measured on our boxes"}}
```

The folder may come from elsewhere, and be updated without the program: `rocecfg-profiles/about.yaml` with `format: "1"`
and a `version` of its own says so. Profiles of a format that this rocecfg does not read are an error; `--age` names the
version.

Or it is an installed package, `rocecfg_profiles`: such a folder with an empty `__init__.py` and an `about.yaml`, which
it must have. Profiles of a repository come before those of the package, and these before the shipped ones; each may
extend the next. `python -m build` makes a wheel of it, with this beside the folder:

```toml
# pyproject.toml
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "rocecfg-profiles"
version = "2026.11"

[tool.hatch.build.targets.wheel]
packages = ["rocecfg_profiles"]
```

`holds` says when the facts of a profile hold, unless one of them says so itself: `any`, no release bears on them;
`known`, in the releases of their systems that are known; or, of a system, chip, box or headroom table, by system, as
`{{sonic: {{since: "202405", until: "202605", except: ["202505"]}}}}`. A whole profile must say so; one that extends
another has what that one says. Two facts that hold in one release and differ are an error, as is an interval of
nothing. `SHIPPED.fact(KIND, NAME, "sonic", at="202505")` of `rocecfg.profiles` is the profile where its facts hold in
that release, else None. On a device of another release nothing is checked or computed by them, which
`nos-release-unknown` says; what rests on tables of a neighbouring branch says whose they are.

`mark` says how sure a figure is: V verified, M from memory of the source, D derived, U unverified. `rocecfg schema
--profile KIND` prints the format for editors.

These pages are generated: `{COMMAND}`.
"""


@cache
def pages() -> dict[Path, str]:
    """Path -> text of every generated file."""
    out = {HERE / "rules.md": RULES + _rules(), HERE / "intent.schema.json": _json(json_schema())}
    out[RULE_INDEX] = render_index()
    out[HERE / "findings.schema.json"] = _json(findings_schema())
    out[HERE / "drift.schema.json"] = _json(drift_schema())
    out[HERE / "plan.schema.json"] = _json(plan_schema())
    out[HERE / "show.schema.json"] = _json(show_schema())
    out[HERE / "validation.schema.json"] = _json(validation_schema())
    out[HERE / "intent.md"] = INTENT + intent_page()
    out[HERE / "cli.md"] = CLI + cli_page(cli, TOLD)
    out[HERE / "support.md"] = support.page()
    out[HERE / "images" / "lint.svg"] = _lint_picture()
    out |= {HERE / "images" / name: text for name, text in figures.pictures().items()}
    out[HERE / "house.md"] = house_page() + HOUSE
    out[HERE / "house-rules.schema.json"] = _json(_schema("house-rules", "rocecfg house rules", HOUSE_RULES.schema()))
    out[HERE / "tests.schema.json"] = _json(_schema("tests", "rocecfg tests", TESTS.schema()))
    out[HERE / "settings.schema.json"] = _json(settings_schema())
    out[HERE / "schemastore.json"] = _json(CATALOG)
    index = []
    for kind, title in KINDS.items():
        out[PROFILES / f"{kind}.schema.json"] = _json(profile_schema(kind))
        index += ["", f"## {kind}", "", f"Format: [{kind}.schema.json](profiles/{kind}.schema.json).", ""]
        for name in SHIPPED.names(kind):
            out[PROFILES / kind / f"{name}.md"] = page(SHIPPED, kind, name)
            index.append(f"- [{SHIPPED.title(kind, name)}](profiles/{kind}/{name}.md) (`{name}`, {title})")
        index += ["", settings_page()] if kind == "nos" else []
    index += ["", "## What is not published", "", *_unpublished()]
    out[HERE / "profiles.md"] = INDEX + "\n".join(index) + "\n"
    return out


def _unpublished() -> list[str]:
    """What was looked for in vain, a line each."""
    rows = yaml.safe_load((HERE.parent / "profiles" / "unpublished.yaml").read_text(encoding="utf-8"))
    return [f"- {row['what']} (looked for in {row['month']}): {row['told']}." for row in rows]


def _rules() -> str:
    """A list of each family of rules."""
    lines: list[str] = []
    for prefix, family in groupby((rule for _, rule in list_declared()), key=lambda rule: rule.code[:3]):
        lines += ["", f"## {FAMILIES[prefix]}", "", *map(_rule, family)]
    return "\n".join(lines) + "\n"


def _rule(rule: Rule) -> str:
    """A line that leads to the rule's page; docs/site_hooks.py has its address on the site."""
    return f"- {rule.code} [{rule.name}](../rocecfg/rules/pages/{rule.name}.md) ({rule.severity}): {rule.summary}"


def _lint_picture() -> str:
    """The first finding of an example that has several, and the totals: as the terminal shows them."""
    command = "rocecfg lint examples/train-256-as-published"
    here = Path.cwd()
    os.chdir(HERE.parent)
    try:
        printed = CliRunner().invoke(cli, [*command.split()[1:], "--color", "always"], color=True).stdout
    finally:
        os.chdir(here)
    first, _, _ = printed.partition("\n\n")
    *_, totals = printed.splitlines()
    title = (
        "A terminal: rocecfg lint names a lossless class without PFC watchdog, the line, the fix and how far it reaches"
    )
    return terminal.picture(command, f"{first}\n…\n{totals}", title)


def _schema(name: str, title: str, of: dict[str, object]) -> dict[str, object]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": schema_id(name), "title": title, **of}


def _json(schema: object) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def stale() -> list[Path]:
    """The files that are missing, not what the code says, or of profiles that are gone."""
    wanted = pages()
    wrong = [p for p, text in wanted.items() if not p.is_file() or p.read_text(encoding="utf-8") != text]
    return wrong + _left_over(wanted)


def _left_over(wanted: dict[Path, str]) -> list[Path]:
    """Pages of profiles that are gone."""
    return [p for p in PROFILES.rglob("*.*") if p not in wanted]


def main() -> int:
    """Exit code: 0 done or fresh, 1 stale."""
    if "--check" in sys.argv[1:]:
        found = stale()
        for path in found:
            print(f"{path.relative_to(HERE.parent)} is stale: run `{COMMAND}`")
        return int(bool(found))
    wanted = pages()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in _left_over(wanted):
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
