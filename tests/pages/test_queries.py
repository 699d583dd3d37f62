"""The page of queries: every query once, whole, as words."""

from __future__ import annotations

import copy

import pytest

from perfolio.metrics.catalog import load_catalog
from perfolio.pages.report_rendering import render_queries
from perfolio.pages.sql_highlight import render_sql
from tests.pages.support import HOSTILE, documents, rendered


@pytest.mark.slow
def test_every_query_stands_on_it_once_and_whole() -> None:
    """Those of all metrics: none has what the page would read as markup."""
    (known, *_) = documents()[0]["metrics"]
    metrics = [
        known | {"name": one.name, "title": one.title, "sql": one.sql}
        for one in load_catalog().values()
    ]
    page = rendered(render_queries([{"metrics": metrics}, {"metrics": copy.deepcopy(metrics)}]))

    assert len(metrics) > 300
    for one in metrics:
        assert page.text.count(one["sql"].strip("\n")) >= 1, one["name"]
        assert page.values("id").count(one["name"].replace(".", "-").replace("_", "-")) == 1


def test_comments_texts_and_keywords_are_marked() -> None:
    assert render_sql("SELECT 'a' AS b -- c < d\nGROUP BY a") == (
        '<span class="k">SELECT</span> <span class="s1">\'a\'</span> <span class="k">AS</span> b '
        '<span class="c1">-- c &lt; d</span>\n<span class="k">GROUP BY</span> a'
    )


def test_nothing_in_a_query_is_markup() -> None:
    metrics, _ = documents()
    (first, *_) = metrics["metrics"]
    for hostile in HOSTILE:
        page = rendered(render_queries([{"metrics": [{**first, "sql": f"SELECT 1\n{hostile}"}]}]))
        assert {tag for tag, _ in page.elements} <= {
            "h1", "h2", "h3", "p", "a", "code", "em", "div", "dl", "dt", "dd", "pre", "span",
        }  # fmt: skip
        assert page.hidden == []
