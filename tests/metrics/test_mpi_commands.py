"""Commands of a run of several ranks: each starts as many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.rules.external_inputs import INPUTS, load_inputs
from perfolio.metrics.mpi_commands import launch_as_ranks, load_starters
from perfolio.metrics.requirements import PATH as NEEDS
from perfolio.metrics.requirements import load_vocabulary

_WITHOUT = "--kernel-name 'regex:^([^n]|n([^c]|$)|nc([^c]|$)|ncc([^l]|$)).*'"
_STARTED = re.compile(r"mpiexec -n \d+ [^`#;&]*\bPROGRAM\b")
_ONLY_READ = re.compile(r"(?:cuobjdump|readelf) [^\n]*\bPROGRAM\b")
_NAMED = re.compile(r"\bPROGRAM\b")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("hpcrun -e REALTIME -t PROGRAM", "mpiexec -n 4 hpcrun -e REALTIME -t PROGRAM"),
        ("/usr/bin/time -v PROGRAM", "mpiexec -n 4 /usr/bin/time -v PROGRAM"),
        ("what `time PROGRAM` prints", "what `time mpiexec -n 4 PROGRAM` prints"),
        ("OMP_NUM_THREADS=1 PROGRAM", "mpiexec -n 4 env OMP_NUM_THREADS=1 PROGRAM"),
        ('A="" hpcrun PROGRAM', 'mpiexec -n 4 env A="" hpcrun PROGRAM'),
        ("watch &\nPROGRAM; kill %1", "watch &\nmpiexec -n 4 PROGRAM; kill %1"),
        ("nsys profile -o run PROGRAM", "nsys profile -o run mpiexec -n 4 PROGRAM"),
        ("nsys profile -o run.%q{R} PROGRAM", "mpiexec -n 4 nsys profile -o run.%q{R} PROGRAM"),
        (
            "rocprofv3 -- PROGRAM   # NVIDIA: ncu PROGRAM",
            f"mpiexec -n 4 rocprofv3 -- PROGRAM   # NVIDIA: ncu {_WITHOUT} mpiexec -n 4 PROGRAM",
        ),
        (
            "perfolio record --with ncu -o run -- PROGRAM",
            "perfolio record --with ncu -o run -- mpiexec -n 4 PROGRAM",
        ),
        ("mpiexec -n RANKS --tag-output PROGRAM", "mpiexec -n 4 --tag-output PROGRAM"),
        ("mpiexec -n 1 hpcrun -o small PROGRAM", "mpiexec -n 1 hpcrun -o small PROGRAM"),
        ("cuobjdump --dump-resource-usage BINARY", "cuobjdump --dump-resource-usage BINARY"),
        ("hpcprof -o DATABASE MEASUREMENTS", "hpcprof -o DATABASE MEASUREMENTS"),
    ],
)
def test_a_command_starts_all_ranks(command: str, expected: str) -> None:
    assert launch_as_ranks(command, 4) == expected
    assert launch_as_ranks(command, 1) == launch_as_ranks(command, 0) == command


def test_what_to_know_of_a_tool_with_ranks_stands_above_it_once() -> None:
    """Kernel replay lets no two ranks run a collective operation at the same time."""
    note, first, second = launch_as_ranks("ncu --a PROGRAM   # x\nncu --b PROGRAM   # y", 2).split(
        "\n"
    )
    assert note.startswith("# ")
    assert "collective operations would never end" in note
    assert (first, second) == (
        f"ncu --a {_WITHOUT} mpiexec -n 2 PROGRAM   # x",
        f"ncu --b {_WITHOUT} mpiexec -n 2 PROGRAM   # y",
    )


def test_nsight_compute_leaves_out_kernels_that_wait_for_other_ranks() -> None:
    """The option's expression, in a syntax that every engine of regular expressions reads.

    NVIDIA's manual shows that a part of the name is enough; all of it matches, too.
    """
    expression = re.compile(_WITHOUT.partition("regex:")[2].rstrip("'"))
    for name in ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclKernel_AllGather", "ncclDev"):
        assert not expression.search(name)
    like = ("nvjet_tst_128x64", "nchwToNhwcKernel", "ncc_foo", "ncc", "nc", "n")
    for name in (*like, "ampere_sgemm_128x64_nn", "scale"):
        assert expression.search(name)
        assert expression.fullmatch(name)
    own = "ncu --kernel-name regex:gemm PROGRAM"
    assert launch_as_ranks(own, 2).endswith("\nncu --kernel-name regex:gemm mpiexec -n 2 PROGRAM")


def test_comments_stay_below_each_other() -> None:
    commands = "nproc             # cores\nhpcrun PROGRAM    # time"
    assert launch_as_ranks(commands, 16) == (
        "nproc                          # cores\nmpiexec -n 16 hpcrun PROGRAM   # time"
    )


def test_every_text_that_starts_a_program_can_start_ranks() -> None:
    """One that run_command_rules.toml does not list would start one rank in place of several."""
    for place, text in _texts():
        started = launch_as_ranks(text, 4)
        for line in started.split("\n"):
            known = len(_STARTED.findall(line)) + len(_ONLY_READ.findall(line))
            assert known == len(_NAMED.findall(line)), f"{place}: {line}"


def _texts() -> Iterator[tuple[str, str]]:
    for rule in load_rules().values():
        for words in rule.sections.values():
            yield rule.code, words
        for words in rule.needs.decide_with.values():
            yield rule.code, words
    for entry in load_vocabulary(NEEDS).entries:
        for words in entry.collect.values():
            yield entry.what, words
    for name, one in load_inputs(INPUTS).items():
        for words in one.collect.values():
            yield name, words


def test_a_faulty_list_of_starters_names_its_file(tmp_path: Path) -> None:
    for text in ("starter = 1", "[[starter]]\ncommand = 'x'\nmpiexec = 'around'"):
        path = tmp_path / f"{len(text)}.toml"
        path.write_text(text)
        with pytest.raises(ContentError, match=path.name):
            load_starters(path)
