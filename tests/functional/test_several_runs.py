"""A store of several runs, with data as large as real ones, answers every metric of each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.run_measurement import evaluate
from perfolio.pipeline.run_documents import ingest_paths
from perfolio.store.database import open_store
from tests.kit.queries import alike, rows_of
from tests.kit.shared import ROOT


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
