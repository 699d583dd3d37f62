"""What long work tells: bars on a terminal, lines elsewhere, and results meanwhile."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress as RichBars

from perfolio.common import progress
from perfolio.common.progress import LineProgress, show_progress
from perfolio.pages.first_steps import tell_first_steps
from perfolio.pipeline import report_files, reports, run_documents
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.reports import ReportSubject
from tests.kit.databases import Shape, write_database
from tests.kit.measurements import measured_once

LINE = re.compile(r" *\d+\.\d s  \S[^\x00-\x1f\x7f]*")


def test_a_task_is_one_plain_line_with_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress(lines=True) as told:
        told.start("small: metrics", None)
        told.start("a\nname\x1b[31m of \u202e" + 500 * "x", 3)
        told.advance(3)
        told.say("small: waits")
    out, err = capsys.readouterr()
    assert out == "small: waits\n"
    lines = err.splitlines()
    assert [bool(LINE.fullmatch(line)) for line in lines] == [True, True], err
    assert lines[0].endswith(" s  small: metrics")
    assert max(map(len, lines)) < 140


def test_without_lines_only_the_result_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress() as told:
        told.start("small: metrics", None)
        told.say("small: waits")
    assert capsys.readouterr() == ("small: waits\n", "")


def test_work_goes_on_when_nobody_reads_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with io.TextIOWrapper(os.fdopen(writer, "wb", buffering=0), write_through=True) as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        monkeypatch.setattr(sys, "stderr", closed)
        told = LineProgress()
        told.start("small: metrics", None)
        told.say("small: waits")


def test_a_result_stands_beside_the_bars_of_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    terminal = io.StringIO()
    console = Console(file=terminal, force_terminal=True, width=80)
    with RichBars(console=console, transient=True) as bars:
        told = progress._BarProgress(bars)
        told.start("small: metrics", 4)
        told.advance(1)
        told.say("small: waits")
        told.advance(1)
        assert [task.completed for task in bars.tasks] == [2]
    assert capsys.readouterr().out == "small: waits\n"
    assert "small: metrics" in terminal.getvalue()
    assert "small: waits" not in terminal.getvalue()


@pytest.fixture
def databases(tmp_path: Path) -> list[Path]:
    shapes = {name: Shape(title=name, seed=len(name)) for name in ("one", "three")}
    return [write_database(tmp_path / name, shape) for name, shape in shapes.items()]


@pytest.mark.slow
def test_the_verdict_is_said_before_charts_and_pages_are_made(
    databases: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def make_files(*_: object) -> dict[str, str]:
        assert said[0].startswith("one: ")
        return {}

    monkeypatch.setattr(report_files, "report_files", make_files)
    store = tmp_path / "s.duckdb"
    run_documents.ingest_paths(databases[:1], store)
    with measured_once():
        (report,) = reports.make_reports([ReportSubject(store, 1)], Context(say=said.append))
    verdict, *steps = said
    assert verdict == f"one: {report.documents.findings['verdict']['sentence']}"
    assert steps == [f"  {line}" for line in tell_first_steps(report.documents.findings)] != []


@pytest.mark.slow
def test_each_verdict_is_said_once(
    databases: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "map_in_processes", map)  # in this process: it is faster for two
    monkeypatch.setattr(report_files, "report_files", lambda *_: {})
    said: list[str] = []
    told = Context(say=said.append)
    store = tmp_path / "s.duckdb"
    runs = run_documents.ingest_paths(databases, store)
    with measured_once():
        made = reports.make_reports([ReportSubject(store, one.run) for one in runs], told)
    for report in made:
        told.judged(report.documents)
    assert [line.partition(": ")[0] for line in said] == ["one", "three"]
