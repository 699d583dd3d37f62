"""A lake to a site: full reports of the worst runs, of one that is named, and what is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from perfolio.common.errors import InputError, SiteError, UsageError
from perfolio.findings.document_format import shorten_document
from perfolio.fleet.lake import Lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.fleet_site import build_fleet_report, build_fleet_site, find_lake_run
from perfolio.pipeline.run_redaction import ShareRequest
from tests.fleet.lakes import make_lake
from tests.kit.samples import sample_documents


def list_runs() -> list[dict[str, Any]]:
    """Two runs, of which the one that loses more has its documents."""
    findings = json.dumps(shorten_document(sample_documents("dlrm-cpu").findings))
    run = {"owner": "mirabelle", "hosts": ["node017"], "window_ns": 10, "lanes": 1}
    part = [{"part": "idle", "kind": "launches", "ns": 5}]
    return [
        {
            "run": {**run, "name": "worst-one", "gpu_hours": 9.0}, "part": part,
            "document": [{"name": "findings", "content": findings}],
        },
        {"run": {**run, "name": "other-one", "gpu_hours": 1.0}, "part": part},
    ]  # fmt: skip


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return make_lake(tmp_path_factory.mktemp("lake") / "lake", list_runs())


@pytest.mark.slow
def test_the_worst_run_has_its_report(lake: Lake, tmp_path: Path) -> None:
    view = build_fleet_site(lake, tmp_path / "site", reports=1)
    assert list(view.reports.values()) == ["report-1-worst-one"]
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "report-1-worst-one/index.html" in page
    report = (tmp_path / "site" / "report-1-worst-one" / "index.html").read_text("utf-8")
    assert 'href="../index.html"' in report, "a report leads back to the fleet"


@pytest.mark.slow
def test_a_run_is_reported_by_its_name(lake: Lake, tmp_path: Path) -> None:
    found = build_fleet_report(lake, "worst-one", tmp_path / "site")
    assert (tmp_path / "site" / found.slug / "index.html").is_file()


@pytest.mark.slow
def test_hosts_of_runs_without_iterations_have_pages(tmp_path: Path) -> None:
    runs = list_runs()
    runs[0]["gpu"] = [{"rank": 0, "host": "node017", "idle_ns": 5, "kernel_ns": 5}]
    lake = make_lake(tmp_path / "lake", runs)
    build_fleet_site(lake, tmp_path / "site")
    page = (tmp_path / "site" / "hosts" / "node017.html").read_text("utf-8")
    assert "Not judged" in page


def test_what_is_not_hidden_is_not_shared(lake: Lake, tmp_path: Path) -> None:
    context = Context(share=ShareRequest())
    view = build_fleet_site(lake, tmp_path / "site", context, reports=2)
    assert (dict(view.reports), view.withheld) == ({}, 1)
    for path in (tmp_path / "site").rglob("*"):
        if path.is_file():
            content = path.read_bytes().lower()
            assert not [one for one in (b"mirabelle", b"node017", b"worst-one") if one in content]
    with pytest.raises(UsageError, match="came into the lake without --share"):
        build_fleet_report(lake, "worst-one", tmp_path / "report", context)


@pytest.mark.slow
def test_a_report_that_was_read_for_others_is_shown(tmp_path: Path) -> None:
    findings = sample_documents("dlrm-cpu").findings
    share = ShareRequest()
    shared, _ = share.hidden(findings)
    assert shared["metrics"]["run"]["shared"]
    entry = list_runs()[0]
    entry["run"] |= {"hosts": ["host-1"], "owner": "user-2"}
    entry["document"][0]["content"] = json.dumps(shorten_document(shared))
    lake = make_lake(tmp_path / "lake", [entry])
    view = build_fleet_site(lake, tmp_path / "site", Context(share=share), reports=1)
    assert list(view.reports.values()) == ["report-1-run-1"]
    assert "worst-one" not in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_a_leak_stops_the_site(lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def keep_answers(answers: Any, names: Any) -> Any:
        for answer in answers.values():
            names.collect_names(answer)
        return answers

    monkeypatch.setattr("perfolio.pipeline.fleet_site._hide_names", keep_answers)
    with pytest.raises(SiteError, match="which --share hides"):
        build_fleet_site(lake, tmp_path / "site", Context(share=ShareRequest()))
    assert not (tmp_path / "site").exists()


def test_a_run_is_found_by_the_begin_of_its_identifier(lake: Lake) -> None:
    with open_lake(lake) as connection:
        runs = dict(connection.execute("SELECT name, run FROM run").fetchall())
        assert find_lake_run(connection, runs["other-one"][:4]) == runs["other-one"]
        with pytest.raises(InputError, match="no run of the lake is called nobody"):
            find_lake_run(connection, "nobody")
        with pytest.raises(InputError, match=r"00 names several runs: .*worst-one.*; .*other-one"):
            find_lake_run(connection, "00")


def test_a_run_without_documents_is_named(lake: Lake, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the lake has no documents of other-one"):
        build_fleet_report(lake, "other-one", tmp_path / "site")


def test_commands_say_what_they_made(lake: Lake, tmp_path: Path) -> None:
    given = ["fleet", "site", "--lake", str(lake.root), "--reports", "0", "-o"]
    done = CliRunner().invoke(main, [*given, str(tmp_path / "site")])
    assert done.exit_code == 0, done.output
    assert "Look at the runs that lose most to this cause: launches" in done.output
    assert "index.html" in done.output
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "thesis.txt").write_text("mine", "utf-8")
    refused = CliRunner().invoke(main, [*given, str(tmp_path / "own")])
    assert refused.exit_code == 9
    assert (tmp_path / "own" / "thesis.txt").read_text("utf-8") == "mine"
