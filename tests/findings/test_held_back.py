"""Faster kernels wait for the step that ends the pauses between launches."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from perfolio.findings.evaluation.severity import order_findings
from perfolio.findings.model.denominator import BoundWhole, WholeKind
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.blocked_steps import hold_back_steps
from perfolio.findings.tree.cause_tree import Cause, CauseTree
from tests.findings.support import results

RULES = load_rules()
NOTHING = results({})


def _gain(share: float, of: WholeKind, steady: float | None = None) -> Estimate:
    return Estimate(share, BoundWhole(of), "formula", (), steady=steady)


P5 = Finding(
    structs.replace(RULES["P5"], after=()),
    "fired",
    "medium",
    estimate=_gain(0.0008, "wall", 0.18),
)
L1 = Finding(
    structs.replace(RULES["L1"], cause="host.launch"),
    "fired",
    "low",
    estimate=_gain(0.43, "iteration"),
)
L8 = Finding(RULES["L8"], "fired", "low")


def _tree(paused: float, *, left_out: float = 0.0, steady: float | None = 0.13) -> CauseTree:
    pauses = Cause(
        key="host.launch",
        parent="host.iterations",
        depth=2,
        title="The GPU pauses between operations",
        sentence="",
        amount=paused,
        bound="",
        most=None,
        share=paused / 27.0,
        view=False,
        same=False,
    )
    return CauseTree("wall", "27 s", 27.0, "s", (pauses,), left_out, steady)


def test_kernels_wait_for_what_ends_the_pauses() -> None:
    kernels, launches, fused = hold_back_steps([P5, L1, L8], _tree(0.057), NOTHING)
    assert kernels.rule.after == ("L1",)
    assert "save less, or nothing" in kernels.held_back
    assert (launches, fused) == (L1, L8), "these launch less, which ends the pauses"
    alike = replace(kernels, severity="low", estimate=_gain(0.5, "iteration"))
    assert [each.rule.code for each in order_findings([alike, launches])] == ["L1", "P5"]
    assert [each.rule.code for each in order_findings([kernels, launches])] == ["P5", "L1"], (
        "severity"
    )


@pytest.mark.parametrize(
    "tree",
    [
        _tree(0.012),
        _tree(0.057, left_out=1.0),
        _tree(0.057, steady=None),
        replace(_tree(0.057), causes=()),
    ],
)
def test_nothing_is_held_back_where_the_gpu_is_busy_or_nothing_tells(tree: CauseTree) -> None:
    assert hold_back_steps([P5], tree, NOTHING) == (P5,)


def test_a_check_that_passed_waits_for_nothing() -> None:
    passed = replace(P5, status="passed", severity=None)
    assert hold_back_steps([passed], _tree(0.057), NOTHING) == (passed,)


@pytest.mark.parametrize(("idle", "waits"), [(0.05, False), (0.2, True)])
def test_a_step_that_was_timed_without_the_profiler_tells_how_much_the_gpu_pauses(
    *, idle: float, waits: bool
) -> None:
    given = results({"time.unprofiled_idle_share": idle})
    kernels, _ = hold_back_steps([P5, L1], _tree(0.057), given)
    assert bool(kernels.held_back) is waits
