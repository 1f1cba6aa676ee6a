"""What an intent renders is no drift from it, bare or in a whole configuration, under any name the file has."""

from __future__ import annotations

from pathlib import Path

import pytest
from drift_cases import CASES, SUFFIX, WHOLE, compared, rendered, running, stated


@pytest.mark.parametrize(("name", "vendor"), CASES)
def test_rendering_is_no_drift(tmp_path: Path, name: str, vendor: str | None) -> None:
    texts = {f"{device}{SUFFIX[v]}": text for device, (_, v, text) in rendered(name, vendor).items()}
    found = compared(name, texts, tmp_path, vendor)
    assert stated(found) == []
    assert len(found.compared) == len(texts)
    assert found.refused == []
    assert found.strangers == []


@pytest.mark.parametrize("name", ["auto", "converged", "rail-1024", "rail-512", "train-256"])
def test_whole_configuration_of_any_file_name_is_no_drift(tmp_path: Path, name: str) -> None:
    firsts: dict[tuple[str, object], str] = {}
    for device, (of, vendor, _) in rendered(name).items():
        firsts.setdefault((vendor, of), device)
    texts = {f"backup-{n}{SUFFIX[v]}": running(name, device) for n, ((v, _), device) in enumerate(firsts.items())}
    found = compared(name, texts, tmp_path)
    assert stated(found) == []
    assert sorted(found.compared) == sorted(firsts.values())


def test_vendors_are_all_there() -> None:
    of_examples = {vendor for name, given in CASES for _, vendor, _ in rendered(name, given).values()}
    assert of_examples == set(WHOLE)
