"""What a part of a run's time is, in the words that colours are chosen by.

In:  a part of the breakdown of findings.json, and its place.
Out: a role of the charts' palette, or a texture of the colour of waiting (`pause`, `profiler`,
     `unknown`); `parts.css` draws them.
"""

from __future__ import annotations

from collections.abc import Mapping

from perfolio.charts.theme import ROLES

_OF_GPU = ("time.wall_parts", "time.span_parts", "gpu.kernel_classes")
_KINDS = (
    ("Kernels: matrix products", "kernels-deep"),
    ("Kernels: memory-bound", "kernels-pale"),
    ("Kernels: communication", "synchronisation"),
    ("Kernels: other", "other"),
    ("Kernels", "kernels"),
    ("Copies", "copies"),
    ("Collectives", "synchronisation"),
    ("Other GPU operations", "other"),
)
"""How names of parts begin in which the GPU works."""
_IDLE = "GPU idle: "
_PAUSES = (
    "earlier work", "start-up", "warm-up", "end of the run", "before its first operation",
    "after its last operation", "outlying iterations",
)  # fmt: skip
"""When it is idle and that is no wait for a function of the host."""
_CPU = ("cpu", "cpu-pale", "cpu-deep")
REST = "everything else"
_UNKNOWN = ("host not sampled", "launched work waited", REST)


def choose_part_role(part: Mapping[str, str], place: int) -> str:
    """The role of a part: its name decides, and of parts of CPU time their order."""
    name, metric = part["name"], part["metric"]
    if metric in _OF_GPU:
        return _choose_gpu_role(name)
    if metric == "gpu.composition":
        return name if name in ROLES else "other"
    return "unknown" if name == REST else _CPU[place % len(_CPU)]


def _choose_gpu_role(name: str) -> str:
    working = next((role for begins, role in _KINDS if name.startswith(begins)), None)
    if working:
        return working
    why = name.removeprefix(_IDLE)
    if "PC sampling" in name or why == "the profiler":
        return "profiler"
    if why in _UNKNOWN:
        return "unknown"
    return "pause" if why in _PAUSES else "waiting"
