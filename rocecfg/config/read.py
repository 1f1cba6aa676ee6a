"""Reading a settings file: every key and value checked, every mistake with its place and its fix."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NoReturn

from rocecfg.config.globs import check_pattern
from rocecfg.config.toml import Path, parse
from rocecfg.config.values import (
    ALWAYS,
    Choice,
    ConfigValue,
    Environment,
    Layer,
    Settings,
    UnknownRule,
    choose_rules,
    find_most_alike,
)
from rocecfg.custom_rules.files import PREFIX, house_rule_name
from rocecfg.rules import OFF, SEVERITIES, find_rule
from rocecfg.source.bounds import is_below
from rocecfg.source.document import Document, SourceError, decode, read_bytes
from rocecfg.source.regex import RegexError

_LAYER = ("select", "ignore", "fail-on", "severity", "per-file-ignores", "baseline")
_TOP = (*_LAYER, "environments", "output", "exclude", "validate")
_ENVIRONMENT = (*_LAYER, "paths")
_SHOWN = 60  # characters of a pattern in a message


def read_settings(path: str) -> Settings:
    """The settings of a file of their own. Raises SourceError."""
    document = Document(0, path, decode(path, read_bytes(path)))
    values, places = parse(document)
    return _Reader(document, places, ()).read(values)


def read_section(path: str) -> Settings | None:
    """The settings of `[tool.rocecfg]` in a `pyproject.toml`; None without that table. Raises SourceError."""
    data = read_bytes(path)
    if b"rocecfg" not in data:  # somebody else's project: not worth a parser
        return None
    document = Document(0, path, decode(path, data))
    values, places = parse(document)
    tools = values.get("tool")
    section = tools.get("rocecfg") if isinstance(tools, dict) else None
    if section is None:
        return None
    reader = _Reader(document, places, ("tool", "rocecfg"))
    return reader.read(reader.table(section, ()))


class _Reader:
    def __init__(self, document: Document, places: dict[Path, int], above: Path) -> None:
        self.document = document
        self.places = places
        self.above = above
        self.folder = os.path.dirname(os.path.abspath(document.path))

    def read(self, values: dict[str, Any]) -> Settings:
        self._refuse_unknown(values, (), _TOP)
        output = values.get("output", [])
        return Settings(
            self.document.path,
            self.folder,
            self._read_layer(values, ()),
            self._read_environments(values.get("environments", {})),
            tuple(
                self._read_output(word, ("output", i) if isinstance(output, list) else ("output",))
                for i, word in enumerate(self._read_words(output, ("output",)))
            ),
            self._read_exclude(values.get("exclude", [])),
            self._read_yang(values.get("validate", {})),
        )

    def _read_exclude(self, value: Any) -> tuple[str, ...]:
        words = self._read_words(value, ("exclude",))
        for number, glob in enumerate(words):
            self._check_glob(glob, ("exclude", number) if isinstance(value, list) else ("exclude",))
        return words

    def _read_yang(self, values: Any) -> ConfigValue | None:
        self._refuse_unknown(self.table(values, ("validate",)), ("validate",), ("yang",))
        return self._read_file_name(values["yang"], ("validate", "yang"), "folder") if "yang" in values else None

    def _read_output(self, word: str, where: Path) -> ConfigValue:
        wrong = explain_refused_output(self.folder, word)
        if wrong is not None:
            self._stop(where, *wrong)
        return ConfigValue(word, self._format_place(where))

    def _read_environments(self, values: Any) -> tuple[Environment, ...]:
        out = []
        for name, section in self.table(values, ("environments",)).items():
            where: Path = ("environments", name)
            self._refuse_unknown(self.table(section, where), where, _ENVIRONMENT)
            paths = self._read_words(section.get("paths", []), (*where, "paths"))
            for number, glob in enumerate(paths):
                listed = isinstance(section["paths"], list)
                self._check_glob(glob, (*where, "paths", number) if listed else (*where, "paths"))
            out.append(Environment(name, paths, self._read_layer(section, where), self._format_place(where)))
        return tuple(out)

    def _read_layer(self, values: dict[str, Any], where: Path) -> Layer:
        def read_key(key: str, read: Callable[[Any, Path], Any]) -> Any:
            return read(values[key], (*where, key)) if key in values else None

        return Layer(
            read_key("select", self._read_select),
            read_key("ignore", self._read_ignore),
            read_key("fail-on", self._read_level),
            read_key("severity", self._read_severities) or {},
            read_key("per-file-ignores", self._read_per_file) or (),
            read_key("baseline", self._read_file_name),
        )

    def _read_select(self, value: Any, where: Path) -> Choice:
        return self._read_rules(value, where, exact=False)

    def _read_ignore(self, value: Any, where: Path) -> Choice:
        chosen = self._read_rules(value, where, exact=True)
        if ALWAYS in chosen.names:
            self._stop(where, f"{ALWAYS} cannot be left out", "a file that cannot be read is always reported")
        return chosen

    def _read_rules(self, value: Any, where: Path, *, exact: bool) -> Choice:
        words = self._read_words(value, where)
        for number, word in enumerate(words):
            try:
                choose_rules((word,), "", exact=exact)
            except UnknownRule as error:
                self._stop((*where, number) if isinstance(value, list) else where, str(error), error.fix)
        return choose_rules(words, self._format_place(where), exact=exact)

    def _read_level(self, value: Any, where: Path) -> ConfigValue:
        return ConfigValue(self._read_word(value, where, SEVERITIES[::-1]), self._format_place(where))

    def _read_severities(self, value: Any, where: Path) -> dict[str, ConfigValue]:
        out: dict[str, ConfigValue] = {}
        for word, level in self.table(value, where).items():
            here = (*where, word)
            own = house_rule_name(word)
            if own is not None and own != PREFIX:
                out[own] = ConfigValue(self._read_word(level, here, (*SEVERITIES[::-1], OFF)), self._format_place(here))
                continue
            rule = find_rule(word)
            if rule is None:
                try:
                    choose_rules((word,), "")
                except UnknownRule as error:
                    self._stop(here, str(error), error.fix)
                self._stop(here, f"{word!r} begins the names of several rules", "a severity is set rule by rule")
            if rule.name == ALWAYS:
                self._stop(here, f"the severity of {ALWAYS} is fixed", "a file that cannot be read is always reported")
            if rule.name in out:
                self._stop(here, f"{rule.name} has two severities", "name it once, by name or by code")
            out[rule.name] = ConfigValue(
                self._read_word(level, here, (*SEVERITIES[::-1], OFF)), self._format_place(here)
            )
        return out

    def _read_per_file(self, value: Any, where: Path) -> tuple[tuple[str, Choice], ...]:
        for glob in self.table(value, where):
            self._check_glob(glob, (*where, glob))
        return tuple((glob, self._read_ignore(words, (*where, glob))) for glob, words in value.items())

    def _check_glob(self, glob: str, where: Path) -> None:
        try:
            check_pattern(glob)
        except RegexError as error:
            shown = glob if len(glob) <= _SHOWN else f"{glob[:_SHOWN]}..."
            self._stop(where, f"{shown!r} is not a valid file name pattern: {error}", "write a shorter one")

    def _read_file_name(self, value: Any, where: Path, what: str = "file") -> ConfigValue:
        if not isinstance(value, str) or not value:
            self._stop(where, f"{where[-1]} must be the name of a {what}", f'write {where[-1]} = "{what.upper()}"')
        wrong = explain_refused(self.folder, value)
        if wrong is not None:
            self._stop(where, *wrong)
        return ConfigValue(os.path.join(self.folder, value), self._format_place(where))

    def _read_words(self, value: Any, where: Path) -> tuple[str, ...]:
        """One string or a list of them."""
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list):
            self._stop(where, f"{where[-1]} must be a list of strings", f'write {_quote_key(where)} = ["…"]')
        for number, word in enumerate(value):
            if not isinstance(word, str):
                self._stop((*where, number), f"{where[-1]} holds {word!r}, which is not a string", "quote it")
        return tuple(value)

    def _read_word(self, value: Any, where: Path, known: tuple[str, ...]) -> str:
        if not isinstance(value, str) or value not in known:
            self._stop(where, f"{where[-1]} = {value!r}: no such level", f"one of {', '.join(known)}")
        return value

    def table(self, value: Any, where: Path) -> dict[str, Any]:
        """A value that must be a table."""
        if not isinstance(value, dict):
            name = where[-1] if where else "rocecfg"
            self._stop(where, f"{name} must be a table", f"write [{'.'.join(map(str, (*self.above, *where)))}]")
        return value

    def _refuse_unknown(self, values: dict[str, Any], where: Path, known: tuple[str, ...]) -> None:
        for key in values:
            if key not in known:
                close = find_most_alike(key.replace("_", "-"), known)
                fix = f"did you mean {close}?" if close else f"known here: {', '.join(known)}"
                self._stop((*where, key), f"unknown setting {key!r}", fix)

    def _locate(self, where: Path) -> tuple[int, int]:
        path = (*self.above, *where)
        while path not in self.places and path:
            path = path[:-1]
        return self.document.place(self.places.get(path, 0))

    def _format_place(self, where: Path) -> str:
        return f"{self.document.path}:{self._locate(where)[0]}"

    def _stop(self, where: Path, message: str, fix: str) -> NoReturn:
        raise SourceError(self.document.path, message, fix, *self._locate(where))


def _quote_key(where: Path) -> str:
    """The last key, quoted where TOML wants it so."""
    key = str(where[-1])
    return key if key.replace("-", "").replace("_", "").isalnum() and key.isascii() else f'"{key}"'


# -- the files that settings may name ----------------------------------------------------------------------------------

# Which files settings may name: a branch of somebody else brings its own settings, and lint runs on it.
#
# They may name what is below their own folder, and never what git keeps. A report may hold words of whoever wrote the
# branch, so it may go only to a file of a kind that nothing runs: not over a script, a Makefile or what a shell reads.


_TEXT = (".txt", ".log")
SUFFIXES = {
    "full": _TEXT,
    "concise": _TEXT,
    "json": (".json",),
    "sarif": (".sarif", ".json"),
    "github": _TEXT,
    "gitlab": (".json",),
    "junit": (".xml",),
    "rdjson": (".json",),
}
_COMMAND = "; any file is allowed only on the command line, --output FORMAT=FILE"


def explain_refused(folder: str, name: str) -> tuple[str, str] | None:
    """Why settings in an absolute folder may not name a file, and the fix; None where they may."""
    try:
        real = os.path.realpath(os.path.join(folder, name))
    except ValueError:
        return f"{name!r} cannot be the name of a file", "leave out the NUL"
    top = os.path.realpath(folder)
    if not is_below(real, top) or real == top:
        return f"{name} is not below the folder of the settings", "name a file beside them or below"
    if any(part.casefold() == ".git" for part in (*name.split("/"), *_split_below(real, top))):
        return f"{name} is among what git keeps", "name a file outside .git"
    return None


def explain_refused_output(folder: str, word: str) -> tuple[str, str] | None:
    """The same of FORMAT=FILE, to be written."""
    format_, _, name = word.partition("=")
    if not name:
        return None
    wrong = explain_refused(folder, name)
    if wrong is not None:
        return wrong[0], wrong[1] + _COMMAND
    path = os.path.join(folder, name)
    if os.path.islink(path):
        return f"{name} is a link: settings never overwrite links", "remove the link, or name another file"
    if os.path.lexists(path) and not os.path.isfile(path):
        return f"{name} is not a regular file", "name another"
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    if any(part.startswith(".") and part not in (".", "..") for part in _split_below(real, os.path.realpath(folder))):
        return f"{name} is hidden: a name in it begins with a dot", "name another" + _COMMAND
    suffixes = SUFFIXES.get(format_, ())
    if suffixes and not name.endswith(suffixes):
        return f"a {format_} report must end in {' or '.join(suffixes)}, but {name} does not", "name another" + _COMMAND
    return None


def _split_below(real: str, top: str) -> list[str]:
    return os.path.relpath(real, top).split(os.sep)
