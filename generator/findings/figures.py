"""Which figures the summary of a run may show: data, by the kind of run.

In:  nothing.
Out: `FAMILIES`, of which `key_figures` takes the first one that suits a run.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A figure that a summary may show."""

    metric: str
    rule: str = ""
    """Code of the rule that rates it; empty for figures that are neither good nor bad."""
    comment: str = ""
    """Short text below the number; dropped where a metric in it is not measured."""
    sampled: str = ""
    """In its place where PC sampling may have made gaps that the number counts."""
    essential: bool = False
    """Shown as unknown even where it is not measured."""
    when: str = ""
    """Condition for showing it."""
    unless: str = ""
    """Metric that says it better: then this one is left out."""


@dataclass(frozen=True)
class Family:
    """The figures for one kind of run; the first family whose condition holds is taken."""

    when: str
    candidates: tuple[Candidate, ...]


_ITERATIONS = (
    Candidate(
        "time.iteration_median",
        comment="{time.iterations} iterations, half of them within {time.iteration_q1} to "
        "{time.iteration_q3}",
    ),
    Candidate(
        "time.iteration_gap_share",
        "G9",
        "the longest wait in a typical one, {time.iteration_longest_gap}",
        sampled="{time.iteration_longest_gap}; PC sampling lengthens the rest: without it, more",
        when="time.iteration_longest_gap > 0.005",
    ),
    Candidate(
        "time.iteration_gap_share",
        "G9",
        "the longest wait in a typical one, {time.iteration_longest_gap}",
        sampled="{time.iteration_longest_gap}; {time.sampling_gaps} of gaps may be PC sampling's",
        when="time.iteration_longest_gap < 0.005",
    ),
)
_COLLECTIVES = (
    Candidate(
        "communication.exposed_everywhere_share",
        "D1",
        "{communication.exposed_everywhere}; with waits {communication.exposed_share}",
        when="communication.exposed_everywhere_share > 0.05",
    ),
    Candidate(
        "communication.straggler_wait",
        "D5",
        "the slowest rank is {communication.late_rank[0].rank}",
        when="communication.straggler_wait > 0.05",
    ),
)
_SAMPLED = "busy for {time.gpu_busy}; {time.sampling_gaps} of gaps may be PC sampling's"
_ON_THE_GPU = (
    Candidate("gpu.mean_kernel_time", "L1", "over {gpu.launches} launches"),
    Candidate(
        "stall.stalled_share",
        "M1",
        "of all PC samples; weighted by kernel time {stall.stalled_time}",
    ),
    Candidate("stall.gmem_of_stalls", "M2", "{stall.gmem_of_samples} of all samples"),
    Candidate(
        "launch.own_occupancy",
        "K4",
        "theoretical, by kernel time; library products and collectives left out",
    ),
    Candidate("transfer.link_efficiency", "X5", "{transfer.bandwidth} on average"),
    Candidate(
        "transfer.bytes_h2d",
        comment="in {transfer.copies} copies of any direction",
        when="transfer.bytes_h2d > 0",
    ),
)

_LIBRARIES = "{cpu.own_functions[0].function} and the libraries it calls"
# Beside what the main thread does on the clock, a share of all threads' work would only confuse.
_HOT = (
    Candidate("cpu.hot_share", "C2", _LIBRARIES, unless="time.main_told_share"),
    Candidate("cpu.hot_share", "C2", _LIBRARIES, when="time.main_told_share < 0.5"),
)

_EFFICIENCY = ("balance.communication_efficiency", "D4")
_OUTSIDE = "outside MPI, of the longest rank's time"
# Time in which a thread is held up passes outside MPI as well.
_OUTSIDE_MPI = (
    Candidate(*_EFFICIENCY, _OUTSIDE, unless="cpu.late_share"),
    Candidate(*_EFFICIENCY, _OUTSIDE, when="cpu.late_share < 0.1"),
    Candidate(*_EFFICIENCY, f"{_OUTSIDE}; computing or held up", when="cpu.late_share > 0.1"),
)

FAMILIES: tuple[Family, ...] = (
    Family(
        "time.gpu_utilisation > 0",
        (
            Candidate("time.wall", comment="from the first to the last trace point"),
            Candidate("time.gpu_utilisation", "G1", "busy for {time.gpu_busy}", sampled=_SAMPLED),
            Candidate(
                "time.steady_utilisation",
                comment="start-up and warm-up left out",
                when="time.start_up_share > 0.1",
            ),
            *_COLLECTIVES,
            *_ITERATIONS,
            Candidate(
                "time.top_blame",
                "G6",
                "of {idle} the host runs {time.blame_focus[0].function}",
                when="time.idle_in_long_gaps > 0.5",
            ),
            Candidate(
                "time.iteration_exposed_copy_share",
                "X1",
                "a copy and no kernel; of the whole run {time.exposed_copy}",
            ),
            Candidate(
                "time.exposed_copy_share",
                "X1",
                "{time.exposed_copy} beside no kernel",
                unless="time.iteration_exposed_copy_share",
            ),
            Candidate(
                "time.start_up_share",
                "G5",
                "{time.start_up} before the first iteration",
                when="time.iterations > 0",
            ),
            Candidate(
                "time.start_up_share",
                "G5",
                "{time.start_up} before the first GPU operation",
                unless="time.iterations",
            ),
            Candidate("time.longest_gap", "G3", "the longest of {time.gaps} gaps"),
            *_ON_THE_GPU,
        ),
    ),
    Family(
        "time.gpu_span > 0",
        (
            Candidate("time.wall", essential=True),
            Candidate("time.gpu_span", comment="from the first to the last GPU operation"),
            Candidate(
                "time.span_utilisation",
                "G2",
                "busy for {time.gpu_busy} of this span",
                sampled=_SAMPLED,
            ),
            *_ITERATIONS,
            Candidate(
                "gpu.copy_share", "X2", "{gpu.copy_time} against {gpu.kernel_time} of kernels"
            ),
            *_ON_THE_GPU,
        ),
    ),
    Family(
        "gpu.operation_time > 0",
        (
            Candidate("gpu.operation_time", comment="sum of durations of all GPU operations"),
            Candidate(
                "gpu.busy_at_most",
                "G4",
                "bound: of a run of at least {run.time_at_least}",
                essential=True,
            ),
            Candidate(
                "gpu.copy_share", "X2", "{gpu.copy_time} against {gpu.kernel_time} of kernels"
            ),
            Candidate("gpu.kernel_share", comment="{gpu.kernel_time} of kernels"),
            *_ON_THE_GPU,
        ),
    ),
    Family(
        "cpu.event_total > 0",
        (
            Candidate("cpu.time", comment="all threads together; not elapsed time"),
            Candidate("cpu.thread_time", comment="all threads together; waiting included"),
            Candidate("time.wall", comment="from the first to the last trace point"),
            Candidate(
                "time.batch", comment="on the clock, as profiled; {time.batch_samples} samples/s"
            ),
            Candidate("time.cpu_load", comment="how many ran at once, on average"),
            Candidate(
                "run.time_at_least",
                comment="the busiest thread's; a lower bound",
                unless="time.wall",
            ),
            Candidate("cpu.main_waiting_share", "C1", "of the elapsed time of main threads"),
            Candidate("cpu.waiting_share", "C1", "{waits}", unless="cpu.main_waiting_share"),
            *_HOT,
            Candidate("run.ranks", when="run.ranks > 1"),
            Candidate("balance.computing_ranks", "D3", "busiest rank against the average"),
            Candidate(
                "balance.ranks",
                "D3",
                "busiest rank against the average",
                when="run.ranks > 1",
                unless="balance.computing_ranks",
            ),
            *_OUTSIDE_MPI,
            Candidate("run.cpu_threads"),
            Candidate(
                "balance.threads",
                "D3t",
                "of threads that work, the busiest against the average",
                when="run.ranks < 2",
            ),
            Candidate(
                "balance.threads",
                "D3t",
                "the busiest thread against the average, in the least even rank",
                when="run.ranks > 1",
            ),
            Candidate("run.functions", comment="load modules: {run.modules}"),
            Candidate("run.contexts"),
        ),
    ),
    Family(
        "",
        (
            Candidate("time.wall", comment="from the first to the last trace point"),
            Candidate("time.cpu_running", comment="on average over the wall time"),
            Candidate("run.trace_points"),
            Candidate("run.functions", comment="load modules: {run.modules}"),
            Candidate("run.contexts"),
        ),
    ),
)
