"""A file that ends in the middle of a line says so: in a note, or by being refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.readers.witnesses.discovery import MOST_NOTES
from tests.kit.shared import recorded
from tests.readers.witnesses.samples import FILES

SAID = ("is cut, and was left out", "has no end", "may end early", "printed no", "has no row",
        "recorded no", "ends early")  # fmt: skip
WHOLE = {"ncu.csv", "inspector.jsonl"}
"""Their lines tell by a quote or brace whether they are whole."""


def notes(path: Path) -> str | None:
    """What is said of a file; None where it is refused, or its kind is not known."""
    try:
        return "; ".join(registry.read(path).warnings)
    except InputError as problem:
        assert "\n" not in str(problem)  # noqa: PT017 - and it is a note of no other kind
        return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["nccl.log", "ncu.csv", "dmon.txt", "smi.csv", "pmc_perf.csv", "deepspeed.txt",
     "inspector.jsonl"],
)  # fmt: skip
def test_each_place_of_a_cut_is_said(name: str, tmp_path: Path) -> None:
    path, text = tmp_path / name, FILES[name]
    path.write_text(text)
    whole = notes(path)
    assert whole is not None
    assert not any(said in whole for said in SAID)
    rows = text.index("\n", len(text) // 3)
    last = text.rindex("\n---") + 41 if "\n---" in text else len(text)
    for length in range(rows + 1, last):
        if text[length - 1] == "\n" or (name in WHOLE and text[length] == "\n"):
            continue
        path.write_text(text[:length])
        found = notes(path)
        assert found is None or any(said in found for said in SAID), text[:length]


def test_a_recorded_log_that_was_cut() -> None:
    assert "has no line `Avg bus bandwidth`" in str(notes(recorded("hostile/round2/nccl_cut.dat")))


def test_a_table_of_rocprof_that_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "x_kernel_trace.csv"
    head = '"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
    row = '"KERNEL_DISPATCH",1,"k",3,2000,3000\n'
    path.write_text(head + row + row[: row.index("3000")])
    assert "the last line, 3, is cut, and was left out" in str(notes(path))
    path.write_text(head + row + row)
    assert "cut" not in str(notes(path))


def test_notes_of_many_blocks_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "nccl.log"
    path.write_text("\n".join(FILES["nccl.log"].splitlines()[:3] * 500))
    told = registry.read(path).warnings
    assert len(told) == MOST_NOTES + 1
    assert told[-1] == "nccl.log: 480 more notes are like these"
