"""A store of several runs, with data as large as real ones, answers every metric of each."""

import shutil
from pathlib import Path

from generator.metrics.catalog import load_catalog
from generator.metrics.evaluate import evaluate
from generator.pipeline import ingest_paths
from generator.store.connect import open_store
from tests.shared import ROOT


def test_metrics_of_a_run_do_not_depend_on_the_runs_beside_it(tmp_path: Path) -> None:
    sample, again = ROOT / "profiles" / "dlrm-cpu", tmp_path / "again"
    shutil.copytree(sample, again)
    (again / "profile.toml").write_text('title = "The same under another name"\n')
    catalog = load_catalog()
    ingest_paths([sample], tmp_path / "one.duckdb")
    ingest_paths([sample, again], tmp_path / "two.duckdb")

    with open_store(tmp_path / "one.duckdb", reproducible=True) as connection:
        alone = evaluate(connection, 1, catalog)
    with open_store(tmp_path / "two.duckdb", reproducible=True) as connection:
        first, second = (evaluate(connection, run, catalog) for run in (1, 2))

    differing = [
        name
        for name in catalog
        if not alone[name].rows == first[name].rows == second[name].rows
        or not alone[name].value == first[name].value == second[name].value
    ]
    assert differing == []


BY_MODULE = """
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(cpu_time.duration) AS spent
    FROM cpu_time JOIN enclosing_frames($run) AS enclosing ON enclosing.context = cpu_time.context
    WHERE cpu_time.run = $run
    GROUP BY enclosing.frame
)
SELECT name, sum(spent)
FROM (
    SELECT coalesce(parse_filename(frames.module_path), 'unknown module') AS name, spent.spent
    FROM spent JOIN frames($run) AS frames ON frames.frame = spent.frame
)
GROUP BY name
ORDER BY name
"""
"""A query as people write them, which ends DuckDB 2.0 where `frames` is part of its plan."""


def test_names_of_frames_may_be_joined_where_a_store_has_several_runs(tmp_path: Path) -> None:
    sample, again = ROOT / "profiles" / "dlrm-cpu", tmp_path / "again"
    shutil.copytree(sample, again)
    (again / "profile.toml").write_text('title = "Again"\n')
    ingest_paths([sample, again], tmp_path / "two.duckdb")

    with open_store(tmp_path / "two.duckdb", reproducible=True) as connection:
        first, second = (connection.execute(BY_MODULE, {"run": run}).fetchall() for run in (1, 2))

    assert first
    assert first == second
