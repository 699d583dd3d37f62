"""Counters, logs and monitors of public files: what is stored equals what another program reads."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.readers.model import Source
from perfolio.readers.run_files import read_run
from tests.kit.shared import golden_inputs, recorded

pytestmark = pytest.mark.real
GOLDEN: dict[str, dict[str, Any]] = golden_inputs().get("other", {})
_DEVICES = {"NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB"}
_WORDS = {
    "GPUTL": ("gpu_active", 0.01), "MCUTL": ("memory_busy", 0.01), "POWER": ("power", 1.0),
    "TMPTR": ("temperature", 1.0), "FBUSD": ("memory_used", 2.0**20),
    "GRACT": ("graphics_active", 1.0), "SMACT": ("sm_active", 1.0), "DRAMA": ("dram_active", 1.0),
    "TENSO": ("tensor_active", 1.0), "utilization.gpu [%]": ("gpu_active", 0.01),
    "utilization.memory [%]": ("memory_busy", 0.01), "power.draw [W]": ("power", 1.0),
    "memory.used [MiB]": ("memory_used", 2.0**20), "memory.free [MiB]": ("memory_free", 2.0**20),
    "memory.total [MiB]": ("memory_total", 2.0**20),
}  # fmt: skip


def of(kind: str) -> list[str]:
    return sorted(name for name in GOLDEN if name.startswith(f"{kind}/")) or [f"{kind}/none"]


def read(name: str) -> Source:
    return read_run(recorded(f"inputs/{name}"))[0]


def rows(source: Source, table: str) -> list[dict[str, Any]]:
    return list(source.tables[table].to_pylist())


@pytest.mark.parametrize("name", of("ncu"))
def test_nsight_compute(name: str) -> None:
    recorded(f"inputs/{name}")
    told = GOLDEN[name]
    if not told.get("kernels"):
        with pytest.raises(InputError, match="recorded no kernel"):
            read(name)
        return
    source = read(name)
    kernels = {row["launch"]: row["name"] for row in rows(source, "counted_kernel")}
    values = {
        (row["launch"], row["metric"]): row["value"] for row in rows(source, "kernel_counter")
    }
    times = {launch: values[launch, "gpu__time_duration.sum"] for launch in kernels}
    assert len(kernels) == told["kernels"]
    assert sum(times.values()) * 1e9 == pytest.approx(told["duration_sum"])
    spent: dict[str, float] = defaultdict(float)
    for launch, kernel in kernels.items():
        spent[kernel] += times[launch] * 1e9
    counted = Counter(kernels.values())
    for each in told["by_kernel"]:
        assert counted[each["name"]] == each["count"]
        assert spent[each["name"]] == pytest.approx(each["duration"])
    longest = max(times, key=lambda launch: times[launch])
    for metric, value in told["longest_launch"].items():
        if isinstance(value, list):
            scale = 0.01 if value[1] == "%" else 1.0
            assert values[longest, metric] == pytest.approx(value[0] * scale), metric


@pytest.mark.parametrize("name", of("nccl"))
def test_nccl_tests(name: str) -> None:
    source = read(name)
    told = GOLDEN[name]["blocks"]
    blocks, cells = rows(source, "collective_block"), rows(source, "collective_row")
    assert len(blocks) == len(told)
    for block, expected in zip(blocks, told, strict=True):
        own = [cell for cell in cells if cell["block"] == block["block"]]
        bus = [cell["bus_bandwidth"] for cell in own]
        outer = [cell for cell in own if not cell["in_place"]]
        assert block["ranks"] == expected["ranks_listed"]
        assert block["nodes"] == expected["hosts"]
        assert len(outer) == expected["rows"]
        if not expected["rows"]:
            continue
        assert block["average"] == pytest.approx(expected["printed_avg_busbw"] * 1e9)
        assert sum(bus) / len(bus) == pytest.approx(expected["mean_of_rows_busbw"] * 1e9, rel=1e-4)
        assert max(cell["bus_bandwidth"] for cell in outer) == pytest.approx(
            expected["peak_busbw_out_of_place"] * 1e9
        )
        assert max(cell["bytes"] for cell in own) == expected["largest_size"]
        assert sum(bool(cell["wrong"]) for cell in own) == expected["wrong_nonzero_cells"]
        assert sum(cell["wrong"] is None for cell in own) == expected["wrong_na_cells"]
        if expected.get("test"):
            assert block["operation"] in expected["test"]
        assert block["device"] in _DEVICES


@pytest.mark.parametrize("name", of("dcgm"))
def test_dcgm(name: str) -> None:
    samples = rows(read(name), "device_sample")
    for entity, fields in GOLDEN[name]["entities"].items():
        for field, told in fields.items():
            if field not in _WORDS:
                continue
            measure, scale = _WORDS[field]
            own = [
                row["value"]
                for row in samples
                if row["device"] == entity and row["measure"] == measure
            ]
            assert len(own) == told["samples"] - told["missing"]
            assert sum(own) / len(own) == pytest.approx(told["mean"] * scale, rel=1e-5)
            assert max(own) == pytest.approx(told["max"] * scale)


@pytest.mark.parametrize("name", of("nvidia-smi"))
def test_nvidia_smi(name: str) -> None:
    samples = rows(read(name), "device_sample")
    stats = GOLDEN[name]["columns_stats"]
    if not GOLDEN[name].get("header_lines", 1):
        stats = {"power.draw [W]": next(each for each in stats.values() if each["unit"] == "W")}
    known = {field: told for field, told in stats.items() if field in _WORDS}
    assert known
    for field, told in known.items():
        measure, scale = _WORDS[field]
        own = [row["value"] for row in samples if row["measure"] == measure]
        assert len(own) == told["n"]
        assert sum(own) / len(own) == pytest.approx(told["mean"] * scale, rel=1e-4)
        assert max(own) == pytest.approx(told["max"] * scale)


@pytest.mark.parametrize("name", of("deepspeed"))
def test_deepspeed(name: str) -> None:
    told = read(name)
    said = {row["name"]: row["value"] for row in rows(told, "told_figure")}
    golden = {key.split(" = ")[0]: value for key, value in GOLDEN[name]["si"].items()}
    expected = {
        "ranks": "world size", "data_parallel": "data parallel size",
        "model_parallel": "model parallel size", "rank_batch": "batch size per GPU",
        "rank_parameters": "params per gpu", "parameters": "params of model",
        "forward_macs": "fwd MACs per GPU", "forward_flop": "fwd flops per GPU",
        "forward_time": "fwd latency", "forward_rate": "fwd FLOPS per GPU",
        "backward_time": "bwd latency", "backward_rate": "bwd FLOPS per GPU",
        "update_time": "step latency", "iteration_time": "iter latency",
        "rank_rate": "FLOPS per GPU", "samples_rate": "samples/second",
    }  # fmt: skip
    assert said == pytest.approx({ours: golden[theirs] for ours, theirs in expected.items()})
    assert not rows(told, "told_doubt"), "its figures fit with each other"


@pytest.mark.parametrize(
    ("model", "device"), [("MI200", "AMD Instinct MI200"), ("MI300A_A1", "AMD Instinct MI300A")]
)
def test_rocprofiler_compute(model: str, device: str, tmp_path: Path) -> None:
    """A copy of 2^20 doubles: it reads and writes 8 MiB and does no arithmetic."""
    name = f"rocprof/compute_vcopy_{model}_pmc_perf.csv"
    for part in ("pmc_perf", "sysinfo", "timestamps"):
        if part != "timestamps" or model == "MI200":
            file = recorded(f"inputs/{name.replace('pmc_perf', part)}")
            (tmp_path / f"{part}.csv").write_bytes(file.read_bytes())
    source = read_run(tmp_path)[0]
    golden = GOLDEN[name]
    assert len(rows(source, "counted_kernel")) == golden["rows"]
    assert source.device == device
    values: dict[str, list[float]] = defaultdict(list)
    for row in rows(source, "kernel_counter"):
        values[row["metric"]].append(row["value"])
    assert sum(values["seconds"]) * 1e9 == pytest.approx(golden["time_sum_ns"])
    assert values["bytes_read"] == pytest.approx([8 * 2**20] * 3, rel=0.001)
    assert values["bytes_written"][0] == 8 * 2**20, "later ones leave some of it in the cache"
    assert {sum(values[each]) for each in values if each.startswith("flop")} == {0.0}
