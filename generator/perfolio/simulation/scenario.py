"""What is simulated. Times in nanoseconds, sizes in bytes, rates in bytes per second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.phase_steps import Step
from perfolio.simulation.quantity_parser import Duration

STALLS = ("gmem", "cmem", "tmem", "idep", "ifet", "sync", "pipe", "mthr", "nsel", "slp", "othr")
"""Stall reasons, by HPCToolkit's codes in lower case."""
NVIDIA, AMD = "nvidia", "amd"


@dataclass(frozen=True)
class GpuDevice:
    """The GPU of each rank. The defaults are an H100 SXM5."""

    vendor: str = NVIDIA
    multiprocessors: int = 132
    clock: float = 1.98e9
    """[Hz]"""
    warp_size: int = 32
    max_warps: int = 64
    max_blocks: int = 32
    registers: int = 65536
    shared_memory: int = 233472


@dataclass(frozen=True)
class CopyLink:
    """Copies of one direction take latency + bytes / rate."""

    latency: Duration
    pageable: float
    pinned: float


@dataclass(frozen=True)
class HostCosts:
    """What calls of the GPU's interface cost the host thread."""

    dispatch: Duration = field(default_factory=lambda: Duration(10e3))
    """Work before each launch or copy that is not in the call itself."""
    launch: Duration = field(default_factory=lambda: Duration(4.5e3))
    graph_launch: Duration = field(default_factory=lambda: Duration(10e3))
    delay: float = 2e3
    """From the end of the call to the earliest start on the GPU."""
    graph_gap: float = 1e3
    """Between operations of one graph."""
    spins: bool = True
    """Whether a thread that waits for the GPU runs meanwhile, as CUDA does by default."""


@dataclass(frozen=True)
class Measurement:
    """What the profiler records, and how."""

    cpu_event: str = "CPUTIME (sec)"
    cpu_period: float = 8e6
    """CPU time between samples [ns]; 0 for none."""
    lost_samples: float = 0.0
    """Share of CPU samples that are lost, in bursts."""
    burst: float = 4.0
    """Mean number of samples that are lost in a row."""
    pc_samples: bool = False
    pc_period: int = 4096
    """Clock cycles between PC samples of a multiprocessor."""
    dropped: float = 0.0
    """Share of PC samples that are dropped."""
    traces: bool = True


@dataclass(frozen=True)
class Artefacts:
    """What HPCToolkit itself adds or gets wrong, if asked for."""

    serialisation: Duration = field(default_factory=Duration)
    """Host time after each launch while PC sampling is on, during which nothing else runs."""
    one_ns_idle: int = 0
    """Operations per stream that seem to begin 1 ns after the former one."""
    threads_as_blocks: bool = False
    """GKER:BLKS holds threads per block."""
    eight_blocks: bool = False
    """GKER:FGP_ACT takes eight blocks per multiprocessor as the limit."""
    unseen_graphs: bool = False
    """Operations that a graph launches are not recorded."""


@dataclass(frozen=True)
class WarmUp:
    """The first iterations take longer: host times by a factor, and `extra` in one phase."""

    iterations: int = 0
    factor: float = 1.0
    extra: Duration = field(default_factory=Duration)
    phase: str = ""
    path: Path = ()


@dataclass(frozen=True)
class BatchLoader:
    """Worker threads that make batches ahead of time."""

    workers: int = 0
    prefetch: int = 2
    """Batches that each worker may be ahead."""
    time: Duration = field(default_factory=Duration)
    path: Path = ()


@dataclass(frozen=True)
class RankSettings:
    """Processes, each with a GPU; factors of those that differ from the others."""

    count: int = 1
    host: Mapping[int, float] = field(default_factory=dict)
    kernels: Mapping[int, float] = field(default_factory=dict)
    latency: float = 20e3
    """Of a collective, after the last rank has come."""
    rate: float = 1e11
    """Bytes per second and rank of a collective."""


@dataclass(frozen=True)
class KernelModel:
    """A kernel: its resources, and what its warps wait for."""

    name: str
    time: Duration
    registers: int = 32
    threads: int = 128
    blocks: int = 132
    static_shared: int = 0
    dynamic_shared: int = 0
    local_memory: int = 0
    active: float = 1.0
    """Share of multiprocessors that are active, on average."""
    factor: float = 1.0
    """Of all times of the kernel, those that steps give included."""
    stalls: Mapping[str, float] = field(default_factory=dict)
    """Share of samples per stall reason; the rest is not stalled."""


@dataclass(frozen=True)
class ScenarioPhase:
    """Steps that one host thread takes in order; a graph has its kernels launched by one call."""

    name: str
    thread: str
    path: Path
    graph: bool
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Scenario:
    """All of it."""

    executable: str
    seed: int
    iterations: int
    start: tuple[ScenarioPhase, ...]
    iteration: tuple[ScenarioPhase, ...]
    finish: tuple[ScenarioPhase, ...]
    device: GpuDevice
    links: Mapping[str, CopyLink]
    host: HostCosts
    measurement: Measurement
    artefacts: Artefacts
    warm_up: WarmUp
    loader: BatchLoader
    ranks: RankSettings
    kernels: Mapping[str, KernelModel]
