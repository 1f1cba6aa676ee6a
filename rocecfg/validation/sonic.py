"""SONiC's CONFIG_DB by SONiC's own YANG models, of a folder that the user names, through libyang.

Rows are put under the lists of their tables as SONiC's loader (sonic_yang) does it, and libyang judges the values,
the references from row to row, and what the models say must hold.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from importlib import import_module
from typing import Any

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError
from rocecfg.validation.sonic_tables import (
    SEPARATORS,
    ConfigTables,
    Tables,
    complete_tables,
    find_line,
    is_whole,
    read,
    release_of,
)
from rocecfg.validation.verdict import INSTALL, CannotJudge, Fault, JudgeOptions, Verdict
from rocecfg.validation.yang import YangNode, YangTable, read_tables
from rocecfg.validation.yang_models import Models, branch_of, find_models, modules_in, prepare_models

_SEGMENT = re.compile(r"/(?:[\w.-]+:)?([\w.-]+)((?:\[[^\[\]=]+=(?:'[^']*'|\"[^\"]*\")\])*)")
_KEY = re.compile(r"\[[^\[\]=]+=(?:'([^']*)'|\"([^\"]*)\")\]")
_ASKED = re.compile(r"/[\w-]+:sonic-[\w-]+/[\w-]+:(\w+)")  # the table of a path in a message
_SEQUEL = "List instance is missing its key"
_QUOTED = re.compile(r'"([^"]*)"')
_MOST_NAMED = 8  # tables without a model that are listed
_FIRST = "references, which are checked once every row fits its table"
_OF_OTHERS = ("leafref", "Must condition", "When condition")  # what faults say that hang on other rows, too


class _RowFault(NamedTuple):
    """A fault, by table, key and field."""

    path: tuple[str, ...]
    message: str
    unknown: bool = False  # the model has no such table, key or field


def judge(document: Document, asked: JudgeOptions) -> Verdict:
    """Judge by `asked.models`, the folder of models, and the branch among `asked.releases`, else the text's own if any.

    Raises SourceError for what is not CONFIG_DB, CannotJudge without libyang or models.
    """
    config = read(document)
    stated = release_of(config)
    release = next(filter(branch_of, asked.releases), None) or stated
    models = find_models(asked.models, release)
    library = library_of(models)
    faults: list[Fault] = []
    assumed: list[str] = []
    unjudged: list[str] = []
    left = False
    for space, tables in config.spaces.items():
        name = f"{space}: " if space else ""
        whole = is_whole(tables)
        there, lacking = (tables, []) if whole else complete_tables(tables)
        wrong, unknown, done = library.check(there)
        if asked.strict:
            wrong += [_RowFault((table,), "no model has this table", unknown=True) for table in unknown]
        elif unknown:
            unjudged.append(f"{name}{_join_names(unknown)}, of which there is no model")
        if not whole:
            wrong, open_ = _split_by_tables(wrong, tables)
            unjudged += [f"{name}what is asked of tables that this part lacks: {', '.join(open_)}"] if open_ else []
        assumed += [f"{name}{each}" for each in lacking]
        unjudged += [] if done else [f"{name}{_FIRST}"]
        left |= not done
        unjudged += (
            [] if whole else [f"{name}whether it fits the rest of the switch: it is only part of a configuration"]
        )
        faults += [_to_fault(document, config, space, each) for each in wrong]
    if config.repeated:
        unjudged.append(f"keys that appear twice, the last of which counts: {fold(config.repeated[:_MOST_NAMED])}")
    assumed += _other_release(models, release)
    branch = branch_of(release) if release is not None else None
    nobody_knows = release is None or (branch is not None and models.release is None)
    title = f" ({models.release})" if models.release else ""
    later = not asked.strict and branch is not None and models.release is not None and branch > models.release
    newer = [fault for fault in faults if later and "leafref" not in fault.message]  # a name stays undefined
    unjudged += [f"line {one.line}: {one.where}: {one.message}: {branch} may have it" for one in newer]
    return Verdict(
        f"SONiC's YANG models in {models.folder}{title}",
        models.release,
        tuple(fault for fault in faults if fault not in newer),
        tuple(assumed),
        tuple(unjudged),
        exact=None if nobody_knows else branch == models.release,
        left=_FIRST if left else "",
        newer=tuple(newer),
    )


def _other_release(models: Models, release: str | None) -> list[str]:
    """What to say where the models may be of another release than the switch."""
    branch = branch_of(release) if release is not None else None
    if branch is None or branch == models.release:
        return []
    if models.release is None:
        return [f"the models are assumed to be for {branch}, which the switch runs: their folder does not state it"]
    return [f"the switch runs {branch}, but the models are for {models.release}"]


def _split_by_tables(wrong: list[_RowFault], tables: Tables) -> tuple[list[_RowFault], list[str]]:
    """The faults of a part, without those that hang on tables which it lacks; and the names of these."""
    known = {*tables, "PORT"}  # which is completed
    asked = [(each, set(_ASKED.findall(each.message))) for each in wrong]
    lacking = sorted({name for _, of in asked if known.isdisjoint(of) for name in of})
    return [each for each, of in asked if not of or not known.isdisjoint(of)], lacking


def _join_names(tables: list[str]) -> str:
    rest = len(tables) - _MOST_NAMED
    return f"{', '.join(tables[:_MOST_NAMED])}{f' and {rest} more tables' if rest > 0 else ''}"


def _to_fault(document: Document, config: ConfigTables, space: str, wrong: _RowFault) -> Fault:
    where = "|".join(((space,) if space else ()) + wrong.path)
    # ports and rows of one table that have the same fault are one to the reader
    alike = (wrong.path[:1], wrong.path[2:], wrong.message)
    return Fault(find_line(document, config, space, wrong.path), where, wrong.message, repr(alike), wrong.unknown)


class ModelLibrary:
    """The models of one folder, loaded."""

    def __init__(self, models: Models) -> None:
        """Raises CannotJudge without libyang, SourceError for models that it does not take."""
        self._yang = _libyang()
        with prepare_models(models) as folder:
            self._tables = _read_tables(models, folder)
            options = self._yang.ContextOptions
            self._context = self._yang.Context(folder, options.NoYangLibrary | options.DisableSearchCwd)
            for module in modules_in(folder):
                try:
                    self._context.load_module(module)
                except self._yang.Error as error:
                    why = next((each.message for each in self._context.errors() if each.message), None) or str(error)
                    message = f"libyang refuses the module {module}: {why}"
                    raise SourceError(models.folder, message, "copy the folder of models again") from None

    def check(self, tables: Tables) -> tuple[list[_RowFault], list[str], bool]:
        """What is wrong, the tables without a model, and whether references were looked at.

        A row without a list of its own is left out: that leaves nothing to say of what refers to it.
        """
        wrong: list[_RowFault] = []
        tree: dict[str, Any] = {}
        for name, rows in tables.items():
            of = self._tables.get(name)
            if of is not None:
                top = tree.setdefault(f"{of.module}:{of.module}", {})
                top[f"{of.module}:{name}"] = _to_model_rows(name, of.node, rows, wrong)
        unknown = sorted(name for name in tables if name not in self._tables)
        whole = all(each.unknown for each in wrong)
        found = [_with_whole_key(each, tables) for each in _without_sequels(self._check_values(tree))]
        wrong += [each for each in found if whole or not any(words in each.message for words in _OF_OTHERS)]
        return wrong, unknown, whole

    def _check_values(self, tree: dict[str, Any]) -> list[_RowFault]:
        yang = self._yang
        self._context.clean_all_errors()
        parsing = yang.ParseOptions.Strict | yang.ParseOptions.NoState | yang.ParseOptions.JsonStringDataTypes
        judging = yang.ValidationOptions.MultiError | yang.ValidationOptions.NoState
        try:
            self._context.parse_data(json.dumps(tree), yang.DataFormat.JSON, parsing, judging)
        except yang.Error as error:
            found = [
                _RowFault(_parse_path(each.data_path or ""), " ".join((each.message or "").split()))
                for each in self._context.errors()
                if each.message
            ]
            return list(dict.fromkeys(found)) or [_RowFault((), str(error))]
        return []


@cache
def library_of(models: Models) -> ModelLibrary:
    """The models, loaded once. Raises CannotJudge without libyang, SourceError for models that it does not take."""
    return ModelLibrary(models)


def _libyang() -> Any:
    try:
        library: Any = import_module("oopt_gnpy_libyang")  # by its name: mypy need not find it
    except ImportError:
        fix = INSTALL
        if sys.version_info >= (3, 14):
            fix += "; oopt-gnpy-libyang has no wheel for Python 3.14: take 3.13"
        raise CannotJudge("libyang is not here: there is no oopt-gnpy-libyang", fix) from None
    library.set_log_options(library.LogOptions.Store)
    return library


def _read_tables(models: Models, folder: str) -> dict[str, YangTable]:
    """The tables of models, with errors told of the folder that the user named."""
    try:
        return read_tables(folder)
    except SourceError as error:
        path = error.path.replace(folder, models.folder)
        raise SourceError(path, error.message, error.help, error.line, error.column) from None


def _parse_path(data_path: str) -> tuple[str, ...]:
    """Table, key and field of a path of libyang's: /sonic-queue:sonic-queue/QUEUE/QUEUE_LIST[...]/scheduler."""
    segments = [
        (name, [single or double for single, double in _KEY.findall(keys)])
        for name, keys in _SEGMENT.findall(data_path)
    ][1:]
    if not segments:
        return ()
    table, rest = segments[0][0], segments[1:]
    if not rest:
        return (table,)
    name, keys = rest[0]
    row = "|".join(keys) if keys else name  # a list's row, or a container that is one
    inner = rest[1:]
    if not inner:
        return (table, row)
    field, of = inner[0]
    return (table, row, of[0] if of and len(inner) > 1 else field)


def _with_whole_key(wrong: _RowFault, tables: Tables) -> _RowFault:
    """A fault in a part of a row's key, of which libyang's path has the other parts alone, with the row's whole key."""
    if wrong.path[:1] and wrong.path[0] not in tables:
        return wrong._replace(path=())  # a path in the model alone
    if len(wrong.path) < 2 or wrong.path[1] in tables[wrong.path[0]]:
        return wrong
    table, known, *field = wrong.path
    quoted = set(_QUOTED.findall(wrong.message))
    for key in tables[table]:
        parts, others = set(key.split("|")), set(known.split("|"))
        if others < parts and parts - others <= quoted:
            return wrong._replace(path=(table, key, *field))
    return wrong


def _without_sequels(wrong: list[_RowFault]) -> list[_RowFault]:
    """A key that is refused makes libyang miss it as well: that is left out where the table has the other fault."""
    causes = {each.path[:1] for each in wrong if not each.message.startswith(_SEQUEL)}
    return [each for each in wrong if not (each.message.startswith(_SEQUEL) and each.path[:1] in causes)]


# -- rows of CONFIG_DB under the lists of the models -------------------------------------------------------------------


def _to_model_rows(table: str, node: YangNode, rows: Any, wrong: list[_RowFault]) -> dict[str, Any]:
    """A table as its model has it; `wrong` gets the rows that fit no list of it."""
    out: dict[str, Any] = {}
    if not isinstance(rows, dict):
        wrong.append(_RowFault((table,), "is not an object with rows"))
        return out
    for key, fields in rows.items():
        if not isinstance(fields or {}, dict):
            wrong.append(_RowFault((table, key), "is not an object with fields"))
        elif key in node.containers:
            out[key] = _to_model_fields(table, key, node.containers[key], fields, wrong)
        else:
            _add_model_row(table, key, node, fields, out, wrong)
    return out


def _add_model_row(
    table: str, key: str, node: YangNode, fields: Any, out: dict[str, Any], wrong: list[_RowFault]
) -> None:
    """Put a row into the first list whose keys and fields it has."""
    parts = [part.strip() for part in key.split("|")]
    bad: list[_RowFault] = []
    newer: tuple[str, dict[str, Any]] | None = None  # of the first, where a later release may have what it lacks
    for name, of in node.lists.items():
        if len(parts) != len(of.keys):
            continue
        here: list[_RowFault] = []
        row: dict[str, Any] = dict(zip(of.keys, parts, strict=True))
        pairs = _map_nodes(of)
        if pairs is not None:
            inner, left, right = pairs
            row[inner] = [{left: str(one), right: str(other)} for one, other in (fields or {}).items()]
        else:
            row.update(_to_model_fields(table, key, of, fields, here))
        if not here:
            out.setdefault(name, []).append(row)
            return
        newer = newer if bad or not all(each.unknown for each in here) else (name, row)
        bad = bad or here
    if newer is not None:
        out.setdefault(newer[0], []).append(newer[1])
    if not bad:
        counts = sorted({len(of.keys) for of in node.lists.values()})
        wanted = f"{' or '.join(map(str, counts))} parts" if counts else "is not one of its rows"
        bad = [
            _RowFault(
                (table, key), f"fits no list of the model: its key has {len(parts)} parts, but the model needs {wanted}"
            )
        ]
    wrong += bad


def _map_nodes(node: YangNode) -> tuple[str, str, str] | None:
    """List, key and value of a map such as DSCP_TO_TC_MAP, which CONFIG_DB stores as fields of one row."""
    if len(node.lists) != 1 or node.leafs != set(node.keys):
        return None
    name, inner = next(iter(node.lists.items()))
    values = inner.leafs - set(inner.keys)
    if len(inner.keys) != 1 or len(values) != 1:
        return None
    return name, inner.keys[0], values.pop()


def _to_model_fields(table: str, key: str, node: YangNode, fields: Any, wrong: list[_RowFault]) -> dict[str, Any]:
    """The fields of a row as the model has them."""
    out: dict[str, Any] = {}
    for name, value in (fields or {}).items():
        if name in node.containers or name in node.lists:
            out[name] = value
        elif name in node.leaf_lists:
            separator = SEPARATORS.get((table, name))
            if isinstance(value, str):
                value = [part.strip() for part in value.split(separator)] if separator else list(value)  # noqa: PLW2901
            if isinstance(value, list):
                out[name] = [str(each) for each in value if each]
            else:
                wrong.append(_RowFault((table, key, name), f"{value!r} is not a list"))
        elif name in node.leafs:
            out[name] = str(value)
        elif (name, str(value)) != ("NULL", "NULL"):  # which stands in rows without fields
            wrong.append(_RowFault((table, key, name), "no such field in this release's model", unknown=True))
    return out
