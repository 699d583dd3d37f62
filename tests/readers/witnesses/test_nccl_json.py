"""JSON of link tests: both forms, and what is damaged in them.

Also: Tables of several runs, as anyone writes them, and JSON lines of NCCL Inspector.
"""

# ruff: noqa: E501 - lines of other tools' files are long

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.readers.witnesses.discovery import MOST_NOTES, detect_kind, read_alone
from tests.kit.shared import recorded
from tests.readers.witnesses.samples import FILES, witness

SIDES = {
    "type": "float", "redop": "sum", "oop_time": 800.0, "oop_algbw": 20.97, "oop_busbw": 18.35,
    "oop_error": 0.0, "ip_time": 790.0, "ip_algbw": 21.24, "ip_busbw": 18.58, "ip_error": "N/A",
}  # fmt: skip
DOCUMENT = {"identifier": "nccl-tests structured output", "version": "2.26.6"}
LINE = {
    "name": "AllReduce", "gpus": 4, "size": 1024, "type": "float", "redop": "sum", "inPlace": 1,
    "time": 20.0, "algBw": 0.0512, "busBw": 0.0768, "#wrong": "0",
}  # fmt: skip


def rows(folder: Path, text: str, table: str = "collective_row") -> list[dict[str, Any]]:
    """Rows of a table that a file with this text gives."""
    path = folder / "all_gather.json"
    path.write_text(text)
    assert detect_kind(path) is not None
    return list(read_alone(path).tables[table].to_pylist())


def test_a_document_has_both_sides_of_each_size(tmp_path: Path) -> None:
    text = json.dumps({**DOCUMENT, "benchmark": [{"16777216": SIDES}]}, indent=1)
    found = rows(tmp_path, text)
    assert [(one["bytes"], one["in_place"]) for one in found] == [
        (16_777_216, False),
        (16_777_216, True),
    ]
    assert [one["bus_bandwidth"] for one in found] == pytest.approx([18.35e9, 18.58e9])
    assert [one["wrong"] for one in found] == [0, None]
    (block,) = rows(tmp_path, text, "collective_block")
    assert block["operation"] == "all_gather"


def test_lines_of_one_operation_are_a_block(tmp_path: Path) -> None:
    lines = [LINE, {**LINE, "size": 2048}, {**LINE, "name": "AllGather"}]
    text = "\n".join(map(json.dumps, lines))
    assert [one["block"] for one in rows(tmp_path, text)] == [1, 1, 2]
    blocks = rows(tmp_path, text, "collective_block")
    assert [(one["operation"], one["ranks"]) for one in blocks] == [
        ("all_reduce", 4),
        ("all_gather", 4),
    ]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2: no result in JSON"):
        rows(tmp_path, json.dumps(LINE) + '\n{"algBw')


@pytest.mark.parametrize(
    "benchmark", [3, [3], [{"x": SIDES}], [{"9": 3}], [{"9": {"oop_time": 1}}], [{"1" * 30: SIDES}]]
)
def test_what_is_no_result_gives_no_row(tmp_path: Path, benchmark: Any) -> None:
    text = json.dumps({**DOCUMENT, "benchmark": benchmark})
    assert rows(tmp_path, text) == []


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


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("gpus,tokens/s\n1,1000\n\n8,7200\n", [(None, 1, 1000.0, "tokens/s"), (None, 8, 7200.0, "tokens/s")]),
        ("model;num_gpus;samples_per_sec\nresnet;8;52,1\n", [("resnet", 8, 52.1, "samples/s")]),
        ("\ufeffworld_size\timages/s\n16\t3.5e3\n", [(None, 16, 3500.0, "samples/s")]),
        ('GPUs,Tokens per second [1/s],note\n4,"12,000","a, b"\n', [("a, b", 4, 12000.0, "tokens/s")]),
        ("run,gpus,samples/s\n3,2,7\n", [(None, 2, 7.0, "samples/s")]),
    ],
)  # fmt: skip
def test_tables_of_runs(tmp_path: Path, text: str, rows: list[Any]) -> None:
    assert witness(tmp_path, text, "t.csv").rows["throughput_row"] == rows


@pytest.mark.parametrize(
    "text", ["gpus,loss\n1,2\n", "tokens/s\n1\n", "a,b\n", "timestamp,gpus\n", '"gpus,tokens/s\n']
)
def test_other_tables_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    assert detect_kind(tmp_path / "t.csv") is None


@pytest.mark.parametrize(
    ("row", "said"),
    [("8", "has 1 cells"), ("0,5", "are no number"), ("1.5,5", "are no number"), ("8,-5", "are no number"),
     ("8,nan", "are no number"), ("9" * 30 + ",5", "are no number"), ("<b>,5", "are no number")],
)  # fmt: skip
def test_damaged_rows_end_in_a_line(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        witness(tmp_path, f"gpus,tokens/s\n1,10\n{row}\n", "t.csv")
    assert "t.csv: line 3: " in str(caught.value)
    assert said in str(caught.value)


def record(**changed: Any) -> str:
    told = {"coll": "AllReduce", "coll_sn": 7, "coll_msg_size_bytes": 17179869184,
            "coll_exec_time_us": 61974, "coll_timing_source": "kernel_gpu",
            "coll_algobw_gbs": 277.25, "coll_busbw_gbs": 485.5}  # fmt: skip
    return json.dumps(
        {
            "header": {"id": "0x7f", "rank": 2, "n_ranks": 8, "nnodes": 1},
            "metadata": {"inspector_output_format_version": "v4.1", "hostname": "a", "pid": 1},
            "coll_perf": told | changed,
        }
    )


def test_collectives_that_nccl_wrote_down(tmp_path: Path) -> None:
    stats = '{"header": {"rank": 2}, "metadata": {"hostname": "a", "pid": 1}, "dump_stats": {"dropped_total": 5}}'
    flat = '{"rank": 0, "n_ranks": 4, "coll_perf": {"coll": "ReduceScatter", "coll_msg_size_bytes": 8, "coll_exec_time_us": 2.5}}'
    text = "\n".join([record(), stats, stats.replace("5", "9"), "", flat, record()[:50]])
    found = witness(tmp_path, text, "host-pid1.log")
    assert found.rows["collective_sample"] == [
        (2, "all_reduce", 7, 8, 1, 17179869184, pytest.approx(0.061974), 277.25e9, 485.5e9),
        (0, "reduce_scatter", None, 4, None, 8, pytest.approx(2.5e-6), None, None),
    ]
    assert found.version == "v4.1"
    assert found.notes == [
        "the last line, 6, is cut, and was left out",
        "holds 2 collectives: NCCL Inspector samples, and does not list all; it says that it dropped 9",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [("{]", "is no record"), (record(coll_exec_time_us="x"), "is no record"),
     (record(coll_msg_size_bytes=-1), "below 0"), (record(coll_msg_size_bytes=1 << 63), "below 0"),
     (record(coll_sn=-2), "number cannot be"),
     (record().replace('"rank": 2', '"rank": -2'), "ranks cannot be"), ("[" * 50_000, "is no record")],
)  # fmt: skip
def test_damaged_records_end_in_a_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        witness(tmp_path, f"{record()}\n{line}\n{record()}\n", "i.jsonl")
    assert "i.jsonl: line 2: " in str(caught.value)
    assert said in str(caught.value)
