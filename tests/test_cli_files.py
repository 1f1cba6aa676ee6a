"""Files as commands write them: whole or not at all, and as they were but for the text."""

from __future__ import annotations

import fcntl
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import HANG

from rocecfg.cli.files import write_atomically


@pytest.fixture
def umask() -> Iterator[None]:
    """Who is not the owner may not write."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    path = tmp_path / "leaf01.json"
    write_atomically(str(path), "{}\n")
    assert (path.read_text(), mode(path)) == ("{}\n", 0o644)
    os.umask(0o077)
    write_atomically(str(tmp_path / "leaf02.json"), "{}\n")
    assert mode(tmp_path / "leaf02.json") == 0o600


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("kept", [0o600, 0o640, 0o664, 0o755, 0o444])
def test_a_file_keeps_its_mode(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "leaf01.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(kept)
    write_atomically(str(path), "new")
    assert (path.read_text(), mode(path)) == ("new", kept)
    assert os.listdir(tmp_path) == ["leaf01.json"]


def test_a_link_stays_one_and_its_target_is_written(tmp_path: Path) -> None:
    target = tmp_path / "kept" / "leaf01.json"
    target.parent.mkdir()
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    (tmp_path / "second").symlink_to("kept/leaf01.json")
    (tmp_path / "first").symlink_to("second")
    write_atomically(str(tmp_path / "first"), "new")
    assert (target.read_text(), mode(target)) == ("new", 0o640)
    assert os.readlink(tmp_path / "first") == "second"
    assert os.listdir(target.parent) == ["leaf01.json"]


def test_a_link_that_leads_nowhere_gets_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("leaf01.json")
    write_atomically(str(tmp_path / "link"), "new")
    assert (tmp_path / "leaf01.json").read_text() == "new"
    assert (tmp_path / "link").is_symlink()


def test_other_names_of_a_file_keep_the_old_text(tmp_path: Path) -> None:
    """The price of never showing half a file."""
    (tmp_path / "one").write_text("old", encoding="utf-8")
    os.link(tmp_path / "one", tmp_path / "two")
    write_atomically(str(tmp_path / "one"), "new")
    assert (tmp_path / "two").read_text() == "old"


@pytest.mark.parametrize("there", ["folder", "loop", "no/such/folder"])
def test_what_cannot_be_written_is_an_error(there: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(OSError, match=there.rpartition("/")[2]):
        write_atomically(str(tmp_path / there), "new")
    assert sorted(os.listdir(tmp_path)) == before


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    stated: list[str] = []
    reader = threading.Thread(target=lambda: stated.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_atomically(str(pipe), "report\n")
    reader.join(timeout=HANG)
    assert stated == ["report\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_writers_to_one_folder_do_not_take_each_others_files_for_dead_ones(tmp_path: Path) -> None:
    """One cleans up while another has made its file and not locked it yet: that one is made again."""
    errors: list[OSError] = []
    names = [f"leaf{number:02}.json" for number in range(6)]

    def write(name: str) -> None:
        try:
            for number in range(80):
                write_atomically(str(tmp_path / name), f"{name} {number}")
        except OSError as error:
            errors.append(error)

    writers = [threading.Thread(target=write, args=(name,)) for name in names]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(HANG)
    assert errors == []
    assert sorted(os.listdir(tmp_path)) == names
    assert [(tmp_path / name).read_text(encoding="utf-8") for name in names] == [f"{name} 79" for name in names]


def test_a_file_that_another_writer_is_about_to_remove_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the lock for a moment; what was written to the file would be gone with it."""
    lock, held = fcntl.flock, []

    def clean_first(handle: int, how: int) -> None:
        if not held:
            (partial,) = tmp_path.iterdir()
            held.append((os.open(partial, os.O_WRONLY), partial))
            lock(held[0][0], how)
        lock(handle, how)

    real = os.write

    def remove_then_write(handle: int, data: bytes) -> int:
        held[0][1].unlink(missing_ok=True)
        return real(handle, data)

    monkeypatch.setattr(fcntl, "flock", clean_first)
    monkeypatch.setattr(os, "write", remove_then_write)
    write_atomically(str(tmp_path / "leaf01.json"), "new")
    os.close(held[0][0])
    assert (tmp_path / "leaf01.json").read_text(encoding="utf-8") == "new"
    assert os.listdir(tmp_path) == ["leaf01.json"]
