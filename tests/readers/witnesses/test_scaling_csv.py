"""Tables of several runs, as anyone writes them, and JSON lines of NCCL Inspector."""
# ruff: noqa: E501 - lines of other tools' files are long

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.readers.witnesses.discovery import detect_kind
from tests.readers.witnesses.files import witness


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
