"""Which files are reports of ours: settings, which come with a branch, have no other file written over."""

from __future__ import annotations

import os
import re

_ENOUGH = 1 << 16  # bytes from each end
_TEXT = r'"(?:[^"\\]|\\.)*"'
_SCHEMA = rf'"\$schema":\s*{_TEXT},\s*"version":\s*"2\.1\.0"'
_BEGINNINGS = {
    "json": r'\{\s*"version":\s*1,\s*"findings":\s*\[',
    "sarif": rf'\{{\s*{_SCHEMA},\s*"runs":\s*\[\s*\{{\s*"tool":\s*\{{\s*"driver":\s*\{{\s*"name":\s*"rocecfg"',
    "gitlab": rf'\[\s*(?:\]|\{{\s*"description":\s*{_TEXT},\s*"check_name":\s*{_TEXT},\s*"fingerprint":)',
    "rdjson": r'\{\s*"source":\s*\{\s*"name":\s*"rocecfg"\s*\}',
    "junit": r'<\?xml [^>]*\?>\s*<testsuites name="rocecfg"',
    "github": r"\Z|::(?:error|warning|notice) (?:file=.*,)?title=.+::",
}
_TOTALS = re.compile(
    r"(?:clean|no findings|\d+ (?:error|warning|info)s?(?:, \d+ (?:warning|info)s?)*) in \d+ fabrics?, \d+ files?\b"
)


def is_report(path: str, format_: str) -> bool:
    """Whether a regular file is what lint wrote in a format, whatever it had found. Raises OSError."""
    with open(path, "rb") as stream:
        begins = stream.read(_ENOUGH)
        stream.seek(max(0, os.fstat(stream.fileno()).st_size - _ENOUGH))
        ends = stream.read(_ENOUGH)
    beginning = _BEGINNINGS.get(format_)
    if beginning is not None:
        return re.match(beginning, begins.decode("utf-8", "replace")) is not None
    last = ends.decode("utf-8", "replace").removesuffix("\n").rpartition("\n")[2]  # what people read ends with totals
    return _TOTALS.match(last) is not None
