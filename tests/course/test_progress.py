import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from hopperlab.course import Number, Prediction, progress
from hopperlab.course.progress import lock
from hopperlab.course.progress.store import Store


def largest() -> Prediction:
    return Prediction("largest", "How many?", Number(), lambda: 8, "So it is.", theme="clusters")


def kept(path: Path) -> dict:
    return json.loads(path.read_text())["lessons"]


def add_one(entry: dict) -> dict:
    return {"count": entry.get("count", 0) + 1}


def test_without_a_file_progress_stays_in_memory(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("HOPPERLAB_PROGRESS", raising=False)
    monkeypatch.chdir(tmp_path)
    progress.use(None)
    largest().commit(7)
    assert largest().guess == 7
    assert list(tmp_path.iterdir()) == []


def test_the_environment_names_the_file(monkeypatch, tmp_path) -> None:
    file = tmp_path / "new folder" / "progress.json"
    monkeypatch.setenv("HOPPERLAB_PROGRESS", str(file))
    progress.use(None)
    largest().commit(7)
    assert kept(file)["clusters"]["predictions"]["largest"]["guess"] == 7
    assert json.loads(file.read_text())["schema"] == progress.SCHEMA


def test_progress_outlives_the_kernel(tmp_path) -> None:
    progress.use(Store(tmp_path / "progress.json"))
    largest().commit(7)
    progress.use(Store(tmp_path / "progress.json"))
    assert largest().guess == 7
    largest().commit(9)
    assert largest().guess == 7


def test_two_notebooks_see_and_keep_each_others_entries(tmp_path) -> None:
    one, two = Store(tmp_path / "progress.json"), Store(tmp_path / "progress.json")
    one.update("clusters", "predictions", "a", lambda _: {"guess": 1})
    two.update("barriers", "predictions", "b", lambda _: {"guess": 2})
    one.update("clusters", "exercises", "c", add_one)
    assert one.lessons() == two.lessons() == kept(tmp_path / "progress.json")
    assert set(one.lessons()) == {"clusters", "barriers"}


def _add_many(path: Path, theme: str, times: int) -> None:
    store = Store(path)
    for _ in range(times):
        store.update("shared", "exercises", "both", add_one)
        store.update(theme, "exercises", "own", add_one)


@pytest.mark.parametrize("with_fcntl", [True, False], ids=["fcntl", "lock file"])
def test_processes_that_write_at_once_lose_nothing(tmp_path, monkeypatch, with_fcntl) -> None:
    if not with_fcntl:
        monkeypatch.setattr(lock, "fcntl", None)
    path = tmp_path / "progress.json"
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=_add_many, args=(path, f"theme {number}", 15)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert kept(path)["shared"]["exercises"]["both"]["count"] == 45
    assert [kept(path)[f"theme {number}"]["exercises"]["own"]["count"] for number in range(3)] == [15, 15, 15]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"lessons": {}}', b'{"schema": true, "lessons": {}}', b'{"schema": 1}',
     b'{"schema": 0, "lessons": {}}', b'{"schema": 1, "lessons": {"clusters": 3}}',
     b'{"schema": 1, "lessons": {"clusters": {"predictions": {"largest": 13}}}}'],
)  # fmt: skip
def test_a_damaged_file_is_set_aside_whole_and_said_once(tmp_path, content) -> None:
    file = tmp_path / "progress.json"
    file.write_bytes(content)
    progress.use(Store(file))
    told = largest().commit(7).text
    assert "was damaged" in told
    assert "It is kept as progress.json.damaged-1." in told
    assert (tmp_path / "progress.json.damaged-1").read_bytes() == content
    assert kept(file)["clusters"]["predictions"]["largest"]["guess"] == 7
    assert "damaged" not in largest().reveal().text


def test_damaged_files_never_overwrite_each_other(tmp_path) -> None:
    file = tmp_path / "progress.json"
    for number, content in enumerate((b"first", b"second", b"third"), 1):
        file.write_bytes(content)
        Store(file).lessons()
        assert (tmp_path / f"progress.json.damaged-{number}").read_bytes() == content


def test_what_was_known_survives_a_file_damaged_under_way(tmp_path) -> None:
    file = tmp_path / "progress.json"
    store = Store(file)
    store.update("clusters", "exercises", "a", add_one)
    file.write_bytes(b"half a wri")
    store.update("clusters", "exercises", "b", add_one)
    assert set(kept(file)["clusters"]["exercises"]) == {"a", "b"}
    file.unlink()
    store.update("clusters", "exercises", "a", add_one)
    assert kept(file)["clusters"]["exercises"] == {"a": {"count": 2}, "b": {"count": 1}}


def test_a_newer_file_is_left_untouched_and_the_lesson_goes_on(tmp_path) -> None:
    file = tmp_path / "progress.json"
    newer = b'{"schema": 2, "lessons": {"from": "the future"}}'
    file.write_bytes(newer)
    progress.use(Store(file))
    told = largest().commit(7).text
    assert f"schema version 2, and this hopperlab reads version {progress.SCHEMA}" in told
    assert "Update hopperlab" in told
    assert largest().guess == 7
    assert "schema" not in largest().reveal().text
    assert file.read_bytes() == newer
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["progress.json"]


def test_a_folder_that_is_a_file_is_said_once_and_the_lesson_goes_on(tmp_path) -> None:
    (tmp_path / "folder").write_text("a file")
    progress.use(Store(tmp_path / "folder" / "progress.json"))
    told = largest().commit(7).text
    assert "cannot be used" in told
    assert "kept in memory" in told
    assert largest().reveal().text.startswith("Not this time.")
    assert "could not be written" in progress.store().where()
    assert (tmp_path / "folder").read_text() == "a file"


def test_a_folder_without_permission_is_said_and_the_lesson_goes_on(tmp_path) -> None:
    tmp_path.chmod(0o500)
    effective = os.geteuid()
    try:
        if effective == 0:
            os.seteuid(65534)  # nobody: root may write everywhere
        progress.use(Store(tmp_path / "progress.json"))
        assert "Permission denied" in largest().commit(7).text
        assert largest().guess == 7
    finally:
        os.seteuid(effective)
        tmp_path.chmod(0o700)


def test_what_could_not_be_written_is_written_when_it_can_be_and_once(tmp_path, monkeypatch) -> None:
    store = Store(tmp_path / "progress.json")
    store.update("clusters", "exercises", "a", add_one)
    replace = os.replace

    def full(*_) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    for _ in range(3):
        store.update("clusters", "exercises", "a", add_one)
    assert store.entry("clusters", "exercises", "a") == {"count": 4}
    assert store.take_notice().count("No space left on device") == 1
    assert kept(tmp_path / "progress.json")["clusters"]["exercises"]["a"] == {"count": 1}
    monkeypatch.setattr(os, "replace", replace)
    store.update("clusters", "exercises", "b", add_one)
    assert kept(tmp_path / "progress.json")["clusters"]["exercises"] == {"a": {"count": 4}, "b": {"count": 1}}
    assert store.take_notice() == ""
    assert not list(tmp_path.glob("*.tmp"))


def test_a_lock_that_is_never_let_go_does_not_hang_the_lesson(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE_SECONDS", 0.1)
    file = tmp_path / "progress.json"
    with lock.locked(file):
        store = Store(file)
        store.update("clusters", "exercises", "a", add_one)
        assert "another process has held the lock" in store.take_notice()
        assert store.entry("clusters", "exercises", "a") == {"count": 1}
    store.update("clusters", "exercises", "a", add_one)
    assert kept(file)["clusters"]["exercises"]["a"] == {"count": 2}


def test_a_stale_lock_file_is_taken_over_and_a_fresh_one_is_not(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(lock, "fcntl", None)
    monkeypatch.setattr(lock, "PATIENCE_SECONDS", 0.1)
    file = tmp_path / "progress.json"
    held = tmp_path / ".progress.json.lock-held"
    held.touch()
    with pytest.raises(TimeoutError), lock.locked(file):
        pass
    os.utime(held, (1, 1))
    with lock.locked(file):
        assert held.exists()
    assert not held.exists()


def test_a_disk_without_fcntl_locks_falls_back_to_the_lock_file(tmp_path, monkeypatch) -> None:
    def no_locks(*_) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(lock.fcntl, "flock", no_locks)
    with lock.locked(tmp_path / "progress.json"):
        assert (tmp_path / ".progress.json.lock-held").exists()


def test_permissions_and_links_of_the_file_stay(tmp_path) -> None:
    real = tmp_path / "real.json"
    store = Store(real)
    store.update("clusters", "exercises", "a", add_one)
    real.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    Store(link).update("clusters", "exercises", "a", add_one)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert kept(real)["clusters"]["exercises"]["a"] == {"count": 2}


def test_entries_handed_out_are_copies(tmp_path) -> None:
    store = Store()
    store.update("clusters", "exercises", "a", lambda _: {"tries": []})
    store.entry("clusters", "exercises", "a")["tries"].append("x")
    store.lessons().clear()
    assert store.entry("clusters", "exercises", "a") == {"tries": []}
