"""Results of a run as data frames: the numbers of the report, with their units."""

from __future__ import annotations

import json
import math
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import perfolio
from perfolio.common.errors import InputError, QueryError, UsageError
from perfolio.comparison.record_extraction import make_report_record
from perfolio.comparison.run_record import write_record
from perfolio.exporters import arrow_tables, data_frames
from perfolio.exporters.data_frames import MissingPandasError
from perfolio.exporters.notebook_run import RunComparison
from perfolio.findings.document_format import shorten_document
from perfolio.pages.report_rendering import render_short_report
from perfolio.pages.report_view import Report
from perfolio.pipeline.build_context import RunDocuments
from perfolio.readers import registry
from tests.kit.samples import PROFILES, documents_at, sample_documents, store_at


@pytest.fixture(scope="module")
def trace() -> Path:
    (found,) = registry.find(PROFILES / "dlrm-cpu-torch")
    return found


@pytest.fixture(scope="module")
def store(trace: Path) -> Path:
    return store_at(trace)


@pytest.mark.slow
def test_metrics_have_the_numbers_of_the_report(trace: Path, store: Path) -> None:
    frame = data_frames.metrics(store)
    told = {each["name"]: each for each in documents_at(trace).metrics["metrics"]}
    scalars = {name for name, each in told.items() if each["shape"] == "scalar"}
    assert set(frame.index) == scalars
    for name in scalars:
        value = frame.loc[name, "value"]
        if told[name]["status"] == "measured":
            assert value == told[name]["value"]
        else:
            assert math.isnan(value)
            assert frame.loc[name, "reason"]
    assert frame.loc["time.wall", "unit"] == "s"
    assert frame.attrs["definitions"]["value"]


@pytest.mark.usefixtures("known_trace")
def test_a_table_has_units_and_definitions(store: Path) -> None:
    frame = data_frames.table(store, "cpu.top_functions")
    assert len(frame) > 5
    assert frame["exclusive"].is_monotonic_decreasing
    assert frame.attrs["units"]["exclusive_share"] == "ratio"
    assert frame.attrs["definitions"]["function"] == "Function"
    assert frame.attrs["status"] == "measured"


@pytest.mark.usefixtures("known_trace")
def test_what_was_not_measured_has_no_rows_and_a_reason(store: Path) -> None:
    frame = data_frames.table(store, "balance.by_rank")
    assert frame.empty
    assert list(frame.columns) == ["rank", "threads", "time", "share"]
    assert "rank" in frame.attrs["reason"]
    assert frame.attrs["collect"]


@pytest.mark.usefixtures("known_trace")
def test_an_unknown_table_is_named_with_those_there_are(store: Path) -> None:
    with pytest.raises(UsageError, match=r"no table 'cpu\.nothing'.*cpu\.top_functions"):
        data_frames.table(store, "cpu.nothing")
    with pytest.raises(UsageError, match="no table"):
        data_frames.table(store, "time.wall")


def test_findings_have_a_row_for_each_rule(store: Path, known_trace: RunDocuments) -> None:
    frame = data_frames.findings(store)
    told = {each["code"]: each for each in known_trace.findings["findings"]}
    assert set(frame.index) == set(told)
    assert all(frame.loc[code, "status"] == each["status"] for code, each in told.items())


def test_a_query_keeps_units_of_columns(store: Path) -> None:
    frame = data_frames.query(store, "SELECT start, duration, name FROM host_range ORDER BY start")
    assert frame.attrs["units"] == {"start": "ns", "duration": "ns", "name": "text"}
    assert (frame["duration"] >= 0).all()
    whole = data_frames.query(store, "SELECT total_of('elapsed_time') AS seconds", run=_run(store))
    assert whole["seconds"][0] > 0


def _run(store: Path) -> str:
    return str(data_frames.query(store, "SELECT slug FROM run")["slug"][0])


@pytest.mark.parametrize("sql", ["", "DROP TABLE run", "SELECT 1; SELECT 2", "SELECT nothing"])
def test_a_query_only_reads(store: Path, sql: str) -> None:
    with pytest.raises(QueryError):
        data_frames.query(store, sql)


def test_without_pandas_one_line_names_the_command(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPandasError, match=r"pip install 'pandas"):
        data_frames.query(store, "SELECT 1")


# A run in a notebook: what its cell shows, and its frames.


class Cell(HTMLParser):
    """Elements and attributes of what a cell shows, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


TAGS = {
    *("div", "p", "strong", "img", "ol", "ul", "li", "code", "details", "summary"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
EVIL = "</p><script>alert(1)</script><img src=x onerror=alert(2)> & \" '"


def write_findings(folder: Path, name: str = "dlrm-h100", evil: str = "") -> Path:
    """The findings.json of a sample; with words in place of names of the profile."""
    told = shorten_document(sample_documents(name).findings)
    if evil:
        run = {**told["metrics"]["run"], "title": evil, "tool": evil}
        verdict = {**told["verdict"], "headline": evil, "sentence": evil}
        parts = [{**each, "name": evil} for each in told["breakdown"]["parts"]]
        found = [{**each, "title": evil} for each in told["findings"]]
        told |= {"verdict": verdict, "breakdown": {**told["breakdown"], "parts": parts}}
        told |= {"metrics": {**told["metrics"], "run": run}, "findings": found}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


def test_a_cell_shows_the_summary(tmp_path: Path) -> None:
    run = perfolio.Run(write_findings(tmp_path))
    cell = Cell(run._repr_html_())
    documents = sample_documents("dlrm-h100")
    report = Report(documents.metrics, documents.findings, {})
    for words in (run.verdict, "time.wall", report.steps[0]["code"], "Simulated"):
        assert words in " ".join(cell.words.split())
    steps = [tag for tag, _ in cell.found if tag == "li"]
    assert len(steps) == min(len(report.steps), 3)
    assert len(run._repr_html_()) < 20_000
    assert run.brief == render_short_report(report)
    assert len(run.brief) <= 16_000
    assert repr(run) == f"<Run dlrm-h100: {run.verdict}>"


@pytest.mark.parametrize("evil", ["", EVIL])
def test_a_cell_runs_and_loads_nothing(evil: str, tmp_path: Path) -> None:
    run = perfolio.Run(write_findings(tmp_path, evil=evil))
    other = perfolio.Run(write_findings(tmp_path, "transformer"))
    document = dict(run.compare(other)._document)
    if evil:
        document["names"] = {"before": evil, "after": evil}
        document["figures"] = [{**each, "title": evil} for each in document["figures"]]
    for text in (run._repr_html_(), RunComparison(document)._repr_html_()):
        cell = Cell(text)
        assert {tag for tag, _ in cell.found} <= TAGS
        for _, attributes in cell.found:
            assert set(attributes) <= {"style", "src", "width", "alt", "open"}
            assert (attributes.get("src") or "data:image/svg+xml,").startswith(
                "data:image/svg+xml,"
            )
            assert "<script" not in unquote(attributes.get("src") or "")
        assert not evil or "<script>alert(1)" in cell.words


def test_a_run_has_the_frames_of_its_store(tmp_path: Path) -> None:
    run = perfolio.Run(write_findings(tmp_path))
    documents = sample_documents("dlrm-h100")
    told = {each["name"]: each for each in documents.metrics["metrics"]}
    assert run.metrics.loc["time.wall", "value"] == told["time.wall"]["value"]
    assert set(run.findings.index) == {each["code"] for each in documents.findings["findings"]}
    assert list(run.kernels["time"]) == sorted(run.kernels["time"], reverse=True)
    assert run.kernels.attrs["units"]["time"] == "s"
    assert run.table("gpu.kernels").equals(run.kernels)
    with pytest.raises(UsageError, match="no table"):
        run.table("gpu.nothing")


def test_runs_are_compared(tmp_path: Path) -> None:
    run = perfolio.Run(write_findings(tmp_path))
    same = run.compare(write_findings(tmp_path))
    assert (same.verdict, same.difference) == ("no-difference", 0.0)
    assert same.sentence.startswith("Both sides")
    assert list(same.parts.columns) == ["part", "kind", "before", "after", "difference"]
    figures = same.figures.set_index("name")
    assert figures.loc["time.wall", "before"] == figures.loc["time.wall", "after"] > 0
    assert set(same.findings["fate"]) == {"unchanged"}
    assert same.work.empty
    assert same.work.attrs["definitions"]["by_calls"].endswith("[ns]")


def test_what_is_no_single_run_is_refused(store: Path, tmp_path: Path) -> None:
    document = write_findings(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        perfolio.Run(tmp_path / "gone.json")
    with pytest.raises(UsageError, match="is no store, of which run names a run"):
        perfolio.Run(document, run="dlrm-h100")
    with pytest.raises(UsageError, match="the store has no run 'other'"):
        perfolio.Run(store, run="other")
    record = tmp_path / "record.json"
    record.write_text(write_record(make_report_record(sample_documents("dlrm-h100").findings)))
    with pytest.raises(UsageError, match="is a record of runs without their report"):
        perfolio.Run(record)


def test_a_column_of_mixed_values_is_text() -> None:
    assert arrow_tables._make_array([1, "a", None], is_text=False).to_pylist() == ["1", "a", None]
    assert arrow_tables._make_array([1, 2.5, None], is_text=False).to_pylist() == [1.0, 2.5, None]
    assert arrow_tables._make_array([None, None], is_text=False).to_pylist() == [None, None]
