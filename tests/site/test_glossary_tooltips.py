"""Tooltips on a page: the first use of each word in running text."""

from __future__ import annotations

import pytest

from perfolio.site.glossary_tooltips import find_glossary, mark_first_uses

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
