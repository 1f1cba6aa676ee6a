"""The schema of NVUE as it is read from the package's text against what the package's own classes say."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from conformance import lacking

from rocecfg.validation import nvue_types as ours

VALUES = (
    "", None, 0, -1, 3, 7, 8, 63, 255, 256, 65536, 4294967296, 1.5, 3.0, "3", " 3 ", "x", "on", "auto", "a b", "1-5",
    "100:1", "10.0.0.1", "10.0.0.0/24", "10.0.0.1/24", "2001:db8::/64", "aa:bb:cc:dd:ee:ff", "swp1", [], ["10.0.0.1"],
    {"a": 1}, "1e3", "0x10", "x" * 300,
)  # fmt: skip


def _alone(kind: Any) -> Any:
    others = [of for of in get_args(kind) if of is not type(None)] if get_origin(kind) is Union else []
    return _alone(others[0]) if len(others) == 1 else kind


def _choices(kind: Any) -> tuple[Any, ...]:
    kind = _alone(kind)
    return get_args(kind) if get_origin(kind) is Union else (kind,)


def _models(kind: Any) -> list[Any]:
    return [each for of in _choices(kind) for each in _of_class(_alone(of))]


def _of_class(kind: Any) -> list[Any]:
    if get_origin(kind) is Union:
        return _models(kind)
    return [kind] if hasattr(kind, "model_fields") else []


def _mapping(kind: Any) -> Any:
    return next((get_args(_alone(of))[1] for of in _choices(kind) if get_origin(_alone(of)) is dict), None)


class _Comparison:
    """Every key of a release, each object once. `leafs`: how many values were looked at."""

    def __init__(self) -> None:
        self.leafs = 0
        self.differ: list[str] = []
        self._seen: set[tuple[Any, ...]] = set()
        self._judged: set[str] = set()  # types as they are written: the same words are judged alike

    def walk(self, theirs: Any, kind: ours.SchemaKind, path: tuple[str, ...] = ()) -> None:
        below, models = _mapping(theirs), tuple(_models(theirs))
        mine = ours.below_any(kind)
        assert (mine is None, ours.is_model(kind)) == (below is None, bool(models)), path
        if mine is not None:
            assert ours.is_bare(mine) == (_alone(below) is Any), path
            self.walk(below, mine, (*path, "*"))
        if not models or models in self._seen:
            return
        self._seen.add(models)
        fields = {(field.alias or name): field for model in models for name, field in model.model_fields.items()}
        known = ours.fields_of(kind)
        assert list(known) == list(fields), path
        for key, field in fields.items():
            self.walk(field.annotation, known[key].annotation, (*path, key))
            if not _models(field.annotation) and _mapping(field.annotation) is None:
                self._compare_values(field, known[key], (*path, key))

    def _compare_values(self, field: Any, mine: ours.SchemaKey, path: tuple[str, ...]) -> None:
        from pydantic import TypeAdapter, ValidationError

        self.leafs += 1
        kind = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        if str(kind) in self._judged:
            return
        self._judged.add(str(kind))
        adapter = TypeAdapter(kind)
        for value in VALUES:
            try:
                adapter.validate_python(value)
                taken = True
            except ValidationError:
                taken = False
            if (ours.wrong_value(mine, value) is None) != taken:
                self.differ.append(f"{' '.join(path)}: {value!r} is {'taken' if taken else 'refused'} there")


@pytest.mark.parametrize(
    ("release", "least"),
    [("5.0", 600), *(pytest.param(f"5.{minor}", 600, marks=pytest.mark.nightly) for minor in range(1, 19))],
)
def test_each_key_takes_what_the_classes_of_the_package_take(release: str, least: int) -> None:
    if find_spec("nvueschema") is None:
        lacking("nvueschema is not installed: pip install 'rocecfg[validate]'")
    root = importlib.import_module(f"nvueschema.models.v{release.replace('.', '_')}").NvueConfig
    found = _Comparison()
    found.walk(root, ours.root_of(release))
    assert found.differ == []
    assert found.leafs > least


def test_releases_and_version_are_those_of_the_package() -> None:
    if find_spec("nvueschema") is None:
        lacking("nvueschema is not installed: pip install 'rocecfg[validate]'")
    from importlib.metadata import version

    manifest = importlib.import_module("nvueschema.models._versions")
    assert ours.list_releases() == manifest.VERSIONS
    assert ours.name_package() == f"nvueschema {version('nvueschema')}"
