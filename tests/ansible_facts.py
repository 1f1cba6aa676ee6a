"""What modules of Ansible take, read from the wheels that PyPI has; run it on a folder of them to write the facts anew.

    pip download --no-deps -d WHEELS ansible==12.3.0 ansible-core==2.19.5
    python tests/ansible_facts.py WHEELS > tests/vendors/ansible_modules.json

Facts alone: names, types and choices of options. Each module's own documentation has them, and for modules of network
collections the argument specification in the code is held against that.
"""

from __future__ import annotations

import ast
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import yaml

MODULES = {
    "ansible-core": ["assert", "command", "copy", "debug", "fail", "file", "meta", "set_fact", "tempfile"],
    "arista.eos": ["eos_command"],
    "cisco.nxos": ["nxos_command"],
    "junipernetworks.junos": ["junos_command", "junos_config"],
}
FRAGMENTS = {"copy": "files", "file": "files"}  # options that several modules share: mode
KEPT = ("type", "elements", "required", "choices", "aliases")


def facts(folder: Path) -> dict[str, Any]:
    """Version and modules of each collection, from the wheels in a folder."""
    core = zipfile.ZipFile(_one(folder, "ansible_core-*.whl"))
    collections = zipfile.ZipFile(_one(folder, "ansible-*.whl"))
    out: dict[str, Any] = {}
    for collection, modules in MODULES.items():
        if collection == "ansible-core":
            version, wheel, base = _one(folder, "ansible_core-*.whl").name.split("-")[1], core, "ansible/modules"
        else:
            root = f"ansible_collections/{collection.replace('.', '/')}"
            version = json.loads(collections.read(f"{root}/MANIFEST.json"))["collection_info"]["version"]
            wheel, base = collections, f"{root}/plugins/modules"
        read = {}
        for name in modules:
            text = wheel.read(f"{base}/{name}.py").decode()
            options = _documented(text, "DOCUMENTATION")
            if name in FRAGMENTS:
                fragment = core.read(f"ansible/plugins/doc_fragments/{FRAGMENTS[name]}.py").decode()
                options |= _documented(fragment, "DOCUMENTATION")
            if collection != "ansible-core":
                _agree(name, text, options)
            read[name] = options
        out[collection] = {"version": version, "source": f"PyPI's {wheel_name(wheel)}, {base}", "modules": read}
    return out


def wheel_name(wheel: zipfile.ZipFile) -> str:
    return Path(str(wheel.filename)).name


def _one(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def _documented(text: str, name: str) -> dict[str, Any]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == name:
            assert isinstance(node.value, ast.Constant)
            assert isinstance(node.value.value, str)
            options = yaml.safe_load(node.value.value).get("options") or {}
            return {
                option: {key: stated[key] for key in KEPT if key in stated}
                for option, stated in sorted(options.items())
            }
    raise AssertionError(name)


def _agree(module: str, text: str, options: dict[str, Any]) -> None:
    """The code takes the options that the documentation names."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "argument_spec":
            assert isinstance(node.value, ast.Call)
            assert sorted(str(word.arg) for word in node.value.keywords) == sorted(options), module
            return
    raise AssertionError(module)


if __name__ == "__main__":
    json.dump(facts(Path(sys.argv[1])), sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")
