"""What was measured of pairs of runs, against the bounds that reports gave."""

from __future__ import annotations

import pytest

from perfolio.findings.rules.catalog import load_rules
from perfolio.workloads.catalog import load_workloads
from tests.workloads.measured import Measured, measured
from tests.workloads.turns import RECORDINGS, REPETITIONS, device_of, pairs, variant

WHERE, FOUND = measured()


ON_TOP = ("X5",)
"""Rules that say of more time than they bound that it goes, too: gaps that close elsewhere."""


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.change)
def test_no_outcome_exceeds_its_bound(one: Measured) -> None:
    """Of that recording which allows most: how long input takes differs from run to run."""
    if one.rule in ON_TOP:
        assert load_rules()[one.rule].worth.besides
        return
    assert not one.exceeds


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_at_least_eight_pairs_have_a_bound(device: str) -> None:
    here = [one for one in FOUND if one.device == device]
    assert sum(one.bound is not None for one in here) >= 8
    assert {len(one.bounds) for one in here} == {RECORDINGS[device]}
    assert {len(times) for one in here for times in (one.before, one.after)} == {
        REPETITIONS[device]
    }


def test_pairs_differ_by_what_their_rule_advises() -> None:
    known, rules = load_workloads(), load_rules()
    for pair in pairs():
        before, after = (variant(pair, side) for side in ("before", "after"))
        assert before.options.batch_size == after.options.batch_size
        assert before != after
        assert device_of(pair) in WHERE
        assert {pair["before"], pair["after"]} <= set(known)
        assert pair["rule"] in rules


def test_the_machines_are_named() -> None:
    assert "cores" in WHERE["cpu"]
    assert "H100" in WHERE["cuda"]
    assert all("PyTorch 2." in words for words in WHERE.values())
