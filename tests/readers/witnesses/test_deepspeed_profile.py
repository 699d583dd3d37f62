"""What DeepSpeed's flops profiler prints, in the wordings of its releases."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from tests.readers.witnesses.samples import doubts, figures, witness

SUMMARY = """step 10 of the program's own output: 3 s
-------------------------- DeepSpeed Flops Profiler --------------------------
Profile Summary at step 2:
number of parameters (params), number of multiply-accumulate operations(MACs),

world size:                                                   4
data parallel size:                                           2
batch size per GPU:                                           8
params per gpu:                                               135.87 M
params of model = params per GPU * mp_size:                   271.74 M
fwd MACs per GPU:                                             21.83 GMACs
fwd flops per GPU:                                            56.61 G
fwd flops of model = fwd flops per GPU * mp_size:             56.61 G
fwd latency:                                                  130.11 ms
fwd FLOPS per GPU = fwd flops per GPU / fwd latency:          435.1 GFLOPS
bwd latency:                                                  250 ms
step latency:                                                 500 us
iter latency:                                                 380.61 ms
FLOPS per GPU = 3.0 * fwd flops per GPU / iter latency:       446.2 GFLOPS
samples/second:                                               42.04

----------------------------- Aggregated Profile per GPU -----------------------------
    fwd latency - {'Model': '1.77 Gs'}
fwd latency:                                                  9 ms
------------------------------------------------------------------------------
"""


def test_the_summary_in_base_units(tmp_path: Path) -> None:
    found = witness(tmp_path, SUMMARY, "out.txt")
    assert figures(found) == pytest.approx(
        {
            "ranks": 4, "data_parallel": 2, "rank_batch": 8, "rank_parameters": 135.87e6,
            "parameters": 271.74e6, "forward_macs": 21.83e9, "forward_flop": 56.61e9,
            "forward_time": 0.13011, "forward_rate": 435.1e9, "backward_time": 0.25,
            "update_time": 5e-4, "iteration_time": 0.38061, "rank_rate": 446.2e9,
            "samples_rate": 42.04,
        }
    )  # fmt: skip
    assert not found.notes
    assert not doubts(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [("per gpu:  ", "per device:"), ("3.0 *", "3 *"), ("500 us", "500.0 us"),
     ("fwd latency:  ", "  fwd latency:")],
)  # fmt: skip
def test_wordings_differ_by_release(tmp_path: Path, old: str, new: str) -> None:
    assert old in SUMMARY
    expected = figures(witness(tmp_path, SUMMARY, "a.txt"))
    assert figures(witness(tmp_path, SUMMARY.replace(old, new), "b.txt")) == expected


def test_figures_that_do_not_fit_are_doubted(tmp_path: Path) -> None:
    text = SUMMARY.replace("380.61 ms", "500 ms").replace("42.04", "84.0")
    told = doubts(witness(tmp_path, text, "a.txt"))
    assert told["iteration_time"][:2] == ("500.0 ms", "380.6 ms")
    assert told["samples_rate"][:2] == ("84 samples/s", "32 samples/s")


def test_a_second_profile_is_named(tmp_path: Path) -> None:
    again = SUMMARY.replace("at step 2", "at step 7").replace("130.11 ms", "1 ms")
    found = witness(tmp_path, SUMMARY + again, "a.txt")
    assert figures(found)["forward_time"] == pytest.approx(0.13011)
    assert found.notes == ["a second profile in the file, of step 7, is not read"]


def test_a_file_that_ends_early_says_so(tmp_path: Path) -> None:
    found = witness(tmp_path, SUMMARY[:200], "a.txt")
    assert found.notes == ["DeepSpeed's profiler printed no summary: the file ends early"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("56.61 G\n", "NaN G\n", "line 12: NaN G: is no figure"),
     ("130.11 ms", "130.11 Gs", "line 14: 130.11 Gs: is no figure"),
     ("56.61 G\n", "-5 G\n", "line 12: -5 G: is no figure")],
)  # fmt: skip
def test_what_is_no_figure_ends_in_a_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        witness(tmp_path, SUMMARY.replace(old, new), "a.txt")
    assert f"a.txt: {said}" in str(caught.value)
