"""`perfolio build`: of a project, into one file, of several runs, and how long its stages take."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from perfolio.__main__ import _names_profiles
from perfolio.cli.command_options import print_timings
from perfolio.cli.main import main
from perfolio.common.errors import InputError
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.run_measurement import evaluate
from perfolio.pipeline.build_context import Context, StageTimings
from perfolio.pipeline.run_documents import ingest_paths, make_documents
from perfolio.pipeline.verification.site_verification import _find_project
from perfolio.store.database import open_store
from tests.functional.conftest import SAMPLE, Run, called, own_exercise
from tests.kit.databases import write_database
from tests.kit.kept import KEPT
from tests.kit.measurements import measured_once
from tests.kit.queries import alike, rows_of
from tests.kit.shared import ROOT

# The project's own pages with two reports: built by one command, and verified by another.

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


# `perfolio build --single-file`: one file, whole or not at all.


def built(*arguments: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["build", *map(str, arguments)])
    return done.exit_code, done.output


@pytest.mark.slow
def test_one_profile_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "new" / "report.html"
    code, said = built(write_database(tmp_path / "a.d"), "--single-file", target)

    assert code == 0, said
    assert f"Wrote {target}" in said
    assert '<article class="md-typeset pf-single-page' in target.read_text("utf-8")
    assert not (tmp_path / "site").exists()


def test_several_profiles_are_refused(tmp_path: Path) -> None:
    paths = [write_database(tmp_path / name) for name in ("a.d", "b.d")]
    code, said = built(*paths, "--single-file", tmp_path / "report.html")

    assert code == 2
    assert "there are 2 runs, and one file holds one report" in said
    assert not (tmp_path / "report.html").exists()


def test_a_project_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    code, said = built("--single-file", tmp_path / "report.html")

    assert code == 2
    assert "--single-file goes with PATHS" in said


@pytest.mark.slow
def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    code, said = built(write_database(tmp_path / "a.d"), "--single-file", tmp_path / "taken" / "x")

    assert code == 9
    assert "cannot be written" in said


# A store of several runs, with data as large as real ones, answers every metric of each.


@pytest.mark.slow
def test_metrics_of_a_run_do_not_depend_on_the_runs_beside_it(tmp_path: Path) -> None:
    sample, again = ROOT / "profiles" / "dlrm-cpu", tmp_path / "again"
    shutil.copytree(sample, again)
    described = (sample / "profile.toml").read_text("utf-8")
    (again / "profile.toml").write_text(described.replace("title = ", 'title = "Again" # ', 1))
    catalog = load_catalog()
    ingest_paths([sample], tmp_path / "one.duckdb")
    ingest_paths([sample, again], tmp_path / "two.duckdb")

    with open_store(tmp_path / "one.duckdb", reproducible=True) as connection:
        alone = evaluate(connection, 1, catalog)
    with open_store(tmp_path / "two.duckdb", reproducible=True) as connection:
        first, second = (evaluate(connection, run, catalog) for run in (1, 2))

    differing = [
        (name, one)
        for name in catalog
        for one in (first[name], second[name])
        if not alike((alone[name].value, alone[name].rows), (one.value, one.rows))
    ]
    assert differing == []


BY_MODULE = """
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(cpu_time.duration) AS spent
    FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
    GROUP BY enclosing.frame
)
SELECT name, sum(spent)
FROM (
    SELECT coalesce(parse_filename(frames.module_path), 'unknown module') AS name, spent.spent
    FROM spent JOIN frame AS frames ON frames.frame = spent.frame
)
GROUP BY name
ORDER BY name
"""
"""A query as people write them, which ended DuckDB 2.0 where names of frames were in its plan."""


@pytest.mark.slow
def test_names_of_frames_may_be_joined_where_a_store_has_several_runs(tmp_path: Path) -> None:
    sample, again = ROOT / "profiles" / "dlrm-cpu", tmp_path / "again"
    shutil.copytree(sample, again)
    (again / "profile.toml").write_text('title = "Again"\n')
    ingest_paths([sample, again], tmp_path / "two.duckdb")

    with open_store(tmp_path / "two.duckdb", reproducible=True) as connection:
        first, second = (rows_of(connection, BY_MODULE, run) for run in (1, 2))

    assert first
    assert first == second


# --timings says what stages took, and slow models with their room.


def test_models_above_50_ms_are_named_slowest_first(capsys: pytest.CaptureFixture[str]) -> None:
    timings = StageTimings(
        {"store": 1.25, "site": 2.0}, {"gpus": 0.05, "frame": 0.06, "blame": 0.2}
    )
    print_timings(timings)
    assert capsys.readouterr().err.splitlines() == [
        "     store    1.25 s",
        "      site    2.00 s",
        "     total    3.25 s",
        "     model    0.20 s  60_idle/blame",
        "     model    0.06 s  20_paths/frame",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_stages_know_what_their_models_took(tmp_path: Path) -> None:
    context = Context()
    ingest_paths([Path(SAMPLE)], tmp_path / "store.duckdb", context)
    assert {"frame", "cpu_time"} <= context.timings.models.keys()
    stored = dict(context.timings.models)
    make_documents(tmp_path / "store.duckdb", context=context)
    assert context.timings.models.keys() > stored.keys()
    assert all(taken >= 0 for taken in context.timings.models.values())


def test_what_stages_took_elsewhere_is_added() -> None:
    timings = StageTimings({"store": 1.0}, {"frame": 0.5})
    timings.add(StageTimings({"store": 2.0, "pages": 1.0}, {"frame": 0.25, "blame": 1.0}))
    assert timings.seconds == {"store": 3.0, "pages": 1.0}
    assert timings.models == {"frame": 0.75, "blame": 1.0}


@pytest.mark.slow
def test_a_run_is_called_as_the_caller_says_also_when_it_is_verified(
    run: Run, tmp_path: Path
) -> None:
    write_database(tmp_path / "x.d")
    done = run("build", "x.d", "--name", " Our <run> & co ", "-o", "site")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "our-run-co" / "index.html").read_text("utf-8")
    assert "<title>Summary · Our &lt;run&gt; &amp; co ·" in page
    assert run("verify", "site").returncode == 0
    write_database(tmp_path / "y.d")
    several = run("build", "x.d", "y.d", "--name", "both", "-o", "other")
    assert several.returncode == 2
    assert several.stderr.endswith("2 runs cannot have one name; name one profile\n")
    assert "--name goes with PATHS" in run("build", "--name", "x").stderr
    assert "must be one line" in run("build", "x.d", "--name", "a\nb").stderr


@pytest.mark.parametrize(
    ("line", "begun"),
    [
        ("build trace.json.gz", True),
        ("build trace.json.gz -o site --timings", True),
        ("build -o site trace.json.gz", True),
        ("serve runs/", True),
        ("build", False),
        ("build -o site", False),
        ("build --help", False),
        ("serve --address 127.0.0.1:8001", False),
        ("check a b", False),
        ("", False),
    ],
)
def test_a_process_begins_beside_what_builds_reports_of_profiles(line: str, *, begun: bool) -> None:
    assert _names_profiles(line.split()) == begun


@pytest.mark.slow
def test_a_site_is_the_same_by_one_process_and_by_several(start: Run, tmp_path: Path) -> None:
    write_database(tmp_path / "run.d")
    of_several = start("build", "run.d", "-o", "several")
    assert of_several.returncode == 0, of_several.stderr
    of_one = called("build", "run.d", "-o", "one", cwd=tmp_path)

    assert of_one.stdout.replace("one/", "several/") == of_several.stdout
    one, several = (
        {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
        for site in (tmp_path / "one", tmp_path / "several")
    )
    assert one.keys() == several.keys()
    assert [str(path) for path in one if one[path] != several[path]] == []
