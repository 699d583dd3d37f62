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
