"""Tooltips on a page: the first use of each word in running text."""

from __future__ import annotations

import pytest

from generator.site.glossing import first_uses

GAP = '<abbr title="t">gap</abbr>'
REACHED = '<abbr tabindex="0" title="t">gap</abbr>'


@pytest.mark.parametrize(
    ("html", "left"),
    [
        (f"<p>A {GAP} and a {GAP}.</p>", f"<p>A {REACHED} and a gap.</p>"),
        (f"<h2>A {GAP}</h2><p>a {GAP}</p>", f"<h2>A gap</h2><p>a {REACHED}</p>"),
        (f'<p><a href="x">the {GAP}</a> {GAP}</p>', f'<p><a href="x">the gap</a> {REACHED}</p>'),
        (f"<p>x<br>{GAP}<img src='y'></p>", f"<p>x<br>{REACHED}<img src='y'></p>"),
        (f"<th>{GAP}</th><td>{GAP}</td>", f"<th>gap</th><td>{REACHED}</td>"),
        ("<p>none</p>", "<p>none</p>"),
        (f"</p></div>{GAP}", f"</p></div>{REACHED}"),
    ],
)
def test_first_uses(html: str, left: str) -> None:
    assert first_uses(html) == left
