"""What is rendered, judged before it is written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from rocecfg.model import Device, Fabric
from rocecfg.source.document import Document, SourceError
from rocecfg.validation.run import Run, judge
from rocecfg.validation.verdict import INSTALL, Asked, CannotJudge, Verdict
from rocecfg.vendors.rendering import File


def judge_rendered(
    run: Run,
    fabric: Fabric,
    files: Iterable[File],
    models: str | None,
    *,
    strict: bool,
    running: tuple[str, str] | None = None,
) -> None:
    """Add the verdicts of a fabric's files to a run. Devices that are alike have one text, and one verdict.

    `models`: the folder that the user names; `strict`: what no model knows is a fault too, as nothing of that is in our
    own templates; `running`: path and text of what a device runs, where the files are patches of it. What a patch makes
    of that is judged, and all of it: so does the switch before it takes a patch.
    """
    by_name = {(device.vendor, name): device for device in fabric.devices for name in (device.names or (None,))}
    known: dict[int, Verdict] = {}
    for file in files:
        release = _release(by_name[file.vendor, file.device])
        asked = Asked((release,) if release is not None else (), None, models, strict=strict and running is None)
        before = known.get(id(file.rendering))
        found = run.take(file.name, file.vendor, partial(_verdict, file, asked, running, before))
        if found is not None:
            known[id(file.rendering)] = found


def _release(device: Device) -> str | None:
    """The release that a device is rendered for."""
    return device.version or (device.nos.default_release if device.nos is not None else None)


def _verdict(file: File, asked: Asked, running: tuple[str, str] | None, before: Verdict | None) -> Verdict:
    if before is not None:
        return before
    if running is None:
        return judge(Document(0, file.name, file.text), file.vendor, asked)
    found = judge(Document(0, file.name, _after(file.text, *running)), file.vendor, asked)
    faults = tuple(fault._replace(line=None) for fault in found.faults)  # the text judged is in no file
    return found._replace(model=f"{found.model}, of {running[0]} after the patch", faults=faults)


def _after(patch: str, path: str, text: str) -> str:
    """A running configuration after a patch (RFC 6902). Raises SourceError where it does not apply."""
    import json

    try:
        import jsonpatch
    except ImportError:
        raise CannotJudge("patches cannot be applied here: there is no jsonpatch", INSTALL) from None
    try:
        return json.dumps(jsonpatch.apply_patch(json.loads(text), json.loads(patch)), indent=4)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, ValueError) as error:
        fix = "where the patch wants something typed before it, judge what runs after that"
        raise SourceError(path, f"the patch does not apply to it: {error}", fix) from None
