"""What removing a finding is worth at most: documented bounds, never promises.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` with its formula and assumptions, None where nothing can be saved or an input
     is missing, or a `Refusal` where the data forbid what the rule asks for.

Every bound is a share of time that would be gone if the cause vanished completely, so none exceeds
Amdahl's law for its share: of wall time where a trace measured it, else of less, and said so.
Bounds of findings that concern the same time overlap: they must not be added or multiplied;
`change_effect.saved` bounds a set of them by the cells that each takes. To add one: a function that
says which cells go, or how much of them, and a line in `ESTIMATORS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from perfolio.findings.estimates import (
    collectives,
    copies,
    cpu_steps,
    cpu_threads,
    gpu_waits,
    host_work,
    kernel_fusion,
    kernel_work,
    launches,
    start_up,
)
from perfolio.findings.model.finding import Estimator, Refusal

_MEANS_ONLY = (
    "HPCToolkit keeps sums per calling context, hence mean sizes, and copies of two kinds in one "
    "context have a mean that is neither: what joining copies saves needs the size of each one, "
    "from Nsight Systems or the PyTorch profiler."
)
_NO_SYNC = (
    "HPCToolkit records the host's synchronisation as 0 on NVIDIA devices: what waiting costs "
    "needs Nsight Systems or the PyTorch profiler."
)
_NO_FLOPS = (
    "HPCToolkit counts neither floating-point operations nor bytes of device memory, so that "
    "there is no roof to compare with: that needs Nsight Compute."
)


def _make_refusing_estimator(reason: str) -> Estimator:
    """An estimator of what no database of HPCToolkit can answer."""
    return lambda _, __, ___: Refusal(reason)


ESTIMATORS: Mapping[str, Estimator] = MappingProxyType(
    {
        "all_copies": copies.bound_all_copies,
        "all_stalls": kernel_work.bound_all_stalls,
        "attention_of_steps": cpu_steps.attention_of_steps,
        "balance": cpu_threads.bound_balance,
        "blame": host_work.bound_blame,
        "coalescing": _make_refusing_estimator(_MEANS_ONLY),
        "communication": collectives.bound_communication,
        "exposed_copies": copies.bound_exposed_copies,
        "fusable_of_steps": cpu_steps.fusable_of_steps,
        "fusion": kernel_fusion.bound_fusion,
        "gpu_idle": launches.bound_gpu_idle,
        "held_up": cpu_threads.bound_held_up,
        "hot_function": cpu_threads.bound_hot_function,
        "initialisation": start_up.bound_initialisation,
        "input_data": host_work.bound_input_data,
        "input_of_steps": cpu_steps.input_of_steps,
        "iteration_gap": host_work.bound_iteration_gap,
        "late_rank": collectives.bound_late_rank,
        "launch": launches.bound_launches,
        "link_rate": copies.bound_link_rate,
        "lone_launches": kernel_work.bound_lone_launches,
        "moving": kernel_fusion.bound_moving,
        "occupancy": kernel_work.bound_occupancy,
        "operator_of_steps": cpu_steps.operator_of_steps,
        "optimizer_of_steps": cpu_steps.optimizer_of_steps,
        "overlap": copies.bound_overlap,
        "region_balance": cpu_threads.bound_region_balance,
        "roofline": _make_refusing_estimator(_NO_FLOPS),
        "stalls": kernel_work.bound_stalls,
        "start_up": start_up.bound_start_up,
        "tensor_cores": kernel_work.bound_tensor_cores,
        "synchronisation": _make_refusing_estimator(_NO_SYNC),
        "waiting": cpu_threads.bound_waiting,
        "waits": gpu_waits.bound_waits,
    }
)
