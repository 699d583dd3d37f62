"""What must be equal for the times of two runs to say something about a change.

In:  a run of a store and its documents. Out: conditions by name; None: not recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from perfolio.common.errors import one_line
from perfolio.common.units import quantity
from perfolio.comparison.frame_paths import clean_name
from perfolio.comparison.run_record import DividedTime, Setting, TimeRow
from perfolio.store.run_tables import RunTables

CONDITIONS: Mapping[str, str] = {
    "gpu": "GPU",
    "gpus": "number of GPUs",
    "ranks": "number of ranks",
    "clock": "clock while busy",
    "power_limit": "limit of power",
    "driver": "GPU driver",
    "gpu_runtime": "GPU runtime",
    "framework": "framework",
    "model": "model",
    "precision": "precision",
    "batch_size": "batch",
    "sequence_length": "sequence length",
    "shapes": "shapes of arguments",
    "iterations": "steady iterations",
    "profiler": "profiler",
    "profiler_version": "version of the format",
    "profiler_options": "options of the profiler",
    "pc_sampling": "PC sampling",
}
"""Names, and what they are called."""
_MOST_WORDS = 200
_UNITS = {"clock": "Hz", "power_limit": "W"}
_SETTINGS = {
    "framework": "workload.framework",
    "model": "workload.model",
    "precision": "workload.precision",
    "batch_size": "workload.batch_size",
    "sequence_length": "workload.sequence_length",
    "driver": "workload.driver",
}
_SOFTWARE = {"driver": "GPU driver", "gpu_runtime": "GPU runtime", "framework": "framework"}
_OPTIONS = "SELECT says FROM plausibility WHERE what IN ('heavy_options', 'light_options')"
_FRAMES = "SELECT count(*) > 0 FROM module WHERE path = python_module()"
QUERIES = (_OPTIONS, _FRAMES)
_OPTION = re.compile(r"\b(record_shapes|with_stack|profile_memory|with_flops|with_modules)\b")
_MARKS_OPTIONS = "PyTorch profiler"
_MAY_READ_PYTHON = "HPCToolkit"


def describe_setting(name: str, value: Setting, limit: int = _MOST_WORDS) -> str:
    """The value of a condition in words of at most `limit` characters, with its unit."""
    if value is None or (name == "ranks" and value == 0):  # so in records that were kept
        return "not recorded"
    if isinstance(value, bool):
        return "on" if value else "off"
    if name in _UNITS and not isinstance(value, str):
        return quantity(value, _UNITS[name])
    return one_line(str(value), limit)


def read_conditions(
    tables: RunTables,
    metrics: Mapping[str, Any],
    whole: DividedTime | None,
    rows: Iterable[TimeRow],
) -> dict[str, Setting]:
    """The conditions of a run."""
    found = read_reported_conditions(metrics)
    found["iterations"] = whole.iterations if whole and whole.basis == "iteration" else None
    found["shapes"] = _digest_shapes(rows)
    options = {name for (says,) in tables.rows(_OPTIONS) for name in _OPTION.findall(says)}
    if options or metrics["run"]["tool"] == _MARKS_OPTIONS:
        found["profiler_options"] = ", ".join(sorted(options)) or "none"
    elif metrics["run"]["tool"] == _MAY_READ_PYTHON:
        ((has_frames,),) = tables.rows(_FRAMES)
        found["profiler_options"] = f"{'with' if has_frames else 'without'} frames of Python"
    return found


def read_reported_conditions(metrics: Mapping[str, Any]) -> dict[str, Setting]:
    """The conditions that the documents of a run tell, without its store."""
    run, known = metrics["run"], {item["name"]: item for item in metrics["metrics"]}
    settings = run["settings"]
    found: dict[str, Setting] = dict.fromkeys(CONDITIONS)
    for name, kind in _SOFTWARE.items():
        found[name] = _list_software(known.get("run.software"), kind)
    for name, key in _SETTINGS.items():
        if settings.get(key) is not None:
            found[name] = clean_name(str(settings[key]))
    hardware = run["hardware"]
    found["gpu"] = settings.get("device.name") or (hardware["name"] if hardware else None)
    found["gpus"] = _take_count(known.get("run.gpus"))
    found["ranks"] = _take_count(known.get("run.ranks")) or None  # 0: none is recorded
    found["clock"], found["power_limit"] = _read_monitor(known.get("device.state"))
    found["profiler"], found["profiler_version"] = run["tool"], run["format_version"] or None
    sampled = known.get("sampling.metrics_listed")
    if sampled is not None and sampled["status"] == "measured":
        found["pc_sampling"] = bool(sampled["value"])
    return found


def _list_software(item: Mapping[str, Any] | None, kind: str) -> str | None:
    if item is None or item["status"] != "measured":
        return None
    names = sorted(str(row[1]) for row in item["rows"] if row[0] == kind)
    return ", ".join(clean_name(name) for name in names) or None


def _take_count(item: Mapping[str, Any] | None) -> int | None:
    if item is None or item["status"] != "measured" or item["value"] is None:
        return None
    return round(float(item["value"]))


def _read_monitor(item: Mapping[str, Any] | None) -> tuple[float | None, float | None]:
    """Clock and limit of power of the first device that a monitor read."""
    if item is None or item["status"] != "measured" or not item["rows"]:
        return None, None
    names = [column["name"] for column in item["columns"]]
    row = item["rows"][0]
    return row[names.index("clock")], row[names.index("power_limit")]


def _digest_shapes(rows: Iterable[TimeRow]) -> str | None:
    """Names the sizes with which operators launched kernels; None where none are recorded."""
    shapes = sorted({row.shapes for row in rows if row.part == "kernel" and row.shapes})
    if not shapes:
        return None
    return sha256("\n".join(shapes).encode("utf-8", "surrogatepass")).hexdigest()[:12]
