"""Blocks that Markdown does not read are in the page as they were written."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from perfolio.common.errors import SiteError
from perfolio.pages.report_rendering import render_queries
from perfolio.site import html_blocks
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree

BLOCK = (
    '<div class="highlight"><pre><code>{}\n*a* [b](c) &lt;d&gt; <span>e</span>\n</code></pre></div>'
)

METRICS = """<details><summary>What</summary>
<div class="pf-metrics">
<h3 id="group-m">M *a*</h3>
<details><summary>Rows</summary>
<div class="pf-table"><table>
<tr><td>1 &lt; 2</td></tr>
</table></div>

</details>
<p>[b](c)</p>
</div>
</details>
"""
LIST = """<ul class="pf-index">
<li id="group-n"><a href="#group-m">M</a> <span>_a_</span></li>
</ul>
"""
ITEM = """<fieldset class="pf-item" id="s1-a">
<legend>*A*?</legend>

<label><input type="radio" name="s1-a"> `b`</label>
</fieldset>
"""


def built(folder: Path, **pages: str) -> dict[str, str]:
    files = {f"{name}.md": text for name, text in pages.items()}
    sync_tree({"catalogue.json": "{}", **files}, folder / "docs")
    build_site(folder / "docs", folder / "site")
    return {name: (folder / "site" / f"{name}.html").read_text() for name in pages}


def test_pages_are_the_same_as_when_markdown_reads_all_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = [
        {
            "name": f"group.m{number}", "title": "M", "shape": "scalar", "unit": "s", "better": "",
            "definition": "D", "caveat": "", "empty": "", "columns": [], "status": "measured",
            "population": "All", "source": "values", "needs": [], "sql": f"SELECT {number} -- *a*",
        }
        for number in range(2)
    ]  # fmt: skip
    queries = render_queries([{"metrics": metrics}])
    two = f"# T\n\n<div>\n{BLOCK.format(1)}\n*f*\n{BLOCK.format(2)}\n</div>\n\n{BLOCK.format(3)}\n"
    html = f"# H\n\n{LIST}\n{METRICS}\n*e*\n\n{ITEM}\n{ITEM}\n"
    pages = {"index": two, "queries": queries, "html": html}
    found = built(tmp_path / "a", **pages)
    monkeypatch.setattr(html_blocks, "_BLOCK", re.compile(r"(?!)"))
    assert found == built(tmp_path / "b", **pages)
    assert all(BLOCK.format(number) in found["index"] for number in (1, 2, 3))
    assert found["queries"].count("<pre><code>") == len(metrics)
    assert all(part in found["html"] for part in ("M *a*", "[b](c)", "_a_", "*A*", "`b`"))


def test_blocks_of_html_are_taken_out() -> None:
    page = SimpleNamespace(meta={}, present_anchor_ids={"h"})
    placed = html_blocks.take_out(f"{LIST}\n{METRICS}\n{ITEM}\n{ITEM}\n", page)  # type: ignore[arg-type]
    assert len(placed) < len(METRICS)
    assert html_blocks.put_back(placed, page) == f"{LIST}\n{METRICS}\n{ITEM}\n{ITEM}\n"  # type: ignore[arg-type]
    assert page.present_anchor_ids == {"h", "group-m", "group-n", "s1-a"}


def test_pages_link_to_anchors_in_blocks(tmp_path: Path) -> None:
    linked = "# T\n\n[m](html.md#group-m) [n](html.md#group-n) [a](html.md#s1-a)\n"
    built(tmp_path / "a", index=linked, html=f"# H\n\n{LIST}\n{METRICS}\n{ITEM}\n")
    with pytest.raises(SiteError, match="group-x"):
        built(tmp_path / "b", index="# T\n\n[x](html.md#group-x)\n", html=f"# H\n\n{LIST}\n")


def test_blocks_in_a_listing_stay_text(tmp_path: Path) -> None:
    found = built(tmp_path, index=f"# T\n\n```html\n{BLOCK.format(1)}\n```\n")
    assert BLOCK.format(1) not in found["index"]
    assert "*a* [b](c)" in found["index"]
