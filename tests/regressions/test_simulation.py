"""Scenarios: what they may cost, and what a simulation may replace."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from perfolio.common.errors import OutputError, UsageError
from perfolio.simulation.quantity_parser import (
    parse_duration,
    parse_frequency,
    parse_rate,
    parse_size,
)
from perfolio.simulation.simulate import simulate_file
from perfolio.simulation.size_limits import MOST_EVENTS
from tests.kit.databases import write_database

# Scenarios of a few lines took all memory or never ended: 2^39 paths, 10^10 steps, 9 GB at once.
#
# `1e400 s` and `1e300 TB` were tracebacks. What a scenario would make is counted before it is made.

ONE = '[phases.p]\nsteps = [{cpu = "1 us"}]\n'
KERNEL = (
    '[kernels.k]\nname = "k"\ntime = "%s"\n[phases.p]\nsteps = [{kernel = "k"}, {wait = "main"}]\n'
)
UNSAMPLED = '[measurement]\ncpu_period = "0 s"\n'
REFUSED = {
    "steps at the start": (
        "start = ['q']\niterations = 1\n[ranks]\ncount = 1024\n" + ONE + "[phases.q]\nsteps = ["
        + '{cpu = "1 us", repeat = 100000},' * 100 + "]\n",
        "events",
    ),
    "iterations without a step": (
        "iterations = 100000\n[phases.p]\nsteps = []\n[ranks]\ncount = 1024\n", "events",
    ),
    "threads": (
        "[loader]\nworkers = 256\n[ranks]\ncount = 1024\n[phases.p]\nsteps = [{load = true}]\n",
        "comparisons",
    ),
    "CPU samples": ('iterations = 1\n[phases.p]\nsteps = [{cpu = "1e7 s"}]\n', "CPU samples"),
    "samples of waiting": (KERNEL % "1e5 s", "CPU samples"),
    "PC samples": (
        "[measurement]\ncpu_period = '0 s'\npc_samples = true\npc_period = 32\n"
        "[device]\nmultiprocessors = 1000000\nclock = '1e6 GHz'\n" + KERNEL % "1000 s",
        "PC samples",
    ),
    "years": (UNSAMPLED + '[phases.p]\nsteps = [{cpu = "1e8 s"}]\n', " s of run time"),
    "years of loading": (
        UNSAMPLED + '[loader]\nworkers = 1\nprefetch = 9\ntime = "1e8 s"\n'
        "[phases.p]\nsteps = [{load = true}]\n",
        " s of run time",
    ),
    "bytes": ('[phases.p]\nsteps = [{copy = "h2d", size = "1e4 TB"}]\n', "bytes of copies"),
    "endless time": ('[phases.p]\nsteps = [{cpu = "1e400 s"}]\n', "phases.p.steps[1].cpu"),
    "long time": (KERNEL % "1e300 s", "kernels.k.time"),
    "large copy": ('[phases.p]\nsteps = [{copy = "h2d", size = "1e300 TB"}]\n', "size"),
    "slow link": ('[link.h2d]\npinned = "1e-300 B/s"\n' + ONE, "link.h2d.pinned"),
    "shared memory": ('[device]\nshared_memory = "1e400 B"\n' + ONE, "device.shared_memory"),
    "spread": ('[phases.p]\nsteps = [{cpu = "1 s ± 1e300 %"}]\n', "must vary by 1000%"),
    "NUL": ('executable = "a\\u0000"\n' + ONE, "NUL"),
    "paths in a row": (
        "[paths]\n" + "".join(f"x{i} = ['=x{i + 1}']\n" for i in range(3_000))
        + "x3000 = []\n" + ONE,
        "paths deep",
    ),
    "long paths": (
        "[paths]\nx0 = ['a']\n"
        + "".join(f"x{i} = ['=x{i - 1}', '=x{i - 1}']\n" for i in range(1, 40)) + ONE,
        "more than 200 frames",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), REFUSED.values(), ids=REFUSED)
def test_what_takes_too_much_is_refused_at_once(text: str, words: str, tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(_with_iteration(text))
    begun = time.process_time()
    with pytest.raises(UsageError) as caught:
        simulate_file(scenario, tmp_path / "made.d")
    assert words in str(caught.value)
    assert time.process_time() - begun < 5
    assert [path.name for path in tmp_path.iterdir()] == ["scenario.toml"]


def _with_iteration(text: str) -> str:
    return 'iteration = ["p"]\n' + text


def test_empty_paths_of_paths_are_found_once(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.toml"
    paths = "".join(f"x{i} = ['=x{i - 1}', '=x{i - 1}']\n" for i in range(1, 40))
    scenario.write_text(_with_iteration(f"[paths]\nx0 = []\n{paths}{ONE}"))
    assert simulate_file(scenario, tmp_path / "made.d").folder.is_dir()


def test_as_many_events_as_are_allowed_are_made(tmp_path: Path) -> None:
    """A host step is one event; a phase counts for four, an iteration for one."""
    scenario = tmp_path / "scenario.toml"
    for repeat, refused in ((MOST_EVENTS // 100 - 5, True), (995, False)):
        scenario.write_text(
            f'iteration = ["p"]\niterations = 100\n[phases.p]\n'
            f'steps = [{{cpu = "1 us", repeat = {repeat}}}]\n'
        )
        if refused:  # a thread too many
            with pytest.raises(UsageError, match=r"5,000,001 events; 5,000,000 are allowed"):
                simulate_file(scenario, tmp_path / "made.d")
        else:
            made = simulate_file(scenario, tmp_path / "made.d")
            assert made.truth["wall"] == pytest.approx(0.0995)


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (parse_duration, "%s s"),
        (parse_size, "%s B"),
        (parse_rate, "%s B/s"),
        (parse_frequency, "%s Hz"),
    ],
)
def test_amounts_are_usual_ones(reader: object, text: str) -> None:
    assert callable(reader)
    for number in ("0", "1", "1e6"):
        reader(text % number)
    for number in ("1e19", "1e308", "1e400", "1e-30"):
        with pytest.raises(ValueError, match="usual amount"):
            reader(text % number)


# `perfolio simulate -o DB` replaced a measured database, and any other file in its folder.
#
# Any folder with a meta.db went, `notes.txt` with it, and the exit code was 0. Only what a
# simulation made is replaced now: a folder with truth.json, and nothing else in it.

SCENARIO = 'iteration = ["p"]\n[phases.p]\nsteps = [{cpu = "1 us"}]\n'


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    return tmp_path / "scenario.toml"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_measured_database_stays(scenario: Path, tmp_path: Path) -> None:
    measured = write_database(tmp_path / "x.d")
    before = contents(measured)
    with pytest.raises(OutputError, match="was not made by a simulation"):
        simulate_file(scenario, measured)
    assert contents(measured) == before


def test_files_of_others_stay(scenario: Path, tmp_path: Path) -> None:
    made = simulate_file(scenario, tmp_path / "x.d").folder
    first = contents(made)
    assert contents(simulate_file(scenario, made).folder) == first
    (made / "notes.txt").write_text("precious")
    with pytest.raises(OutputError, match=r"holds notes\.txt"):
        simulate_file(scenario, made, seed=2)
    assert contents(made) == first | {"notes.txt": b"precious"}
