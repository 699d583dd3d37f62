"""What effects save together: never more than there is, never less for a further one."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.findings.estimates.time_ledger import (
    BEHIND,
    BESIDE,
    BUSY,
    COMPLETE,
    COPIES,
    IDLE,
    KERNELS,
    LAST,
    LAUNCHES,
    LONGER,
    LONGEST,
    RECURRING,
    START,
    STEADY,
    WAITED_FOR,
    WARM_UP,
)
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.change_effect import (
    CellFilter,
    ChangeEffect,
    LedgerCell,
    compute_saved,
    sum_cells,
)
from perfolio.findings.model.finding import Finding
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.roadmap import find_gains, make_roadmap
from perfolio.findings.tree.run_tree import build_tree
from perfolio.metrics.document import read_results
from perfolio.metrics.model import Results
from perfolio.pipeline.build_context import RunDocuments
from tests.kit.samples import SAMPLES, documents_at, sample_documents
from tests.kit.shared import recorded

NAMED = (BEHIND, BESIDE, BUSY, COPIES, IDLE, KERNELS, LAUNCHES, LONGER, LONGEST, WAITED_FOR)
TIMES = st.floats(0.0, 1e6, allow_subnormal=False)
WHERES = st.builds(
    CellFilter.__and__,
    st.sampled_from([COMPLETE, LAST, RECURRING, START, STEADY]),
    st.sampled_from(NAMED),
)
EFFECTS = st.lists(st.builds(ChangeEffect, WHERES, st.just(math.inf) | TIMES), max_size=6)
PLACES = [
    *product(
        ("steady", "last", "warm-up", "start-up"), ("kernel", "copy passing"), ("none",), ("none",)
    ),
    *product(
        ("steady", "warm-up"), ("idle",), ("none", "after copy"), ("longest", "launch", "other")
    ),
    ("steady", "idle", "none", "sampling"),
]
CELLS = st.lists(TIMES, min_size=len(PLACES), max_size=len(PLACES)).map(
    lambda times: [LedgerCell(*place, time) for place, time in zip(PLACES, times, strict=True)]
)


@given(EFFECTS, CELLS)
def test_nothing_saves_more_than_there_is_nor_than_it_asks_for(
    effects: list[ChangeEffect], cells: list[LedgerCell]
) -> None:
    together = compute_saved(effects, cells)
    alone = [compute_saved([effect], cells) for effect in effects]
    assert 0.0 <= together <= sum_cells(cells, CellFilter()) * (1 + 1e-9)
    assert together <= math.fsum(alone) * (1 + 1e-9)
    assert together >= max(alone, default=0.0) * (1 - 1e-9)
    for effect, own in zip(effects, alone, strict=True):
        assert own == pytest.approx(min(effect.most, sum_cells(cells, effect.where)))


@given(EFFECTS, st.builds(ChangeEffect, WHERES, st.just(math.inf) | TIMES), CELLS)
def test_a_further_effect_never_saves_less(
    effects: list[ChangeEffect], further: ChangeEffect, cells: list[LedgerCell]
) -> None:
    assert compute_saved([*effects, further], cells) >= compute_saved(effects, cells) * (1 - 1e-9)


@given(EFFECTS, CELLS, st.randoms())
def test_no_order_matters(
    effects: list[ChangeEffect], cells: list[LedgerCell], chance: random.Random
) -> None:
    shuffled = chance.sample(effects, len(effects))
    assert compute_saved(shuffled, cells[::-1]) == pytest.approx(compute_saved(effects, cells))


@given(EFFECTS, CELLS)
def test_no_effect_touches_gaps_that_pc_sampling_may_have_made(
    effects: list[ChangeEffect], cells: list[LedgerCell]
) -> None:
    without = [cell for cell in cells if cell.gap != "sampling"]
    assert compute_saved(effects, cells) == compute_saved(effects, without)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_steps_of_a_run_save_no_more_than_it_takes(name: str) -> None:
    """Any set of findings of any sample, and each of them larger by one."""
    given_results = read_results(sample_documents(name).metrics)
    findings = evaluate(given_results, load_rules())
    tree = build_tree(given_results, findings)
    gains = list(find_gains(tree, findings).values())
    saved_by: dict[tuple[int, ...], float] = {}
    for size in range(len(gains) + 1):
        for some in combinations(range(len(gains)), size):
            effects = [effect for place in some for effect in gains[place].effects]
            together = saved_by[some] = tree.saved(effects)
            if size > 1:
                alone = math.fsum(saved_by[(place,)] for place in some)
                assert together <= alone * (1 + 1e-9)
            assert together <= tree.amount * (1 + 1e-9)
            for left in combinations(some, max(size - 1, 0)):
                assert saved_by[left] <= together * (1 + 1e-9)


def _steps(results_of_run: Results, findings: Sequence[Finding]) -> dict[str, tuple[Any, ...]]:
    roadmap = make_roadmap(build_tree(results_of_run, findings), findings, results_of_run)
    return {
        step.code: (place, step.most, step.joint, set(step.also), step.phase, step.after)
        for place, step in [*enumerate(roadmap.steps), *((None, each) for each in roadmap.not_now)]
    }


def _in_any_order(documents: RunDocuments) -> None:
    given_results = read_results(documents.metrics)
    findings = evaluate(given_results, load_rules())
    steps = _steps(given_results, findings)
    for seed in range(5):
        shuffled = random.Random(seed).sample(findings, len(findings))
        assert _steps(given_results, shuffled) == steps


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_no_order_of_findings_matters_for_steps(name: str) -> None:
    _in_any_order(sample_documents(name))


@pytest.mark.real
def test_no_order_matters_for_findings_that_nothing_bounds() -> None:
    """Two of them on one cause, of which one stands beside the other."""
    _in_any_order(documents_at(recorded("traces/h100_bert.json.gz")))


def _cell(state: str, seconds: float, gap: str = "none", beside: str = "none") -> LedgerCell:
    return LedgerCell("steady", state, beside, gap, seconds)


def test_a_cell_goes_once_whoever_ends_it() -> None:
    """0.1 s right after copies are of copies and of launches; 0.3 s of launches elsewhere."""
    cells = [_cell("copy waited for", 0.2), _cell("idle", 0.1, "launch", "after copy"),
             _cell("idle", 0.3, "launch"), _cell("kernel", 0.4)]  # fmt: skip
    copies = [ChangeEffect(STEADY & WAITED_FOR), ChangeEffect(STEADY & BESIDE)]
    assert compute_saved(copies, cells) == pytest.approx(0.3)
    assert compute_saved([*copies, ChangeEffect(STEADY & LAUNCHES)], cells) == pytest.approx(0.6)


def test_what_has_an_amount_takes_what_the_others_leave() -> None:
    """Of 1 s idle, 0.6 s are long gaps that go: 0.7 s of input find 0.4 s more, and no 0.7."""
    cells = [_cell("idle", 0.6, "longest"), _cell("idle", 0.4, "other")]
    gaps, data = ChangeEffect(STEADY & LONGEST), ChangeEffect(STEADY & IDLE, 0.7)
    assert compute_saved([data], cells) == pytest.approx(0.7)
    assert compute_saved([gaps, data], cells) == pytest.approx(1.0)
    assert compute_saved([gaps, ChangeEffect(STEADY & IDLE, 0.1)], cells) == pytest.approx(0.7)


def test_amounts_find_the_cells_that_nobody_else_can_take() -> None:
    """0.5 s of any idle time go beside 0.5 s of long gaps, in whatever order they are asked."""
    cells = [_cell("idle", 0.5, "longest"), _cell("idle", 0.5, "other")]
    both = [ChangeEffect(STEADY & IDLE, 0.5), ChangeEffect(STEADY & LONGEST, 0.5)]
    assert compute_saved(both, cells) == compute_saved(both[::-1], cells) == pytest.approx(1.0)
    assert compute_saved([*both, ChangeEffect(WARM_UP & IDLE, 9.0)], cells) == pytest.approx(1.0)
