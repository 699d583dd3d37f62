"""The wheel and the source archive: what is in them, and that the wheel alone makes reports."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling import build as buildapi

from tests.kit.databases import write_database
from tests.kit.shared import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packages")]
PACKAGE = ROOT / "generator" / "perfolio"
CONTENT = {
    ".css", ".csv", ".html", ".j2", ".js", ".json", ".md", ".py", ".sql", ".svg", ".toml", ".txt",
    ".typed", ".xml", ".yaml", ".yml",
}  # fmt: skip
ARCHIVED = {
    "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "SECURITY.md", "docs", "generator",
    "mkdocs.yml", "profiles", "pyproject.toml", "tests",
}  # fmt: skip
CACHES = re.compile(r"__pycache__|\.py[co]$|(?:^|/)\.[^/]")
COMMAND = """
import sys
from importlib.metadata import distribution
from pathlib import Path
import perfolio
assert Path(perfolio.__file__).is_relative_to(sys.path[0]), perfolio.__file__
sys.argv[0] = "perfolio"
(script,) = distribution("perfolio").entry_points.select(group="console_scripts")
script.load()()
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source archive, made as `pip` does, without its network."""
    folder = tmp_path_factory.mktemp("packages")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        names = buildapi.build_wheel(os.fspath(folder)), buildapi.build_sdist(os.fspath(folder))
    return folder / names[0], folder / names[1]


@pytest.fixture(scope="module")
def installed(packages: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel in an empty folder: it has no script to run, and is for each platform."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(packages[0]) as wheel:
        wheel.extractall(folder)
    return folder


def content(folder: Path) -> set[str]:
    """Files as they lie in the project, but what a run leaves there."""
    found = {p.relative_to(ROOT).as_posix() for p in folder.rglob("*") if p.is_file()}
    return {path for path in found if not CACHES.search(path)}


def test_the_wheel_holds_the_package_and_nothing_else(packages: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(packages[0]) as wheel:
        names = set(wheel.namelist())
    about = {name for name in names if ".dist-info/" in name}
    assert {f"generator/{name}" for name in names - about} == content(PACKAGE)
    assert {name.partition("/")[0] for name in names - about} == {"perfolio"}
    assert {Path(name).suffix for name in names - about} <= CONTENT
    assert {re.sub(r"^.*?\.dist-info/", "", name) for name in about} == {
        "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE",
        "licenses/generator/perfolio/site/theme/assets/perfolio/third-party.txt",
    }  # fmt: skip


def test_the_archive_holds_the_project_without_what_was_made(packages: tuple[Path, Path]) -> None:
    with tarfile.open(packages[1]) as archive:
        members = archive.getmembers()
    assert all(member.isfile() for member in members)
    assert {(one.uid, one.gid, one.uname, one.gname) for one in members} == {(0, 0, "", "")}
    names = {name.partition("/")[2] for name in (member.name for member in members)}
    names -= {".gitignore"}  # hatchling adds it
    assert {name.partition("/")[0] for name in names} == ARCHIVED
    assert [name for name in names if CACHES.search(name)] == []
    assert [name for name in names if name.startswith("docs/reports")] == []
    assert content(ROOT / "generator") <= names


def test_no_package_says_where_it_was_made(packages: tuple[Path, Path]) -> None:
    private = [os.fspath(ROOT), os.fspath(Path.home())]
    private += [name] if len(name := socket.gethostname()) > 9 else []
    words = re.compile("|".join(rf"{re.escape(each)}\b" for each in private if len(each) > 5))
    with zipfile.ZipFile(packages[0]) as wheel:
        texts = {name: wheel.read(name).decode("utf-8") for name in wheel.namelist()}
    assert [name for name, text in texts.items() if words.search(text)] == []


def run(installed: Path, folder: Path, *arguments: str) -> str:
    """What the installed command prints, where nothing else lies on the path but what it needs."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.fspath(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_alone_makes_a_report(installed: Path, tmp_path: Path) -> None:
    write_database(tmp_path / "x.d")
    assert run(installed, tmp_path, "--version").startswith("perfolio")
    assert "HPCToolkit" in run(installed, tmp_path, "info", "x.d")
    assert "Wrote site" in run(installed, tmp_path, "build", "x.d", "-o", "site")
    notices = (tmp_path / "site" / "assets" / "perfolio" / "third-party.txt").read_bytes()
    assert (
        notices == (installed / "perfolio/site/theme/assets/perfolio/third-party.txt").read_bytes()
    )
