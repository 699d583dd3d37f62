"""Blocks that Markdown does not read are in the page as they were written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.pages.render import render_queries
from generator.site import verbatim
from generator.site.build import build_site
from generator.site.sync import sync_tree

BLOCK = (
    '<div class="highlight"><pre><code>{}\n*a* [b](c) &lt;d&gt; <span>e</span>\n</code></pre></div>'
)


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
    pages = {"index": two, "queries": queries}
    found = built(tmp_path / "a", **pages)
    monkeypatch.setattr(verbatim, "_BLOCK", re.compile(r"(?!)"))
    assert found == built(tmp_path / "b", **pages)
    assert all(BLOCK.format(number) in found["index"] for number in (1, 2, 3))
    assert found["queries"].count("<pre><code>") == len(metrics)


def test_blocks_in_a_listing_stay_text(tmp_path: Path) -> None:
    found = built(tmp_path, index=f"# T\n\n```html\n{BLOCK.format(1)}\n```\n")
    assert BLOCK.format(1) not in found["index"]
    assert "*a* [b](c)" in found["index"]
