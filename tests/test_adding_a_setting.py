"""What a setting more costs: a row, a key and a field, and a row for each system that has it; the rest follows."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from checkout import ROOT, clean_environment, run
from intents import POLICY, write

ADDED = {  # module -> the line that the new one comes before, and the new one
    "intent/schema.py": ('    "autoneg": Key(', '    "link_training": Key(Words("on", "off"), "link training"),\n'),
    "model/fabric.py": ("    autoneg: str | None", "    link_training: str | None = None\n"),
    "model/catalogue.py": (
        '    Setting("ports[].autoneg"',
        """\
    Setting("ports[].link_training", WORD, "link_training", "link_training", "link training", where=LINK,
            plain=True, spread=True, judged="drift compares it"),
""",
    ),
    "vendors/sonic/settings.py": (
        '    make_rows("PORT MEMBER autoneg"',
        """\
    make_rows("PORT MEMBER link_training", "link_training", by="", into="port", key="link_training",
              take=_word("on", "off")),
""",
    ),
}
BESIDE = "link_training|"  # as what nobody compares, which a setting is no more
WITH_IT = """
import json, os, sys
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
root, added, beside, commands = json.loads(sys.argv[1])

class Loader(SourceFileLoader):
    def get_code(self, name):
        text = Path(self.path).read_text(encoding="utf-8")
        before, line = added[name]
        assert text.count(before) == 1, name
        text = text.replace(before, line + before)
        return compile(text.replace(beside, "") if name.startswith("rocecfg.vendors.") else text, self.path, "exec")

class Finder(PathFinder):
    def find_spec(name, path=None, target=None):
        spec = PathFinder.find_spec(name, path, target) if name in added else None
        if spec is not None:
            spec.loader = Loader(name, spec.origin)
        return spec

sys.meta_path.insert(0, Finder)
sys.path.insert(0, root)
from rocecfg.cli import main
for command in commands:
    if os.fork() == 0:
        sys.argv = ["rocecfg", *command]
        main()
        sys.exit()
    os.wait()
"""


def test_a_setting_of_ports_takes_three_modules_and_one_a_system(tmp_path: Path) -> None:
    """`show`, `drift` and `import` know it from there: stated, read, compared with its place, written to an intent."""
    intent = (
        POLICY
        + """\
defaults: {vendor: sonic, asic: tomahawk5, version: "202505"}
devices: {leaf01: {ports: {"Ethernet[0-8/8]": {speed: 400G, faces: host, cable: 3m, link_training: on}}}}
"""
    )
    ports = {
        port: {"speed": "400000", "link_training": way} for port, way in (("Ethernet0", "on"), ("Ethernet8", "off"))
    }
    tables = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf01"}}, "PORT": ports}
    write(tmp_path, {"fabric.yaml": intent, "leaf01.json": json.dumps(tables, indent=1)})
    commands = (
        ("show", "fabric.yaml", "leaf01"),
        ("drift", "fabric.yaml", "--running", "leaf01.json", "--partial"),
        ("import", "leaf01.json"),
    )
    added = {f"rocecfg.{path.removesuffix('.py').replace('/', '.')}": of for path, of in ADDED.items()}
    asked = json.dumps((str(ROOT), added, BESIDE, commands))
    done = run(sys.executable, "-c", WITH_IT, asked, cwd=tmp_path, env=clean_environment(), expect=0)
    line = intent.count("\n")
    shown, told, written = (
        next(row for row in done.stdout.splitlines() if " ".join(row.split()).startswith(begin))
        for begin in ("link_training on", "link training: meant on", "Ethernet8: {")
    )
    assert f"fabric.yaml:{line}" in shown
    assert f"(fabric.yaml:{line}), running off" in told
    assert 'link_training: "off"' in written
