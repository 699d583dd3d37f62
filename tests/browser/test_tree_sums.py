"""What the browser adds up of call trees is what a sum over stacks gives.

What the browser derives from nested frames is here a sum over stacks, as samples would give it: a
stack counts once for a function, however often that is on it.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from perfolio.charts.call_tree_rows import LiveTree, describe_place
from perfolio.charts.chart_data import format_full_name
from perfolio.charts.gallery_rendering import load_gallery
from perfolio.metrics.document import read_results
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results
from tests.kit.kept import digest_of, kept
from tests.kit.samples import PROFILES, documents_at, sample_documents
from tests.kit.shared import ROOT

pytestmark = pytest.mark.browser

SCRIPT = ROOT / "generator" / "perfolio" / "site" / "theme" / "assets" / "perfolio" / "tree-sums.js"
NEAR = 1e-9
"""Percent of a run: what differs is the order of sums."""
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


def tree_of(of: Results) -> LiveTree:
    figure = load_gallery()["cpu_icicle"].draw(of)
    assert figure is not None
    assert figure.tree is not None
    return figure.tree


def asked(page: Page, script: str, about: Any) -> Any:
    """What a function of the page says of an object: as text, which passes many times faster."""
    text = page.evaluate(f"text => JSON.stringify(({script})(JSON.parse(text)))", json.dumps(about))
    return json.loads(text)


@pytest.mark.parametrize("sample", ["dlrm-cpu", "dlrm-cpu-torch"])
def test_own_and_total_of_each_function(page: Page, sample: str) -> None:
    of = results(sample)
    chart = tree_of(of)
    script = "data => perfolio.sums.functionsOf(perfolio.sums.tree(data))"
    found = {each["code"]: each for each in asked(page, script, chart)}
    stacks, known = sum_stacks(of), functions(of, chart)
    own, total = sum_own(stacks), sum_totals(stacks)

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
    chart = tree_of(of)
    stacks, known = sum_stacks(of), functions(of, chart)
    totals, own = sum_totals(stacks), sum_own(stacks)
    recursive = find_recursive(stacks)
    wanted = sorted(known, key=lambda code: -len(sum_callers(stacks, known[code])))[:5]
    wanted += [code for code, each in known.items() if each in recursive]
    script = f"""([data, codes]) => {{ {FLAT}
        return codes.map(code => {{
            const found = perfolio.sums.sandwich(perfolio.sums.tree(data), code);
            return [found.total, found.own, flat(found.callers), flat(found.callees)]; }}); }}"""
    for code, (found, alone, above, below) in zip(
        wanted, asked(page, script, [chart, wanted]), strict=True
    ):
        function = known[code]
        assert found == pytest.approx(totals[function], abs=NEAR)
        assert alone == pytest.approx(own[function], abs=NEAR)
        for side, expected in (
            (above, sum_callers(stacks, function)),
            (below, sum_callees(stacks, function)),
        ):
            told = {tuple(known[each] for each in chain): total for chain, total in side}
            assert told == pytest.approx(expected, abs=NEAR)


def test_the_samples_have_what_is_tested() -> None:
    assert find_recursive(sum_stacks(results("dlrm-cpu")))


def test_a_sandwich_is_left_heavy_and_stays_in_its_caller(page: Page) -> None:
    of = results("dlrm-cpu")
    script = """data => { const tree = perfolio.sums.tree(data);
        return perfolio.sums.functionsOf(tree).slice(0, 60).map(one =>
            perfolio.sums.layered(perfolio.sums.sandwich(tree, one.code))); }"""
    for found in asked(page, script, tree_of(of)):
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
        perfolio.sums.tree(one), perfolio.sums.tree(other), 0.5).contexts.map(
        each => [each.path, each.here, each.there, each.change, each.fate, each.about.at])"""
    found = asked(page, script, [tree_of(here), tree_of(there)])
    mine, its = (sum_across_runs(sum_stacks(each)) for each in (here, there))
    all_mine, all_its = sum_inclusive(mine), sum_inclusive(its)

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


def functions(of: Results, chart: LiveTree) -> dict[int, Function]:
    """The functions by the numbers that a tree gives them: its nodes are the rows of the table."""
    rows = [row for row in get_rows(of, "tree.cpu") if row["share"]]
    codes = chart["nodes"]["code"]
    return {code: function_of(row) for code, row in zip(codes, rows, strict=True)}


Function = tuple[Any, ...]
"""Name, module, file and line: what tells two functions apart."""
Stack = tuple[Function, ...]


def sum_stacks(results: Results, metric: str = "tree.cpu") -> dict[Stack, float]:
    """What each calling path has of its own, in percent of the run."""
    rows = {row["context"]: row for row in get_rows(results, metric)}
    own: dict[Any, float] = {key: 100.0 * float(str(row["share"])) for key, row in rows.items()}
    for row in rows.values():
        if row["parent"] in own:
            own[row["parent"]] -= 100.0 * float(str(row["share"]))
    found: dict[Stack, float] = defaultdict(float)
    for key in rows:
        path, at = [], key
        while at in rows:
            path.append(function_of(rows[at]))
            at = rows[at]["parent"]
        found[tuple(path[::-1])] += own[key]
    return found


def function_of(row: Mapping[str, Any]) -> Function:
    """The function of a row of a tree."""
    return tuple(row[part] for part in ("name", "module", "file", "line"))


def sum_totals(of: Mapping[Stack, float]) -> dict[Function, float]:
    """Amount of each function with all that it calls."""
    found: dict[Function, float] = defaultdict(float)
    for stack, own in of.items():
        for function in set(stack):
            found[function] += own
    return found


def sum_own(of: Mapping[Stack, float]) -> dict[Function, float]:
    """Amount of each function alone."""
    found: dict[Function, float] = defaultdict(float)
    for stack, amount in of.items():
        found[stack[-1]] += amount
    return found


def sum_callers(of: Mapping[Stack, float], function: Function) -> dict[Stack, float]:
    """Amount of a function below each chain of callers, the nearest first."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        if function in stack:
            _add_prefixes(found, stack[: stack.index(function)][::-1], amount)
    return found


def sum_callees(of: Mapping[Stack, float], function: Function) -> dict[Stack, float]:
    """Amount of each chain of callees of a function."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        if function in stack:
            _add_prefixes(found, stack[stack.index(function) + 1 :], amount)
    return found


def sum_inclusive(of: Mapping[Stack, float]) -> dict[Stack, float]:
    """Amount of each calling path with all below it."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        _add_prefixes(found, stack, amount)
    return found


def sum_across_runs(of: Mapping[Stack, float]) -> dict[Stack, float]:
    """The same, functions by what two runs share: the name, and the end of the file or module."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        found[tuple(_shared(function) for function in stack)] += amount
    return found


def _shared(function: Function) -> Function:
    name, module, file, line = function
    place = describe_place({"module": module, "file": file, "line": line})
    return format_full_name(name), _file(place)


def _file(place: str) -> str:
    file, _, line = place.rpartition(":")
    return file if file and line.isdigit() else place


def _add_prefixes(found: dict[Stack, float], chain: Sequence[Function], amount: float) -> None:
    for length in range(1, len(chain) + 1):
        found[tuple(chain[:length])] += amount


def find_recursive(of: Iterable[Stack]) -> set[Function]:
    """Functions that are twice on a path."""
    return {each for stack in of for each in stack if stack.count(each) > 1}
