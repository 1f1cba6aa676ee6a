"""What house rules and tests may speak of, as a page: the paths of each element, the operators."""

from __future__ import annotations

from rocecfg.custom_rules.expect import TEST, WANTED
from rocecfg.custom_rules.operators import OPERATORS
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.custom_rules.read import RULE
from rocecfg.intent.page import collect_docs
from rocecfg.intent.shapes import Obj

_TAKES = {
    "value": "a value",
    "values": "a list of values",
    "pair": "`[low, high]`",
    "pattern": "text",
    "flag": "`true`",
}
_ASKED = {"any": "anything", "ordered": "what has an order", "text": "words", "listed": "lists", "single": "classes"}
_RULE = """\
rules:
  - name: watchdog-runbook
    for: port                              # fabric | device | class | port
    where: {faces: host, speed: {ge: 400G}, device.role: leaf}   # all of these; what is absent does not fit
    expect: {watchdog.detection: {le: 200ms}}
    message: "the watchdog waits {value} on {speed} ports, the runbook says at most {wanted}"
    severity: warning
    help: "set detection_time: {wanted}"
    source: NET-12
  - {name: own-queue, for: class, expect: {queue: {unique: true}}}
  - {name: rdma-marks-late, for: port, expect: {rdma.ecn.kmin: {ge: 200KB}}}   # rdma is a class
"""
_TESTS = """\
fabric: fabric.yaml                        # as seen from this file
tests:
  - name: the leaves follow the runbook
    expect:
      fabric: {mode: lossless}
      leaf[01-02]: {role: leaf, version: {ge: "5.14"}}
      leaf01 / swp[1-4]: {watchdog.detection: 200ms, rdma.ecn.kmin: {between: [100KB, 400KB]}}
      "* / class rdma": {priority: 3, lossless: true}
    findings: []                           # none from warning upward; or [{rule: NAME, count: 1, at: fabric.yaml:7}]
"""


_HEAD = f"""\
# House rules and tests

Both are one language: values that `rocecfg show` prints, by their [paths](#paths), and what is expected of each, by
[operators](#operators). A rule says what must hold everywhere, and is judged by lint, in editors and in CI, with a
severity and waivers; a test says what must come out at named places of one intent, and which findings.

## House rules

A team's own rules stand beside the intent in `rocecfg-rules.yaml`, or in files of `rocecfg-rules/`. Their findings are
like all others, with the name `house/NAME`; errors stop `render`.

```yaml
{_RULE}```

"""
_ABOUT = f"""\

`where` and `expect` have for each path a value, or operators with theirs. An absent value is checked by `exists`
alone. A message or help may also name `{{path}}`, `{{of}}` (which curve), `{{fabric}}` and any path; `{{{{` is a brace.
Findings with the same message fold, unless it names the device. `rocecfg explain house/NAME` prints a rule.

## Tests

`rocecfg test` runs the files `*.rocecfg-test.yaml` in a folder and below: values that must come out, findings that
must be there, and no others. An absent value fails, except with `absent`.

```yaml
{_TESTS}```

"""
_PATHS = """\

## Paths

What a path means is in [the intent](intent.md), where not stated here.

A device also has `fabric.PATH`, a class or port `device.PATH`, and a port `CLASS.PATH`: the class with the curve for
the port's speed, absent if it does not cross the port.
"""


def page() -> str:
    """The page."""
    operators = [f"| `{name}` | {_TAKES[o.takes]} | {_ASKED[o.kinds]} | {o.doc} |" for name, o in OPERATORS.items()]
    tables = [
        "An expected finding:",
        "",
        *_key_table(WANTED),
        "",
        "## Operators",
        "",
        "A value alone means `eq`, a list of values where there is one means `in`.",
        "",
        "| operator | takes | of | holds where the value |",
        "|---|---|---|---|",
        *operators,
    ]
    paths, told = [], collect_docs()
    for scope, known in SCOPES.items():
        paths += ["", f"### {scope}", ""]
        for path in known.values():
            means = "" if path.doc in told else f"; {path.doc}"
            paths.append(f"- `{path.name}`: {path.kind.described}{means}")
    parts = (
        _HEAD,
        _join_lines(_key_table(RULE)),
        _ABOUT,
        _join_lines([*_key_table(TEST), "", *tables]),
        _PATHS,
        _join_lines(paths),
    )
    return "".join(parts)


def _join_lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _key_table(of: Obj) -> list[str]:
    rows = [
        f"| {f'**`{name}`**' if name in of.required else f'`{name}`'} | {_escape_cell(key.doc)} |"
        for name, key in of.keys.items()
    ]
    return ["| key | means |", "|---|---|", *rows]


def _escape_cell(text: str) -> str:
    return text.replace("|", "\\|")
