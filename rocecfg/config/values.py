"""What settings say, each value with where it was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import house_rule_name
from rocecfg.rules import ALL, find_rule
from rocecfg.rules.renamed import REMOVED

ALWAYS = "schema-syntax"  # what cannot be read at all is told whatever is asked for


class ConfigValue(NamedTuple):
    """A value, and where it came from: `rocecfg.toml:3`, `--fail-on`, or `default`."""

    value: str
    at: str


class Choice(NamedTuple):
    """A list of rules as somebody wrote it, and the rules it names."""

    words: tuple[str, ...]
    names: frozenset[str]
    kept: tuple[str, ...]  # rules that a word begins, and that only their whole name would cover
    at: str

    def covers(self, rule: str) -> bool:
        """Whether it names the rule of that name, a team's own included."""
        return rule in self.names or any(
            (own := house_rule_name(w)) is not None and rule.startswith(own) for w in self.words
        )


class Layer(NamedTuple):
    """One source of settings: the file's top, one of its environments, or the command line."""

    select: Choice | None = None
    ignore: Choice | None = None
    fail_on: ConfigValue | None = None
    severity: Mapping[str, ConfigValue] = {}  # name of a rule -> severity, `off` included
    per_file: tuple[tuple[str, Choice], ...] = ()  # glob -> rules
    baseline: ConfigValue | None = None  # absolute path


class Environment(NamedTuple):
    """A named layer, for the fabrics whose root file a glob matches, or on demand."""

    name: str
    paths: tuple[str, ...]
    layer: Layer
    at: str


class Settings(NamedTuple):
    """One settings file."""

    path: str  # as found from the fabric: what messages show
    folder: str  # absolute; globs and file names are relative to it
    top: Layer
    environments: tuple[Environment, ...] = ()
    output: tuple[ConfigValue, ...] = ()  # FORMAT or FORMAT=FILE
    exclude: tuple[str, ...] = ()  # patterns as of .gitignore, of what is passed over below folders
    yang: ConfigValue | None = None  # folder of SONiC's YANG models, absolute


class UnknownRule(ValueError):
    """A word that neither names a rule nor begins the name or code of one."""

    def __init__(self, word: str, fix: str) -> None:
        super().__init__(f"there is no rule {word!r}")
        self.fix = fix


def choose_rules(words: Iterable[str], at: str, *, exact: bool = False) -> Choice:
    """The rules that names, codes and their beginnings stand for.

    `exact`: rules that no comment may silence are covered by their whole name or code only, never by its beginning.
    Raises UnknownRule, with a likely name as its fix.
    """
    written = tuple(words)
    names: set[str] = set()
    kept: set[str] = set()
    for word in written:
        whole = find_rule(word)
        if whole is not None:
            names.add(whole.name)
            continue
        if word in REMOVED or word.upper() in REMOVED:
            raise UnknownRule(word, f"it is gone: {REMOVED.get(word) or REMOVED[word.upper()]}")
        if house_rule_name(word) is not None:  # a team's own are known where the fabric is
            continue
        hits = [r for r in ALL if word and (r.name.startswith(word) or r.code.startswith(word.upper()))]
        covered = {r.name for r in hits if r.ignorable or not exact}
        if not covered:
            raise UnknownRule(word, _suggest_fix(word, [r.name for r in hits]))
        names |= covered
        kept.update(r.name for r in hits if r.name not in covered)
    return Choice(written, frozenset(names), tuple(sorted(kept - names)), at)


def _suggest_fix(word: str, only_whole: list[str]) -> str:
    if only_whole:
        return f"write the whole name, since no part of it silences: {', '.join(only_whole)}"
    close = find_most_alike(word, [r.name for r in ALL])
    return f"did you mean {close}?" if close else "`rocecfg rules` lists them"


def find_most_alike(word: str, known: Iterable[str]) -> str:
    """The known word most like this one; empty if none is."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1)), "")
