"""The colours of the page, for a light and a dark ground: variables of its style sheet.

Every text has a contrast of at least 4.5 to 1 on what is behind it, as WCAG 2.2 asks (AA, 1.4.3).
"""

from __future__ import annotations

COLOURS = 8  # of classes; further ones begin again, and their names are in the cells

LIGHT = {
    "ground": "#ffffff",
    "raised": "#f4f6f9",
    "text": "#14181f",
    "quiet": "#4a5361",
    "line": "#c9d0da",
    "link": "#0b57a4",
    "error": "#b3261e",
    "warning": "#8a4b00",
    "info": "#0b57a4",
    "good": "#1a6b37",
    "oversub": "#97145f",
    "mark": "#ffe08a",
    "cable": "#8793a5",
    "egress": "#1d4ed8",
    "ingress": "#b3261e",
    "limit": "#5b4aa8",
    "host": "#eef1f5",
    "tier1": "#dceafd",
    "tier2": "#e3f4e6",
    "tier3": "#f6e9fb",
    "c0": "#9ec5ff",
    "c1": "#ffd08a",
    "c2": "#a7e3b4",
    "c3": "#f3b0d3",
    "c4": "#d0bdf7",
    "c5": "#f4e285",
    "c6": "#9fe0e0",
    "c7": "#f5b5a5",
    "rest": "#e4e7ec",
}
DARK = {
    "ground": "#14171c",
    "raised": "#1d2229",
    "text": "#eef1f6",
    "quiet": "#b3bcc9",
    "line": "#3d4653",
    "link": "#8ab8ff",
    "error": "#ff9a91",
    "warning": "#ffc266",
    "info": "#8ab8ff",
    "good": "#7fd99b",
    "oversub": "#ff9fd6",
    "mark": "#6b5300",
    "cable": "#7a8698",
    "egress": "#8ab0ff",
    "ingress": "#ff8d84",
    "limit": "#b9a8ff",
    "host": "#272d36",
    "tier1": "#1c3557",
    "tier2": "#1d4029",
    "tier3": "#452455",
    "c0": "#1f4f94",
    "c1": "#7a4800",
    "c2": "#1d5f33",
    "c3": "#7c2457",
    "c4": "#51379a",
    "c5": "#5f5200",
    "c6": "#0f5a61",
    "c7": "#803221",
    "rest": "#343b47",
}


def declare_variables(colours: dict[str, str]) -> str:
    """The declarations of a style sheet's variables."""
    return " ".join(f"--{name}: {value};" for name, value in colours.items())
