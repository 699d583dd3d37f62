"""Predictions: worked numbers, published runs, and what never holds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from perfolio.cli.main import main
from perfolio.common.errors import UsageError
from perfolio.prediction import collective_time, token_decoding, training_memory, training_time
from perfolio.prediction.device_peaks import find_device, load_devices
from perfolio.prediction.formatting import format_amount, format_duration
from perfolio.prediction.model import PredictedFigure

H100 = find_device("h100-sxm5")
LARGE = training_time.TrainingRequest(70e9, 2e12, 2048, H100, 0.5)
LINKS = collective_time.CollectiveRequest("all_reduce", 140e9, 64, 50e9, latency=0.0)


def test_worked_numbers_come_out() -> None:
    assert LARGE.flop == 8.4e23
    assert LARGE.seconds(0.5) / 86400 == pytest.approx(9.6, abs=0.05)
    assert H100.peak("bf16") / H100.bandwidth == pytest.approx(295, abs=0.5)
    assert token_decoding.DecodeRequest(70e9, H100).step(1) == pytest.approx(41.8e-3, abs=5e-5)
    assert token_decoding.DecodeRequest(70e9, H100, bits=4).step(1) == pytest.approx(
        10.4e-3, abs=6e-5
    )
    assert collective_time.estimate_ring(LINKS, 64, 50e9, 140e9) == pytest.approx(5.5, abs=0.05)
    assert collective_time.estimate_ring(LINKS, 64, 200e9, 140e9) == pytest.approx(1.38, abs=0.005)


def test_the_interval_contains_at_least_four_of_five_published_runs() -> None:
    runs = training_time.compare_published_runs()
    assert len(runs) >= 5
    assert sum(each.is_inside for each in runs) >= 0.8 * len(runs)
    assert any(not each.is_inside for each in runs), "the interval says something"
    assert all(each.source for each in runs)


@pytest.mark.parametrize(
    ("model", "implied"), [("Llama 2 70B", 0.43), ("Llama 3.1 405B", 0.345), ("BLOOM 176B", 0.318)]
)
def test_published_hours_imply_a_utilisation(model: str, implied: float) -> None:
    (run,) = [each for each in training_time.compare_published_runs() if each.model == model]
    assert run.implied == pytest.approx(implied, abs=0.005)


@given(
    st.floats(1e6, 1e13), st.floats(1e6, 1e15), st.integers(1, 100_000), st.floats(0.01, 1.0),
)  # fmt: skip
def test_an_interval_holds_its_value(
    parameters: float, tokens: float, gpus: int, mfu: float
) -> None:
    asked = training_time.TrainingRequest(
        parameters, tokens, gpus, H100, mfu, power=700.0, price=2.0
    )
    for figure in training_time.predict(asked).figures:
        if figure.low is not None and figure.high is not None:
            assert figure.low <= figure.value * (1 + 1e-9)
            assert figure.value <= figure.high * (1 + 1e-9)


@given(st.integers(1, 7), st.integers(1, 6), st.floats(1e3, 1e12))
def test_a_hierarchy_of_equal_links_is_no_faster_than_a_ring(
    node: int, nodes: int, size: float
) -> None:
    ranks = 2**node * 2**nodes
    asked = replace(LINKS, bytes=size, ranks=ranks, node=2**node, node_bandwidth=50e9, latency=0.0)
    whole = collective_time.estimate_ring(asked, ranks, 50e9, size)
    assert collective_time.estimate_hierarchy(asked) == pytest.approx(whole, rel=1e-9)


def test_latency_favours_the_tree_and_bandwidth_the_ring() -> None:
    small = replace(LINKS, bytes=1e3, latency=5e-6)
    assert collective_time.predict(small).answer == "The tree is the fastest of these."
    assert collective_time.predict(LINKS).answer == "The ring is the fastest of these."


def test_states_of_a_model() -> None:
    whole = training_memory.compute_states(training_memory.MemoryRequest(1e9))
    assert whole == {"Parameters": 2e9, "Gradients": 2e9, "Optimizer": 12e9}
    divided = training_memory.compute_states(training_memory.MemoryRequest(1e9, gpus=4, zero=2))
    assert divided == {"Parameters": 2e9, "Gradients": 0.5e9, "Optimizer": 3e9}
    plain = training_memory.compute_states(
        training_memory.MemoryRequest(1e9, precision="fp32", optimizer="sgd")
    )
    assert plain == {"Parameters": 4e9, "Gradients": 4e9, "Optimizer": 0.0}


def test_activations_of_a_block() -> None:
    asked = training_memory.MemoryRequest(1e9, layers=2, width=1000, heads=10, length=100, batch=3)
    assert training_memory.compute_activations(asked) == 2 * 300 * 34 * 1000
    assert training_memory.compute_activations(replace(asked, fused=False)) == 2 * 300 * (
        34 * 1000 + 5 * 10 * 100
    )
    assert training_memory.compute_activations(replace(asked, recompute=True)) == 2 * 300 * 2 * 1000
    assert training_memory.compute_activations(
        replace(asked, precision="fp32")
    ) == 2 * training_memory.compute_activations(asked)


def test_what_fits() -> None:
    assert training_memory.describe_fitting(70e9).startswith("a100")
    assert training_memory.describe_fitting(1e13).startswith("No known device")


def test_a_batch_shares_the_weights_until_arithmetic_bounds() -> None:
    asked = token_decoding.DecodeRequest(70e9, H100)
    assert asked.step(1) == asked.step(256)
    assert asked.step(1024) == pytest.approx(2 * asked.step(512))
    assert replace(asked, cache=1e9).step(64) > asked.step(64)


def test_every_device_has_memory_and_a_peak() -> None:
    for one in load_devices().values():
        assert one.memory > 0
        assert one.bandwidth > 0
        assert any(one.peaks.values())


def test_an_unknown_device_is_named_with_a_near_one() -> None:
    with pytest.raises(UsageError, match="did you mean h100-sxm5"):
        find_device("h100-sxm")
    with pytest.raises(UsageError, match="--precision fp8: the peak of v100-sxm2 is not known"):
        find_device("v100-sxm2").peak("fp8")


def test_durations() -> None:
    assert [format_duration(each) for each in (1.5, 180, 7200, 172800, 1e9)] == [
        "1.50 s", "3.0 minutes", "2.0 hours", "2.0 days", "31.7 years",
    ]  # fmt: skip
    assert format_amount(PredictedFigure("", 3.6e6, "energy")) == "1.0 kWh"
    assert format_amount(PredictedFigure("", 3.6e10, "energy")) == "10.0 MWh"
    assert format_amount(PredictedFigure("", 1234.5, "EUR")) == "1,234 EUR"


TRAINING = ["training", "--parameters", "70B", "--tokens", "2T", "--gpus", "2_048".replace("_", ""),
            "--hardware", "h100-sxm5", "--mfu", "0.5"]  # fmt: skip


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_the_command_tells_it_in_each_form(form: str) -> None:
    done = CliRunner().invoke(main, ["predict", *TRAINING, "--price", "2", "--format", form])
    assert done.exit_code == 0, done.output
    if form == "json":
        figures = {each["name"]: each for each in json.loads(done.output)["figures"]}
        assert figures["Operations"]["value"] == 8.4e23
        assert figures["Money"]["unit"] == "USD"
    else:
        assert "9.6 days" in done.output
        assert "FLOP = 6 × parameters × tokens" in done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*TRAINING[:2], "seventy", *TRAINING[3:]], "is no number, as 70e9 or 70B"),
        ([*TRAINING[:2], "0", *TRAINING[3:]], "is not above 0"),
        ([*TRAINING[:2], "9e99", *TRAINING[3:]], "too large"),
        ([*TRAINING[:-4], "--hardware", "x"], "known are"),
        (["collective", "--bytes", "1e9", "--ranks", "10", "--bandwidth", "1e9",
          "--ranks-per-node", "4"], "--ranks-per-node divides --ranks"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_line(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["predict", *arguments])
    assert done.exit_code == 2
    assert said in done.output


def test_a_hierarchy_is_predicted() -> None:
    done = CliRunner().invoke(
        main,
        ["predict", "collective", "--bytes", "1e9", "--ranks", "64", "--bandwidth", "25e9",
         "--ranks-per-node", "8", "--node-bandwidth", "450e9"],
    )  # fmt: skip
    assert "hierarchy" in done.output
    assert "The hierarchy is the fastest of these." in done.output
