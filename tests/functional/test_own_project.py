"""The project's own pages with two reports: built by one command, and verified by another."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from perfolio.pipeline.run_documents import Context
from perfolio.pipeline.verification.site_verification import _find_project
from tests.functional.conftest import Run, called, own_exercise
from tests.kit.databases import write_database
from tests.kit.kept import KEPT
from tests.kit.measurements import measured_once
from tests.kit.shared import ROOT

SCENARIO = """iterations = 6
iteration = ["a"]
[kernels.k]
name = "k"
time = "50 us"
[phases.a]
steps = [{cpu = "20 ms"}, {kernel = "k"}]
"""
SAMPLES = {"dlrm-h100": "tiny", "eight-ranks": "tiny", "dlrm-cpu": "one"}
"""Reports to which the home page leads, and what is there in their place, for time."""
CONVERTED = KEPT.with_name("pages")
"""Pages as an earlier build converted them; it takes those that did not change."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of this project, a recorded and a simulated profile, and an exercise, built."""
    folder = tmp_path_factory.mktemp("own") / "project"
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("reports"))
    home = folder / "docs" / "index.md"
    led = re.compile(rf"reports/({'|'.join(SAMPLES)})/")
    home.write_text(led.sub(lambda found: f"reports/{SAMPLES[found[1]]}/", home.read_text()))
    write_database(folder / "profiles" / "one" / "one.d")
    (folder / "profiles" / "tiny").mkdir()
    (folder / "profiles" / "tiny" / "scenario.toml").write_text(SCENARIO)
    shutil.copy(ROOT / "mkdocs.yml", folder)
    (folder / "generator").symlink_to(ROOT / "generator")
    own_exercise(folder, "one")
    CONVERTED.mkdir(parents=True, exist_ok=True)
    (folder / ".cache").mkdir()
    (folder / ".cache" / "pages").symlink_to(CONVERTED)
    with measured_once():
        done = called("build", "-o", "site", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_project_builds_with_its_own_pages(project: Path) -> None:
    for report in ("one", "tiny"):
        assert (project / "site" / "reports" / report / "index.html").is_file()
    assert (project / ".cache" / "profiles" / "tiny.d" / "truth.json").is_file()
    assert (project / "site" / "glossary.html").is_file()
    assert 'src="reports/tiny/preview.svg"' in (project / "site" / "index.html").read_text()
    assert (project / "site" / "reports" / "tiny" / "preview.svg").is_file()
    assert (project / "site" / "reports" / "one" / "exercises" / "mine.html").is_file()
    assert (project / "site" / "reports" / "courses" / "day" / "index.html").is_file()


@pytest.mark.slow
def test_the_site_is_not_built_again_where_nothing_has_changed(project: Path) -> None:
    before = (project / "site").stat().st_ino
    with measured_once():
        done = called("build", "-o", "site", cwd=project)
    assert done.stdout.splitlines()[-1] == "site/index.html is up to date"
    assert (project / "site").stat().st_ino == before, "a site is replaced as a whole"


@pytest.mark.slow
def test_nothing_but_a_changed_page_differs_where_the_site_is_verified(
    run: Run, project: Path, tmp_path: Path
) -> None:
    changed = shutil.copytree(project, tmp_path / "changed", symlinks=True)
    (changed / "docs" / "robustness.md").write_text("# Robustness\n\nNothing.\n")
    done = run("verify", changed / "site", "--project", changed)
    assert done.returncode == 12
    assert done.stdout.splitlines() == [
        "assets/perfolio/search-pages.js: differs from what the input gives",
        "robustness.html: differs from what the input gives",
    ]


def test_a_project_is_the_current_folder_or_the_one_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (project / "docs").mkdir(parents=True)
    elsewhere.mkdir()
    (project / "mkdocs.yml").touch()
    monkeypatch.chdir(elsewhere)
    assert _find_project(Path("site"), Context(project=project)) == project
    with pytest.raises(InputError, match="is the site of a project, which is not here"):
        _find_project(project / "site", Context())
    monkeypatch.chdir(project)
    assert _find_project(elsewhere / "site", Context()) == project
