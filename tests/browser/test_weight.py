"""What a report may weigh: its folder, its search index, its page of metrics.

Of the site that all tests here read: a CPU run through the whole pipeline, a run on a GPU with
every chart of the gallery, and the same with hostile names.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

REPORTS = ("dlrm-cpu", "gallery", "hostile")
MOST_OF_ALL = 4_000_000
MOST_OF_INDEX = 250_000
MOST_OF_METRICS = 600_000
MOST_NODES = 15_000


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_is_small(site: Path, report: str) -> None:
    sizes = {path: path.stat().st_size for path in (site / report).rglob("*") if path.is_file()}

    assert sum(sizes.values()) < MOST_OF_ALL
    assert sizes[site / report / "search.js"] < MOST_OF_INDEX
    assert sizes[site / report / "metrics.html"] < MOST_OF_METRICS


@pytest.mark.parametrize("report", REPORTS)
def test_the_page_of_metrics_has_few_elements(visit: Visit, base: str, report: str) -> None:
    page = visit.open(f"{base}/{report}/metrics.html")

    assert 500 < page.evaluate("document.querySelectorAll('*').length") < MOST_NODES


def test_names_of_functions_kernels_rules_and_metrics_are_found(site: Path) -> None:
    index = (site / "gallery" / "search.js").read_text("utf-8")
    words = ("aten::", "gemm", "Copy less", "GPU utilisation")

    assert [word for word in words if word not in index] == []


@pytest.mark.parametrize("report", REPORTS)
def test_data_of_live_charts_come_once(site: Path, report: str) -> None:
    """Rows are sent by columns (generator/perfolio/charts/spec_packing.py), but for the shortest
    tables."""
    for path in (site / report / "charts").glob("*.js"):
        longest = max(map(len, path.read_text("utf-8").split('"values":[{')[1:]), default=0)
        assert '"tables":[' in path.read_text("utf-8") or longest < 3_000, path.name
