"""`rocecfg rules`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from rocecfg.cli.common import print_message, stop
from rocecfg.cli.paged import print_lines
from rocecfg.custom_rules.files import files_of
from rocecfg.intent.values import near
from rocecfg.rules import ALL, Rule

if TYPE_CHECKING:
    from rocecfg.source.document import SourceError

_HERE = "fabric.yaml"  # house rules are beside an intent, whatever its name
_HOUSE = "House rules of this folder"
_BEFORE_SUMMARY = 8  # columns by which the rest of a long line is set in
_COLUMNS = ("code", "name", "severity", "on other kinds of fabric", "what it finds", "source")


def make_row(rule: Rule) -> tuple[str, ...]:
    """One line of the table."""
    kinds = ", ".join(f"{kind}: {severity}" for kind, severity in sorted(rule.by_kind.items()))
    return rule.code, rule.name, rule.severity, kinds, rule.summary, rule.source


def make_table() -> str:
    """All rules as a Markdown table."""
    return _render_markdown(sorted(ALL, key=lambda r: r.code))


def _render_markdown(rules: Iterable[Rule]) -> str:
    lines = [f"| {' | '.join(_COLUMNS)} |", f"|{'---|' * len(_COLUMNS)}"]
    lines += [f"| {' | '.join(cell.replace('|', '/') for cell in make_row(r))} |" for r in rules]
    return "\n".join(lines) + "\n"


@click.command("rules")
@click.argument("words", nargs=-1, metavar="[WORD…]")
@click.option("--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def command(words: tuple[str, ...], format_: str) -> None:
    """Print the table of all rules, and that of the house rules in the current folder.

    With WORD it lists the rules that have it in their code, name or sentence; several words must all match.
    """
    house, errors = _find_own_rules()
    rules, own = ([r for r in some if has_words(r, words)] for some in (sorted(ALL, key=lambda r: r.code), house))
    if words and not rules and not own:
        meant = dict.fromkeys(m for word in words if not has_any(word) and (m := near(word, list_words())) is not None)
        offer = f"; did you mean {', '.join(meant)}?" if meant else ""
        stop(f"no rule has {' and '.join(map(repr, words))} in its code, its name or what it finds{offer}")
    if format_ == "markdown":
        click.echo(make_table() + (f"\n## {_HOUSE}\n\n{_render_markdown(own)}" if own else ""), nl=False)
    elif format_ == "json":
        import json

        report = {"version": 1, "rules": list(map(describe_rule, rules)), "house": list(map(describe_rule, own))}
        click.echo(json.dumps(report, indent=1, ensure_ascii=False))
    else:
        print_lines(
            (*render_lines(rules), *(("", f"{_HOUSE}:", *render_lines(own)) if own else ())), indent=_BEFORE_SUMMARY
        )
    for error in errors:
        print_message(str(error))
    if errors:
        sys.exit(2)


def _find_own_rules() -> tuple[tuple[Rule, ...], tuple[SourceError, ...]]:
    """A team's own rules, and what is wrong in their files."""
    if not files_of(_HERE):
        return (), ()
    from rocecfg.custom_rules.rules import rules_for
    from rocecfg.source.document import Sources

    house = rules_for(_HERE, Sources())
    return house.rules, house.errors


CALLED = {  # words of systems and papers -> the word of the rules
    "pfcwd": "watchdog",
    "wred": "ecn",
    "red": "ecn",
    "wd": "watchdog",
    "xoff": "headroom",
    "xon": "headroom",
    "dcqcn": "ecn",
    **dict.fromkeys(("dwrr", "wrr", "sp", "bandwidth", "schedulers"), "ets"),
    **dict.fromkeys(("bond", "lacp", "port-channel"), "lag"),
    **dict.fromkeys(("pcp", "cos", "dot1p"), "802.1p"),
    **dict.fromkeys(("flowcontrol", "flow-control", "link-pause"), "802.3x"),
    **dict.fromkeys(("dlb", "spray", "spraying"), "adaptive"),
    **dict.fromkeys(("mc-lag", "mclag", "esi"), "mlag"),
    **dict.fromkeys(("breakout", "split"), "lanes"),
    "storm": "pause storm",
    "oversubscription": "oversub",
    "jumbo": "mtu",
    "latency": "delay",
    "vxlan": "tunnel",
    "voq": "deep",
}


def has_words(rule: Rule, words: Iterable[str]) -> bool:
    """Whether all words, or what they are called here, stand in a rule's code, its name or its summary."""
    text = f"{rule.code} {rule.name} {rule.summary}".lower()
    return all(word.lower() in text or CALLED.get(word.lower(), word.lower()) in text for word in words)


def has_any(word: str) -> bool:
    """Whether some rule has a word."""
    return any(has_words(rule, (word,)) for rule in ALL)


def list_words() -> list[str]:
    """The words that the names of rules are made of, each once."""
    return list(dict.fromkeys(part for rule in ALL for part in rule.name.split("-")))


def render_lines(rules: Sequence[Rule]) -> list[str]:
    """The rules, a line each."""
    if not rules:
        return []
    code, name = (max(len(getattr(r, field)) for r in rules) for field in ("code", "name"))
    return [f"{r.code:{code}}  {r.name:{name}}  {r.severity:7}  {r.summary}" for r in rules]


def describe_rule(rule: Rule) -> dict[str, object]:
    """What a rule declares, as JSON has it."""
    return {
        "rule": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "by_kind": dict(rule.by_kind),
        "summary": rule.summary,
        "source": rule.source,
    }
