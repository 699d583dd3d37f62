"""Indexes: one per report, one of all other pages, and one of what all reports found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from perfolio.site import search_index
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.search_index import PAGES, REPORTS, PageEntries, list_sections, write_indexes
from tests.charts.support import read_places

LONG = "word " * 40
REPORT = {
    "index.md": "# Summary\n\nThe verdict.\n",
    "findings.md": (
        f"# Findings\n\n## Slow {{: #d1 }}\n\n{LONG}\n\n#### Why {{: #d1-why }}\n\ndeep\n"
    ),
    "kernels.md": "[Run A](index.md)\n{: .pf-kicker }\n\n# Kernels\n\nmatmul\n\n"
    "## Table {: #t }\n\n| Name | Kind | Time |\n| --- | --- | ---: |\n| `gemm` | a<b | 4711 |\n",
    "time.md": '# Time\n\n<div class="pf-figures" markdown="1">\n\n'
    "| Figure | Value | What it is |\n| --- | ---: | --- |\n"
    "| Idle time | 1 s | Explained |\n| Busy | 2 s | Told |\n\n</div>\n\nafter\n",
    "metrics.md": "---\nsearch: {exclude: true}\n---\n\n# Metrics\n\nhidden\n",
    "exercises/one.md": "# Exercise\n\ncalculate\n",
    "findings.json": json.dumps({"run": {"title": "Run <b>A</b>"}}),
}


def groups(path: Path) -> list[dict[str, Any]]:
    """What a script hands over: its lines between the first and the last are JSON."""
    first, *lines, last = path.read_text("utf-8").splitlines()
    assert first == "(window.perfolioSearch = window.perfolioSearch || []).push("
    assert last == ");"
    found: list[dict[str, Any]] = json.loads(f"[{''.join(lines)}]")
    for group in found:
        words = group.pop("words", "").split(" ")
        if not group["brief"]:
            group["docs"] = [
                [where, title, " ".join(words[place] for place in read_places(text))]
                for where, title, text in group["docs"]
            ]
    return found


@pytest.fixture(params=["", "reports/"])
def built(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A site with two reports, and where they lie."""
    base: str = request.param
    tree = {f"{base}{slug}/{name}": text for slug in "ab" for name, text in REPORT.items()}
    tree |= {"index.md": "# Start\n\nhello\n", "guide.md": "# Guide\n\n## Step & more\n\nwalk\n"}
    sync_tree(tree, tmp_path / "docs")
    build_site(tmp_path / "docs", tmp_path / "site")
    return tmp_path / "site", base


def test_a_report_has_an_index_of_its_pages_but_the_excluded_ones(built: tuple[Path, str]) -> None:
    site, base = built
    (group,) = groups(site / base / "a" / "search.js")
    docs = group["docs"]

    assert group["scope"] == f"{base}a/"
    assert group["title"] == "Run &lt;b&gt;A&lt;/b&gt; (a)"
    assert isinstance(docs, list)
    assert ["kernels.html", "Kernels", "matmul"] in docs
    assert ["findings.html#d1-why", "Why", "deep"] in docs
    assert ["exercises/one.html", "Exercise", "calculate"] in docs
    assert not [one for one in docs if one[0].startswith("metrics.html")]
    assert "hidden" not in (site / base / "a" / "search.js").read_text()
    (table,) = (text for where, _, text in docs if where == "kernels.html#t")
    assert table == "Name Kind Time gemm a&lt;b", "words are apart, and nothing else is there"


def test_what_a_figure_is_stands_on_a_page_that_nobody_searches(built: tuple[Path, str]) -> None:
    site, base = built
    (group,) = groups(site / base / "a" / "search.js")
    assert isinstance(group["docs"], list)
    (text,) = (text for where, _, text in group["docs"] if where == "time.html")

    assert text == "Figure Value What it is Idle time Busy after"
    assert "Explained" in (site / base / "a" / "time.html").read_text()


def test_pages_of_no_report_share_one(built: tuple[Path, str]) -> None:
    (group,) = groups(built[0] / PAGES)

    assert (group["scope"], group["title"]) == ("", "")
    assert isinstance(group["docs"], list)
    assert ["guide.html#step-more", "Step &amp; more", "walk"] in group["docs"]
    assert {one[0].partition("#")[0] for one in group["docs"]} == {"index.html", "guide.html"}


def test_what_all_reports_found_is_short(built: tuple[Path, str]) -> None:
    site, base = built
    found = groups(site / REPORTS)

    assert [group["scope"] for group in found] == [f"{base}a/", f"{base}b/"]
    for group in found:
        docs = group["docs"]
        assert isinstance(docs, list)
        assert {one[0] for one in docs} == {"index.html", "findings.html", "findings.html#d1"}
        (slow,) = [one for one in docs if one[0].endswith("#d1")]
        assert slow[2].startswith("word word")
        assert len(slow[2]) < len(LONG) / 1.5
        assert slow[2].endswith("word …")


def test_a_site_without_reports_has_an_empty_list_of_them(tmp_path: Path) -> None:
    sync_tree({"index.md": "# Start\n"}, tmp_path / "docs")
    build_site(tmp_path / "docs", tmp_path / "site")

    assert groups(tmp_path / "site" / REPORTS) == []
    assert len(groups(tmp_path / "site" / PAGES)) == 1


PAGE = """<h1 id="t">T <strong>b</strong><a class="headerlink" href="#t">&para;</a></h1>
<p>one<span class="a>b">two</span> <abbr title='"x" > y'>PC samples</abbr>, <em>three</em></p>
<h2 id="s"><code>std::vector&lt;td&gt;</code></h2>
<div class="pf-table"><table class="x"><thead><tr><th>Name</th></tr></thead>
<tbody><tr><td title="a>b">gemm<b>m</b></td>
<td style="x"><code>&lt;td&gt;</code> &amp; more</td></tr></tbody></table></div>
<details><summary>What</summary>
<ul><li>four</li><li></li></ul><h3 id="u">U</h3><p>five</p></details>
<p>six <table-like>seven</table-like> eight</p>
"""


def sections(html: str, **meta: object) -> list[list[str]]:
    page = SimpleNamespace(title="T", url="t.html", meta=meta, toc=())
    return list_sections(page, html)  # type: ignore[arg-type]


def test_an_index_is_the_same_with_the_tags_that_leave_no_trace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = sections(PAGE)
    monkeypatch.setattr(search_index, "_SILENT", re.compile("(?!)"))
    assert found == sections(PAGE)
    assert [one[0] for one in found] == ["t.html", "t.html#s", "t.html#u"]
    assert any("PC samples" in one[2] for one in found)
    assert not sections(PAGE, search={"exclude": True})


def test_what_a_page_leaves_out_of_the_index_is_not_there() -> None:
    html = "<h1>T</h1><table data-search-exclude><tr><td>hidden</td></tr></table><p>shown</p>"
    assert "hidden" not in str(sections(html))
    assert "shown" in str(sections(html))


def test_entries_outlast_a_cache_of_json() -> None:
    """So a page that did not change need not be rendered again for the index."""
    line = ["index.html", "Title", "text &amp; more"]
    entries = PageEntries(scope="r/", report="R", full=[line], brief=[line])

    assert write_indexes(json.loads(json.dumps([entries]))) == write_indexes([entries])
