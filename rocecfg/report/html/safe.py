"""What of a user's text may stand on a page that is mailed around: no secrets, and nothing that is not printed."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

from rocecfg.intent.secrets import find_secret


def show_text(text: str) -> str:
    """A text as the page may show it: whole, or that it holds a secret; what is not a printed character is a blank."""
    kind = find_secret(text)
    if kind is not None:
        return f"(not shown: holds {kind})"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)


def finalize(value: Any) -> Any:
    """What a template writes for a value: markup as it is, all other texts as they may be shown."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return show_text(value)


def fill_markup(form: str, *values: object) -> Markup:
    """Markup of a form of ours with `{}` for values, each as it may be shown, and escaped."""
    return Markup(form).format(*(escape(finalize(value)) for value in values))  # noqa: S704 - forms are ours


def join_markup(parts: list[Markup]) -> Markup:
    """Pieces of markup, a line each."""
    return Markup("\n").join(parts)
