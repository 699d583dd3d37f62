"""`perfolio verify`: passes on what it built, and on nothing else."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.databases import Shape, write_database
from tests.functional.conftest import Run, called
from tests.shared import ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs and their site, given in an order that is not that of their names."""
    folder = tmp_path_factory.mktemp("built")
    for name in ("b", "a"):
        write_database(folder / f"{name}.d", Shape(title=f"run {name}", seed=len(name) + ord(name)))
    (folder / "perfolio.toml").write_text("[thresholds]\nC4 = {info = 0.2}\n")
    args = ("build", "b.d", "a.d", "-o", "site", "--config", "perfolio.toml")
    done = called(*args, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return tmp_path / "site"


def own_exercise(folder: Path) -> None:
    """An exercise on the run `one`, and a course of it, in `folder`."""
    files = {
        "mine/exercise.md": """---
title: Mine
run: one
needs: [cpu.time]
objectives: {cpu: Find the CPU time}
steps: [{id: s1, title: First, minutes: 3}]
---

```item
{id: cpu, type: number, step: s1, tests: [cpu], ask: How much?, answer: {metric: cpu.time},
 explain: So much.}
```
""",
        "day/course.toml": """title = "Day"
audience = "All"
about = "One exercise."
[[part]]
title = "P"
level = "beginner"
exercises = ["mine"]
""",
    }
    for name, text in files.items():
        path = folder / "exercises" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")


def changed(path: Path, change: Any) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


@pytest.mark.slow
def test_a_site_is_as_its_input_gives_it_on_any_day(
    run: Run, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    done = run("verify", site)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.startswith(f"{site}: as its input gives it: 2 reports, ")
    # Elsewhere, with the profiles at another place and under another name.
    (tmp_path / "archive").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"{name}.d").rename(tmp_path / "archive" / f"old-{name}")
    gone = run("verify", site)
    assert gone.returncode == 3
    assert "a: its profile a.d is not there" in gone.stderr or "b.d" in gone.stderr
    done = run("verify", site, "--profiles", "archive")
    assert done.returncode == 0, done.stdout


def test_drift_is_listed_by_its_place(run: Run, site: Path) -> None:
    def edit(document: dict[str, Any]) -> None:
        metrics = {one["name"]: one for one in document["metrics"]["metrics"]}
        metrics["cpu.time"]["value"] *= 2
        document["findings"][0]["title"] = "All is well"

    changed(site / "a" / "findings.json", edit)
    (site / "b" / "index.html").unlink()
    (site / "more.html").touch()
    done = run("verify", site)
    assert done.returncode == 12
    assert "a/metrics/cpu.time/value: " in done.stdout
    assert "/title: 'All is well' in the site" in done.stdout
    assert "b/index.html: is missing from the site" in done.stdout
    assert "more.html: is in the site and not made from the input" in done.stdout
    assert done.stderr.startswith(f"perfolio: {site}: differs from its input in ")


def test_another_input_is_drift(run: Run, site: Path, tmp_path: Path) -> None:
    with (tmp_path / "a.d" / "meta.db").open("ab") as file:
        file.write(b"\0")
    done = run("verify", site)
    assert done.returncode == 12
    assert "a/input/meta.db: sha256 " in done.stdout
    assert done.stdout.count("\n") == 1


@pytest.mark.slow
def test_another_description_is_drift(run: Run, site: Path, tmp_path: Path) -> None:
    (tmp_path / "a.d" / "profile.toml").write_text('title = "Another"\n')
    done = run("verify", site)
    assert done.returncode == 12
    assert "a/run/title: 'run a' in the site, 'Another' from the input" in done.stdout


@pytest.mark.slow
def test_a_site_of_another_version_says_so(run: Run, site: Path) -> None:
    def older(document: dict[str, Any]) -> None:
        document["provenance"]["perfolio"] = "0.0.1"

    changed(site / "a" / "findings.json", older)
    marker = site / ".perfolio-site"
    marker.write_text(marker.read_text().replace("mkdocs 1", "mkdocs 0"))
    done = run("verify", site)
    assert done.returncode == 12
    assert "note: a was made by Perfolio 0.0.1, this is " in done.stdout
    assert "note: the site was built with mkdocs 0" in done.stdout


def test_a_document_of_another_form_says_what_to_do(run: Run, site: Path) -> None:
    def older(document: dict[str, Any]) -> None:
        document["schema"] = "perfolio-findings/2"

    changed(site / "a" / "findings.json", older)
    done = run("verify", site)
    assert done.returncode == 3
    assert "a document of perfolio-findings/2, not of perfolio-findings/3" in done.stderr
    assert "build the site again, or verify it with the Perfolio that made it" in done.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [("{}", "does not say what it was made from"), ("no", "does not say"), (None, "no report")],
)
def test_what_is_no_site_is_refused(
    run: Run, tmp_path: Path, content: str | None, says: str
) -> None:
    (tmp_path / "site" / "x").mkdir(parents=True)
    if content is not None:
        (tmp_path / "site" / "x" / "findings.json").write_text(content)
    done = run("verify", "site")
    assert done.returncode == 3
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_exercises_of_a_folder_are_in_its_site_and_verified(run: Run, tmp_path: Path) -> None:
    write_database(tmp_path / "one.d")
    own_exercise(tmp_path)
    assert run("build", "one.d", "-o", "site").returncode == 0
    assert (tmp_path / "site" / "one" / "exercises" / "mine.html").is_file()
    (tmp_path / "elsewhere").mkdir()
    assert run("verify", tmp_path / "site", cwd=tmp_path / "elsewhere").returncode == 0
    (tmp_path / "exercises" / "mine" / "exercise.md").unlink()
    done = run("verify", "site")
    assert done.returncode == 12
    assert "exercises/mine.html: is in the site and not made from the input" in done.stdout


@pytest.mark.slow
def test_the_projects_own_site_is_verified_with_its_pages(run: Run, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(ROOT / "docs", project / "docs", ignore=shutil.ignore_patterns("reports"))
    home = project / "docs" / "index.md"  # leads to samples
    home.write_text(
        re.sub(r"reports/(dlrm-[a-z0-9]+|eight-ranks)/", "reports/one/", home.read_text())
    )
    write_database(project / "profiles" / "one" / "one.d")
    shutil.copy(ROOT / "mkdocs.yml", project)
    (project / "generator").symlink_to(ROOT / "generator")
    own_exercise(project)
    assert run("build", cwd=project).returncode == 0
    assert (project / "site" / "reports" / "one" / "exercises" / "mine.html").is_file()
    assert (project / "site" / "reports" / "courses" / "day" / "index.html").is_file()
    done = run("verify", "site", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr
    (project / "docs" / "glossary.md").write_text("# Glossary\n\nNothing.\n")
    done = run("verify", "site", cwd=project)
    assert done.returncode == 12
    assert "glossary.html: differs" in done.stdout
    assert run("verify", project / "site").returncode == 12
