"""What a run has: a GPU to speak of, and of whom, or ranks; its setting; which metrics need them.

In:  results of metrics. Out: true or false, a vendor, what commands for the run depend on.
"""

from __future__ import annotations

from perfolio.findings.model.conditions import is_met
from perfolio.findings.model.rule import Condition
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Metric, Results
from perfolio.metrics.requirements import load_vocabulary
from perfolio.metrics.run_commands import CommandSetting

NVIDIA_ONLY = "hardware.compute_capability"
"""The need that no GPU of another maker can meet."""
OTHERS = ("AMD", "Intel")
_ROCM = "ROCm "
_PYTHON = "with functions of Python"
"""In `run.software`: paths were recorded with them (hpcrun -a python)."""


def is_about_gpu(metric: Metric) -> bool:
    """Whether a metric means nothing without a GPU, by what it needs."""
    vocabulary = load_vocabulary()
    entries = map(vocabulary.entry, metric.needs)
    return any(entry is not None and entry.gpu for entry in entries)


def has_no_gpu(results: Results) -> bool:
    """Whether the run recorded no GPU whatsoever.

    Without any values it is not known which GPUs there were, nor from a trace alone, which
    may leave out the GPU; with values, GPU operations would show, but those that graphs launch.
    """
    no_streams = is_met(Condition("run.gpu_streams", "below", 1.0), results)
    has_values = is_met(Condition("run.values", "above", 0.0), results)
    operations = is_met(Condition("gpu.operation_time", "above", 0.0), results)
    hidden = is_met(Condition("run.hidden_work", "above", 0.0), results)
    return bool(no_streams and has_values and not operations and not hidden)


def find_gpu_vendor(results: Results) -> str:
    """Whose GPU was measured, as `run.software` says; `unknown` where nothing tells."""
    rows = get_rows(results, "run.software")
    known = (str(row["name"]) for row in rows if row["kind"] == "GPU vendor")
    return next(known, "unknown")


def find_setting(results: Results) -> CommandSetting:
    """What commands for this run depend on, as `metrics.run_inventory` tells it of a store."""
    launches = results["gpu.launches"].value if "gpu.launches" in results else None
    iterations = results["time.iterations"].value if "time.iterations" in results else None
    ranks = int(results["run.ranks"].value or 0) if "run.ranks" in results else 0
    rows = get_rows(results, "run.software")
    names = [str(row["name"]) for row in rows]
    python = _PYTHON in names
    if find_gpu_vendor(results) != "AMD":
        return CommandSetting(None, launches, iterations, python, ranks)
    versions = (name.removeprefix(_ROCM) for name in names if name.startswith(_ROCM))
    return CommandSetting(next(versions, ""), launches, iterations, python, ranks)


_RANKS = frozenset({"ranks", "collective_tests"})
"""What only runs of several processes can meet."""


def is_about_ranks(metric: Metric) -> bool:
    """Whether a metric means nothing for a single process, by what it needs."""
    return not _RANKS.isdisjoint(metric.needs)


def has_no_ranks(results: Results) -> bool:
    """Whether the run was no run of MPI or a like launcher; not known without any values."""
    no_ranks = is_met(Condition("run.ranks", "below", 1.0), results)
    has_values = is_met(Condition("run.values", "above", 0.0), results)
    return bool(no_ranks and has_values)
