"""The wheel and the source archive: what is in them, and that the wheel alone makes reports."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tarfile
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hatchling import build as buildapi
from hatchling.bridge.app import Application
from hatchling.metadata.core import ProjectMetadata

import build_hook
import perfolio
import release
from tests.house.figures import tracked_files
from tests.kit.databases import write_database
from tests.kit.kept import digest_of, kept
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
PREPARED = "perfolio/prepared/"
CACHES = re.compile(r"__pycache__|\.py[co]$|(?:^|/)\.[^/]")
COMMAND = """
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
import perfolio
assert Path(perfolio.__file__).is_relative_to(sys.path[0]), perfolio.__file__
sys.argv[0] = "perfolio"
(script,) = distribution("perfolio").entry_points.select(group="console_scripts")
script.load()()
"""


def made_packages() -> tuple[Path, Path]:
    """The wheel and the source archive, made as `pip` does, without its network: once."""
    entry = kept("packages", digest_of(*_sources(), by=()), _make_packages)
    (wheel,), (archive,) = entry.glob("*.whl"), entry.glob("*.tar.gz")
    return wheel, archive


def _make_packages(folder: Path) -> None:
    """A build writes `prepared/` anew: only one of the processes that test may make it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        buildapi.build_wheel(os.fspath(folder))
        buildapi.build_sdist(os.fspath(folder))


def _sources() -> list[Path]:
    """All that is packed."""
    packed = (ROOT / name for name in sorted(ARCHIVED) if name != "PKG-INFO")
    files = [each for top in packed for each in ([top] if top.is_file() else top.rglob("*"))]
    names = {each: each.relative_to(ROOT).as_posix() for each in files if each.is_file()}
    return sorted(each for each, name in names.items() if _is_content(name))


@pytest.fixture(scope="module")
def packages() -> tuple[Path, Path]:
    return made_packages()


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
    return set(filter(_is_content, found))


def _is_content(name: str) -> bool:
    return not CACHES.search(name) and PREPARED not in name


def test_the_wheel_holds_the_package_and_nothing_else(packages: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(packages[0]) as wheel:
        names = {name for name in wheel.namelist() if not name.startswith(PREPARED)}
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
        texts = {name: read_text(name, wheel.read(name)) for name in wheel.namelist()}
    assert [name for name, text in texts.items() if words.search(text)] == []


def read_text(name: str, data: bytes) -> str:
    """A file of a wheel as it can be searched: entries of the cache are packed."""
    if not name.startswith(PREPARED):
        return data.decode("utf-8")
    return zlib.decompress(data[: -sha256().digest_size]).decode("utf-8", "replace")


@pytest.fixture(scope="module")
def reported(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which the wheel alone made a first report, and what the command said."""
    folder = tmp_path_factory.mktemp("reported")
    write_database(folder / "x.d")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", os.fspath(folder / "cache"))
        return folder, run(installed, folder, "build", "x.d", "-o", "site")


def test_the_wheel_brings_what_a_first_report_would_make(
    installed: Path, reported: tuple[Path, str]
) -> None:
    made = {room.name for room in (reported[0] / "cache" / "perfolio").iterdir()}
    own = {"charts", "documents", "pages", "texts"}  # of this run and its tool alone
    assert made == own | {"stores"}, "a store has other bytes each time, so no wheel has one"
    brought = [json.loads(read_text(PREPARED, page.read_bytes()))["title"]
               for page in (installed / PREPARED / "pages").iterdir()]  # fmt: skip
    assert sorted(brought) == ["Glossary", "How to read a report", "Queries"]


def test_a_build_that_lacks_packages_prepares_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "generator" / PREPARED
    left.mkdir(parents=True)
    monkeypatch.setattr(build_hook, "_PROGRAM", "no_such_package.prepared")
    said: list[str] = []
    app = Application()
    monkeypatch.setattr(app, "display_warning", said.append)
    about: ProjectMetadata[Any] = ProjectMetadata(os.fspath(tmp_path), None, {})
    hook = build_hook.PreparedContentHook(os.fspath(tmp_path), {}, None, about, "", "wheel", app)
    hook.initialize("standard", {})
    (line,) = said
    assert "nothing is prepared for the first report" in line
    assert "no_such_package" in line
    assert not left.exists(), "what another version prepared"


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


def test_the_wheel_alone_makes_a_report(installed: Path, reported: tuple[Path, str]) -> None:
    folder, said = reported
    assert run(installed, folder, "--version").startswith("perfolio")
    assert "HPCToolkit" in run(installed, folder, "info", "x.d")
    assert "Wrote site" in said
    notices = (folder / "site" / "assets" / "perfolio" / "third-party.txt").read_bytes()
    assert (
        notices == (installed / "perfolio/site/theme/assets/perfolio/third-party.txt").read_bytes()
    )


# A release: the same bytes twice, of what is committed alone, with its parts and its tag.

VERSION = perfolio.__version__
COMPONENT = {
    "type": "object",
    "required": ["type", "bom-ref", "name", "version", "purl"],
    "properties": {
        "type": {"enum": ["library", "application"]},
        "purl": {"pattern": r"^pkg:pypi/[a-z0-9._-]+@[^@]+$"},
        "licenses": {"items": {"required": ["expression"]}, "maxItems": 1},
    },
}
"""What CycloneDX 1.6 asks of a component, of what we write."""


def call(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def make_release(clone: Path, version: str = VERSION) -> subprocess.CompletedProcess[str]:
    return call(clone, sys.executable, "generator/release.py", "dist", "--version", version)


def _name_version(changes: Path, heading: str) -> None:
    """Let the section with that heading be of this version, where none is."""
    text = changes.read_text("utf-8")
    if f"\n## {VERSION} - " not in text:
        changes.write_text(text.replace(heading, f"## {VERSION} - 2026-01-02"), "utf-8")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The project with a section of its version in CHANGELOG.md, committed."""
    if not tracked_files():
        pytest.skip("no checkout: a release is of a commit")
    folder = tmp_path / "clone"
    call(tmp_path, "git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(folder))
    for name, value in (("user.name", "A"), ("user.email", "a@example.org")):
        call(folder, "git", "config", name, value)
    _name_version(folder / "CHANGELOG.md", "## Unreleased")
    call(folder, "git", "tag", "--delete", f"v{VERSION}")
    call(folder, "git", "commit", "--quiet", "--all", "--message", "Release", "--allow-empty")
    return folder


def test_a_release_is_built_twice_and_tagged(clone: Path) -> None:
    done = make_release(clone)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("two builds are equal") == 2
    made = {one.name: one for one in (clone / "dist").iterdir()}
    wheel = f"perfolio-{VERSION}-py3-none-any.whl"
    bill = f"perfolio-{VERSION}.cdx.json"
    assert made.keys() == {wheel, f"perfolio-{VERSION}.tar.gz", bill, "SHA256SUMS"}
    for line in made["SHA256SUMS"].read_text().splitlines():
        digest, name = line.split("  ")
        assert digest == sha256(made.pop(name).read_bytes()).hexdigest()
    assert made.keys() == {"SHA256SUMS"}
    with zipfile.ZipFile(clone / "dist" / wheel) as packed:
        assert any(name.startswith("perfolio/prepared/") for name in packed.namelist())
    assert call(clone, "git", "tag", "--list").stdout == f"v{VERSION}\n"
    call(clone, "git", "commit", "--quiet", "--allow-empty", "--message", "Later")
    again = make_release(clone)
    assert again.returncode == 1
    assert again.stderr == f"release: v{VERSION} is of another commit: choose another version\n"


def test_what_is_no_release_is_refused_in_a_line(clone: Path) -> None:
    assert "has another version than 9.9.9" in make_release(clone, "9.9.9").stderr
    (clone / "new").touch()
    done = make_release(clone)
    assert done.stderr == "release: there are changes that are not committed: commit them\n"
    assert not (clone / "dist").exists()
    (clone / "new").unlink()
    changes = clone / "CHANGELOG.md"
    text = changes.read_text("utf-8")
    changes.write_text(text.replace(f"## {VERSION} - ", "## "), "utf-8")
    call(clone, "git", "commit", "--quiet", "--all", "--message", "Other")
    assert "has no section" in make_release(clone).stderr


def test_the_bill_of_materials_names_each_locked_package_with_its_hashes() -> None:
    bill = release.make_bill_of_materials(VERSION)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    locked = re.findall(r"(?m)^([\w.-]+)==(\S+)", (ROOT / "requirements.lock").read_text())
    assert [(one["name"], one["version"]) for one in bill["components"]] == locked
    for one in (bill["metadata"]["component"], *bill["components"]):
        jsonschema.validate(one, COMPONENT)
    for one in bill["components"]:
        (reference,) = one["externalReferences"]
        assert reference["hashes"], one["name"]
    references = [one["bom-ref"] for one in bill["components"]]
    assert len(references) == len(set(references))
    assert json.dumps(bill) == json.dumps(release.make_bill_of_materials(VERSION))
