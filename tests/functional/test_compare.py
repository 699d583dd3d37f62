"""`perfolio compare`: subjects, groups, forms, what is hidden, and what is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner, Result

from perfolio.cli.main import main
from perfolio.comparison.comparison_document import load_comparison_schema
from perfolio.comparison.run_record import CountedFigure, write_record
from perfolio.pipeline.run_comparison import read_records
from tests.comparison.support import make_record, make_row
from tests.exporters.ci_checks.sarif import SCHEMA
from tests.kit.databases import Shape, write_database
from tests.kit.samples import simulated_sample, store_at

SECRETS = ("zqalice", "zqsecret")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def _write_records(folder: Path, times: list[int]) -> list[Path]:
    found = []
    for number, time in enumerate(times):
        record = make_record([make_row("gemm", 10 * time)], digest=f"{folder.name}{number}")
        path = folder / f"{number}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(write_record(record), encoding="utf-8")
        found.append(path)
    return found


def test_groups_of_records_are_judged(tmp_path: Path) -> None:
    before = _write_records(tmp_path / "before", [1_000, 1_005, 995])
    after = _write_records(tmp_path / "after", [900, 905, 895])
    done = run("--before", *before, "--after", *after, "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    jsonschema.Draft202012Validator(load_comparison_schema()).validate(document)
    assert document["verdict"]["kind"] == "faster"
    told = run("--before", *before, "--after", *after, "--least", "15")
    assert "No difference of 15 % or more: -10.0 %" in told.output
    target = tmp_path / "said.md"
    done = run(before[0], after[0], "--format", "markdown", "-o", target)
    assert done.output == f"Wrote {target}\n"
    assert target.read_text("utf-8").startswith("## a-run and a-run\n")


@pytest.mark.parametrize(
    ("times", "state", "says"),
    [
        ([1_100, 1_105, 1_095], "failure", "::error title=a-run%3A Time of an iteration (high)::1"),
        ([900, 905, 895], "system-out", "::notice title=a-run::The runs after take 10.0 % less"),
        ([1_000, 1_005, 996], "system-out", "::notice title=a-run::No difference of 2 % or more"),
        ([900], "skipped", "::warning title=a-run::These recordings differ by -10.0 %"),
    ],
)
def test_forms_for_ci_say_that_slower_runs_fail(
    times: list[int], state: str, says: str, tmp_path: Path
) -> None:
    sides = [
        _write_records(tmp_path / "a", [1_000, 1_005, 995]),
        _write_records(tmp_path / "b", times),
    ]
    arguments: list[str | Path] = ["--before", *sides[0], "--after", *sides[1], "--format"]
    github, junit, sarif = (run(*arguments, form) for form in ("github", "junit", "sarif"))
    assert (github.exit_code, junit.exit_code, sarif.exit_code) == (0, 0, 0)
    assert says in github.output.replace(" %25", " %")
    case = ET.fromstring(junit.output).find(".//testcase[@name='Time of an iteration']/*")
    assert case is not None
    assert case.tag == state
    jsonschema.validate(json.loads(sarif.output), SCHEMA)
    results = json.loads(sarif.output)["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == (["time"] if state == "failure" else [])


def test_more_launches_are_told_and_other_work_is_no_verdict(tmp_path: Path) -> None:
    def write(name: str, launches: int, **conditions: str) -> Path:
        counted = {"launches": CountedFigure("iteration", launches)}
        record = make_record(
            [make_row("gemm", 9)], digest=name, slug=name, counted=counted, conditions=conditions
        )
        path = tmp_path / f"{name}.json"
        path.write_text(write_record(record), encoding="utf-8")
        return path

    before, more = write("before", 3, gpu="H100"), write("more", 4, gpu="H100")
    said = run(before, more, "--format", "github").output
    assert "::notice title=more%3A Launches in an iteration (info)::4, before 3: 1 more" in said
    said = run(before, write("other", 3, gpu="A100"), "--format", "github").output
    assert said.startswith("::warning title=other::Not comparable: GPU differs")
    junit = run(before, tmp_path / "other.json", "--format", "junit").output
    assert ET.fromstring(junit).find(".//error") is not None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "there are not two sides to compare"),
        (["a.json"], "there are not two sides to compare"),
        (["a.json", "b.json", "c.json", "--format", "json"], "JSON is of one comparison"),
        (["--before", "a.json"], "there are not two sides to compare"),
        (["a.json", "b.json", "--before", "c.json"], "there are not two sides to compare"),
        (["a.json", "b.json", "--run", "x"], "--run names a run of a store"),
        (["a.json", "b.json", *["--run", "x"] * 3], "--run is given 3 times for 2 sides"),
        (["a.json", "b.json", "--took", "M9"], "the report has no step 'M9'; it has none"),
        (["nowhere.json", "b.json"], "nowhere.json: there is no such file or folder"),
        (["damaged.json", "b.json"], "damaged.json: is no run record: "),
        (["other.json", "b.json"], "other.json: "),
        (["nan.json", "b.json"], "NaN is no number of JSON"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = write_record(make_record([make_row("gemm", 10)]))
    for name, content in {
        "a.json": text,
        "b.json": text,
        "c.json": text,
        "damaged.json": text.replace('"iterations":10', '"iterations":9'),
        "other.json": '{"schema": "other"}',
        "nan.json": text.replace('"ns":10', '"ns":NaN'),
    }.items():
        Path(name).write_text(content, encoding="utf-8")
    done = run(*arguments)
    assert done.exit_code in (2, 3, 4)
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("derived")
def test_a_profile_and_its_store_are_the_same_run() -> None:
    database = simulated_sample("dlrm-h100-workers").folder
    done = run(database, store_at(database), "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    assert document["verdict"]["kind"] == "no-difference"
    assert document["matched_share"] == {"before": 1.0, "after": 1.0}
    assert run(database, store_at(database), "--run", "other").exit_code == 2


@pytest.mark.slow
@pytest.mark.usefixtures("derived")
def test_different_tools_are_not_comparable(tmp_path: Path) -> None:
    database = write_database(tmp_path / "run.d", Shape())
    done = run(simulated_sample("dlrm-h100-workers").folder, database)
    assert done.exit_code in (0, 2)
    if done.exit_code == 0:
        assert "Not comparable: " in done.output


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_no_private_name_is_shared(tmp_path: Path) -> None:
    names = ("main", "/home/zqalice/zqsecret/train.py work", "wait_zqalice")
    path = write_database(tmp_path / "home" / "zqalice" / "zqsecret" / "run.d", Shape(names=names))
    for form in ("text", "json"):
        done = run(path, path, "--share", "--format", form)
        assert done.exit_code == 0, done.output
        assert not [each for each in SECRETS if each in done.output]
    text = write_record(read_records([path])[0])
    assert "/home/" not in text


def test_a_folder_is_a_site_and_an_ending_is_a_form(tmp_path: Path) -> None:
    before = _write_records(tmp_path / "before", [1_000, 1_005, 995])
    after = _write_records(tmp_path / "after", [900, 905, 895])
    groups: list[str | Path] = ["--before", *before, "--after", *after]
    for ending, begin in (("json", "{"), ("md", "## a-run"), ("txt", "a-run and")):
        target = tmp_path / f"said.{ending}"
        assert run(*groups, "-o", target).exit_code == 0
        assert target.read_text("utf-8").startswith(begin)
    site = tmp_path / "site"
    done = run(*groups, "-o", site)
    assert done.exit_code == 0, done.output
    assert done.output.endswith(f"Wrote {site}/index.html\n")
    assert {"index.html", "comparison.json", "charts"} <= {each.name for each in site.iterdir()}
    assert not (site / "before").exists(), "records have no report"
    refused = run(*groups, "-o", tmp_path / "page.html")
    assert refused.exit_code == 2
    assert "is a folder, not one file" in refused.output


def test_several_runs_are_compared_with_one_and_listed(tmp_path: Path) -> None:
    sides = {
        name: _write_records(tmp_path / name, [time, time + 5, time - 5])
        for name, time in {"before": 1_000, "slow": 1_100, "fast": 900}.items()
    }
    folders = [tmp_path / name for name in sides]
    for name, paths in sides.items():
        keep = CliRunner().invoke(
            main, ["baseline", "add", name, *map(str, paths), "--folder", str(tmp_path / "kept")]
        )
        assert keep.exit_code == 0, keep.output
    kept = [tmp_path / "kept" / f"{folder.name}.json" for folder in folders]
    text = run(*kept).output
    assert "before (3 runs) and slow (3 runs)\n" in text
    assert "The runs after take 10.0 % more time" in text
    assert len(ET.fromstring(run(*kept, "--format", "junit").output)) == 2
    site = tmp_path / "site"
    done = run(*kept, "-o", site)
    assert done.exit_code == 0, done.output
    assert "fast (3 runs): The runs after take 10.0 % less time" in done.output
    pages = sorted(path.parent.name for path in site.glob("comparisons/*/comparison.json"))
    assert pages == ["fast-3-runs", "slow-3-runs"]
    start = (site / "index.html").read_text("utf-8")
    assert "Take fast (3 runs): it is the fastest." in start
    assert start.index('"comparisons/fast-3-runs/index.html') < start.index(
        '"comparisons/slow-3-runs/'
    )


@pytest.mark.parametrize("command", ["build", "compare"])
def test_a_folder_of_somebody_else_is_refused_before_anything_is_read(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    done = CliRunner().invoke(main, [command, "no-run", "no-other", "-o", str(tmp_path)])
    assert done.exit_code == 9
    assert f"{tmp_path}: is not empty and was not made by Perfolio" in done.output


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_a_site_has_the_reports_of_single_runs_and_hides_what_is_private(tmp_path: Path) -> None:
    names = ("main", "/home/zqalice/zqsecret/train.py work", "wait_zqalice")
    home = tmp_path / "home" / "zqalice" / "zqsecret"
    sides = [write_database(home / name, Shape(names=names)) for name in ("before.d", "after.d")]
    site = tmp_path / "site"
    done = run(*sides, "--share", "-o", site)
    assert done.exit_code == 0, done.output
    assert (site / "before" / "index.html").is_file()
    assert (site / "after" / "index.html").is_file()
    for file in (each for each in site.rglob("*") if each.is_file()):
        content = file.read_bytes()
        assert not [each for each in SECRETS if each.encode() in content], file
