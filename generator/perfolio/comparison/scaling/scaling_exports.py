"""Files of a study for other tools: Extra-P's JSON lines, and the form of TALP's reports.

In:  a study. Out: the content of files.

Extra-P reads a measurement a line (its documentation, "JSON Lines format"); the metric is time in
seconds of the mean processor. TALP (of DLB 3.6) writes a file for each run with times in
nanoseconds. TALP-Pages takes the files of a folder below the one that it is given for runs of one
program, and knows the form by the begin of `dlbVersion`; it needs `cycles` and `instructions`, and
takes 0 for not counted. All else that was not measured is left out, time of the GPU is in the names
that TALP has for that, and ranks are taken for those of one node. Files of studies were loaded with
Extra-P 4.2.5 and TALP-Pages 3.8, which needs the host's calls, too, where there are GPUs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import perfolio
from perfolio.comparison.host_activities import CALLS, WAITS_FOR_GPU
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
    "mpiLoadBalanceIn": "load_balance",
    "gpuParallelEfficiency": "gpu_parallel",
    "gpuLoadBalance": "gpu_load_balance",
    "gpuCommunicationEfficiency": "gpu_communication",
    "gpuOrchestrationEfficiency": "gpu_orchestration",
}
_OF_RUNTIME = CALLS | {WAITS_FOR_GPU}
_ARROW = "->"
TALP_FOLDER = "talp"
"""Where a site has the files; what TALP-Pages is given."""
_PROGRAM = "runs"


def format_extrap(study: ScalingStudy) -> str:
    """A line for each calling context and size, its value a list of repeats."""
    return "".join(f"{json.dumps(one)}\n" for one in _list_measurements(study))


def _list_measurements(study: ScalingStudy) -> Iterator[dict[str, Any]]:
    known: Counter[str] = Counter()
    for context in study.contexts:
        path = _name_path(context)
        known[path] += 1
        if known[path] > 1:  # another context of the same name, no repeat of this one
            path = f"{path} ({known[path]})"
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


def format_talp(study: ScalingStudy) -> dict[str, str]:
    """A file for each run by its path: `runs/<size>-<number>.json`."""
    return {
        f"{_PROGRAM}/{size.size}-{number}.json": _format_run(study, size, record)
        for size in study.sizes
        for number, record in enumerate(size.runs, start=1)
    }


def _format_run(study: ScalingStudy, size: SizeStudy, record: RunRecord) -> str:
    document = _describe_run(study, size, record)
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _describe_run(study: ScalingStudy, size: SizeStudy, record: RunRecord) -> dict[str, Any]:
    levels = measure_levels(record)
    scale = scale_time(study.sizes[0].size, size.size, study.work)
    factors = compute_factors(levels, study.sizes[0].levels, scale)
    is_gpu = study.unit == "GPU"
    resources = {
        "numCpus": size.size,
        "numMpiRanks": len(record.ranks) or size.size,
        "numGpus": size.size if is_gpu else 0,
    }
    iterations = record.whole.iterations if record.whole else 1
    measured = {name: factors[factor] for name, factor in _TALP.items()}
    if factors["load_balance"] is not None:
        measured["mpiLoadBalanceOut"] = Fraction(1)
    if is_gpu:
        measured["deviceOffloadEfficiency"] = _measure_offload(record)
    counts = record.processor
    region = {
        **resources,
        "cycles": counts.cycles if counts else 0,
        "instructions": counts.instructions if counts else 0,
        **_describe_times(levels, size.size * iterations, iterations),
        **{name: float(value) for name, value in measured.items() if value is not None},
    }
    return {
        "dlbVersion": f"3.6, the form of it: written by Perfolio {perfolio.__version__}",
        **({"timestamp": record.recorded} if record.recorded else {}),
        "resources": resources,
        "Application": {"Global": region},
    }


def _measure_offload(record: RunRecord) -> Fraction | None:
    """The part of the time of launching threads in which none is in a call of the GPU's runtime."""
    whole = sum(work.ns for work in record.host)
    inside = sum(work.ns for work in record.host if work.activity in _OF_RUNTIME)
    return Fraction(whole - inside, whole) if whole else None


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
