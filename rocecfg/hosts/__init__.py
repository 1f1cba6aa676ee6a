"""The NIC end: what hosts are to be set to, as files, and what their NICs say that they are set to."""

from __future__ import annotations
