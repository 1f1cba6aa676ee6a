"""`dataclass`, as the model's classes are made: frozen to the type checker, and quick to make at run time.

Every lint makes these classes again. The standard decorator takes four times as long, and as long again to be loaded:
for refusing assignments, which mypy does, for printing values, which one method can do for all, and for reading
signatures that nobody asks for. A constructor is compiled when the first instance is made, as those of records are.
What `dataclasses` itself does to instances (`replace`, `fields`) works as always.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass, field, replace
    from typing import Any
else:

    class _Field:
        """What `field` says of a field."""

        __slots__ = ("compare", "default", "default_factory", "repr")

        def __init__(self, default: Any, default_factory: Any, compare: bool, repr: bool) -> None:  # noqa: A002
            self.default = default
            self.default_factory = default_factory
            self.compare = compare
            self.repr = repr

    _NONE = object()

    def field(
        *,
        default: Any = _NONE,
        default_factory: Any = _NONE,
        compare: bool = True,
        repr: bool = True,  # noqa: A002 - as the standard one has it
    ) -> _Field:
        """A field with a default made again for each instance, or one that takes no part in comparing or printing."""
        return _Field(default, default_factory, compare, repr)

    class _StandardFields:
        """`__dataclass_fields__` of a class, made when `dataclasses` or `shown` asks for it."""

        __slots__ = ("body",)

        def __init__(self, body: dict[str, Any]) -> None:
            self.body = body

        def __get__(self, instance: object, owner: type) -> Any:
            import dataclasses

            made = []
            for name, kind in owner.__annotations__.items():
                default = self.body.get(name, dataclasses.MISSING)
                declared = {"default": default}
                if isinstance(default, _Field):
                    given = {slot: getattr(default, slot) for slot in _Field.__slots__}
                    declared = {key: value for key, value in given.items() if value is not _NONE}
                made.append((name, kind, dataclasses.field(**declared)))
            fields = dataclasses.make_dataclass(owner.__name__, made).__dataclass_fields__
            owner.__dataclass_fields__ = fields
            return fields

    def dataclass(*, eq: bool = True, **_frozen_and_slotted: bool) -> Callable[[type], type]:
        """A class decorator: what is compared by value has a hash, since nobody assigns to it."""

        def make(cls: type) -> type:
            body = dict(vars(cls))
            names = tuple(cls.__annotations__)
            inner = {k: v for k, v in body.items() if k not in names and k not in ("__dict__", "__weakref__")}
            inner["__slots__"] = names

            def construct(self: Any, *values: Any, **named: Any) -> None:
                """The first time: compile what is called from then on."""
                made.__init__ = _compile_init(names, body)
                self.__init__(*values, **named)

            inner["__init__"] = construct
            if eq:
                inner["__eq__"], inner["__hash__"] = _compile_comparison(names, body)
            inner["__dataclass_fields__"] = _StandardFields(body)
            made = type(cls)(cls.__name__, cls.__bases__, inner)
            return made

        return make

    def _compile_init(names: tuple[str, ...], body: dict[str, Any]) -> Callable[..., None]:
        parameters, values = ["self"], []
        scope = {"_later": object()}
        for name in names:
            value, default = name, body.get(name, _NONE)
            if isinstance(default, _Field) and default.default_factory is not _NONE:
                scope[f"_{name}"] = default.default_factory
                parameters.append(f"{name}=_later")
                value = f"_{name}() if {name} is _later else {name}"
            else:
                scope[f"_{name}"] = default = default.default if isinstance(default, _Field) else default
                parameters.append(name if default is _NONE else f"{name}=_{name}")
            values.append(f"self.{name}={value}")
        exec(f"def __init__({','.join(parameters)}):\n {';'.join(values)}", scope)  # noqa: S102 - our own fields
        return scope["__init__"]

    def _compile_comparison(
        names: tuple[str, ...], body: dict[str, Any]
    ) -> tuple[Callable[..., bool], Callable[..., int]]:
        compared = attrgetter(*(n for n in names if not isinstance(body.get(n), _Field) or body[n].compare))

        def equal(self: object, other: object) -> bool:
            return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

        def hashed(self: object) -> int:
            return hash(compared(self))

        return equal, hashed

    _copies: dict[type, Callable[[Any], Any]] = {}  # by class: what copies its instances, compiled when first needed

    def replace(value: Any, **changes: Any) -> Any:
        """The value with other values for some of its fields."""
        kind = value.__class__
        copied = _copies.get(kind)
        if copied is None:
            copied = _copies[kind] = _compile_copy(kind.__slots__)
        made = copied(value)
        for name, new in changes.items():
            setattr(made, name, new)
        return made

    def _compile_copy(names: tuple[str, ...]) -> Callable[[Any], Any]:
        scope: dict[str, Any] = {"_new": object.__new__}
        body = ";".join(f"made.{name}=value.{name}" for name in names)
        exec(f"def copied(value):\n made=_new(value.__class__);{body}\n return made", scope)  # noqa: S102 - our own fields
        return scope["copied"]


def shown(value: Any) -> str:
    """What a value prints as: its class, and its fields but for their origins."""
    fields = ", ".join(f"{f.name}={getattr(value, f.name)!r}" for f in value.__dataclass_fields__.values() if f.repr)
    return f"{type(value).__name__}({fields})"


__all__ = ["dataclass", "field", "replace", "shown"]
