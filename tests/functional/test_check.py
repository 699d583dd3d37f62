"""`perfolio check`, as a workflow runs it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from tests.exporters.ci_checks.sarif import SCHEMA
from tests.functional.conftest import SAMPLE, Run
from tests.kit.databases import write_database


@pytest.fixture
def findings(reported: Path) -> Path:
    return reported / "dlrm-cpu" / "findings.json"


def severities(findings: Path) -> list[str]:
    return [one["severity"] for one in json.loads(findings.read_text())["findings"]]


@pytest.mark.slow
def test_the_exit_code_is_that_of_the_level(run: Run, findings: Path) -> None:
    fired = [each for each in severities(findings) if each]
    levels = ["critical", "high", "medium", "low", "info"]
    for place, level in enumerate(levels):
        expected = 11 if set(fired) & set(levels[: place + 1]) else 0
        done = run("check", findings, "--fail-on", level)
        assert done.returncode == expected, (level, done.stderr)
        assert ("perfolio: dlrm-cpu: " in done.stderr) == (expected == 11)
    assert run("check", findings, "--fail-on", "never").returncode == 0


@pytest.mark.slow
def test_a_store_a_profile_and_a_document_say_the_same(
    run: Run, findings: Path, store: Path
) -> None:
    said = {run("check", one, "--fail-on", "never").stdout for one in (findings, store, SAMPLE)}
    assert len(said) == 1


@pytest.mark.slow
def test_formats_are_written_whole(run: Run, findings: Path, tmp_path: Path) -> None:
    for form in ("sarif", "junit"):
        done = run("check", findings, "--fail-on", "never", "--format", form, "-o", f"x.{form}")
        assert (done.returncode, done.stdout) == (0, f"Wrote x.{form}\n"), done.stderr
    jsonschema.validate(json.loads((tmp_path / "x.sarif").read_text()), SCHEMA)
    root = ET.fromstring((tmp_path / "x.junit").read_text())
    assert root.get("tests") == str(len(severities(findings)))


@pytest.mark.slow
def test_all_runs_of_a_store_are_checked(run: Run, store: Path, tmp_path: Path) -> None:
    other = write_database(tmp_path / "other.d")
    assert run("ingest", other, "--store", store).returncode == 0
    said = json.loads(run("check", store, "--fail-on", "never", "--format", "json").stdout)
    assert [one["run"] for one in said["runs"]] == ["dlrm-cpu", "other"]
    args = ("check", store, "--run", "other", "--fail-on", "never", "--format", "json")
    assert [one["run"] for one in json.loads(run(*args).stdout)["runs"]] == ["other"]
    assert run("check", store, "--run", "nobody").returncode == 2


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["nowhere.json"], 3, "cannot be read"),
        (["nowhere.duckdb"], 3, "there is no such file or folder"),
        (["empty.json"], 3, "the file is empty"),
        (["half.json"], 3, "is no JSON"),
        (
            ["--fail-on", "never", "--format", "json", "-o", "file/x", SAMPLE],
            9,
            "cannot be written",
        ),
    ],
)
def test_errors_have_their_own_codes(
    run: Run, tmp_path: Path, args: list[object], code: int, says: str
) -> None:
    (tmp_path / "empty.json").touch()
    (tmp_path / "half.json").write_text('{"schema":')
    (tmp_path / "file").touch()
    done = run("check", *args)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
