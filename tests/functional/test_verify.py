"""`perfolio verify`: passes on what it built, and on nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.functional.conftest import Run, called, own_exercise
from tests.kit.databases import Shape, write_database
from tests.kit.measurements import measured_once
from tests.readers.test_kineto import EVENTS, document
from tests.readers.test_kineto import written as write_trace


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders and a file, and their site, given in an order that is not that of their names."""
    folder = tmp_path_factory.mktemp("built")
    for path in ("b.d", "more/a.d"):
        name = Path(path).stem
        write_database(folder / path, Shape(title=f"run {name}", seed=len(name) + ord(name)))
    (folder / "file").mkdir()
    write_trace(folder / "file", document(EVENTS), "step.json")
    (folder / "perfolio.toml").write_text("[thresholds]\nC4 = {info = 0.2}\n")
    own_exercise(folder, "a")
    inputs = ("b.d", "more", "file/step.json")
    args = ("build", *inputs, "-o", "site", "--config", "perfolio.toml", "--project", ".")
    with measured_once():
        done = called(*args, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return tmp_path / "site"


def changed(path: Path, change: Any) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


@pytest.mark.slow
def test_several_profiles_are_listed_and_have_the_exercises_of_the_project(built: Path) -> None:
    start = (built / "site" / "index.html").read_text()
    assert 'href="a/index.html"' in start
    assert 'href="b/index.html"' in start
    assert (built / "site" / "a" / "exercises" / "mine.html").is_file()


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_a_site_is_as_its_input_gives_it_on_any_day(
    run: Run, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = run("verify", site, "--project", tmp_path, cwd=elsewhere)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.startswith(f"{site}: as its input gives it: 3 reports, ")
    # With the profiles at another place and under another name.
    (tmp_path / "archive").mkdir()
    for path in ("more/a.d", "b.d"):
        place = tmp_path / path
        place.rename(tmp_path / "archive" / f"old-{place.stem}")
    (tmp_path / "file").rename(tmp_path / "archive" / "file")
    gone = run("verify", site, "--project", ".")
    assert gone.returncode == 3
    assert "a: its profile more/a.d is not there" in gone.stderr or "b.d" in gone.stderr
    done = run("verify", site, "--profiles", "archive", "--project", ".")
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_drift_is_listed_by_its_place(run: Run, site: Path) -> None:
    def edit(document: dict[str, Any]) -> None:
        metrics = {one["name"]: one for one in document["metrics"]["metrics"]}
        metrics["cpu.time"]["value"] *= 2
        document["findings"][0]["title"] = "All is well"

    changed(site / "a" / "findings.json", edit)
    (site / "b" / "index.html").unlink()
    (site.parent / "exercises" / "mine" / "exercise.md").unlink()
    (site / "0.html").touch()
    done = run("verify", site, "--project", ".")
    assert done.returncode == 12
    assert "a/metrics/cpu.time/value: " in done.stdout
    assert "/title: 'All is well' in the site" in done.stdout
    assert "b/index.html: is missing from the site" in done.stdout
    assert "\n0.html: is in the site and not made from the input" in done.stdout
    assert "exercises/mine.html: is in the site and not made from the input" in done.stdout
    assert done.stderr.startswith(f"perfolio: {site}: differs from its input in ")


@pytest.mark.slow
def test_another_input_is_drift(run: Run, site: Path, tmp_path: Path) -> None:
    for path in ("more/a.d/meta.db", "file/step.json"):
        with (tmp_path / path).open("ab") as file:
            file.write(b"\0")
    done = run("verify", site, "--project", ".")
    assert done.returncode == 12
    assert "a/input/meta.db: sha256 " in done.stdout
    assert "step/input/step.json: sha256 " in done.stdout
    assert done.stdout.count("\n") == 2


@pytest.mark.slow
def test_another_description_is_drift_and_another_version_is_said(
    run: Run, site: Path, tmp_path: Path
) -> None:
    def older(document: dict[str, Any]) -> None:
        document["provenance"]["perfolio"] = "0.0.1"

    changed(site / "a" / "findings.json", older)
    (tmp_path / "b.d" / "profile.toml").write_text('title = "Another"\n')
    marker = site / ".perfolio-site"
    marker.write_text(marker.read_text().replace("mkdocs 1", "mkdocs 0"))
    done = run("verify", site, "--project", ".")
    assert done.returncode == 12
    assert "b/run/title: 'run b' in the site, 'Another' from the input" in done.stdout
    assert "a/provenance/perfolio: '0.0.1' in the site" in done.stdout
    assert "note: a was made by Perfolio 0.0.1, this is " in done.stdout
    assert "note: the site was built with mkdocs 0" in done.stdout


@pytest.mark.slow
def test_a_document_of_another_form_says_what_to_do(run: Run, site: Path) -> None:
    def older(document: dict[str, Any]) -> None:
        document["schema"] = "perfolio-findings/2"

    changed(site / "a" / "findings.json", older)
    done = run("verify", site, "--project", ".")
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
