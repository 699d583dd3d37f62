"""The command, as a user runs it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from perfolio.store.database import create_store
from tests.functional.conftest import SAMPLE, Run
from tests.kit.databases import Shape, write_database
from tests.kit.shared import ROOT

COMMANDS = (
    "audit", "build", "check", "export", "ingest", "query", "metrics", "report", "serve", "info",
    "simulate", "verify",
)  # fmt: skip


TASK = re.compile(r" *\d+\.\d s  \S[ -~]*")
"""A line of progress."""


def test_help_teaches_with_an_example(run: Run, start: Run) -> None:
    listed = start("--help").stdout
    assert all(name in listed for name in COMMANDS)
    for name in COMMANDS:
        text = run(name, "--help").stdout
        assert f"perfolio {name}" in text
        assert "Example" in text


@pytest.mark.slow
def test_build_makes_a_whole_site(start: Run, tmp_path: Path) -> None:
    done = start("build", SAMPLE, "-o", "site", "--timings")
    assert done.returncode == 0, done.stderr
    verdict, *steps, wrote = done.stdout.splitlines()
    assert verdict.startswith("dlrm-cpu: ")
    assert [line[:5] for line in steps] == ["  1. ", "  2. "]
    assert wrote == "Wrote site/index.html"
    told = [line for line in done.stderr.splitlines() if TASK.fullmatch(line)]
    assert [line.partition(" s  ")[2] for line in told] == [
        "dlrm-cpu-python.d: reading",
        "dlrm-cpu-python.d: calling paths and traces",
        "dlrm-cpu: metrics",
        "dlrm-cpu: charts and pages",
        "building the site",
    ]
    assert "total" in done.stderr
    site = tmp_path / "site"
    pages = {path.name for path in (site / "dlrm-cpu").glob("*.html")}
    assert {"index.html", "findings.html", "metrics.html", "technical.html"} <= pages
    metrics = json.loads((site / "dlrm-cpu" / "findings.json").read_text())["metrics"]
    by_name = {metric["name"]: metric for metric in metrics["metrics"]}
    assert by_name["cpu.time"]["value"] == pytest.approx(27.457779, rel=1e-12)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c", "site"]


def test_query_prints_table_csv_and_json(run: Run, store: Path) -> None:
    sql = "SELECT name, value FROM total"
    assert "cpu_time" in run("query", store, sql).stdout
    rows = list(csv.DictReader(io.StringIO(run("query", store, sql, "--format", "csv").stdout)))
    assert float(rows[0]["value"]) == pytest.approx(27.457779, rel=1e-12)
    answer = json.loads(run("query", store, sql, "--format", "json").stdout)
    assert answer == [{"name": "cpu_time", "value": pytest.approx(27.457779, rel=1e-12)}]
    assert json.loads(run("query", store, f"{sql} WHERE false", "--format", "json").stdout) == []


@pytest.mark.parametrize("sql", ["DROP TABLE run", "SELEKT", "FROM '/etc/passwd'"])
def test_a_query_can_only_read_the_store(run: Run, store: Path, sql: str) -> None:
    before = store.read_bytes()
    done = run("query", store, sql)
    assert done.returncode == 7
    assert done.stderr.startswith("perfolio: the query was refused")
    assert done.stderr.count("\n") == 1
    assert store.read_bytes() == before


def test_metrics_as_list_and_as_document(run: Run, store: Path) -> None:
    text = run("metrics", store).stdout
    assert "27.46 CPU-s" in text
    assert "Not measured" in text
    document = json.loads(run("metrics", store, "--json").stdout)
    assert document["schema"] == "perfolio-metrics/2"


@pytest.mark.slow
def test_metrics_of_several_runs_need_a_name(run: Run, store: Path, tmp_path: Path) -> None:
    other = write_database(tmp_path / "other.d")
    assert run("ingest", other, "--store", store).returncode == 0
    refused = run("metrics", store)
    assert refused.returncode == 2
    assert "choose with --run: dlrm-cpu, other" in refused.stderr
    assert run("metrics", store, "--run", "other").returncode == 0
    assert run("metrics", store, "--run", "nobody").returncode == 2


@pytest.mark.slow
def test_report_writes_only_what_changed(
    run: Run, store: Path, reported: Path, tmp_path: Path
) -> None:
    shutil.copytree(reported, tmp_path / "docs")
    page = tmp_path / "docs" / "dlrm-cpu" / "index.md"
    before = page.stat().st_mtime_ns
    assert run("report", store, "--docs", "docs").returncode == 0
    assert page.stat().st_mtime_ns == before


@pytest.mark.slow
def test_a_findings_document_alone_gives_every_page_again(
    run: Run, reported: Path, tmp_path: Path
) -> None:
    shutil.copy(reported / "dlrm-cpu" / "findings.json", tmp_path / "alone.json")
    done = run("report", "alone.json", "--docs", "again")
    assert done.returncode == 0, done.stderr
    again, before = contents(tmp_path / "again"), contents(reported)
    tree = "dlrm-cpu/charts/cpu_icicle.js"  # of a document alone it has the frames of its table
    assert [b'"cut":false' in files.pop(tree) for files in (before, again)] == [True, False]
    assert again == before
    brief = (reported / "dlrm-cpu" / "report.md.txt").read_text("utf-8")
    assert run("brief", "alone.json").stdout == brief
    assert run("brief", "alone.json", "-o", "brief.md").stdout == "Wrote brief.md\n"
    assert (tmp_path / "brief.md").read_text("utf-8") == brief


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.slow
def test_info_prints_each_command_on_its_own_line(run: Run, tmp_path: Path) -> None:
    amd = write_database(tmp_path / "x.d", Shape(metric="GPUOP (sec)"))
    lines = run("info", amd, "--all").stdout.splitlines()
    assert "    # Needs ROCm 7.0 or later." in lines
    assert "    $ hpcrun -e gpu=rocm,pc=hw PROGRAM" in lines
    assert not [line for line in lines if line.startswith("    $ #")]


@pytest.mark.slow
def test_info_says_what_a_database_holds(run: Run, tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d", Shape(title="my program"))
    text = run("info", database, "--all").stdout
    assert text.startswith("my program: HPCToolkit, format 4.0")
    assert "2  CPU threads" in text
    assert "Recorded: CPUTIME (sec)" in text
    assert "hpcrun -e" in text


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["dlrm-cpu", "dlrm-cpu-torch", "transformer-h100"])
def test_info_fits_a_screen_and_says_what_to_record(run: Run, sample: str) -> None:
    text = run("info", ROOT / "profiles" / sample).stdout
    assert len(text.splitlines()) <= 40
    assert "Holds: " in text
    assert re.search(r"Measured: \d+ of \d+ metrics: ", text)
    commands = [line for line in text.splitlines() if line.startswith("    $ ")]
    assert len(commands) >= 3
    assert len(set(commands)) == len(commands)
    assert text.endswith("All metrics, and what each lacks: --all\n")


@pytest.mark.slow
def test_a_screen_holds_what_has_many_files(run: Run, tmp_path: Path) -> None:
    sample = ROOT / "profiles" / "dlrm-cpu-torch" / "trace.json.gz"
    for rank in range(9):
        text = gzip.decompress(sample.read_bytes()).decode()
        name = tmp_path / "runs" / f"rank{rank}.json"
        name.parent.mkdir(exist_ok=True)
        name.write_text(
            text.replace(
                '"schemaVersion"', f'"distributedInfo": {{"rank": {rank}}}, "schemaVersion"', 1
            )
        )
    text = run("info", tmp_path / "runs").stdout
    assert "and 6 more files" in text
    assert len(text.splitlines()) <= 40


@pytest.mark.slow
def test_terminals_of_80_columns_hold_every_line_but_commands(run: Run, store: Path) -> None:
    for text in (run("info", SAMPLE, "--all").stdout, run("metrics", store).stdout):
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("$ ")]
        assert max(map(len, lines)) <= 80
        assert "…" not in text.replace("sha256", "").split("Holds")[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["build", "nowhere"], 3, "there is no such file"),
        (["build", "empty"], 3, "no profile found"),
        (["build", "cut"], 4, "at byte 0x"),
        (["ingest", "cut", "--store", "s.duckdb"], 4, "at byte 0x"),
        (["query", "nowhere.duckdb", "FROM run"], 5, "no such store"),
        (["query", "foreign.duckdb", "FROM run"], 5, "is no store of Perfolio"),
        (["query", "good", "FROM run"], 5, "good: is a profile, and no store"),
        (["ingest", "good", "--store", "empty"], 5, "empty: is a folder, and a store is a file"),
        (["ingest", "good", "--store", "/proc/s.duckdb"], 9, ": /proc/s.duckdb: cannot be written"),
        (["build", "good", "--config", "no.toml"], 2, "no.toml: cannot be read: No such file"),
        (["build", "good", "-o", "file/site"], 9, "cannot be written"),
        (["build"], 2, "there is no project here"),
        (["serve"], 2, "there is no project here"),
    ],
)
def test_errors_are_one_line_with_a_code(
    run: Run, tmp_path: Path, args: list[str], code: int, says: str
) -> None:
    write_database(tmp_path / "good")
    cut = write_database(tmp_path / "cut")
    data = (cut / "meta.db").read_bytes()
    (cut / "meta.db").write_bytes(data[:700])
    (tmp_path / "empty").mkdir()
    (tmp_path / "foreign.duckdb").write_text("no database")
    (tmp_path / "file").touch()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = run(*args)
    assert done.returncode == code, done.stderr
    *told, problem = done.stderr.splitlines()
    assert problem.startswith("perfolio: ")
    assert says in problem
    assert all(TASK.fullmatch(line) for line in told), done.stderr
    after = {p: p.read_bytes() for p in before}
    assert after == before
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["build", "cut"], 4, "at byte 0x"),
        (["query", "nowhere.duckdb", "FROM run"], 5, "no such store"),
        (["build"], 2, "there is no project here"),
    ],
)
def test_a_process_ends_with_the_code_and_no_traceback(
    start: Run, tmp_path: Path, args: list[str], code: int, says: str
) -> None:
    cut = write_database(tmp_path / "cut")
    (cut / "meta.db").write_bytes((cut / "meta.db").read_bytes()[:700])
    done = start(*args)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("perfolio: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_projects_thresholds_decide_and_are_named(
    run: Run, store: Path, reported: Path, tmp_path: Path
) -> None:
    config = tmp_path / "perfolio.toml"
    config.write_text("[thresholds]\nC1 = {info = 1e-9, low = 2e-9}\n", "utf-8")
    assert run("report", store, "--docs", "own", "--config", config).returncode == 0
    plain, own = (
        {
            finding["code"]: finding
            for finding in json.loads(next(folder.glob("*/findings.json")).read_text("utf-8"))[
                "findings"
            ]
        }
        for folder in (reported, tmp_path / "own")
    )
    assert own["C1"]["default_thresholds"] == plain["C1"]["thresholds"]
    assert all(not one["default_thresholds"] for one in plain.values())
    page = next((tmp_path / "own").glob("*/thresholds.md")).read_text("utf-8")
    assert "This project sets thresholds of its own for C1." in page
    assert "set by this project; by default" in page
    config.write_text("[thresholds]\nC1 = {low = 1, medium = 0.5}\n", "utf-8")
    refused = run("report", store, "--docs", "own", "--config", config)
    assert refused.returncode == 2
    assert "farther above" in refused.stderr


@pytest.mark.slow
def test_a_site_of_others_is_not_replaced(run: Run, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "precious.txt").write_text("mine")
    done = run("build", write_database(tmp_path / "x.d"), "-o", "site")
    assert done.returncode == 9
    assert (tmp_path / "site" / "precious.txt").read_text() == "mine"


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_the_same_store_gives_the_same_documents(run: Run, start: Run, store: Path) -> None:
    args = ("metrics", store, "--json")
    documents = {run(*args).stdout for _ in range(3)}
    documents |= {start(*args, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")}
    assert len(documents) == 1


def test_simulate_makes_a_database_that_says_it_is_simulated(run: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(
        'iterations = 6\niteration = ["a"]\n[kernels.k]\nname = "k"\ntime = "50 us"\n'
        '[phases.a]\nsteps = [{cpu = "20 ms"}, {kernel = "k"}]\n',
        encoding="utf-8",
    )
    done = run("simulate", scenario, "-o", "made.d", "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("made.d: 6 iterations, 6 GPU operations, 0.1 s of wall time; seed 7\n")
    assert json.loads((tmp_path / "made.d" / "truth.json").read_text())["wall"] > 0.12
    assert "simulated = true" in (tmp_path / "made.d" / "profile.toml").read_text()


def test_simulate_names_the_faulty_entry_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.toml"
    scenario.write_text('iteration = ["a"]\n[phases.a]\nsteps = [{cpu = "long"}]\n', "utf-8")
    done = run("simulate", scenario, "-o", "made.d")
    assert done.returncode == 2
    assert "phases.a.steps[1].cpu must be a time such as 4.5 us, not 'long'" in done.stderr
    assert not (tmp_path / "made.d").exists()


# The command as a process: what it does not need, it does not import.


@pytest.mark.slow
def test_no_command_waits_for_pandas(tmp_path: Path) -> None:
    """PyArrow imports it of itself for each list; here it is one that tells."""
    (tmp_path / "pandas.py").write_text(
        "from pathlib import Path; Path(__file__).with_name('imported').touch()"
    )
    database = write_database(tmp_path / "x.d")
    done = subprocess.run(
        [sys.executable, "-m", "perfolio", "info", str(database)],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "imported").exists()


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize(("command", "code"), [("--version", 0), ("info /there/is/none", 3)])
def test_closed_streams_leave_the_exit_code(command: str, code: int, closed: str) -> None:
    line = f"{shlex.quote(sys.executable)} -m perfolio {command} {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False)
    assert done.returncode == code


HEAVY = ("altair", "duckdb", "jinja2", "mkdocs", "numpy", "pyarrow", "rich", "vl_convert", "yaml")
CODE = """
import sys
from perfolio.cli.main import main
main(sys.argv[1:], standalone_mode=False)
print("imported", *(name for name in {heavy} if name in sys.modules))
"""


def test_the_package_imports_nothing() -> None:
    code = "import sys, perfolio; print(*[m for m in sys.modules if m.startswith('perfolio')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["perfolio"]


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [(["--help"], []), (["build", "--help"], []), (["query", "{store}", "FROM run"], ["duckdb"])],
    ids=["help", "build-help", "query"],
)
def test_nothing_is_imported_in_vain(
    tmp_path: Path, arguments: list[str], needed: list[str]
) -> None:
    store = tmp_path / "s.duckdb"
    create_store(store).close()
    given = [each.format(store=store) for each in arguments]
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(heavy=HEAVY), *given],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1].split()[1:] == needed
