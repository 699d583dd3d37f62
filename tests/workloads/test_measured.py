"""What was measured of pairs of runs, against the bounds that reports gave."""

from __future__ import annotations

import pytest

from generator.findings.rules.catalog import load_rules
from generator.workloads.catalog import load_workloads
from tests.workloads.measured import REPETITIONS, Measured, measured, pairs, variant

WHERE, FOUND = measured()


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.change)
def test_no_outcome_exceeds_its_bound(one: Measured) -> None:
    """Of that recording which allows most: how long input takes differs from run to run."""
    assert not one.known or one.saved <= one.known[-1]


def test_at_least_eight_pairs_have_a_bound() -> None:
    assert sum(one.bound is not None for one in FOUND) >= 8
    assert {len(times) for one in FOUND for times in (one.bounds, one.before, one.after)} == {
        REPETITIONS
    }


def test_pairs_differ_by_what_their_rule_advises() -> None:
    known, rules = load_workloads(), load_rules()
    for pair in pairs():
        before, after = (variant(pair, side) for side in ("before", "after"))
        assert before.options.batch_size == after.options.batch_size
        assert before != after
        assert {pair["before"], pair["after"]} <= set(known)
        assert pair["rule"] in rules


def test_the_machine_is_named() -> None:
    assert "cores" in WHERE
    assert "PyTorch 2." in WHERE
