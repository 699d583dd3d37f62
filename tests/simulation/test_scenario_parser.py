"""Scenarios from TOML: what is refused, and what the error says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError, UsageError
from perfolio.simulation.calling_paths import PathFrame, parse_frame
from perfolio.simulation.quantity_parser import (
    Duration,
    parse_duration,
    parse_frequency,
    parse_rate,
    parse_size,
)
from perfolio.simulation.scenario_parser import load, merge_entries
from tests.simulation.scenes import scene


def test_amounts() -> None:
    assert parse_duration("4.5 us") == Duration(4500.0)
    assert parse_duration("1.5 ms ± 20 %") == Duration(1.5e6, 0.2)
    assert parse_duration("2s+-5%") == Duration(2e9, 0.05)
    assert parse_size("4 MiB") == 4_194_304
    assert parse_size("615 kB") == 615_000
    assert parse_rate("5.9 GB/s") == pytest.approx(5.9e9)
    assert parse_frequency("1.98 GHz") == pytest.approx(1.98e9)


@pytest.mark.parametrize("text", ["", "5", "us", "5 kg", "-5 us", "nan us", "5 us ± 3", "1e999x"])
def test_amounts_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="must be a time"):
        parse_duration(text)


def test_frames() -> None:
    assert parse_frame("forward @ a/b.py:12") == PathFrame(
        "forward", "<logical python>", "a/b.py", 12
    )
    assert parse_frame("@ train.py:3") == PathFrame("", "", "train.py", 3)
    assert parse_frame("gemm [lib/libblas.so]") == PathFrame("gemm [libblas.so]", "lib/libblas.so")
    assert parse_frame("<listcomp>") == PathFrame("<listcomp>")


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"iterations": 0}, "iterations must be from 1 to 100,000, not 0"),
    ({"iteration": ["nope"]}, "iteration names 'nope'; there are backward, data, exit, forward"),
    ({"iteration": []}, "iteration must name at least one phase"),
    ({"sed": 1}, "sed is unknown; did you mean seed"),
    ({"seed": "x"}, "seed must be a whole number, not a text"),
    ({"seed": True}, "seed must be a whole number, not true or false"),
    ({"device": {"clock": "fast"}}, "device.clock must be a frequency such as 1.98 GHz"),
    ({"device": {"vendor": "acme"}}, "device.vendor must be one of nvidia, amd, not 'acme'"),
    ({"device": 3}, "device must be a table, not a whole number"),
    ({"host": {"delay": "2 us ± 5 %"}}, "host.delay cannot vary"),
    ({"link": {"h2d": {"pinned": "0 GB/s"}}}, "link.h2d.pinned must be above 0"),
    ({"paths": {"top": ["=top"]}}, "paths.top contains itself"),
    ({"paths": {"top": ["=away"]}}, "paths.top refers to 'away', which is no path"),
    ({"paths": {"top": [3]}}, "paths.top must be a list of texts"),
    ({"paths": {"top": [" "]}}, "paths.top has a frame without text"),
    ({"paths": {"a b": []}}, "is no name"),
    ({"kernels": {"gemm": {"stalls": {"gmem": 0.9}}}}, "kernels.gemm.stalls sum to 1.1"),
    ({"kernels": {"new": {"time": "1 us"}}}, "kernels.new.name is missing"),
    ({"kernels": {"gemm": {"time": "fast"}}}, "kernels.gemm.time must be a time"),
    ({"ranks": {"count": 2, "host": {"2": 1.5}}}, "ranks.host.2 must be a rank from 0 to 1"),
    ({"measurement": {"cpu_period": "1 us"}}, "measurement.cpu_period must be 100 us or more"),
    ({"warm_up": {"extra": "1 s", "phase": "x"}}, "warm_up.phase names 'x'"),
]
STEP_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"kernel": "x"}, "steps[1].kernel names 'x'; there are gemm, loss, relu"),
    ({"cpu": "1 s", "wait": "main"}, "steps[1] must have one of cpu, kernel, copy"),
    ({}, "steps[1] must have one of"),
    ({"copy": "h2x", "size": "1 B"}, "steps[1].copy must be one of h2d, d2h, d2d"),
    ({"copy": "h2d", "size": "big"}, "steps[1].size must be a size such as 4 MiB"),
    ({"copy": "h2d"}, "steps[1].size is missing"),
    ({"load": True}, "steps[1] loads a batch, but loader.workers is 0"),
    ({"cpu": "1 s", "path": "x"}, "steps[1].path names 'x'"),
    ({"cpu": "1 s", "repeet": 2}, "steps[1].repeet is unknown; did you mean repeat"),
]


@pytest.mark.parametrize(("changes", "words"), FAULTS)
def test_a_faulty_entry_is_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        scene("loop", changes)
    assert words in caught.value.message


@pytest.mark.parametrize(("step", "words"), STEP_FAULTS)
def test_a_faulty_step_is_named(step: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        scene("loop", {"phases": {"forward": {"steps": [step]}}})
    assert f"phases.forward.{words}" in caught.value.message


def test_a_graph_refuses_what_holds_up_the_host() -> None:
    with pytest.raises(UsageError, match=r"phases.backward.steps\[3\] holds up the host"):
        scene("loop", {"phases": {"backward": {"graph": True}}})


def test_tables_are_laid_over_a_base_and_lists_replace() -> None:
    assert merge_entries({"a": {"b": 1, "c": [1]}, "d": 2}, {"a": {"c": [2]}}) == {
        "a": {"b": 1, "c": [2]},
        "d": 2,
    }


def test_a_file_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    with pytest.raises(InputError, match="cannot be read"):
        load(path)
    path.write_text("iterations = [")
    with pytest.raises(UsageError, match=r"scenario\.toml: is not TOML"):
        load(path)
    path.write_text('base = "scenario.toml"')
    with pytest.raises(UsageError, match="base must be the path of another scenario"):
        load(path)
    path.write_text('iteration = ["a"]\n[phases.a]\nsteps = [{cpu = 3}]')
    with pytest.raises(
        UsageError, match=r"scenario\.toml: phases\.a\.steps\[1\]\.cpu must be a text"
    ):
        load(path)
