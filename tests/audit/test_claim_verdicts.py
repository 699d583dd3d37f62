"""Each verdict and its reason, on small data that has or lacks what the claim says."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.audit.document import make_claims_document
from tests.findings.support import results

# One launch below four callers on the main thread, and 3,000 of another thread's.
ROWS: list[dict[str, Any]] = [
    {"metric": metric, "entry_point": entry, "total": total, "weighted": weighted}
    for metric, entry, total, weighted in (
        ("kernel_launches", "all", 4000.0, 100_000.0),
        ("kernel_launches", "main thread", 1000.0, 40_000.0),
        ("kernel_time", "all", 2.0, 30.0),
        ("kernel_time", "main thread", 0.4, 10.0),
    )
]
DATA: dict[str, Any] = {
    "gpu.launches": 4000.0, "gpu.kernel_time": 2.0, "gpu.mean_kernel_time": 5e-4,
    "seed.launch_overhead_5us": 0.02, "time.wall": 100.0, "time.gpu_utilisation": 0.04,
    "cpu.time": 800.0, "seed.gpu_cpu_ratio": 0.005, "run.functions": 10.0, "run.contexts": 90.0,
}  # fmt: skip


def judged(claims: str, data: dict[str, Any] = DATA, findings: Any = ()) -> list[dict[str, Any]]:
    tables = {"seed.depth_weighted_totals": ROWS} if data else None
    return list(make_claims_document(claims, results(data, tables), findings)["claims"])


def value(metric: str, number: float, unit: str, *more: str) -> str:
    return "\n".join(
        ["[[claim]]", f'metric = "{metric}"', f"value = {number}", f'unit = "{unit}"', *more, ""]
    )


@pytest.mark.parametrize(
    ("claim", "verdict", "reason"),
    [
        (value("gpu.launches", 4050, "count"), "holds", "1.3 % from it (tolerance 2 %)"),
        (value("gpu.launches", 100_000, "count"), "off by a factor", "over all calling contexts,"),
        (value("gpu.launches", 40_100, "count"), "off by a factor", "contexts of <main thread>,"),
        (value("gpu.launches", 1000, "count"), "off by a factor", "of <main thread> alone"),
        (value("gpu.launches", 7, "count"), "off by a factor", "No mistake that is known here"),
        (value("gpu.mean_kernel_time", 300, "us"), "off by a factor", "300.0 µs is what this"),
        (value("time.gpu_utilisation", 0.5, "%"), "wrong denominator", "GPU time over CPU time"),
        (value("time.wall", 800, "s"), "off by a factor", "CPU time, which is something else"),
        (value("run.functions", 90, "count"), "off by a factor", "Calling contexts, which is"),
        (value("transfer.copies", 3, "count"), "cannot be checked", "not part of this case"),
    ],
)
def test_values(claim: str, verdict: str, reason: str) -> None:
    (one,) = judged(claim)
    assert one["verdict"] == verdict, one
    assert reason in " ".join(one["reasons"])


def test_rounding_widens_what_counts_as_equal() -> None:
    assert judged(value("gpu.kernel_time", 2.4, "s"))[0]["verdict"] == "off by a factor"
    rounded = judged(value("gpu.kernel_time", 2.4, "s", "rounding = 0.5"))[0]
    assert rounded["verdict"] == "holds"
    assert "and 500.0 ms of rounding" in rounded["reasons"][0]


def test_the_ratio_says_how_far_it_is_off() -> None:
    much, little = judged(
        value("gpu.launches", 100_000, "count") + value("gpu.kernel_time", 1, "s")
    )
    assert (much["ratio"], much["times"]) == (25.0, "25.0 times too much")
    assert (little["ratio"], little["times"]) == (0.5, "2.00 times too little")


def test_a_mistake_that_explains_other_claims_goes_before_a_closer_one() -> None:
    mean = value("gpu.mean_kernel_time", 280, "us", "rounding = 150")
    (alone,) = judged(mean)
    (_, _, beside) = judged(
        value("gpu.launches", 40_000, "count") + value("gpu.kernel_time", 10, "s") + mean
    )
    assert "all calling contexts" in alone["reasons"][0]
    assert "contexts of <main thread>" in beside["reasons"][0]


CPU = value("cpu.time", 800, "CPU-s", 'key = "cpu"')
GPU = value("gpu.kernel_time", 2, "s", 'key = "gpu"')


def test_cpu_seconds_below_the_line_are_a_wrong_denominator_without_any_data() -> None:
    claim = value("time.gpu_utilisation", 0.25, "%", 'formula = "gpu / cpu"')
    for data in (DATA, {}):
        one = judged(CPU + GPU + claim, data)[2]
        assert one["verdict"] == "wrong denominator"
        assert "divides by 800.0 CPU-s" in one["reasons"][0]
    assert judged(CPU + GPU + claim)[2]["truth"] == 0.04
    cpu_share = value("time.gpu_utilisation", 0.25, "%", 'formula = "cpu / (cpu + cpu)"')
    assert judged(CPU + GPU + cpu_share, {})[2]["verdict"] == "cannot be checked"


def test_a_formula_that_gives_another_value_is_no_reason() -> None:
    claim = value("time.gpu_utilisation", 30, "%", 'formula = "gpu / cpu"')
    assert judged(CPU + GPU + claim)[2]["verdict"] == "off by a factor"


@pytest.mark.parametrize(
    ("link", "percent", "says"),
    [
        ("PCIe 4.0 x16", 9.31, "PCIe 4.0 x16 in both directions added up or PCIe 5.0 x16 in one"),
        ("PCIe 5.0 x16", 18.9, "PCIe 4.0 x16 in one direction"),
        ("PCIe 4.0 x16", 18.9, ""),
        ("PCIe 5.0 x16", 9.4, ""),
        ("PCIe 4.0 x16", 50, "divides by 11.92 GB/s. PCIe"),
    ],
)
def test_a_link_has_one_rate_in_one_direction(link: str, percent: float, says: str) -> None:
    moved = value("transfer.bandwidth", 5958, "MB/s", 'key = "moved"')
    share = value("transfer.link_efficiency", percent, "%", f'link = "{link}"',
                  'formula = "moved / link"')  # fmt: skip
    one = judged(moved + share)[1]
    assert one["verdict"] == ("wrong denominator" if says else "cannot be checked")
    assert says in one["reasons"][0]


def test_a_claim_inherits_what_is_wrong_with_its_inputs() -> None:
    launches = value("gpu.launches", 40_000, "count", 'key = "launches"')
    lost = value("seed.launch_overhead_5us", 200, "ms", 'formula = "launches * 0.000005"')
    for claims in (launches + lost, lost + launches):
        (one,) = [each for each in judged(claims) if each["key"] != "launches"]
        words = " ".join(one["reasons"])
        assert "launches * 0.000005 is 200.0 ms" in words
        assert "launches is off by a factor, 10.0 times too much" in words
        assert "the same formula gives 20.00 ms" in words
        assert "gaps on a stream" in words
        assert one["measured"] == "20.00 ms by this formula"


def promise(factor: float, *more: str) -> str:
    return "\n".join(["[[claim]]", f"speedup = {factor}", *more, ""])


def test_a_promise_is_held_against_the_measured_share() -> None:
    share = 'affects = "time.gpu_utilisation"'
    above, within = judged(promise(10, share) + promise(1.03, share))
    assert (above["verdict"], above["measured"]) == ("unbounded", "at most 1.04×")
    assert "needs 90.0 % of run time to disappear" in above["reasons"][0]
    assert "concerns 4.0 % of run time as measured" in above["reasons"][1]
    assert within["verdict"] == "within its bound"


def test_a_promise_is_held_against_the_reports_own_share_where_none_is_measured() -> None:
    share = value("time.gpu_utilisation", 0.24, "%", 'key = "busy"')
    one = judged(share + promise(10, 'affects = "busy"'), {})[1]
    assert (one["verdict"], one["measured"]) == ("unbounded", "at most 1.0024×")
    assert "by the report's own figures" in one["reasons"][1]
    assert "not measured on this profile" in one["reasons"][2]


def test_a_promise_without_a_share_is_compared_with_what_findings_are_worth() -> None:
    estimate = {"reduction": 0.6, "factor": 2.5, "of": "wall time; of more", "kind": "gain"}
    limit = {"reduction": 0.99, "factor": 100.0, "of": "wall time", "kind": "limit"}
    findings = [
        {"code": "G6", "estimate": estimate},
        {"code": "G1", "estimate": limit},
        {"code": "Q1", "estimate": None},
    ]
    (one,) = judged(promise(50), findings=findings)
    assert (one["verdict"], one["truth"]) == ("unbounded", None)
    assert "worth more than G6: 2.50× at most, of wall time." in one["reasons"][2]
    named = judged(promise(2, 'affects = "G6"'), findings=findings)[0]
    assert (named["verdict"], named["measured"]) == ("within its bound", "at most 2.50×")
    assert "G6 is bounded as a share of wall time" in " ".join(named["reasons"])


def test_the_whole_can_take_no_time_at_all() -> None:
    (one,) = judged(promise(1000, 'affects = "2"'))
    assert (one["verdict"], one["truth"]) == ("within its bound", None)


@pytest.mark.parametrize("number", [1e-320, 1e-290, 1e-30, 1e30])
def test_values_of_another_world_get_a_line_too(number: float) -> None:
    (one,) = judged(value("cpu.time", number, "s"))
    assert one["verdict"] == "off by a factor"
    way = "much" if number > 1.0 else "little"
    assert one["times"] == f"more than 10^18 times too {way}"
