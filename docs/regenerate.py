"""Write the pages of this folder that come from the code, or with --check say which are stale (exit 1).

python docs/regenerate.py [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # this checkout, whatever is installed

from rocecfg.cli.rules import table  # noqa: E402
from rocecfg.intent.schema import json_schema  # noqa: E402

COMMAND = "python docs/regenerate.py"
RULES = f"""\
# Rules

What `rocecfg lint` looks for. `rocecfg explain NAME` prints a rule's page: why it matters, when it fires, when it does
not, how to mend it. The pages are in [rocecfg/rules/pages](../rocecfg/rules/pages).

This table is generated: `{COMMAND}`.

"""


def pages() -> dict[Path, str]:
    """Path -> text of every generated page."""
    return {
        HERE / "rules.md": RULES + table(),
        HERE / "intent.schema.json": json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n",
    }


def stale() -> list[Path]:
    """The pages that are missing or not what the code says."""
    return [p for p, text in pages().items() if not p.is_file() or p.read_text(encoding="utf-8") != text]


def main() -> int:
    """Exit code: 0 done or fresh, 1 stale."""
    if "--check" in sys.argv[1:]:
        for path in stale():
            print(f"docs/{path.name} is stale: run `{COMMAND}`")
        return int(bool(stale()))
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
