"""Compiles and packs what the page loads, so that it is small and browsers need not compile. Runs in Pyodide.

/stdlib.zip becomes /stdlib.bin, what Python needs to start, compressed by gzip, which the browser undoes. /sources.zip,
and what can be imported from there of the rest of the standard library, become /app.bin, compressed by Zstandard, which
undoes in less time what is a quarter smaller, once there is a Python.
"""

from __future__ import annotations

import ast
import gzip
import io
import os
import py_compile
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# What a page has not, or has in C; what Python itself imports for servers, mails, terminals, debuggers, command lines.
ABSENT = {
    *("_pydatetime", "_pydecimal", "_pyio", "_pyrepl", "argparse", "cProfile", "calendar", "cmd", "ctypes", "doctest"),
    *("email", "ftplib", "http", "mimetypes", "multiprocessing", "netrc", "optparse", "pdb", "plistlib", "profile"),
    *("pstats", "pydoc", "quopri", "rlcompleter", "statistics", "tarfile", "tkinter", "tty", "unittest"),
    *("urllib.request", "webbrowser", "xml.sax.saxutils", "xmlrpc"),
}
# Looked up by name, when a text is read or written.
CODECS = {
    *("encodings.ascii", "encodings.cp437", "encodings.idna", "encodings.latin_1", "encodings.raw_unicode_escape"),
    *("encodings.unicode_escape", "encodings.utf_16", "encodings.utf_32", "encodings.utf_8_sig"),
}


def modules(folder: str) -> dict[str, str]:
    """The file of each module below a folder, by the module's name."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(place, name)
                parts = os.path.relpath(path, folder).removesuffix(".py").split(os.sep)
                found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str, path: str) -> set[str]:
    """The modules, and perhaps names in them, that a module imports anywhere, but for types alone."""
    with open(path, "rb") as stream:
        tree = ast.parse(stream.read())
    package = name.split(".") if path.endswith("__init__.py") else name.split(".")[:-1]
    found: set[str] = set()
    for node in _walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found.update([base, *(f"{base}.{alias.name}" for alias in node.names)])
    return found


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
            yield from _walk(child)


def needed(sources: str, library: str, loaded: Iterable[str]) -> set[str]:
    """The modules of the standard library that can be imported from the sources, or what is loaded, or each other."""
    there = modules(library)
    asked = CODECS.union(loaded, *(imported(name, path) for name, path in modules(sources).items()))
    found: set[str] = set()
    while asked:
        parts = asked.pop().split(".")
        above = [".".join(parts[: n + 1]) for n in range(len(parts))]
        for name in above if ABSENT.isdisjoint(above) else ():
            if name in there and name not in found:
                found.add(name)
                asked |= imported(name, there[name])
    return found


def packed(folder: str) -> bytes:
    """A ZIP of what is in a folder, modules as bytecode; nothing in it is compressed, for all of it is at once."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(place, name)
                inside = os.path.relpath(path, folder)
                if name.endswith(".py"):
                    path = _compiled(path, inside)
                    inside += "c"
                with open(path, "rb") as stream:
                    archive.writestr(zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0)), stream.read())
    return out.getvalue()


# Asserts are left out, and docstrings but where they are read: a rule's is its summary.
DOCUMENTED = ("rocecfg/", "_pyodide/", "pyodide/")


def _compiled(path: str, inside: str) -> str:
    optimize = 1 if inside.startswith(DOCUMENTED) else 2
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    done = py_compile.compile(path, "/compiled", inside, doraise=True, optimize=optimize, invalidation_mode=mode)
    assert done is not None  # it raises instead
    return done


def main(loaded: list[str], level: int) -> None:
    """Write both archives. `loaded`: modules that are there before the second of them is; `level`: of Zstandard."""
    from compression import zstd  # type: ignore[import-not-found] # of Python 3.14

    zipfile.ZipFile("/sources.zip").extractall("/in")
    zipfile.ZipFile("/stdlib.zip").extractall("/library")
    kept = needed("/in", "/library", loaded)
    first = {name.partition(".")[0] for name in loaded}
    for name, path in modules("/library").items():
        if name not in kept:
            os.remove(path)
    for name in os.listdir("/library"):
        if name.removesuffix(".py") not in first:
            os.rename(f"/library/{name}", f"/in/{name}")
    options = {zstd.CompressionParameter.compression_level: level, zstd.CompressionParameter.window_log: 24}
    with open("/app.bin", "wb") as stream:
        stream.write(zstd.compress(packed("/in"), options=options))
    with open("/stdlib.bin", "wb") as stream:
        stream.write(gzip.compress(packed("/library"), 9, mtime=0))
