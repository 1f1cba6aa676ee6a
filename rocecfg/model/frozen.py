"""`dataclass`, as the model's classes are made: frozen to the type checker, and quick to make at run time.

Every lint makes these classes anew. What the standard decorator compiles to refuse assignments and to print values
costs a third of that time, for what mypy refuses anyway and one method can do for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses

    def dataclass(*, frozen: bool, slots: bool, eq: bool = True) -> Any:
        """A class decorator; a frozen class that is compared by value has a hash."""
        return dataclasses.dataclass(slots=slots, eq=eq, unsafe_hash=frozen and eq, repr=False, match_args=False)


def shown(value: Any) -> str:
    """What a value prints as: its class, and its fields but for their origins."""
    fields = ", ".join(f"{f.name}={getattr(value, f.name)!r}" for f in value.__dataclass_fields__.values() if f.repr)
    return f"{type(value).__name__}({fields})"


__all__ = ["dataclass", "shown"]
