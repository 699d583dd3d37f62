"""One thing has one number: what a document says in several places, on every database there is.

Compared are the figures of findings.json and not its words: the summary (breakdown, key figures),
the findings, the tree of causes and the roadmap are made from these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.change_effect import CellFilter, sum_cells
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.catalog import load_causes
from perfolio.findings.tree.run_tree import build_tree
from perfolio.metrics.document import read_results
from tests.kit.samples import SCENARIOS, documents_at, sample_documents
from tests.kit.shared import database

Node = dict[str, Any]
REAL = (
    "dlrm-cpu-python.d", "dlrm-h100-cpu.d", "dlrm-h100-gpu.d", "dlrm-h100-traces.d",
    "loops-cuda-nvidiapc-t.d", "loops-hip-amd-t.d", "mpi4.d", "tinyllama-cpu-python.d",
)  # fmt: skip
ON_THE_CLOCK = ("wall", "span")
NEAR = 1e-6


@pytest.fixture(
    scope="module",
    params=[
        *(pytest.param(name, marks=pytest.mark.real) for name in REAL),
        *(pytest.param(name, marks=pytest.mark.slow) for name in SCENARIOS),
    ],
)
def document(request: pytest.FixtureRequest) -> Node:
    name = request.param
    made = documents_at(database(name)) if name.endswith(".d") else sample_documents(name)
    return made.findings


def test_cells_of_a_cause_sum_to_its_amount(document: Node) -> None:
    """What the tree says by its formulas and the ledger by its rows is one time."""
    given = read_results(document["metrics"])
    tree = build_tree(given, evaluate(given, load_rules()))
    own_calls = tree.find("profiler")
    if tree.whole not in ON_THE_CLOCK or (own_calls is not None and own_calls.amount):
        return
    cells = [cell for cell in tree.cells if cell.gap != "sampling"]
    assert sum_cells(cells, CellFilter()) == pytest.approx(tree.amount, rel=NEAR)
    rest = {
        node.key for node in load_causes().nodes if node.rest
    }  # has what is too small to be told
    told = [each for each in tree.causes if each.cells is not None and each.key not in rest]
    assert len(told) > 2
    for cause in told:
        assert cause.cells is not None
        assert sum_cells(cells, cause.cells) == pytest.approx(cause.amount, abs=NEAR * tree.amount)


def nodes(document: Node) -> dict[str, Node]:
    return {node["key"]: node for node in document["causes"]["nodes"]}


def fired(document: Node) -> dict[str, Node]:
    return {each["code"]: each for each in document["findings"] if each["status"] == "fired"}


def steps(document: Node) -> Iterator[Node]:
    for phase in document["roadmap"]["phases"]:
        yield from phase["steps"]


def test_what_lies_below_a_cause_is_no_more_than_it(document: Node) -> None:
    for parent in document["causes"]["nodes"]:
        below = [
            each["amount"]
            for each in document["causes"]["nodes"]
            if each["parent"] == parent["key"] and not each["view"] and each["amount"] is not None
        ]
        if parent["amount"] is not None:
            assert math.fsum(below) <= parent["amount"] * (1 + NEAR) + 1e-12, parent["key"]
            assert parent["share"] == pytest.approx(parent["amount"] / document["causes"]["amount"])


def test_the_summary_divides_idle_time_as_the_causes_do(document: Node) -> None:
    tree, parts = document["causes"], document["breakdown"]["parts"]
    if tree["whole"] not in ON_THE_CLOCK or not parts:
        return
    idle = [part["value"] for part in parts if part["name"].startswith("GPU idle")]
    known = nodes(document)
    if "host" not in known or known["host"]["amount"] is None:
        assert not idle
        return
    told = [known[key]["amount"] or 0.0 for key in ("host", "profiler") if key in known]
    sampled = [part["value"] for part in parts if "PC sampling" in part["name"]]
    left_out = math.fsum(part["value"] for part in parts) - tree["amount"]
    assert math.fsum(idle + sampled) == pytest.approx(math.fsum(told) + left_out, rel=1e-3), (
        "the causes' whole leaves out gaps that PC sampling may have made"
    )
    for key in ("host.start", "host.warm_up", "host.tail"):
        size = known[key]["amount"] if key in known else None
        if tree["whole"] == "wall" and size is not None and size > 1e-3 * tree["amount"]:
            assert any(math.isclose(size, value, rel_tol=1e-3) for value in idle), key
    assert math.fsum(part["share"] for part in parts) == pytest.approx(1.0, abs=1e-3)


def test_what_a_finding_concerns_lies_within_its_cause(document: Node) -> None:
    """Or within the nearest cause above that bounds it, where its own is told by samples."""
    tree = nodes(document)
    for code, finding in fired(document).items():
        concerns = finding["affected"]
        if concerns is None:
            continue
        assert concerns["cause"] == finding["parent"], code
        whole = document["causes"]["amount"]
        assert concerns["share"] == pytest.approx(concerns["amount"] / whole), code
        key, room = concerns["cause"], 0.0
        while key:
            room = max(room, tree[key]["most"] or 0.0, tree[key]["amount"] or 0.0)
            key = tree[key]["parent"]
        assert concerns["amount"] <= room * (1 + NEAR), code


def test_steps_have_the_gains_of_the_findings_that_they_answer(document: Node) -> None:
    found = fired(document)
    for step in [*steps(document), *document["roadmap"]["not_now"]]:
        gains = [
            found[code]["affected"]["share"]
            for code in (step["code"], *step["also"])
            if found[code]["affected"] and found[code]["affected"]["at_most"]
        ]
        assert step["cause"] == found[step["code"]]["parent"]
        if step["most"] is None:
            assert not gains, step["code"]
            continue
        largest = max(gains)
        assert largest * (1 - NEAR) <= step["most"] <= math.fsum(gains) * (1 + NEAR), step["code"]


def test_the_last_step_leaves_what_all_of_them_do(document: Node) -> None:
    joint = [step["joint"] for step in steps(document)]
    assert joint == sorted(joint)
    assert all(one["most"] is None or one["most"] <= one["joint"] + NEAR for one in steps(document))
    most = document["worth"]["most"]
    if most is not None:
        assert most["reduction"] == pytest.approx(joint[-1])
        assert most["saved"] == pytest.approx(most["reduction"] * document["causes"]["amount"])


def test_key_figures_and_findings_are_the_same_metrics(document: Node) -> None:
    metrics = {each["name"]: each for each in document["metrics"]["metrics"]}
    for finding in fired(document).values():
        if finding["metric"]:
            assert finding["value"] == metrics[finding["metric"]]["value"], finding["code"]


def test_each_step_has_a_gain_or_says_why_there_is_none(document: Node) -> None:
    """By a bound in this whole or in another one, a limit, or in words."""
    found = fired(document)
    for step in [*steps(document), *document["roadmap"]["not_now"]]:
        finding = found[step["code"]]
        assert step["most"] is not None or finding["estimate"] or finding["refused"], step["code"]
