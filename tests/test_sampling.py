"""What a run takes of the sweeps over all systems."""

from __future__ import annotations

import pytest
import sampling

from rocecfg.vendors import VENDORS


def test_a_changed_system_is_tried_and_over_commits_each_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the systems share, or what a sweep is about, changes all; otherwise each commit takes a third."""
    monkeypatch.setattr(sampling, "everything", False)

    def taken(changed: str, seed: str = "0") -> list[str]:
        monkeypatch.setattr(sampling, "changed", lambda: tuple(changed.split()))
        monkeypatch.setattr(sampling, "seed", lambda: seed)
        return sampling.systems(VENDORS, "rocecfg/drift")

    assert len(taken("README.md")) == len(VENDORS) // 3
    assert {name for seed in range(40) for name in taken("", str(seed))} == {*VENDORS}
    for whole in ("rocecfg/drift/labels.py", "rocecfg/vendors/fates.py"):
        assert taken(whole) == [*VENDORS]
    for path in ("rocecfg/vendors/junos/reader.py", "profiles/nos/junos.yaml", "templates/junos/x"):
        found = [taken(path, str(seed)) for seed in range(10)]
        assert all("junos" in each and len(each) < len(VENDORS) for each in found), path
