"""What an intent takes as the name of a device, and of a port."""

from __future__ import annotations

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_IN_DEVICE = _ALNUM | frozenset("_.-")
_IN_PORT = _ALNUM | frozenset("_.:/-")
DEVICE_PATTERN = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,252}$"
PORT_PATTERN = "^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$"  # 1/1/c1/1 is a port of SR OS


def is_device_name(text: str) -> bool:
    """Whether it fits DEVICE_PATTERN: no regular expression is compiled for that at start-up."""
    return 0 < len(text) <= 253 and text[0] in _ALNUM and _IN_DEVICE.issuperset(text)


def is_port_name(text: str) -> bool:
    """Whether it fits PORT_PATTERN."""
    return 0 < len(text) <= 64 and text[0] in _ALNUM and _IN_PORT.issuperset(text)
