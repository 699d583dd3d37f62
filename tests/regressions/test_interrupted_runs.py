"""Runs that are interrupted or killed: what they leave is old or new, and is removed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from contextlib import chdir, suppress
from pathlib import Path

import pytest

from perfolio.classroom.grading import grade_files
from perfolio.common.atomic_folders import MANIFEST, replace_whole_tree
from perfolio.common.atomic_output import (
    make_temporary_folder,
    replace_folder,
    swap_folders,
    write_file,
)
from perfolio.common.errors import OutputError
from perfolio.exercises.key_documents import make_key_document
from perfolio.site.build import build_site
from perfolio.site.file_sync import replace_tree, sync_tree
from tests.classroom.test_grading import answers, hand_in, keys_in
from tests.faults.operations import made_sheet
from tests.kit.shared import ROOT

# An interrupted `perfolio grade` left 4 of 8 files, and said that nothing half-written was left.
#
# So did `worksheet build`, also when it was killed or the disk was full: over an older folder,
# sheets of one draw met the key of another. Folders are made beside their place now, and files of
# others in them are taken along.

FIRST = {"a.md": "1", "b/c.md": "1"}
SECOND = {"a.md": "2", "d/e.md": "2"}


def contents(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def test_grades_of_an_interrupted_run_are_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = make_key_document(made_sheet(1).sheet)
    given = [hand_in(tmp_path / "in", [answers(key, "Ada", {"wall": "1 s"})])]
    written = list[Path]()
    write = Path.write_bytes

    def interrupted(path: Path, data: bytes) -> int:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(path)
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grade_files(given, keys_in(tmp_path / "keys", key), tmp_path / "out", print)
    assert len(written) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "keys"]


def test_a_folder_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert replace_tree(FIRST, out)
    assert contents(out) == FIRST
    assert replace_tree(SECOND, out)
    assert contents(out) == SECOND
    assert not (out / "b").exists()
    before = out.stat()
    assert replace_tree(SECOND, out) == []
    assert out.stat().st_ino == before.st_ino


def test_what_others_wrote_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"
    replace_tree(FIRST, out)
    (out / "b" / "note.txt").write_text("mine")
    (out / "empty").mkdir()
    (out / "link").symlink_to("b/note.txt")
    (out / "beside").symlink_to(tmp_path)
    (out / "a.md").chmod(0o600)
    (out / "b").chmod(0o700)
    held = (out / "b" / "note.txt").stat()
    replace_tree(SECOND, out)
    assert contents(out) == SECOND | {"b/note.txt": "mine", "link": "mine"}
    assert (out / "b" / "note.txt").stat().st_ino == held.st_ino
    assert (out / "empty").is_dir()
    assert (out / "link").readlink() == Path("b/note.txt")
    assert (out / "beside").readlink() == tmp_path
    modes = [stat.S_IMODE((out / name).stat().st_mode) for name in ("a.md", "b")]
    assert modes == [0o600, 0o700]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.md").write_text("mine")
    with pytest.raises(OutputError, match="was not written by Perfolio"):
        replace_tree(FIRST, tmp_path / "out")
    with (
        pytest.raises(OutputError, match="was not written by Perfolio"),
        replace_whole_tree(tmp_path / "out") as partial,
    ):
        (partial / "a.md").write_text("1")
    assert contents(tmp_path / "out") == {"a.md": "mine"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_where_a_file_cannot_be_linked_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    replace_tree(FIRST, tmp_path / "out")
    (tmp_path / "out" / "note.txt").write_text("mine")
    monkeypatch.setattr(os, "link", refused)
    replace_tree(SECOND, tmp_path / "out")
    assert contents(tmp_path / "out") == SECOND | {"note.txt": "mine"}


def test_the_current_folder_is_not_pulled_away(tmp_path: Path) -> None:
    out = tmp_path / "out"
    replace_tree(FIRST, out)
    with chdir(out / "b"), pytest.raises(OutputError, match="holds the current folder"):
        replace_tree(SECOND, out)
    assert contents(out) == FIRST


def test_where_a_file_system_is_mounted_is_one_line() -> None:
    with (
        pytest.raises(OutputError, match="is where a file system is mounted"),
        replace_folder(Path("/proc")),
    ):
        pass


def test_a_folder_has_its_name_at_any_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_tree(FIRST, tmp_path / "out")
    (tmp_path / "one").mkdir()
    if not swap_folders(tmp_path / "one", tmp_path / "out"):
        pytest.skip("this file system exchanges no names")
    assert swap_folders(tmp_path / "one", tmp_path / "out")
    monkeypatch.setattr(Path, "rename", lambda *_: pytest.fail("renamed"))
    replace_tree(SECOND, tmp_path / "out")
    assert contents(tmp_path / "out") == SECOND


def test_without_an_exchange_two_renames_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfolio.common.atomic_output.swap_folders", lambda *_: False)
    replace_tree(FIRST, tmp_path / "out")
    replace_tree(SECOND, tmp_path / "out")
    assert contents(tmp_path / "out") == SECOND
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


# Killed runs left partial sites and temporary folders for good, and could leave no site at all.
#
# Of ten killed builds three `.site-*.partial` and 13 folders in TMPDIR stayed, also after the next
# good build; and between two renames the site was there under another name alone. The next run
# removes what is left over, restores what is missing, and touches nothing of runs that go on.


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def killed(code: str, *arguments: object, **environment: str) -> None:
    """Run `code`, which kills itself."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=False)
    assert done.returncode == -9


KILLED_IN_ITS_FOLDER = """
import os, signal
from perfolio.common.atomic_output import make_temporary_folder
with make_temporary_folder() as folder:
    (folder / "store.duckdb").write_text("large")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_temporary_folders_of_killed_runs_go_and_others_stay(scratch: Path) -> None:
    killed(KILLED_IN_ITS_FOLDER, TMPDIR=str(scratch))
    (scratch / "perfolio-results").mkdir()
    assert len(list(scratch.iterdir())) == 2
    with make_temporary_folder() as running, make_temporary_folder() as folder:
        there = {path.name for path in scratch.iterdir()}
        assert there == {"perfolio-results", running.name, folder.name}
    assert [path.name for path in scratch.iterdir()] == ["perfolio-results"]


def test_no_folder_for_temporary_files_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    with pytest.raises(OutputError, match="set TMPDIR"), make_temporary_folder():
        pass


KILLED_BETWEEN_RENAMES = """
import os, signal, sys
from pathlib import Path
import perfolio.common.atomic_output
from perfolio.site.build import build_site
rename = Path.rename
def once(self, target):
    if self.suffix == ".partial":
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(self, target)
Path.rename = once
perfolio.common.atomic_output.swap_folders = lambda *_: False
build_site(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.slow
def test_a_site_is_there_again_after_a_kill_between_the_renames(tmp_path: Path) -> None:
    sync_tree({"index.md": "# First\n"}, tmp_path / "docs")
    site = tmp_path / "site"
    build_site(tmp_path / "docs", site)
    sync_tree({"index.md": "# Second\n"}, tmp_path / "docs")
    killed(KILLED_BETWEEN_RENAMES, tmp_path / "docs", site)
    assert not site.exists()
    with suppress(ZeroDivisionError), replace_folder(site):
        assert "First" in (site / "index.html").read_text()
        raise ZeroDivisionError
    assert "First" in (site / "index.html").read_text()
    build_site(tmp_path / "docs", site)
    assert "Second" in (site / "index.html").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "site"]


def test_half_written_pages_of_killed_runs_go(tmp_path: Path) -> None:
    sync_tree({"a/index.md": "# A\n"}, tmp_path / "docs")
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    folder = tmp_path / "docs" / "a"
    left = folder / f".index.md.{ended.pid}.partial"
    running = folder / f".index.md.{os.getpid()}.partial"
    mine = folder / ".notes.partial"
    for path in (left, running, mine):
        path.touch()
    sync_tree({"a/index.md": "# A\n"}, tmp_path / "docs")
    assert [path.exists() for path in (left, running, mine)] == [False, True, True]


KILLED_AT_ITS_FILE = """
import os, signal, sys
from pathlib import Path
from perfolio.common.atomic_output import replace_file
with replace_file(Path(sys.argv[1])) as partial:
    partial.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_half_written_files_of_killed_runs_go(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    killed(KILLED_AT_ITS_FILE, out)
    assert len(list(tmp_path.iterdir())) == 2
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    left = tmp_path / f".out.json.{ended.pid}.partial"
    running = tmp_path / f".out.json.{os.getpid()}.partial"
    other = tmp_path / f".other.json.{ended.pid}.partial"
    for path in (left, running, other):
        path.touch()
    write_file(out, b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [out.name, running.name, other.name]
    )


def test_what_another_user_left_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    left = tmp_path / f".out.json.{ended.pid}.partial"
    left.touch()
    monkeypatch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
    write_file(tmp_path / "out.json", b"whole")
    assert left.exists()
