"""Findings as text and JSON: one module a format. A format takes the checked run and gives back one string."""

from __future__ import annotations
