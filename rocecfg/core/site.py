"""Where the pages of this project are on the web: the one place that says so.

`.invalid` is a name that nobody can own (RFC 2606): until the site is published, findings have no link, and `$id`,
which names a schema and need not lead anywhere, is not a stranger's page. Whoever publishes it writes its address here.
"""

from __future__ import annotations

SITE = "https://rocecfg.invalid"
"""The site's address, without a slash at its end."""


def is_published() -> bool:
    """Whether a link to it leads anywhere: until then, no output has one."""
    return not SITE.endswith(".invalid")


def rule_url(name: str) -> str:
    """The page of a rule, by its name."""
    return f"{SITE}/rules/{name}/"


def schema_id(name: str) -> str:
    """The `$id` of a schema, by the name of its file in docs/ without `.schema.json`."""
    return f"{SITE}/{name}.schema.json"
