"""Results of a run as data frames: the numbers of the report, with their units."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from perfolio.common.errors import QueryError, UsageError
from perfolio.exporters import arrow_tables, data_frames
from perfolio.exporters.data_frames import MissingPandasError
from perfolio.pipeline.run_documents import RunDocuments
from perfolio.readers import registry
from tests.kit.samples import PROFILES, documents_at, store_at


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


@pytest.mark.usefixtures("known")
def test_a_table_has_units_and_definitions(store: Path) -> None:
    frame = data_frames.table(store, "cpu.top_functions")
    assert len(frame) > 5
    assert frame["exclusive"].is_monotonic_decreasing
    assert frame.attrs["units"]["exclusive_share"] == "ratio"
    assert frame.attrs["definitions"]["function"] == "Function"
    assert frame.attrs["status"] == "measured"


@pytest.mark.usefixtures("known")
def test_what_was_not_measured_has_no_rows_and_a_reason(store: Path) -> None:
    frame = data_frames.table(store, "balance.by_rank")
    assert frame.empty
    assert list(frame.columns) == ["rank", "threads", "time", "share"]
    assert "rank" in frame.attrs["reason"]
    assert frame.attrs["collect"]


@pytest.mark.usefixtures("known")
def test_an_unknown_table_is_named_with_those_there_are(store: Path) -> None:
    with pytest.raises(UsageError, match=r"no table 'cpu\.nothing'.*cpu\.top_functions"):
        data_frames.table(store, "cpu.nothing")
    with pytest.raises(UsageError, match="no table"):
        data_frames.table(store, "time.wall")


def test_findings_have_a_row_for_each_rule(store: Path, known: RunDocuments) -> None:
    frame = data_frames.findings(store)
    told = {each["code"]: each for each in known.findings["findings"]}
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


def test_a_column_of_mixed_values_is_text() -> None:
    assert arrow_tables._make_array([1, "a", None], is_text=False).to_pylist() == ["1", "a", None]
    assert arrow_tables._make_array([1, 2.5, None], is_text=False).to_pylist() == [1.0, 2.5, None]
    assert arrow_tables._make_array([None, None], is_text=False).to_pylist() == [None, None]
