"""`rocecfg explain`."""

from __future__ import annotations

import re
from typing import NoReturn

import click

from rocecfg.cli.common import stop
from rocecfg.cli.paged import print_lines
from rocecfg.custom_rules.files import house_rule_name
from rocecfg.report.pages import read_page
from rocecfg.rules import ALL, Rule, find_rule
from rocecfg.rules.renamed import REMOVED

_LEAST = 3  # letters of a word that is looked for in sentences


@click.command("explain")
@click.argument("rule", nargs=-1, required=True)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(rule: tuple[str, ...], format_: str) -> None:
    """Print a rule's page: what it finds, why that matters, when it fires and when not, how to fix it, the source.

    RULE may also be a word such as watchdog, deadlock or kmin: then it lists the rules on it, with a sentence each.
    Several words are one name: watchdog missing is watchdog-missing.
    """
    _explain("-".join("-".join(rule).split()), format_)


def _explain(rule: str, format_: str) -> None:
    own = house_rule_name(rule)
    known = _find_own_rule(own) if own is not None else find_rule(rule)
    if known is None:
        _print_index(rule, format_)
        return
    text = read_page(known) if own is None else _make_own_page(known)
    if format_ == "json":
        import json

        from rocecfg.cli.rules import describe_rule

        click.echo(json.dumps({"version": 1, **describe_rule(known), "page": text}, indent=1, ensure_ascii=False))
        return
    print_lines(text.splitlines())


def _print_index(word: str, format_: str) -> None:
    """The rules that have a word in their names; otherwise those that have it in their sentence."""
    from rocecfg.cli.rules import CALLED, describe_rule, list_words, render_lines

    wanted = CALLED.get(word.lower(), word.lower())
    found = [rule for rule in ALL if wanted in rule.name.split("-")]
    if not found and not (find_rule(word) or word in REMOVED or set(word.lower().split("-")) <= set(list_words())):
        found = _find_in_sentences(wanted)
    if not found:
        _stop_unknown(word)
    found.sort(key=lambda rule: rule.code)
    if format_ == "json":
        import json

        click.echo(json.dumps({"version": 1, "rules": [describe_rule(rule) for rule in found]}, indent=1))
        return
    print_lines(
        (f"Rules on {wanted}; rocecfg explain NAME prints the page of one.", "", *render_lines(found)), indent=8
    )


def _find_in_sentences(word: str) -> list[Rule]:
    """The rules whose sentence has a word, or several: `pause-storm`. A name or a code is looked for elsewhere."""
    if len(word) < _LEAST or re.fullmatch(r"[a-z]+\d+", word):
        return []
    whole = re.compile(rf"\b{re.escape(word.replace('-', ' '))}s?\b", re.IGNORECASE)
    return [rule for rule in ALL if whole.search(rule.summary)]


def _stop_unknown(rule: str) -> NoReturn:
    """Says what could be meant: by name where it is like one, by code where it is like one of these."""
    from rocecfg.cli.rules import CALLED, list_words
    from rocecfg.intent.values import near, nearest

    if rule in REMOVED or rule.upper() in REMOVED:
        stop(f"there is no rule {rule!r} any more: {REMOVED.get(rule) or REMOVED[rule.upper()]}")
    code = near(rule, [r.code for r in ALL]) if rule[-1:].isdigit() else None
    meant = next((r for r in ALL if r.code == code), None)
    if meant is not None:
        stop(f"there is no rule {rule!r}; did you mean {meant.code} ({meant.name})?")
    words = list_words()
    word = near(rule, words)
    if word is not None and "-" not in rule:
        stop(f"there is no rule {rule!r}; did you mean {word}?")
    if begun := [r.name for r in ALL if r.name.startswith(f"{rule.lower()}-")]:
        stop(f"there is no rule {rule!r}; did you mean {' or '.join(begun[:3])}?")
    if near(rule, [r.name for r in ALL]) is None:
        inside = [CALLED.get(part, part) for part in re.split(r"[-_ ]", rule.lower())]
        last = next((part for part in reversed(inside) if part in words), None)  # pfc-watchdog: the watchdog
        if last is not None and "-" in rule:
            stop(f"there is no rule {rule!r}; rocecfg explain {last} lists those on {last}")
    family = [r.name for r in ALL if r.name[:3] == rule[:3].lower()]
    stop(f"there is no rule {rule!r}; {nearest(rule, family) if family else '`rocecfg rules` lists them'}")


def _find_own_rule(name: str) -> Rule:
    """A team's own rule, from the current folder."""
    from rocecfg.custom_rules.rules import rules_for
    from rocecfg.source.document import Sources

    house = rules_for("fabric.yaml", Sources())
    rule = next((rule for rule in house.rules if rule.name == name), None)
    if rule is None:
        if house.errors:
            stop(str(house.errors[0]))
        names = ", ".join(known.name for known in house.rules)
        stop(f"there is no rule {name!r} in this folder" + (f"; known: {names}" if names else ""))
    return rule


def _make_own_page(rule: Rule) -> str:
    return f"# {rule.name}\n\n{rule.summary}.\n\nSeverity: {rule.severity}\nSource: {rule.source}\n"
