"""The calibration page: its columns follow from the published pairs, by our own formulas."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from perfolio.findings.estimates import bound_formulas, kernel_shares
from perfolio.findings.estimates.kernel_shares import KernelShares
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "calibration.md").read_text("utf-8")
ROW = re.compile(
    r"^\| (?P<kernel>[\w+, ]+) \| [\w, ]+ \| (?P<estimated>[\d.]+) \| (?P<achieved>[\d.]+) "
    r"\| (?P<miss>[-+]\d+) % \| (?P<share>[\d.]+) % \|$",
    re.MULTILINE,
)
PAIRS = [match.groupdict() for match in ROW.finditer(PAGE)]


def factor(reduction: float) -> float:
    """The speed-up that belongs to a reduction."""
    return Estimate(reduction, BoundWhole("wall"), "", ()).factor


def stalled(share: float) -> KernelShares:
    """A kernel with this share of its samples stalled, all for one reason."""
    return KernelShares(1.0, share, reasons={"any": 1.0})


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["kernel"] for pair in PAIRS])
def test_columns_follow_from_the_pair(pair: dict[str, str]) -> None:
    estimated, achieved = float(pair["estimated"]), float(pair["achieved"])
    assert float(pair["miss"]) == pytest.approx(100 * (achieved / estimated - 1), abs=0.51)
    share = float(pair["share"]) / 100
    assert factor(kernel_shares.remove_stalls(stalled(share), "any").value) == pytest.approx(
        estimated, rel=2e-3
    )


def test_the_summary_is_that_of_the_table() -> None:
    ratios = [float(pair["achieved"]) / float(pair["estimated"]) for pair in PAIRS]
    within = sum(abs(ratio - 1.0) <= 0.1 for ratio in ratios)
    above = sum(ratio > 1.0 for ratio in ratios)
    mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
    assert f"{within} of {len(PAIRS)} estimates are within 10 %" in PAGE
    assert f"{above} of {len(PAIRS)} achieved more" in PAGE
    assert f"{mean:.2f} times the estimate" in PAGE


def test_the_worked_examples_of_the_page() -> None:
    chain = stalled(3 / 4)
    hidden, gone = (
        how(chain, "any").value for how in (kernel_shares.hide_latency, kernel_shares.remove_stalls)
    )
    assert factor(hidden) == pytest.approx(1.33, abs=0.01)
    assert factor(gone) == pytest.approx(4.0)
    assert factor(bound_formulas.apply_amdahl(0.1, 1 - 1 / 3.30)) == pytest.approx(1.07, abs=0.01)
