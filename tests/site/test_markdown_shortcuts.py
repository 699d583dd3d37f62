"""Blocks that Markdown does not read stay as they were; first uses of words are explained."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import markdown
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from perfolio.common.errors import SiteError
from perfolio.pages.report_rendering import render_queries
from perfolio.site import markdown_shortcuts
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.glossary_tooltips import find_glossary, mark_first_uses
from perfolio.site.markdown_shortcuts import PATTERNS, SIGN
from tests.pages.support import SETTINGS

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
NAMED = "perfolio.site.markdown_shortcuts:Unmarked"
PAGE = """# T

PC samples, and *PC samples*

a & b
: PC samples

| PC samples | 1.5 ms |
|:--|--:|
| a_b_c | `PC` |
| PC samples | <b>PC samples</b> &amp; |
| **x** | line |

- [ ] PC samples
- one *two* PC samples

<details markdown="1"><summary>PC samples</summary>
PC samples, *once* and PC samples

PC samples
</details>

two  \nlines, PC samples[^1]

*[PC samples]: at regular intervals

[^1]: PC samples
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
    monkeypatch.setattr(markdown_shortcuts, "_BLOCK", re.compile(r"(?!)"))
    assert found == built(tmp_path / "b", **pages)
    assert all(BLOCK.format(number) in found["index"] for number in (1, 2, 3))
    assert found["queries"].count("<pre><code>") == len(metrics)
    assert all(part in found["html"] for part in ("M *a*", "[b](c)", "_a_", "*A*", "`b`"))


def test_blocks_of_html_are_taken_out() -> None:
    page = SimpleNamespace(meta={}, present_anchor_ids={"h"})
    text = f"{LIST}\n{METRICS}\n{ITEM}\n{ITEM}\n"
    placed = markdown_shortcuts.take_blocks_out(text, page)  # type: ignore[arg-type]
    assert len(placed) < len(METRICS)
    assert markdown_shortcuts.put_blocks_back(placed, page) == text  # type: ignore[arg-type]
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


@functools.cache
def settings() -> dict[str, dict[str, Any]]:
    told = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))["markdown_extensions"]
    return {name: options or {} for name, options in told.items()}


def parser(*added: str, without: tuple[str, ...] = ()) -> markdown.Markdown:
    chosen = [name for name in (*settings(), *added) if name not in without]
    return markdown.Markdown(extensions=chosen, extension_configs=settings())


@functools.cache
def patterns() -> dict[str, Any]:
    made = parser()
    assert len(made.inlinePatterns) == len(PATTERNS)
    return {name: made.inlinePatterns[name] for name in PATTERNS}


@given(st.text(st.sampled_from("ab1 .,:;!?()]{}=|~^+@#%/>\"'-\n\u2060µ")))
def test_no_pattern_finds_anything_in_a_text_without_signs(text: str) -> None:
    if SIGN.search(text):
        return
    found = [name for name, each in patterns().items() if each.getCompiledRegExp().search(text)]
    assert not found


@pytest.mark.parametrize(
    "marked",
    ["`a`", "\\*", "[^1]", "[a][b]", "[a](b)", "![a](b)", "![a][b]", "[a]", "![a]",
     "<https://a.example>", "<a@b.example>", "a  \nb", "<b>", "&amp;", "*a*", "_a_"],
)  # fmt: skip
def test_what_patterns_find_has_a_sign(marked: str) -> None:
    assert any(each.getCompiledRegExp().search(marked) for each in patterns().values())
    assert SIGN.search(marked)


LINES = (
    "", "text gap words", "- item gap", "    gap code", "1. a gap", ": gap", "> gap", "# gap",
    "| a | gap |", "|---|---|", '<div markdown="1">', "</div>", "```", "*[gap]: a hole",
    "*[gap]: nothing *here*", "*[words]: ''", "*[words]:", "  *[gap]: indented", "*[a]: one ",
    "*[ga\\p]: none", "*[]: none", "*[gap] : later", "[^1]: note gap", "[gap]: https://a.example",
)  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=12))
@example(["text gap words", "*[a]: one "])
@example(["- item gap", "*[gap]: a hole", ""])
@example(["| a | gap |", "|---|---|", "*[a]: one "])
def test_definitions_mean_what_they_do_without_being_taken_away(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert parser().convert(text) == parser(without=(NAMED,)).convert(text)


def test_definitions_are_taken_away_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a gap\n\n" + "\n".join(f"*[w{number}]: x" for number in range(40)) + "\n*[gap]: hole"
    made = parser()
    monkeypatch.setattr(made.parser.blockprocessors["abbr"], "run", None)  # called: an error
    monkeypatch.setattr(made.parser.blockprocessors["abbr"], "test", lambda *_: False)
    assert '<abbr title="hole">gap</abbr>' in made.convert(text)


def test_pages_are_the_same_as_when_all_texts_are_searched() -> None:
    page = parser().convert(PAGE)
    assert page == parser(without=(NAMED,)).convert(PAGE)
    elsewhere = 2  # where the abbreviation is explained, and in an element that is no Markdown
    assert page.count("<abbr") == PAGE.count("PC samples") - elsewhere, page


@pytest.mark.parametrize(
    ("added", "text", "found"),
    [
        ("pymdownx.keys", "++ctrl++", "<kbd"),
        ("pymdownx.magiclink", "https://a.example", "<a href"),
        ("pymdownx.mark", "==a==", "<mark>"),
    ],
)
def test_patterns_of_a_project_are_found(added: str, text: str, found: str) -> None:
    assert found in parser(added).convert(text)
    assert found not in parser().convert(text)


GAP = '<abbr title="t">gap</abbr>'
REACHED = '<abbr tabindex="0" title="t">gap</abbr>'


@pytest.mark.parametrize(
    ("html", "left"),
    [
        (f"<p>A {GAP} and a {GAP}.</p>", f"<p>A {REACHED} and a gap.</p>"),
        (f"<h1>A {GAP}</h1><p>a {GAP}</p>", f"<h1>A gap</h1><p>a {REACHED}</p>"),
        (f"<h2>A {GAP}</h2><p>a {GAP}</p>", f"<h2>A {REACHED}</h2><p>a gap</p>"),
        (f'<a href="x.csv">the {GAP}</a> {GAP}', f'<a href="x.csv">the gap</a> {REACHED}'),
        (f'<a href="x.html#y">{GAP}</a> {GAP}', f'<a href="x.html#y">{GAP}</a> {REACHED}'),
        (f'{GAP} <a href="x.html">{GAP}</a>', f'{REACHED} <a href="x.html">gap</a>'),
        (f'<p class="pf-kicker"><a href="x.html">{GAP}</a></p>{GAP}',
         f'<p class="pf-kicker"><a href="x.html">gap</a></p>{REACHED}'),
        (f"<details><p>{GAP} {GAP}</p></details><p>{GAP} {GAP}</p>",
         f"<details><p>{REACHED} gap</p></details><p>{REACHED} gap</p>"),
        (f"{GAP}<details><p>{GAP}</p></details>", f"{REACHED}<details><p>gap</p></details>"),
        (f"<summary>{GAP}</summary><code>{GAP}</code>", "<summary>gap</summary><code>gap</code>"),
        (f"a&#95;{GAP}, a::{GAP}, {GAP}.py, {GAP}&#95;b", "a&#95;gap, a::gap, gap.py, gap&#95;b"),
        (f"x-{GAP}: {GAP}.", f"x-gap: {REACHED}."),
        ('<abbr title="-">no gap</abbr>', "no gap"),
        (f"<p>x<br>{GAP}<img src='y'></p>", f"<p>x<br>{REACHED}<img src='y'></p>"),
        (f"<th>{GAP}</th><td>{GAP}</td>", f"<th>gap</th><td>{REACHED}</td>"),
        ("<p>none</p>", "<p>none</p>"),
        (f"</p></div>{GAP}", f"</p></div>{REACHED}"),
    ],
)  # fmt: skip
def test_first_uses(html: str, left: str) -> None:
    assert mark_first_uses(html) == left


@pytest.mark.parametrize(
    ("urls", "found"),
    [
        (["index.html", "reports/glossary.html"], "reports/glossary.html"),
        (["reports/glossary.html", "glossary.html"], "glossary.html"),
        (["x/my-glossary.html"], ""),
    ],
)
def test_the_glossary_of_a_site(urls: list[str], found: str) -> None:
    assert find_glossary(urls) == found
