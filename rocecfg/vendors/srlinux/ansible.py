"""SR Linux has no task lists yet: Nokia's modules take paths with values, and what is written here is set lines."""

from __future__ import annotations

from rocecfg.vendors.ansible import Tasks
from rocecfg.vendors.base import CannotRender, RenderedText


def make_tasks(whole: RenderedText) -> Tasks:  # noqa: ARG001 - as of every system
    """CannotRender: no form of this system asks for them."""
    raise CannotRender("task lists of Ansible are not written for SR Linux", "render it as set, and load that")
