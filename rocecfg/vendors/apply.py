"""How rendered files are brought to switches, as files beside them: for each group of devices notes, and a script.

A group is the devices for which both say the same. Its files are named after what its devices are called before their
numbers: `APPLY-leaf.md` for leaf01 to leaf16, `APPLY-leaf+spine.md` for these and spines; where another group is called
so, too, after the first and how many more there are: `APPLY-leaf01+15.md`. No device's file ends in .md or .sh, no name
has a plus in it.
"""

from __future__ import annotations

import os
import re
import shlex
import textwrap
from collections.abc import Iterable, Sequence

from rocecfg.core.nodeset import fold, fold_set
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric
from rocecfg.vendors import ansible, row
from rocecfg.vendors.base import Apply, Do, File

_FILE = re.compile(r"APPLY-.+\.(?:md|sh)")
_MOST_STEMS = 3  # of a name
_WAIT = 60  # s that a switch is given to do what it was told
_WIDTH = 116  # of a line of device names
_HEAD = """\
set -eu
YES=
DEVICE=
for WORD in "$@"; do
  case "$WORD" in
    --yes) YES=1 ;;
    -*) echo "usage: bash $0 [--yes] [DEVICE]" >&2; exit 2 ;;
    *) DEVICE=$WORD ;;
  esac
done
"""
_ONE_OF = """\
DEVICE=${{DEVICE:-$(hostname)}}
case " $(tr '\\n' ' ' <<'DEVICES'
{names}
DEVICES
)" in
  *" $DEVICE "*) ;;
  *) echo "$0 is not for $DEVICE; if the intent has another name for it: bash $0 DEVICE" >&2; exit 2 ;;
esac
FILE=$(cd "$(dirname "$0")" && pwd)/$DEVICE{suffix}
"""
_POLICY = """\
FILE=$(cd "$(dirname "$0")" && pwd)/{name}
"""
_FUNCTIONS = """\
[ -r "$FILE" ] || {{ echo "$FILE is missing: copy it next to $0" >&2; exit 2; }}

BEGUN=
ended() {{
  [ "$1" = 0 ] || [ -z "$BEGUN" ] || echo "NOT done, and {unfinished}" >&2
}}
trap 'ended $?' EXIT
say() {{ echo; echo "== $*"; }}
stop() {{ echo "$*" >&2; exit 1; }}
ask() {{
  if [ -z "$YES" ]; then
    printf '%s [Enter continues, Ctrl-C stops] ' "$1"
    read -r _ || stop 'no answer: run it in a terminal (ssh -t), or with --yes'
  fi
  BEGUN=1
}}
until_silent() {{
  TRIES={wait}
  while LEFT=$("$1" 2>&1 || true); [ -n "$LEFT" ]; do
    [ "$TRIES" -gt 0 ] || stop "$1, after {wait} s still: $LEFT"
    TRIES=$((TRIES - 1))
    sleep 1
  done
}}

"""


class Group(NamedTuple):
    """Devices that are applied alike, and the files that say how."""

    devices: str  # as a node set; or the file of a policy
    files: tuple[tuple[str, str], ...]  # name and text: the notes, and the script if there is one


class Mark(NamedTuple):
    """What a file says it was rendered for, so that one of a group that is no more is known."""

    fabric: str
    vendor: str

    @property
    def text(self) -> str:
        """The words, in a comment near the top of the file."""
        return f"rocecfg render: how to apply, fabric {self.fabric}, vendor {self.vendor}"


def group_files(fabric: Fabric, files: Iterable[File]) -> list[Group]:
    """The groups of a fabric's rendered files, in the order of the first file of each."""
    found: dict[tuple[str, str, Apply], list[File]] = {}
    for file in files:
        if file.rendering.apply is not None:
            found.setdefault((file.vendor, file.rendering.suffix, file.rendering.apply), []).append(file)
    stems = [_find_stem(alike, suffix) for (_, suffix, _), alike in found.items()]
    return [
        _make_group(Mark(fabric.name or "", vendor), suffix, apply, alike, stem if stems.count(stem) == 1 else None)
        for ((vendor, suffix, apply), alike), stem in zip(found.items(), stems, strict=True)
    ]


def _find_stem(files: Sequence[File], suffix: str) -> str | None:
    """What the devices of a group are called before their numbers; the name of one alone; None where that is much."""
    names = [file.name.removesuffix(suffix) for file in files]
    if len(names) > 1:
        names = [name.rstrip("0123456789").rstrip("-_.") for name in names]
    stems = list(dict.fromkeys(names))
    return "+".join(stems) if all(stems) and len(stems) <= _MOST_STEMS else None


def find_left_over(folder: str, marks: Iterable[Mark], written: Iterable[str]) -> list[str]:
    """Files of a folder on groups that are no more: those of these marks that are not among those now written."""
    now, words = frozenset(written), frozenset(mark.text for mark in marks)
    if not os.path.isdir(folder):
        return []
    return [
        name
        for name in sorted(os.listdir(folder))
        if _FILE.fullmatch(name) and name not in now and _mark_of(os.path.join(folder, name)) in words
    ]


def is_apply(path: str) -> bool:
    """Whether a file is notes, a script or a task list that `render` put beside the files of switches."""
    if path.endswith(ansible.SUFFIX):
        return any(ansible.MARK in line for line in _read_head(path)[:1])
    return _FILE.fullmatch(os.path.basename(path)) is not None and _mark_of(path) is not None


def _mark_of(path: str) -> str | None:
    """What the mark of a regular file says; None where there is none."""
    for line in _read_head(path):
        text = line.strip().removeprefix("#").removeprefix("<!--").removesuffix("-->").strip()
        if text.startswith("rocecfg render: "):
            return text
    return None


def _read_head(path: str) -> list[str]:
    """The first two lines of a regular file; none of what is not a file, or cannot be read."""
    if os.path.islink(path) or not os.path.isfile(path):
        return []
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return [stream.readline(1000) for _ in range(2)]
    except OSError:
        return []


def script_of(apply: Apply, vendor: str, file: str) -> str:
    """The script of what is applied, for one switch: it takes the file of that name beside it."""
    return _write_script(Mark("", vendor), apply, "", (), file)


def _make_group(mark: Mark, suffix: str, apply: Apply, files: Sequence[File], called: str | None) -> Group:
    """`called`: what its devices are called; None: others are called so, too."""
    names = tuple(file.device for file in files if file.device is not None)
    first = f"{files[0].name.removesuffix(suffix)}" + (f"+{len(files) - 1}" if len(files) > 1 else "")
    stem = f"APPLY-{called or first}"
    script = (f"{stem}.sh", _write_script(mark, apply, suffix, names, files[0].name)) if apply.script else None
    notes = (f"{stem}.md", _write_notes(mark, apply, names, files[0].name, script[0] if script else None))
    return Group(fold_set(names) if names else files[0].name, (notes, *((script,) if script else ())))


def _write_notes(mark: Mark, apply: Apply, names: Sequence[str], first: str, script: str | None) -> str:
    who = f"{len(names)} device{'s' * (len(names) > 1)}" if names else "every device"
    whose = f"The lines below are for {names[0]}: for the others, write their names. " if len(names) > 1 else ""
    whose += f"`{script}` does the steps on the switch: see the end." if script else ""
    lines = [f"<!-- {mark.text} -->", f"# Apply to {who} ({row(mark.vendor).title})", ""]
    if names:
        lines += [*_wrap(_fold_names(names)), ""]
    lines += [apply.about, "", *((whose.strip(), "") if whose else ()), "## What it disturbs", "", apply.disturbs, ""]
    copy = "In the folder of this note, copy the file to the switch, and log in there."
    copied = (Do(copy, ("scp FILE SWITCH:", "ssh SWITCH")),) if script else ()
    lines += ["## In this order", "", *_number_steps((*copied, *apply.order))] if apply.order else []
    doubt = f" {apply.confirm_note}." if apply.confirm_note else ""
    check = (
        *apply.check,
        *((Do(f"If all is well, confirm the change.{doubt}", apply.confirm),) if apply.confirm else ()),
    )
    lines += ["## Check", "", *_number_steps(check)] if check else []
    if apply.save is not None:
        lines += ["## Save", "", f"{apply.save.until}{_say_drain_is_saved(apply)}", ""]
        lines += [*_code_block(apply.save.lines), ""] if apply.save.lines else []
    if script is not None:
        lines += ["## The same as a script", "", *_explain_script(first, script, drained=apply.drained), ""]
    lines += ["## To know", "", *(f"- {line}" for line in apply.more), ""] if apply.more else []
    text = re.sub(r"\bFILE\b", first, "\n".join(lines))
    return re.sub(r"\bSWITCH\b", names[0], text) if names else text


def _say_drain_is_saved(apply: Apply) -> str:
    """What drains a switch is a part of its configuration, which a reboot after the save would bring back."""
    if not apply.drained or apply.save is None or not apply.save.lines:
        return ""
    return " Saving also stores the drain settings: save again once traffic is back."


def _explain_script(first: str, script: str, *, drained: bool) -> list[str]:
    copy = f"scp {first} {script} SWITCH:"
    return [
        *_code_block((copy, f"ssh -t SWITCH bash {script}")),
        "",
        "It asks before it disturbs traffic and before it saves (`--yes`: never), waits for each check, and stops "
        "without saving if one fails." + (" It cannot drain the switch: do that first." if drained else ""),
    ]


def _number_steps(steps: Sequence[Do]) -> list[str]:
    lines = []
    for number, step in enumerate(steps, 1):
        mark = f"{number}. "
        lines.append(f"{mark}{step.words}")
        lines += ["", *(f"{' ' * len(mark)}{line}" for line in _code_block(step.lines))] if step.lines else []
    return [*lines, ""]


def _code_block(lines: Iterable[str]) -> list[str]:
    return ["```", *lines, "```"]


def _fold_names(names: Sequence[str]) -> list[str]:
    """The devices as node sets: a comma within brackets ends no set."""
    return re.split(r",(?![^\[]*\])", fold_set(tuple(names)))


def _write_script(mark: Mark, apply: Apply, suffix: str, names: Sequence[str], first: str) -> str:
    for_whom = f"{len(names)} device{'s' * (len(names) > 1)}: {fold(tuple(names[:1]))}" if names else "every device"
    head = [
        "#!/usr/bin/env bash",
        f"# {mark.text}",
        f"# {apply.about}",
        (
            f"# For {for_whom}{' and on' if len(names) > 1 else ''}. Run it on the switch, in the folder of the "
            "device's file:"
        ),
        "# bash THIS [--yes] [DEVICE]; DEVICE: default is the host name; --yes: never ask.",
        f"# {apply.disturbs}",
        "# shellcheck disable=SC2034,SC2046,SC2086,SC2317,SC2329 # ports are words; functions are called by name",
    ]
    which = _ONE_OF.format(names="\n".join(_wrap(names)), suffix=suffix) if names else _POLICY.format(name=first)
    functions = _FUNCTIONS.format(wait=_WAIT, unfinished=apply.save.unfinished if apply.save is not None else "")
    body = "".join(f"{line}\n" for line in apply.script)
    save = apply.save.lines if apply.save is not None else ()
    again = _say_drain_is_saved(apply) if set(save) & set(apply.script) else ""
    saved = "; ".join(save)
    done = f"say {shlex.quote(f'Done.{again[:-1]}: {saved}' if again else 'Done')}"
    return "\n".join(head) + "\n" + _HEAD + which + functions + f"{body}{done}\n"


def _wrap(words: Iterable[str]) -> list[str]:
    """Words as lines, a blank between two; no word is broken."""
    return textwrap.wrap(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False)
