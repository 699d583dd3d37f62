"""What the browser adds up of call trees is what a sum over stacks gives."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from perfolio.charts.gallery_rendering import load_gallery, make_live_spec
from perfolio.metrics.document import read_results
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results
from tests.browser import stacks as by_stack
from tests.browser.stacks import Function
from tests.kit.kept import digest_of, kept
from tests.kit.samples import PROFILES, documents_at, sample_documents
from tests.kit.shared import ROOT

pytestmark = pytest.mark.browser

SCRIPT = ROOT / "generator" / "perfolio" / "site" / "theme" / "assets" / "perfolio" / "tree-sums.js"
NEAR = 2e-3
"""Percent of a run: edges are rounded, each by at most a millionth, and tiny rests are none."""
DROPPED = "aten::embedding_bag"
FLAT = """
const flat = (node, chain = []) => [...node.children.values()].flatMap(each =>
    [[[...chain, each.code], each.total], ...flat(each, [...chain, each.code])]);
"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """An empty page that holds the sums."""
    page = browser.new_page()
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    yield page
    page.close()


def results(sample: str) -> Results:
    return read_results(sample_documents(sample).metrics)


def spec(of: Results) -> dict[str, Any]:
    figure = load_gallery()["cpu_icicle"].draw(of)
    assert figure is not None
    return make_live_spec("cpu_icicle", figure)


def asked(page: Page, script: str, about: Any) -> Any:
    """What a function of the page says of an object: as text, which passes many times faster."""
    text = page.evaluate(f"text => JSON.stringify(({script})(JSON.parse(text)))", json.dumps(about))
    return json.loads(text)


@pytest.mark.parametrize("sample", ["dlrm-cpu", "dlrm-cpu-torch"])
def test_own_and_total_of_each_function(page: Page, sample: str) -> None:
    of = results(sample)
    chart = spec(of)
    script = "spec => perfolio.sums.functionsOf(perfolio.sums.tree(spec))"
    found = {each["code"]: each for each in asked(page, script, chart)}
    stacks, known = by_stack.stacks(of), functions(of, chart)
    own, total = by_stack.own(stacks), by_stack.totals(stacks)

    assert {known[code] for code in found} == total.keys()
    for code, one in found.items():
        assert one["own"] == pytest.approx(own[known[code]], abs=NEAR)
        assert one["total"] == pytest.approx(total[known[code]], abs=NEAR)
    ranked = [one["own"] for one in found.values()]
    assert ranked == sorted(ranked, reverse=True)


@pytest.mark.parametrize("sample", ["dlrm-cpu", "dlrm-cpu-torch"])
def test_callers_and_callees_over_all_paths(page: Page, sample: str) -> None:
    """Of functions on most paths, and of those that call themselves."""
    of = results(sample)
    chart = spec(of)
    stacks, known = by_stack.stacks(of), functions(of, chart)
    totals, own = by_stack.totals(stacks), by_stack.own(stacks)
    recursive = by_stack.recursive(stacks)
    wanted = sorted(known, key=lambda code: -len(by_stack.callers(stacks, known[code])))[:5]
    wanted += [code for code, each in known.items() if each in recursive]
    script = f"""([spec, codes]) => {{ {FLAT}
        return codes.map(code => {{
            const found = perfolio.sums.sandwich(perfolio.sums.tree(spec), code);
            return [found.total, found.own, flat(found.callers), flat(found.callees)]; }}); }}"""
    for code, (found, alone, above, below) in zip(
        wanted, asked(page, script, [chart, wanted]), strict=True
    ):
        function = known[code]
        assert found == pytest.approx(totals[function], abs=NEAR)
        assert alone == pytest.approx(own[function], abs=NEAR)
        for side, expected in (
            (above, by_stack.callers(stacks, function)),
            (below, by_stack.callees(stacks, function)),
        ):
            told = {tuple(known[each] for each in chain): total for chain, total in side}
            assert told == pytest.approx(expected, abs=NEAR)


def test_the_samples_have_what_is_tested() -> None:
    assert by_stack.recursive(by_stack.stacks(results("dlrm-cpu")))


def test_a_sandwich_is_left_heavy_and_stays_in_its_caller(page: Page) -> None:
    of = results("dlrm-cpu")
    script = """spec => { const tree = perfolio.sums.tree(spec);
        return perfolio.sums.functionsOf(tree).slice(0, 60).map(one =>
            perfolio.sums.layered(perfolio.sums.sandwich(tree, one.code))); }"""
    for found in asked(page, script, spec(of)):
        middle = next(row["level"] for row in found["rows"] if row.get("hot"))
        assert found["levels"] == 1 + max(row["level"] for row in found["rows"])
        for level in range(found["levels"]):
            beside = sorted(
                (row["left"], row["right"]) for row in found["rows"] if row["level"] == level
            )
            assert all(0 <= left < right <= 100 + 1e-6 for left, right in beside)
            assert all(one[1] <= two[0] + 1e-6 for one, two in pairwise(beside))
            if abs(level - middle) == 1:
                widths = [right - left for left, right in beside]
                assert widths == pytest.approx(sorted(widths, reverse=True))


def test_difference_of_two_runs_of_hpctoolkit(page: Page) -> None:
    here, there = results("dlrm-h100-timed"), results("dlrm-h100")
    compare(page, here, there)


def test_difference_of_two_traces_of_pytorch(page: Page) -> None:
    """One operator of the second trace was not recorded: what it called has another caller."""
    here = read_results(documents_at(changed_trace(DROPPED)).metrics)
    found = compare(page, here, results("dlrm-cpu-torch"))

    assert {fate for path, fate in found if DROPPED in path} == {"gone"}
    assert "new" in {fate for _, fate in found}


def compare(page: Page, here: Results, there: Results) -> list[tuple[str, str]]:
    script = """([one, other]) => perfolio.sums.difference(
        perfolio.sums.tree(one), perfolio.sums.tree(other), 0.5).map(
        each => [each.path, each.here, each.there, each.change, each.fate, each.about.at])"""
    found = asked(page, script, [spec(here), spec(there)])
    mine, its = (by_stack.across_runs(by_stack.stacks(each)) for each in (here, there))
    all_mine, all_its = by_stack.inclusive(mine), by_stack.inclusive(its)

    assert len(found) == len(all_mine.keys() | all_its.keys())
    assert sum(each[3] for each in found) == pytest.approx(
        sum(mine.values()) - sum(its.values()), abs=NEAR
    ), "changes of own shares add up"
    for side, one, other in (1, mine, all_mine), (2, its, all_its):
        told = sorted((each[side]["own"], each[side]["total"]) for each in found if each[side])
        expected = sorted((one.get(path, 0.0), total) for path, total in other.items())
        assert [own for own, _ in told] == pytest.approx([own for own, _ in expected], abs=NEAR)
        assert sorted(total for _, total in told) == pytest.approx(
            sorted(total for _, total in expected), abs=NEAR
        )
    fates = [
        fate(all_mine.get(path), all_its.get(path)) for path in all_mine.keys() | all_its.keys()
    ]
    assert sorted(each[4] for each in found) == sorted(fates)
    return [(" > ".join(each[0]), each[4]) for each in found]


def fate(here: float | None, there: float | None) -> str:
    if here is None:
        return "gone"
    if there is None:
        return "new"
    change = here - there
    return "grew" if change >= 0.5 else "shrank" if change <= -0.5 else "same"


def changed_trace(dropped: str) -> Path:
    """The sample's trace without the calls of an operator."""
    sample = PROFILES / "dlrm-cpu-torch" / "trace.json.gz"

    def make(folder: Path) -> None:
        trace = json.loads(gzip.decompress(sample.read_bytes()))
        left = [each for each in trace["traceEvents"] if each.get("name") != dropped]
        assert len(left) < len(trace["traceEvents"])
        changed = json.dumps({**trace, "traceEvents": left})
        (folder / "trace.json").write_text(changed, encoding="utf-8")

    return kept("trace-without", digest_of(sample, dropped, by=()), make) / "trace.json"


def functions(of: Results, chart: dict[str, Any]) -> dict[int, Function]:
    """The functions by the numbers that a chart gives them: a frame is known by where it begins."""
    rows = get_rows(of, "tree.cpu")
    top = min(int(str(row["depth"])) for row in rows)
    at = {
        (round(100 * float(str(row["left"])), 6), int(str(row["depth"])) - top): row for row in rows
    }
    frames = chart["data"]["values"]
    return {
        int(frame["code"]): by_stack.function_of(at[float(frame["left"]), int(frame["level"])])
        for frame in frames
    }
