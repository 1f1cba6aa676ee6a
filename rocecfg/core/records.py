"""`NamedTuple`, as typing has it to the type checker, and quick to make at run time.

Every lint makes some fifty of these classes again. typing's own compiles each annotation that is written as text, and
`collections.namedtuple` a constructor and six methods for each class: here the methods are shared, and a constructor
is compiled when the first record is made.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NamedTuple
else:
    from collections import _tuplegetter

    class _Record(tuple):
        """What all records have of `collections.namedtuple`."""

        __slots__ = ()

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Any:
            return tuple.__new__(cls, values)

        def _replace(self, /, **changes: Any) -> Any:
            made = tuple.__new__(self.__class__, map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"no such fields: {', '.join(changes)}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{self.__class__.__name__}({fields})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class _Maker(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}

            def construct(made: type, *values: Any, **named: Any) -> Any:
                """The first time: compile what is called from then on."""
                record.__new__ = _constructor(fields, defaults)
                return record.__new__(made, *values, **named)

            getters = {field: _tuplegetter(at, None) for at, field in enumerate(fields)}
            own = {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            record = type(name, (_Record,), {**own, "__new__": construct, **body, **getters})
            return record

    def _constructor(fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
        given = ", ".join(f"{field}=_defaults[{field!r}]" if field in defaults else field for field in fields)
        scope = {"_new": tuple.__new__, "_defaults": defaults}
        return eval(f"lambda _made, {given}: _new(_made, ({', '.join(fields)},))", scope)  # noqa: S307 - our own fields

    class NamedTuple(metaclass=_Maker):
        """The base that such classes name."""


__all__ = ["NamedTuple"]
