"""Writers, one package a vendor. What they share: `Text`, `CannotRender`, and the template environment."""

from __future__ import annotations
