"""What a run takes of the sweeps over all systems."""

from __future__ import annotations

import pytest
import sampling

SYSTEMS = ("sonic", "spectrum", "arista", "junos", "nxos", "srlinux")


def test_a_changed_system_is_tried_and_over_commits_each_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the systems share, or what a sweep is about, changes all; otherwise each commit takes a third."""
    monkeypatch.setattr(sampling, "everything", False)

    def taken(changed: str, seed: str = "0") -> list[str]:
        monkeypatch.setattr(sampling, "changed", lambda: tuple(changed.split()))
        monkeypatch.setattr(sampling, "seed", lambda: seed)
        return sampling.systems(SYSTEMS, "rocecfg/drift")

    assert len(taken("README.md")) == 2
    assert {name for seed in range(40) for name in taken("", str(seed))} == {*SYSTEMS}
    for whole in ("rocecfg/drift/labels.py", "rocecfg/vendors/fates.py"):
        assert taken(whole) == [*SYSTEMS]
    for path in ("rocecfg/vendors/junos/reader.py", "profiles/nos/junos.yaml", "templates/junos/x"):
        assert all("junos" in taken(path, str(seed)) and len(taken(path, str(seed))) == 3 for seed in range(10)), path
