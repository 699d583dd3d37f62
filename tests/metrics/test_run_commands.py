"""Commands as they work for a run: its launches, and the version of ROCm that it used."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.metrics.mpi_commands import name_program
from perfolio.metrics.requirements import find_unmet_need, load_vocabulary
from perfolio.metrics.run_commands import (
    CommandSetting,
    load_tools,
    prepare_command,
    start_commands,
)
from perfolio.metrics.run_inventory import FixedInventory
from perfolio.readers.program_command import agree_on_program, find_program, format_program

TRACE = "rocprofv3 --kernel-trace --output-format csv -- PROGRAM"


@pytest.mark.parametrize(
    ("launches", "expected"),
    [
        (100, "ncu --launch-skip 10 --launch-count 5 PROGRAM"),
        (7400, "ncu --launch-skip 740 --launch-count 200 PROGRAM"),
        (1, "ncu --launch-skip 0 --launch-count 1 PROGRAM"),
        (0, "ncu --launch-count 200 PROGRAM"),
        (None, "ncu --launch-count 200 PROGRAM"),
    ],
)
def test_launches_to_look_at_are_those_of_the_run(launches: float | None, expected: str) -> None:
    assert (
        prepare_command("ncu {launch_range} PROGRAM", CommandSetting(launches=launches)) == expected
    )


@pytest.mark.parametrize(
    ("launches", "iterations", "ranks", "expected"),
    [
        (78000, 150, 0, "ncu --launch-skip 7800 --launch-count 520 PROGRAM"),
        (7400, 100, 0, "ncu --launch-skip 740 --launch-count 148 PROGRAM"),
        (750, 250, 0, "ncu --launch-skip 75 --launch-count 36 PROGRAM"),
        (78000, 150, 2, "ncu --launch-skip 3900 --launch-count 260 "),
        (
            50000,
            10,
            0,
            "# Looks at a part of an iteration, which has 5,000 launches.\nncu --launch-skip 5000 ",
        ),
    ],
)
def test_launches_to_look_at_are_whole_iterations(
    launches: float, iterations: float, ranks: int, expected: str
) -> None:
    """Fewer could miss a part of each iteration, such as all launches of an optimiser."""
    setting = CommandSetting(launches=launches, iterations=iterations, ranks=ranks)
    assert expected in prepare_command("ncu {launch_range} PROGRAM", setting)


def test_programs_in_python_are_recorded_with_their_functions() -> None:
    text = "Run hpcrun again:\nhpcrun -e CPUTIME PROGRAM\nhpcrun -e CPUTIME PROGRAM  # no -a python"
    lines = start_commands(text, CommandSetting(python=True)).split("\n")
    assert lines[:2] == ["Run hpcrun again:", "hpcrun -a python -e CPUTIME PROGRAM"]
    assert lines[2] == "hpcrun -e CPUTIME PROGRAM  # no -a python", "it says itself what it needs"
    assert start_commands(text, CommandSetting()) == text


@pytest.mark.parametrize(
    ("rocm", "note"),
    [
        (None, ""),
        ("", "# Needs ROCm 6.3 or later.\n"),
        ("5.7.1", "# This run used ROCm 5.7.1: first update to 6.3 or later.\n"),
        ("6.2.4", "# This run used ROCm 6.2.4: first update to 6.3 or later.\n"),
        ("6", "# Needs ROCm 6.3 or later; this run used ROCm 6.\n"),
        ("5", "# This run used ROCm 5: first update to 6.3 or later.\n"),
        ("6.3", ""),
        ("7", ""),
        ("10.1.0", ""),
    ],
)
def test_an_older_rocm_is_told_to_update_first(rocm: str | None, note: str) -> None:
    assert prepare_command(TRACE, CommandSetting(rocm)) == note + TRACE


def test_commands_of_the_older_rocm_ask_for_nothing() -> None:
    assert (
        prepare_command("hpcrun -e gpu=amd PROGRAM", CommandSetting("5.7.1"))
        == "hpcrun -e gpu=amd PROGRAM"
    )


def test_calls_of_python_are_recorded_again() -> None:
    command = prepare_command("hpcrun -e CPUTIME PROGRAM", CommandSetting(python=True))
    assert command == "hpcrun -a python -e CPUTIME PROGRAM"


def test_what_a_vendor_does_not_record_counts_where_it_is_recorded() -> None:
    need, vocabulary = "copy_bytes:H2D", load_vocabulary()
    met = frozenset({"values", need})
    empty = find_unmet_need(need, FixedInventory(met, "AMD"), vocabulary)
    assert empty
    assert "before 2025.1" in empty.reason
    assert (
        find_unmet_need(need, FixedInventory(met, "AMD", filled=frozenset({need})), vocabulary)
        is None
    )


def test_pc_samples_under_their_newer_name_are_not_said_to_be_missing() -> None:
    held = FixedInventory(frozenset({"values", "GCYCLES"}), "NVIDIA")
    for need in ("pc_samples", "stalled_samples", "samples_taken"):
        gap = find_unmet_need(need, held, load_vocabulary())
        assert gap
        assert "GCYCLES" in gap.reason
    both = FixedInventory(frozenset({"values", "GCYCLES", "pc_samples"}), "NVIDIA")
    assert find_unmet_need("pc_samples", both, load_vocabulary()) is None


def test_what_graphs_launch_is_missing_before_anything_else_is() -> None:
    met = frozenset({"values", "gpu_trace", "cpu_trace", "kernel_launches", "graphs"})
    held = FixedInventory(met, "NVIDIA", filled=met)
    for need in ("gpu_trace", "iterations", "kernel_launches", "stalled_samples"):
        gap = find_unmet_need(need, held, load_vocabulary())
        assert gap
        assert "graphs" in gap.reason
        assert gap.collect.startswith("nsys")
    assert find_unmet_need("cpu_trace", held, load_vocabulary()) is None
    seen = FixedInventory(met - {"graphs"}, "NVIDIA", filled=met)
    assert find_unmet_need("gpu_trace", seen, load_vocabulary()) is None


def test_a_faulty_list_of_tools_names_its_file(tmp_path: Path) -> None:
    for text in ("tool = 1", "[[tool]]\nsign = 'x'", "[[tool]]\nsign = 'x'\nrocm = 'new'"):
        path = tmp_path / f"{len(text)}.toml"
        path.write_text(text)
        with pytest.raises(ContentError, match=path.name):
            load_tools(path)


def test_a_run_of_ranks_is_started_as_such() -> None:
    setting = CommandSetting(ranks=4)
    assert (
        prepare_command("hpcrun -e CPUTIME PROGRAM", setting)
        == "mpiexec -n 4 hpcrun -e CPUTIME PROGRAM"
    )
    already = "mpiexec -n RANKS hpcrun PROGRAM"
    assert prepare_command(already, setting) == "mpiexec -n 4 hpcrun PROGRAM"
    assert prepare_command("hpcrun PROGRAM", CommandSetting(ranks=1)) == "hpcrun PROGRAM"


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["./heat", "8000", "50"], "./heat 8000 50"),
        (["python", "train.py", "--name", "a run"], "python train.py --name 'a run'"),
        (["./x", "--out=/scratch/x,y"], "./x --out=/scratch/x,y"),
        (["./x", "$(reboot)"], ""),
        (["./x", "`id`"], ""),
        (["./x", "a\nb"], ""),
        (["./x", "<img src=x>"], ""),
        (["./x", "it's"], ""),
        (["./x", "größe"], ""),
        (["./x", ""], ""),
        (["./x", "n" * 200], ""),
        (["./x", "--hf-token", "abc"], ""),
        (["./x", "--key=hf_abcdefgh12345"], ""),
        (["./x", "https://me:word@host/x"], ""),
        (["mpirun", "-n", "4", "./x"], ""),
        (["/usr/bin/srun", "./x"], ""),
        (["python", "-m", "torch.distributed.run", "x.py"], ""),
        (["ncu", "./x"], ""),
        (["-x"], ""),
        (["A=1", "./x"], ""),
        ([], ""),
    ],
)
def test_a_command_is_told_where_it_is_certain(words: list[str], command: str) -> None:
    assert format_program(words) == command


def test_processes_agree_on_a_command_or_none_is_told() -> None:
    assert agree_on_program([("./x", "1"), ("./x", "1")]) == "./x 1"
    assert agree_on_program([("./x", "0"), ("./x", "1")]) == ""
    assert agree_on_program([("./x",), ()]) == ""
    assert agree_on_program([]) == ""


def test_what_a_person_says_of_the_command_counts_first() -> None:
    recorded = {"run.command": "./x 1"}
    assert find_program(recorded) == "./x 1"
    assert find_program({**recorded, "workload.command": "python 'a b.py'"}) == "python 'a b.py'"
    assert find_program({**recorded, "workload.command": "./x | tee log"}) == ""
    assert find_program({"workload.command": "python 'a"}) == ""
    assert find_program({}) == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("hpcrun -e CPUTIME -t PROGRAM", "hpcrun -e CPUTIME -t ./x 1"),
        ("mpiexec -n 4 hpcrun PROGRAM", "mpiexec -n 4 hpcrun ./x 1"),
        ("nsys profile -o run mpiexec -n 4 PROGRAM", "nsys profile -o run mpiexec -n 4 ./x 1"),
        ("OMP_NUM_THREADS=CORES PROGRAM", "OMP_NUM_THREADS=CORES ./x 1"),
        ("PROGRAM  # around steps", "./x 1   # around steps"),
        ("Record `ncu PROGRAM` again.", "Record `ncu ./x 1` again."),
        ("readelf -p .comment PROGRAM", "readelf -p .comment PROGRAM"),
        ("the PROGRAMS", "the PROGRAMS"),
    ],
)
def test_commands_start_the_program_of_the_run(text: str, named: str) -> None:
    assert name_program(text, "./x 1") == named
    assert name_program(text, "") == text
