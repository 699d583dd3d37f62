"""Files of a study for other tools: Extra-P's JSON lines, and the form of TALP's reports.

In:  a study. Out: the content of files.

Extra-P reads a measurement a line (its documentation, "JSON Lines format"); the metric is time in
seconds of the mean processor. TALP (of DLB 3.6) writes a document for each run with times in
nanoseconds, which TALP-Pages reads; here is a list of them, one a run. What was not measured is
left out, and time of the GPU is in the names that TALP has for that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import perfolio
from perfolio.comparison.run_record import RunRecord
from perfolio.comparison.scaling.efficiency_factors import (
    Factor,
    TimeLevels,
    compute_factors,
    measure_levels,
    scale_time,
)
from perfolio.comparison.scaling.scaling_study import ContextStudy, ScalingStudy, SizeStudy

_TALP: dict[str, Factor] = {
    "parallelEfficiency": "parallel",
    "mpiParallelEfficiency": "parallel",
    "mpiCommunicationEfficiency": "communication",
    "mpiLoadBalance": "load_balance",
    "gpuParallelEfficiency": "gpu_parallel",
    "gpuLoadBalance": "gpu_load_balance",
    "gpuCommunicationEfficiency": "gpu_communication",
    "gpuOrchestrationEfficiency": "gpu_orchestration",
}
_ARROW = "->"


def format_extrap(study: ScalingStudy) -> str:
    """A line for each calling context and size, its value a list of repeats."""
    return "".join(f"{json.dumps(one)}\n" for one in _list_measurements(study))


def _list_measurements(study: ScalingStudy) -> Iterator[dict[str, Any]]:
    for context in study.contexts:
        path = _name_path(context)
        for size, times in zip(study.sizes, context.repeats, strict=True):
            yield {
                "params": {"p": size.size},
                "callpath": path,
                "metric": "time",
                "value": list(times),
            }


def _name_path(context: ContextStudy) -> str:
    """Frames between arrows; the part of the time first, since a frame may have several."""
    kind = f" {context.kind}" if context.kind and context.kind != context.part else ""
    frames = [*context.path]
    if context.name and context.name != context.kind and context.name not in frames[-1:]:
        frames.append(context.name)
    names = (frame.replace(_ARROW, " ").replace("\n", " ") for frame in frames)
    return _ARROW.join([f"{context.part}{kind}", *names])


def format_talp(study: ScalingStudy) -> str:
    """A list of documents, one a run."""
    documents = [_describe_run(study, size, record) for size in study.sizes for record in size.runs]
    return json.dumps(documents, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _describe_run(study: ScalingStudy, size: SizeStudy, record: RunRecord) -> dict[str, Any]:
    levels = measure_levels(record)
    scale = scale_time(study.sizes[0].size, size.size, study.work)
    factors = compute_factors(levels, study.sizes[0].levels, scale)
    is_gpu = study.unit == "GPU"
    resources = {
        "numCpus": size.size,
        "numMpiRanks": max(len(record.ranks), 1),
        "numGpus": size.size if is_gpu else 0,
    }
    iterations = record.whole.iterations if record.whole else 1
    measured = {name: factors[factor] for name, factor in _TALP.items()}
    region = {
        **resources,
        **_describe_times(levels, size.size * iterations, iterations),
        **{name: float(value) for name, value in measured.items() if value is not None},
    }
    return {
        "dlbVersion": f"written by Perfolio {perfolio.__version__}, in the form of 3.6",
        "timestamp": record.recorded,
        "resources": resources,
        "Application": {"Global": region},
    }


def _describe_times(levels: TimeLevels, units: int, iterations: int) -> dict[str, int]:
    """Times of the window, of all processors together but for the elapsed one [ns]."""
    found = {"elapsedTime": round(levels.whole * iterations)}
    if levels.mean is not None:
        found["usefulTime"] = round(levels.mean * units)
        found["mpiTime"] = round((levels.whole - levels.mean) * units)
    if levels.kernel is not None and levels.busy is not None:
        found["gpuUsefulTime"] = round(levels.kernel * units)
        found["gpuCommunicationTime"] = round((levels.busy - levels.kernel) * units)
    return found
