"""Killed runs left partial sites and temporary folders for good, and could leave no site at all.

Of ten killed builds three `.site-*.partial` and 13 folders in TMPDIR stayed, also after the next
good build; and between two renames the site was there under another name alone. The next run
removes what is left over, restores what is missing, and touches nothing of runs that go on.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from perfolio.common.atomic_output import make_temporary_folder, replace_folder, write_file
from perfolio.common.errors import OutputError
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from tests.kit.shared import ROOT


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
