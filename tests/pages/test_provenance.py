"""No number without its origin: each leads to its metric, and each metric to run and input."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

from perfolio.pages.report_rendering import render_index, render_queries, render_report
from tests.pages.support import VOID, charts, documents, rendered

FIGURE = re.compile(
    r"[-<>≥≤]?\s?\d[\d,]*(?:\.\d+)?\s?"
    r"(?:%|×|(?:[kMGTPE]?B|[kMGTPE]?FLOP)(?:/s)?|[mµnp]?s|CPU-s|thread-s|[a-z]+)?"
)
"""A cell or card that is a number, with its unit if it has one."""
FACTS_OF_THE_MACHINE = {"technical.md"}
"""Hardware, parameters and files: said by a person or read as they are, not measured."""


@dataclass
class Place:
    """A row of a table, or a card."""

    classes: frozenset[str]
    cells: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    @property
    def is_naked(self) -> bool:
        """Whether it has a number that leads nowhere; claims lead to what was computed for them."""
        origins = ("metrics.md#", "#claim-")
        named = any(origin in link for link in self.links for origin in origins)
        named = named or "pf-table" in self.classes
        return not named and any(FIGURE.fullmatch(cell.strip()) for cell in self.cells)


class Places(HTMLParser):
    """Rows and cards of a page. A table in `pf-table` names its metric below it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Place] = []
        self._open: list[tuple[str, frozenset[str]]] = []
        self._within: list[Place] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        known = dict(attrs)
        self._open.append((tag, frozenset((known.get("class") or "").split())))
        if tag == "tr" or "pf-card" in self._open[-1][1]:
            around = frozenset(name for _, names in self._open for name in names)
            self._within.append(Place(around))
            self.found.append(self._within[-1])
        if self._within and (tag == "td" or "pf-card-value" in self._open[-1][1]):
            self._within[-1].cells.append("")
        if self._within and tag == "a":
            self._within[-1].links.append(known.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            name, classes = self._open.pop()
            if name == "tr" or "pf-card" in classes:
                self._within.pop()
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        inside = any(n == "td" or "pf-card-value" in c for n, c in self._open)
        if inside and self._within and self._within[-1].cells:
            self._within[-1].cells[-1] += data


def naked(page: str) -> list[list[str]]:
    """The rows and cards of a page of Markdown whose numbers lead nowhere."""
    places = Places(rendered(page).html).found
    return [place.cells for place in places if place.is_naked]


def test_the_scan_sees_a_number_that_leads_nowhere() -> None:
    assert naked("| a | b |\n| --- | --- |\n| Time | 8.90 µs |") == [["Time", "8.90 µs"]]
    assert naked("| a | b |\n| --- | --- |\n| Time | [8.90 µs](metrics.md#x) |") == []
    assert naked('<span class="pf-card"><span class="pf-card-value">52.9 %</span></span>') != []


def test_every_number_in_a_table_or_card_leads_to_its_metric() -> None:
    metrics, findings = documents()
    files = render_report(metrics, findings, charts())
    pages = {name: str(text) for name, text in files.items() if name.endswith(".md")}
    found = {name: naked(text) for name, text in pages.items() if name not in FACTS_OF_THE_MACHINE}
    assert {name: rows for name, rows in found.items() if rows} == {}
    assert naked(render_index([(metrics, findings)])) == []


def test_every_metric_names_its_query_and_the_page_its_run_and_input() -> None:
    metrics, findings = documents()
    text = str(render_report(metrics, findings, charts())["metrics.md"])
    head, *entries = re.split("<(?:h3|li) id=", text)
    assert "(technical.md#input-files)" in head
    assert metrics["run"]["digest"][:16] in head
    assert metrics["run"]["slug"] in head
    assert len(entries) == len(metrics["metrics"])
    queries = render_queries([metrics])
    for entry in entries:
        anchor = entry.split('"')[1]
        assert f'href="../queries.html#{anchor}"' in entry
        assert f'<h3 id="{anchor}">' in queries


@pytest.mark.parametrize("key", ["metrics_sha256", "rules_sha256", "duckdb"])
def test_the_specification_names_what_the_report_was_made_with(key: str) -> None:
    metrics, findings = documents()
    text = rendered(str(render_report(metrics, findings, charts())["technical.md"])).text
    assert findings["provenance"][key] in text
