"""A project's reports are made again where something changed, and nowhere else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from perfolio.common import processes
from perfolio.common.cache import Cache, make_key
from perfolio.common.errors import InputError, UsageError
from perfolio.comparison.promise_file import keep_promises
from perfolio.comparison.promise_record import PairOutcome, PromisedStep, StepOutcome
from perfolio.exercises.model import Exercise
from perfolio.exercises.run_view import Run
from perfolio.findings.rules.threshold_overrides import ThresholdOverrides
from perfolio.metrics import result_cache
from perfolio.metrics.document import run_facts
from perfolio.pages.exercise_pages import render_run_exercises
from perfolio.pages.report_rendering import render_pages
from perfolio.pages.report_view import Report
from perfolio.pipeline import (
    build_state,
    project,
    report_files,
    reports,
    run_documents,
    shared_pages,
)
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.build_state import Edition
from perfolio.pipeline.project import REPORTS, STORE, refresh_project
from perfolio.pipeline.project_outcomes import ProjectOutcomes
from perfolio.pipeline.report_files import RunReport
from perfolio.pipeline.reports import ReportSubject
from perfolio.pipeline.shared_pages import NotedRuns
from perfolio.pipeline.verification.rebuild import make_documents_again
from perfolio.pipeline.verification.site_provenance import RecordedReport
from perfolio.store.database import open_store
from perfolio.store.ingest import IngestedRun
from tests.kit.databases import Shape, write_database
from tests.kit.measurements import measured_once

STAMPS = Path(".cache") / "build" / "reports"


@pytest.fixture(scope="module", autouse=True)
def _in_this_process() -> Iterator[None]:
    """Two small reports: new processes would take longer to begin than to make them."""
    with measured_once(), pytest.MonkeyPatch.context() as patched:
        patched.setattr(processes, "count_processors", lambda: 1)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two reports, brought up to date."""
    root = tmp_path_factory.mktemp("project")
    for name, seed in (("a", 1), ("b", 2)):
        folder = write_database(root / "profiles" / name, Shape(seed=seed))
        (folder / "profile.toml").write_text(f'title = "Run {name}"\n')
    refresh_project(root)
    return root


@pytest.fixture
def root(made: Path) -> Path:
    """That project at its place, as it was left: times of files included."""
    pristine = made.with_name(f"{made.name}-pristine")  # the module may be set up twice
    if not pristine.exists():
        shutil.copytree(made, pristine)
    shutil.rmtree(made)
    shutil.copytree(pristine, made)
    return made


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is read and made from now on: names of profiles, and sources of reports."""
    done: list[str] = []

    def noted(subjects: list[ReportSubject], context: Context) -> list[RunReport]:
        done.extend(one.source.parent.name if one.run is None else "store" for one in subjects)
        return reports.make_reports(subjects, context)

    def read(paths: list[Path], store: Path, context: Context) -> list[IngestedRun]:
        done.extend(f"read {path.name}" for path in paths)
        return run_documents.ingest_paths(paths, store, context)

    monkeypatch.setattr(project, "make_reports", noted)
    monkeypatch.setattr(project, "ingest_paths", read)
    return done


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The package's content, to be edited."""
    skipped = shutil.ignore_patterns("*.py", "__pycache__", "assets")
    return shutil.copytree(
        Path(project.__file__).parents[1], tmp_path / "generator" / "perfolio", ignore=skipped
    )


def _texts(root: Path) -> dict[str, bytes]:
    folder = root / REPORTS
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_nothing_is_made_where_nothing_changed(root: Path, work: list[str]) -> None:
    before = _texts(root)

    assert [path.name for path in refresh_project(root)] == ["a", "b"]
    assert work == []
    assert _texts(root) == before
    assert "Run a" in before["index.md"].decode()
    told = [name for name, data in before.items() if str(root).encode() in data]
    assert told == [], "where the project lies is no part of its site"
    assert '"path":"profiles/a"' in before["a/findings.json"].decode().replace(": ", ":")


@pytest.mark.slow
def test_an_edited_description_makes_its_report_and_the_list(root: Path, work: list[str]) -> None:
    before = _texts(root)
    (root / "profiles" / "b" / "profile.toml").write_text('title = "Another"\n')
    refresh_project(root)

    after = _texts(root)
    changed = {name for name in after if after[name] != before.get(name)}
    assert work == ["read b", "store"]
    assert {name.partition("/")[0] for name in changed} == {"b", "index.md", "runs.js"}
    assert "Another" in after["index.md"].decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "measured"),
    [
        ('title = "Another"\nnotes = "New"', []),
        ('title = "Run b"\n[workload]\nbatch_size = 2', ["b"]),
    ],
)
def test_metrics_are_measured_again_only_where_numbers_may_change(
    root: Path, monkeypatch: pytest.MonkeyPatch, edit: str, measured: list[str]
) -> None:
    done: list[str] = []

    measure = result_cache._measure_records

    def noted(connection: duckdb.DuckDBPyConnection, run: int) -> list[dict[str, Any]]:
        done.append(str(run_facts(connection, run)["slug"]))
        return measure(connection, run)

    monkeypatch.setattr(result_cache, "_measure_records", noted)
    (root / "profiles" / "b" / "profile.toml").write_text(edit)
    refresh_project(root)
    assert done == measured

    after = _texts(root)
    shutil.rmtree(root / ".cache" / "metrics")
    (root / STAMPS).unlink()
    refresh_project(root)
    assert _texts(root) == after


@pytest.mark.slow
def test_kept_metrics_of_other_queries_are_not_taken(root: Path) -> None:
    contents: list[str] = []

    def metrics(edition: str) -> dict[str, object]:
        with open_store(root / STORE) as connection:
            facts = run_facts(connection, 1)
            found = connection.execute("SELECT content FROM run WHERE run = 1").fetchone()
            contents.append(str(*(found or ())))
            return result_cache.measure_run(
                connection, 1, facts, result_cache.ResultCache(root / "k", edition)
            )

    first = metrics("a")
    Cache("metrics", root / "k").keep(make_key("a", contents[0]), b"[]", "a")
    assert metrics("a")["metrics"] == []
    assert metrics("b") == first


def _edit_page(root: Path) -> None:
    (root / REPORTS / "a" / "findings.md").write_text("edited by hand")


def _remove_document(root: Path) -> None:
    (root / REPORTS / "a" / "findings.json").unlink()


@pytest.mark.slow
@pytest.mark.parametrize("damage", [_edit_page, _remove_document])
def test_a_report_that_is_not_as_it_was_written_is_made_again(
    root: Path, work: list[str], damage: Callable[[Path], None]
) -> None:
    before = _texts(root)
    damage(root)
    refresh_project(root)

    assert work == ["read a", "store"]
    assert _texts(root) == before


@pytest.mark.slow
def test_a_lost_list_of_reports_is_written_again(root: Path, work: list[str]) -> None:
    before = _texts(root)
    (root / REPORTS / "index.md").unlink()
    refresh_project(root)

    assert work == []
    assert _texts(root) == before


@pytest.mark.slow
def test_reports_expect_what_steps_of_the_project_came_to(root: Path, work: list[str]) -> None:
    def read(name: str) -> RecordedReport:
        path = root / REPORTS / name / "findings.json"
        return RecordedReport(path.parent, json.loads(path.read_text("utf-8")))

    bounded = (one for one in read("a").findings["findings"] if one["estimate"])
    code = next(one["code"] for one in bounded if one["estimate"]["kind"] == "gain")
    step = PromisedStep(code, "", "", "", "iteration", 0.5, None, None, None, None)
    digests = ["x", "y", "z", read("b").run["digest"]]
    keep_promises(
        [
            PairOutcome("x", "y", (digest, "d"), (StepOutcome(step, "kept", 0.1 + place / 10),))
            for place, digest in enumerate(digests)
        ],
        root / "promises.json",
    )
    refresh_project(root)

    assert "read a" in work
    for name, most, cases in (("a", 0.8, 4), ("b", 0.6, 3)):
        found = {one["code"]: one["expected"] for one in read(name).findings["findings"]}[code]
        assert (found["low"], found["high"]) == pytest.approx((0.2, most))
        assert (found["cases"], found["source"], found["part"]) == (cases, "project", 1.0)
        again = make_documents_again(read(name), root / "profiles" / name, Context())
        told = {one["code"]: one["expected"] for one in again.findings["findings"]}[code]
        assert told == found
    pages = (root / REPORTS / "a").rglob("*.md")
    assert any("4 outcomes of this project" in one.read_text("utf-8") for one in pages)
    page = (root / REPORTS / "promises.md").read_text("utf-8")
    assert "[Run b](b/index.md), then y" in page
    assert (root / REPORTS / "charts" / "promise_ranges.svg").is_file()
    (root / "promises.json").write_text("{}")
    with pytest.raises(InputError, match="holds no promises"):
        refresh_project(root)
    (root / "promises.json").unlink()
    refresh_project(root)
    assert not (root / REPORTS / "promises.md").exists()
    assert not (root / REPORTS / "charts").exists()


@pytest.mark.slow
def test_a_changed_template_makes_pages_of_the_documents_that_are_there(
    root: Path, work: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = build_state.compute_edition

    def edited(
        overrides: ThresholdOverrides, own: Path | None, outcomes: ProjectOutcomes
    ) -> Edition:
        templates = dict.fromkeys(compute(overrides, own, outcomes).templates, "other")
        return replace(compute(overrides, own, outcomes), templates=templates, shared="")

    monkeypatch.setattr(project, "compute_edition", edited)
    before = _texts(root)
    refresh_project(root)

    assert work == ["a", "b"]
    assert _texts(root) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edited", "done"),
    [
        ("metrics/run/software.sql", ["read a", "read b", "store", "store"]),
        ("store/models/30_gpu/gpu_busy_time.sql", ["read a", "read b", "store", "store"]),
        ("findings/report/verdicts.yaml", ["read a", "read b", "store", "store"]),
        ("pages/templates/report/findings.md.j2", ["a", "b"]),
        ("exercises/shipped/promise/exercise.md", []),
        ("site/base.yml", []),
    ],
)
def test_an_edit_of_content_makes_what_depends_on_it(
    root: Path,
    work: list[str],
    package: Path,
    monkeypatch: pytest.MonkeyPatch,
    edited: str,
    done: list[str],
) -> None:
    monkeypatch.setattr(build_state, "_PACKAGE", package)
    refresh_project(root)
    before, shared = (root / REPORTS / "index.md").stat().st_mtime_ns, work.copy()
    (package / edited).write_text((package / edited).read_text() + "\n")
    work.clear()
    refresh_project(root)

    assert shared == [], "a copy of the package makes the same"
    assert work == done
    assert (root / REPORTS / "index.md").stat().st_mtime_ns == before, (
        "what did not change is not written"
    )


def test_code_that_changed_meanwhile_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_state, "code_on_disk", lambda: "another")
    with pytest.raises(UsageError, match="not that with which this began; start it again"):
        refresh_project(root)


def test_a_package_of_an_extra_need_not_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the packages of a plain install alone, and again once one of an extra has come."""
    known = build_state.compute_metrics_edition()
    monkeypatch.setattr(build_state, "_MADE_WITH", (*build_state._MADE_WITH, "no-such-package"))
    build_state._compute_code_digest.cache_clear()
    try:
        assert build_state.compute_metrics_edition() != known
    finally:
        build_state._compute_code_digest.cache_clear()


@pytest.mark.slow
def test_thresholds_make_every_report_again(root: Path, work: list[str]) -> None:
    (root / "perfolio.toml").write_text("[thresholds]\nC2 = {medium = 0.9}\n")
    refresh_project(root)

    assert work == ["read a", "read b", "store", "store"]


def test_the_report_of_a_profile_that_is_gone_goes(root: Path, work: list[str]) -> None:
    shutil.rmtree(root / "profiles" / "a")

    assert [path.name for path in refresh_project(root)] == ["b"]
    assert work == []
    assert not (root / REPORTS / "a").exists()
    assert "Run a" not in (root / REPORTS / "index.md").read_text()


@pytest.mark.slow
def test_without_stamps_every_report_is_made_and_nothing_is_written_anew(
    root: Path, work: list[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in (root / REPORTS).rglob("*.md")}
    (root / STAMPS).write_text('{"reports": {"x": 1}}')
    refresh_project(root)

    assert work == ["read a", "read b", "store", "store"]
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.slow
def test_stamps_that_cannot_be_written_are_no_error(root: Path) -> None:
    (root / STAMPS).unlink()
    (root / STAMPS).mkdir()

    assert len(refresh_project(root)) == 2


def _exercises_made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Runs whose exercises are evaluated from now on."""
    done: list[str] = []

    def noted(run: Run, known: Mapping[str, Exercise], runs: Mapping[str, Run], say: Any) -> Any:
        done.append(run.slug)
        list(runs.values())  # as a range of all runs does
        return render_run_exercises(run, known, runs, say)

    monkeypatch.setattr(shared_pages, "render_run_exercises", noted)
    return done


@pytest.mark.slow
def test_an_edit_of_words_evaluates_no_exercise_of_another_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _exercises_made(monkeypatch)
    (root / STAMPS).unlink()
    refresh_project(root)
    assert done == ["a", "b"]
    done.clear()
    toml = root / "profiles" / "b" / "profile.toml"
    toml.write_text('title = "Another"\nnotes = "New"\n')
    refresh_project(root)
    assert done == ["b"]

    done.clear()
    toml.write_text('title = "Another"\nnotes = "New"\n[workload]\nbatch_size = 2\n')
    refresh_project(root)
    assert done == ["a", "b"], "it may have been compared with the numbers of the other"

    after = _texts(root)
    (root / STAMPS).unlink()
    refresh_project(root)
    assert _texts(root) == after


def test_exercises_get_no_words_of_other_runs(root: Path) -> None:
    documents = {
        slug: reports.read_written_document(root / REPORTS / slug / "findings.json")
        for slug in "ab"
    }
    runs = NotedRuns({slug: Run(one.metrics, one.findings) for slug, one in documents.items()})
    own = runs.beside("a")

    assert own["a"].facts["title"] == "Run a"
    assert "title" not in own["b"].facts
    assert own["b"].results == runs["b"].results
    assert own["b"].facts["settings"] == runs["b"].facts["settings"]
    assert own["b"] is runs.beside("c")["b"], "what one exercise found out serves the others"


@pytest.mark.slow
def test_an_edit_of_a_template_makes_its_page_of_every_report_here(
    root: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[str]] = []

    def noted(report: Report, names: Iterable[str]) -> dict[str, str]:
        made.append(list(names))
        return render_pages(report, made[-1])

    monkeypatch.setattr(build_state, "_PACKAGE", package)
    monkeypatch.setattr(report_files, "render_pages", noted)
    monkeypatch.setattr(reports, "map_in_processes", None)
    exercises, before = _exercises_made(monkeypatch), _texts(root)
    template = package / "pages" / "templates" / "report" / "findings.md.j2"
    template.write_text(template.read_text() + "\n")
    refresh_project(root)

    assert made == [["findings"], ["findings"]]
    assert exercises == []
    assert _texts(root) == before
    made.clear()
    refresh_project(root)
    assert made == []


@pytest.mark.slow
def test_a_page_whose_template_is_gone_goes(
    root: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_state, "_PACKAGE", package)
    monkeypatch.setattr(project, "list_page_names", list)
    (package / "pages" / "templates" / "report" / "findings.md.j2").unlink()
    refresh_project(root)

    assert not (root / REPORTS / "a" / "findings.md").exists()
    assert (root / REPORTS / "a" / "index.md").is_file()


@pytest.mark.parametrize(
    ("settings", "has"),
    [
        ("nav:\n  - Glossary: glossary.md\n", True),
        ("nav:\n  - Glossary: our-glossary.md\n", False),
        ("# as in: glossary.md\n", False),
    ],
)
def test_what_the_guide_depends_on_is_in_its_edition(
    tmp_path: Path, settings: str, has: bool
) -> None:
    def compute_shared() -> str:
        return build_state.compute_edition(ThresholdOverrides(), tmp_path, ProjectOutcomes()).shared

    before = compute_shared()
    (tmp_path / "mkdocs.yml").write_text(settings)
    assert build_state.has_glossary(tmp_path) is has
    assert (compute_shared() != before) is has
