"""Pages can be read at a glance: few visible words, short sentences, few numbers in each.

`make check` reads all samples so and, where they lie beside the project, all recorded inputs.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from perfolio.pages.report_rendering import list_page_names
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.report_files import report_pages
from tests.kit.measurements import without_images
from tests.kit.samples import SAMPLES, documents_at, sample_documents
from tests.kit.shared import SHARED, recorded
from tests.pages.reading import count_words, seen, sentences, without_folded
from tests.pages.support import rendered

_READ = (
    "inputs/pytorch/*", "inputs/nsys/*", "inputs/hatchet/*", "inputs/rocprof/v1_results.json",
    "traces/*", "databases/*/*.d",
)  # fmt: skip
INPUTS = sorted(
    str(path.relative_to(SHARED)) for pattern in _READ for path in SHARED.glob(pattern)
) or ["inputs"]
"""Recorded runs beside the project; where none lies there, what tells the test to skip."""
BUDGETS = {
    "index": 180, "findings": 600, "root-causes": 500, "roadmap": 600, "conclusion": 350,
    "timeline": 650, "quality": 650,
}  # fmt: skip
"""Visible words, tables included, of pages with the names and numbers of the run."""
LONGEST = 22
MOST_NUMBERS = 3
"""With `100 %`, or a number that names a rank or step."""
HEDGES = re.compile(r"\b(may|might|perhaps|probably|possibly|most likely|at least|at most|about)\b")
_LISTED = re.compile(r"(\d+, )+(…|\d+)")
"""Ranks that are missing, of which a list is one."""
_TABLE_RULE = re.compile(r"\|[\s:|-]+\|")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*")


@cache
def texts(run: str) -> dict[str, str]:
    """Pages of the report of a sample or shared input in Markdown, by name."""
    documents = sample_documents(run) if run in SAMPLES else documents_at(recorded(run))
    with without_images():
        made = report_pages(documents, list_page_names(), Context())
    return {path.removesuffix(".md"): str(text) for path, text in made.items()}


@cache
def read_texts(run: str) -> dict[str, str]:
    """The pages that have a budget of words."""
    return {name: text for name, text in texts(run).items() if name in BUDGETS}


@cache
def article(run: str, name: str) -> str:
    """A page of a report in HTML."""
    return rendered(without_folded(texts(run)[name])).html


@pytest.mark.slow
@pytest.mark.parametrize(
    "run", [*SAMPLES, *(pytest.param(each, marks=pytest.mark.real) for each in INPUTS)]
)
def test_a_report_is_read_at_a_glance(run: str) -> None:
    blocks = {name: seen(article(run, name)) for name in read_texts(run)}
    told = [(name, each) for name, part in blocks.items() for each in sentences(part)]
    assert len(blocks) > 4
    assert {
        name: words for name, part in blocks.items() if (words := count_words(part)) > BUDGETS[name]
    } == {}
    assert [each for each in told if count_words([(each[1], False)]) > LONGEST] == []
    assert [
        each for each in told if len(_NUMBER.findall(_LISTED.sub("", each[1]))) > MOST_NUMBERS
    ] == []
    assert [each for each in told if len(HEDGES.findall(each[1])) > 1] == []
    items = re.findall(
        r"<li>\s*<h\d|\n- *(?=\n)", f"{article(run, 'index')}\n{texts(run)['index']}"
    )
    assert items == [], "an empty item below another one underlines it"
    assert [name for name in blocks if "| --- |" in article(run, name)] == [], "tables stay text"
    assert [(name, each) for name, text in texts(run).items() for each in joined_tables(text)] == []


def joined_tables(text: str) -> list[str]:
    """Lines right above a table: with them, all of it is a paragraph of bars."""
    lines = ["", *(line.strip() for line in text.splitlines())]
    return [
        lines[at - 2]
        for at, line in enumerate(lines)
        if _TABLE_RULE.fullmatch(line) and lines[at - 1].startswith("|") and lines[at - 2]
    ]


def test_a_table_joined_to_a_paragraph_is_seen() -> None:
    table = "| a | b |\n|---|--:|\n| c | 1 |\n"
    assert joined_tables(f"Text.\n\n{table}") == joined_tables(table) == []
    assert joined_tables(f"# Title\n\nText.\n{table}") == ["Text."]


def test_what_is_folded_is_not_seen() -> None:
    folded = "<details><summary>Two</summary><p>Three.</p></details>"
    html = f"<p>One.</p>{folded}<table><td>4</td></table>"
    assert seen(html) == [("One.", False), ("Two", False), ("4", True)]
    assert sentences([("One is. Two are: Three", False), ("Four.", True)]) == [
        "One is.",
        "Two are:",
        "Three",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES[::3])
def test_what_a_summary_does_not_measure_adds_up(sample: str) -> None:
    html = rendered(texts(sample)["index"]).html
    told = re.search(r">Not measured: (\d+) figures<(.*?)</details>", html, re.DOTALL)
    assert told is not None
    items = re.findall(r"<li>(.*?)</li>", told[2], re.DOTALL)
    listed = [re.search(r"</a> and (\d+) more:", item) for item in items]
    others = re.search(r"<p>(\d+) others?, for ", told[2])
    counted = [int(more[1]) for more in (*listed, others) if more]
    assert len(items) + sum(counted) == int(told[1])
