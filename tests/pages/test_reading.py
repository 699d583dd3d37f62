"""Pages can be read at a glance: few visible words, short sentences, few numbers in each."""

from __future__ import annotations

import re
from functools import cache

import pytest

from perfolio.pipeline.reports import report_pages
from perfolio.pipeline.run_documents import Context
from tests.kit.samples import sample_documents
from tests.pages.reading import seen, sentences
from tests.pages.support import rendered

SAMPLES = ("dlrm-h100", "eight-ranks", "transformer", "low-occupancy", "dlrm-cpu", "dlrm-cpu-torch")
BUDGETS = {
    "index": 330, "findings": 600, "root-causes": 500, "roadmap": 500, "conclusion": 350,
    "timeline": 650, "quality": 650,
}  # fmt: skip
"""Visible words, tables included, of pages with the names and numbers of the run."""
LONGEST = 22
MOST_NUMBERS = 3
"""With `100 %`, or a number that names a rank or step."""
HEDGES = re.compile(r"\b(may|might|perhaps|probably|possibly|most likely|at least|at most|about)\b")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*")


@cache
def texts(sample: str) -> dict[str, str]:
    """Pages of a report in Markdown, by name."""
    made = report_pages(sample_documents(sample), list(BUDGETS), Context())
    return {path.removesuffix(".md"): str(text) for path, text in made.items()}


@cache
def article(sample: str, name: str) -> str:
    """A page of a report in HTML."""
    return rendered(texts(sample)[name]).html


@cache
def pages(sample: str) -> dict[str, list[tuple[str, bool]]]:
    return {name: seen(article(sample, name)) for name in texts(sample)}


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_page_shows_few_words(sample: str) -> None:
    counts = {
        name: sum(len(words.split()) for words, _ in blocks)
        for name, blocks in pages(sample).items()
    }
    assert len(counts) > 5
    assert {name: n for name, n in counts.items() if n > BUDGETS[name]} == {}


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_sentences_are_short(sample: str) -> None:
    long = [
        (name, sentence)
        for name, blocks in pages(sample).items()
        for sentence in sentences(blocks)
        if len(sentence.split()) > LONGEST or len(_NUMBER.findall(sentence)) > MOST_NUMBERS
    ]
    assert long == []


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sentence_hedges_once(sample: str) -> None:
    hedged = [
        (name, sentence)
        for name, blocks in pages(sample).items()
        for sentence in sentences(blocks)
        if len(HEDGES.findall(sentence)) > 1
    ]
    assert hedged == []


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_no_item_of_a_list_is_a_heading(sample: str) -> None:
    """An empty item below another one underlines it."""
    page = f"{article(sample, 'index')}\n{texts(sample)['index']}"
    items = re.findall(r"<li>\s*<h\d|\n- *(?=\n)", page)
    assert items == []


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
@pytest.mark.parametrize("sample", SAMPLES)
def test_what_a_summary_does_not_measure_adds_up(sample: str) -> None:
    html = article(sample, "index")
    told = re.search(r">Not measured: (\d+) figures<(.*?)</details>", html, re.DOTALL)
    assert told is not None
    items = re.findall(r"<li>(.*?)</li>", told[2], re.DOTALL)
    listed = [re.search(r"</a> and (\d+) more:", item) for item in items]
    others = re.search(r"<p>(\d+) others?, for ", told[2])
    counted = [int(more[1]) for more in (*listed, others) if more]
    assert len(items) + sum(counted) == int(told[1])
