"""rocprofiler-compute's (Omniperf's) `pmc_perf.csv`: a row per dispatch, a column per counter.

Beside it lie `sysinfo.csv`, which names the device, and, of older releases, `timestamps.csv`, which
has the times of the same dispatches. Operations and bytes follow the conventions of AMD's
documentation of ROCm Compute Profiler ("FLOP counting conventions", "L2 cache", "Infinity Fabric").
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import (
    describe_cut_line,
    describe_unended_line,
    make_line_error,
    read_csv_rows,
    read_lines,
)
from perfolio.readers.text_stream import TextStream, open_text
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.unit_parser import parse_number

TOOL = "rocprofiler-compute"
MOST_LAUNCHES = 200_000
SYSTEM, TIMES = "sysinfo.csv", "timestamps.csv"
_NAME, _DISPATCH = "kernel_name", "dispatch_id"
_COUNTER = re.compile(r"(?:SQ|SQC|TA|TD|TCP|TCC|CPC|CPF|SPI|GRBM)_[A-Z0-9_]+(?:_sum)?(?:\[\d+\])?")
_KEPT = re.compile(
    r"SQ_INSTS_VALU_(?:ADD|MUL|TRANS|FMA|MFMA_MOPS)_B?F\d+|SQ_INSTS_VALU_MFMA_F\d+|"
    r"TCC_EA0?_(?:RDREQ|RDREQ_32B|WRREQ|WRREQ_64B)|TCC_BUBBLE|TCC_REQ|TCP_TOTAL_CACHE_ACCESSES|"
    r"GRBM_GUI_ACTIVE"
)
_SUFFIX = re.compile(r"_sum$|\[\d+\]$")
"""Behind the name of a counter: the sum over channels, or the number of one."""
_LANES, _MATRIX_OPERATIONS = 64, 512
_L2_REQUEST, _L1_ACCESS = 128.0, 64.0
"""Bytes, from MI200 on."""
_VECTOR = (("flop_fp64", "F64"), ("flop_fp32", "F32"), ("flop_fp16", "F16"))
_MATRIX = (("flop_fp64_matrix", ("F64",)), ("flop_fp32_matrix", ("F32",)),
           ("flop_fp16_matrix", ("F16", "BF16")), ("flop_fp8_matrix", ("F8",)))  # fmt: skip
_LONGEST = 4000


def recognises(head: Sequence[str]) -> bool:
    """Whether the first line names dispatches and counters."""
    cells = next(csv.reader(head[:1]), []) if head else []
    named = {cell.strip().lower() for cell in cells}
    counted = any(_COUNTER.fullmatch(cell.strip()) for cell in cells)
    return counted and _NAME in named and _DISPATCH in named and "counter_name" not in named


def read(text: TextStream) -> Witness:
    """Operations and bytes of each dispatch. Raises InputError where a row is damaged."""
    path, found = text.opened.path, Witness(TOOL)
    system = _read_first_row(path.parent / SYSTEM)
    found.device, found.version = (
        _name_device(system),
        to_storable_text(system.get("version", ""))[:40],
    )
    times = _read_times(path.parent / TIMES)
    columns: dict[str, list[int]] = {}
    names: list[str] = []
    for row in _read_rows(text):
        if not names:
            names = [cell.strip() for cell in row]
            columns = _find_counters(names)
            continue
        launch = text.line - 2
        if len(row) < len(names) and not text.is_ended:
            found.notes.append(describe_cut_line(text))
            break
        if len(row) != len(names):
            raise _make_width_error(text, row, names)
        if launch >= MOST_LAUNCHES:
            raise make_line_error(text, f"more than {MOST_LAUNCHES:,} dispatches are not read")
        _add_dispatch(found, launch, dict(zip(map(str.lower, names), row, strict=True)), times)
        for name, value in _compute_derived(_sum_counters(columns, row)).items():
            found.add("kernel_counter", (launch, name, value))
    else:
        found.notes += describe_unended_line(text)
    _add_notes(found, columns)
    return found


def _add_dispatch(
    found: Witness, launch: int, row: Mapping[str, str], times: Mapping[str, float]
) -> None:
    """The dispatch itself, and its time where one is told."""
    grid, group = (
        parse_number(row.get("grid_size", "")),
        parse_number(row.get("workgroup_size", "")),
    )
    blocks = int(grid // group) if grid and group else None
    name = to_storable_text(row[_NAME])[:_LONGEST] or "(unnamed)"
    found.add(
        "counted_kernel",
        (
            launch, re.sub(r" (?:\[clone )?\(?\.kd[\])]$", "", name), blocks,
            int(group) if group else None, to_storable_text(row.get("gpu_id", ""))[:60], None,
        ),
    )  # fmt: skip
    seconds = _compute_duration(row) or times.get(row[_DISPATCH].strip())
    if seconds:
        found.add("kernel_counter", (launch, "seconds", seconds))


def _compute_derived(value: Mapping[str, float]) -> dict[str, float]:
    """What the roofline asks for, from what was counted; nothing of what was not."""
    found = _compute_operations(value) | _compute_memory_bytes(value)
    if "TCC_REQ" in value:
        found["bytes_l2"] = _L2_REQUEST * value["TCC_REQ"]
    if "TCP_TOTAL_CACHE_ACCESSES" in value:
        found["bytes_l1"] = _L1_ACCESS * value["TCP_TOTAL_CACHE_ACCESSES"]
    return found


def _compute_operations(value: Mapping[str, float]) -> dict[str, float]:
    """Operations of vector and matrix units by precision ("FLOP counting conventions").

    An instruction of a vector unit is of a wave of 64 lanes, idle ones included: ADD, MUL and TRANS
    are one operation of each lane, FMA is two. One of MFMA_MOPS is 512 operations.
    """
    found: dict[str, float] = {}
    for name, kind in _VECTOR:
        parts = [value.get(f"SQ_INSTS_VALU_{each}_{kind}") for each in ("ADD", "MUL", "FMA", "FMA")]
        told = [part for part in parts if part is not None]
        if len(told) == len(parts):
            rest = value.get(f"SQ_INSTS_VALU_TRANS_{kind}", 0.0)
            found[name] = _LANES * (sum(told) + rest)
    for name, kinds in _MATRIX:
        counted = [
            value[each] for kind in kinds if (each := f"SQ_INSTS_VALU_MFMA_MOPS_{kind}") in value
        ]
        if counted:
            found[name] = _MATRIX_OPERATIONS * sum(counted)
    return found


def _compute_memory_bytes(value: Mapping[str, float]) -> dict[str, float]:
    """Bytes between the L2 cache and memory ("L2-Fabric transactions").

    Requests of the L2 cache to the fabric (EA, on MI300 EA0) are reads of 64 or 32 bytes, and where
    BUBBLE is counted (MI300) also of 128; writes of 64 or 32 bytes.
    """
    for port in ("TCC_EA", "TCC_EA0"):
        names = (f"{port}_{each}" for each in ("RDREQ", "RDREQ_32B", "WRREQ", "WRREQ_64B"))
        told = [value[name] for name in names if name in value]
        if len(told) == 4:
            reads, short, writes, long = told
            longest = value.get("TCC_BUBBLE", 0.0) if port == "TCC_EA0" else 0.0
            read = 128.0 * longest + 64.0 * (reads - longest - short) + 32.0 * short
            return {"bytes_read": read, "bytes_written": 64.0 * long + 32.0 * (writes - long)}
    return {}


def _find_counters(names: Sequence[str]) -> dict[str, list[int]]:
    """Columns of each counter that is kept: the one with its sum, else those of its channels."""
    whole: dict[str, list[int]] = {}
    parts: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        own = _SUFFIX.sub("", name)
        if _KEPT.fullmatch(own):
            (parts if name.endswith("]") else whole).setdefault(own, []).append(place)
    return parts | {own: places[:1] for own, places in whole.items()}


def _sum_counters(columns: Mapping[str, Sequence[int]], row: Sequence[str]) -> dict[str, float]:
    """Counters with all of their cells."""
    found: dict[str, float] = {}
    for name, places in columns.items():
        cells = [parse_number(row[place]) for place in places]
        told = [cell for cell in cells if cell is not None and cell >= 0.0]
        if len(told) == len(cells):
            found[name] = sum(told)
    return found


def _read_rows(text: TextStream) -> Iterator[list[str]]:
    """Rows; empty lines are none."""
    return filter(None, read_csv_rows(text, read_lines(text)))


def _make_width_error(text: TextStream, row: Sequence[str], names: Sequence[str]) -> InputError:
    return make_line_error(text, f"has {len(row):,} cells, and the header {len(names):,}")


def _read_first_row(path: Path) -> dict[str, str]:
    """The only row of a table beside it; empty where there is none."""
    if not path.is_file():
        return {}
    rows = list(_read_rows(open_text(path)))[:2]
    return dict(zip(rows[0], rows[1], strict=False)) if len(rows) > 1 else {}


def _name_device(system: Mapping[str, str]) -> str:
    model = re.sub(r"_A\d$", "", to_storable_text(system.get("gpu_model", "")).strip()[:80])
    return f"AMD Instinct {model}" if model.startswith("MI") else model


def _read_times(path: Path) -> dict[str, float]:
    """Seconds of each dispatch by its number; empty where the file is absent."""
    if not path.is_file():
        return {}
    names: list[str] = []
    found: dict[str, float] = {}
    text = open_text(path)
    for row in _read_rows(text):
        if not names:
            names = [cell.strip().lower() for cell in row]
            continue
        if len(row) != len(names):
            raise _make_width_error(text, row, names)
        cells = dict(zip(names, row, strict=True))
        seconds = _compute_duration(cells)
        if seconds is not None and _DISPATCH in cells:
            found[cells[_DISPATCH].strip()] = seconds
    return found


def _compute_duration(row: Mapping[str, str]) -> float | None:
    """Seconds from the begin to the end; of integers of nanoseconds, which a float cannot hold."""
    begin = row.get("start_timestamp") or row.get("beginns") or ""
    end = row.get("end_timestamp") or row.get("endns") or ""
    if not (begin.isdecimal() and end.isdecimal() and len(begin) < 20 and len(end) < 20):
        return None
    return (int(end) - int(begin)) / 1e9 if int(end) > int(begin) else None


def _add_notes(found: Witness, columns: Mapping[str, object]) -> None:
    if "counted_kernel" not in found.rows:
        found.notes.append("rocprofiler-compute recorded no dispatch")
    elif not any(name == "seconds" for _, name, _ in found.rows.get("kernel_counter", [])):
        found.notes.append(
            f"its dispatches have no times: put {TIMES} of the same recording beside it"
        )
    if not any(name.startswith("SQ_INSTS_VALU_FMA") for name in columns):
        found.notes.append("it counted no operations: record it with all blocks, or with SQ")


KIND = WitnessKind("counters", recognises, read)
