"""Tables of a scenario to its parts, one function per table."""

from __future__ import annotations

from collections.abc import Mapping

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.phase_steps import D2D, D2H, H2D
from perfolio.simulation.quantity_parser import (
    Duration,
    parse_duration,
    parse_frequency,
    parse_rate,
    parse_size,
)
from perfolio.simulation.scenario import (
    AMD,
    NVIDIA,
    STALLS,
    Artefacts,
    BatchLoader,
    CopyLink,
    GpuDevice,
    HostCosts,
    KernelModel,
    Measurement,
    RankSettings,
    WarmUp,
)
from perfolio.simulation.toml_fields import ScenarioTable, check_known, make_fault

_LINKS = {
    H2D: CopyLink(Duration(1.2e3), 6e9, 50e9),
    D2H: CopyLink(Duration(1.2e3), 6e9, 50e9),
    D2D: CopyLink(Duration(2e3), 1.2e12, 1.2e12),
}
"""Of a GPU behind PCIe 5, where a scenario does not say."""


def find_path(table: ScenarioTable, paths: Mapping[str, Path], default: Path = ()) -> Path:
    """The calling path that entry `path` of a table names."""
    name = table.take("path", str, None)
    return default if name is None else paths[check_known(f"{table.where}.path", name, paths)]


def parse_nanoseconds(table: ScenarioTable, key: str, default: float) -> float:
    """A time without a spread [ns]."""
    found = table.read(key, parse_duration, Duration(default))
    if found.spread:
        raise make_fault(f"{table.where}.{key}", "cannot vary: give a time without ±")
    return found.mean


def parse_device(table: ScenarioTable) -> GpuDevice:
    """Table `device`."""
    usual = GpuDevice()
    found = GpuDevice(
        vendor=table.chosen("vendor", (NVIDIA, AMD), usual.vendor),
        multiprocessors=table.whole("multiprocessors", usual.multiprocessors, 1),
        clock=table.read("clock", parse_frequency, usual.clock),
        warp_size=table.whole("warp_size", usual.warp_size, 1, 128),
        max_warps=table.whole("max_warps", usual.max_warps, 1, 1024),
        max_blocks=table.whole("max_blocks", usual.max_blocks, 1, 1024),
        registers=table.whole("registers", usual.registers, 1),
        shared_memory=table.read("shared_memory", parse_size, usual.shared_memory),
    )
    table.end()
    return found


def parse_links(table: ScenarioTable) -> dict[str, CopyLink]:
    """Table `link`: one table per direction."""
    found = {name: _parse_link(table.table(name), usual) for name, usual in _LINKS.items()}
    table.end()
    return found


def _parse_link(table: ScenarioTable, usual: CopyLink) -> CopyLink:
    found = CopyLink(
        latency=table.read("latency", parse_duration, usual.latency),
        pageable=table.read("pageable", parse_rate, usual.pageable),
        pinned=table.read("pinned", parse_rate, usual.pinned),
    )
    table.end()
    for key, value in (("pageable", found.pageable), ("pinned", found.pinned)):
        if value <= 0.0:
            raise make_fault(f"{table.where}.{key}", "must be above 0")
    return found


def parse_host_costs(table: ScenarioTable) -> HostCosts:
    """Table `host`."""
    usual = HostCosts()
    found = HostCosts(
        dispatch=table.read("dispatch", parse_duration, usual.dispatch),
        launch=table.read("launch", parse_duration, usual.launch),
        graph_launch=table.read("graph_launch", parse_duration, usual.graph_launch),
        delay=parse_nanoseconds(table, "delay", usual.delay),
        graph_gap=parse_nanoseconds(table, "graph_gap", usual.graph_gap),
        spins=table.take("spins", bool, usual.spins),
    )
    table.end()
    return found


def parse_measurement(table: ScenarioTable) -> Measurement:
    """Table `measurement`."""
    usual = Measurement()
    found = Measurement(
        cpu_event=table.chosen("cpu_event", ("CPUTIME (sec)", "REALTIME (sec)"), usual.cpu_event),
        cpu_period=parse_nanoseconds(table, "cpu_period", usual.cpu_period),
        lost_samples=table.number("lost_samples", usual.lost_samples, high=0.99),
        burst=table.number("burst", usual.burst, 1.0, 10_000.0),
        pc_samples=table.take("pc_samples", bool, usual.pc_samples),
        pc_period=table.whole("pc_period", usual.pc_period, 32, 2**31),
        dropped=table.number("dropped", usual.dropped, high=0.99),
        traces=table.take("traces", bool, usual.traces),
    )
    table.end()
    if 0 < found.cpu_period < 1e5:
        raise make_fault(
            f"{table.where}.cpu_period", "must be 100 us or more, or 0 s for no samples"
        )
    return found


def parse_artefacts(table: ScenarioTable) -> Artefacts:
    """Table `artefacts`."""
    found = Artefacts(
        serialisation=table.read("serialisation", parse_duration, Duration()),
        one_ns_idle=table.whole("one_ns_idle", 0),
        threads_as_blocks=table.take("threads_as_blocks", bool, False),  # noqa: FBT003  # the default
        eight_blocks=table.take("eight_blocks", bool, False),  # noqa: FBT003  # the default
        unseen_graphs=table.take("unseen_graphs", bool, False),  # noqa: FBT003  # the default
    )
    table.end()
    return found


def parse_warm_up(table: ScenarioTable, paths: Mapping[str, Path]) -> WarmUp:
    """Table `warm_up`."""
    found = WarmUp(
        iterations=table.whole("iterations", 0),
        factor=table.number("factor", 1.0, 0.01, 1000.0),
        extra=table.read("extra", parse_duration, Duration()),
        phase=table.take("phase", str, ""),
        path=find_path(table, paths),
    )
    table.end()
    return found


def parse_loader(table: ScenarioTable, paths: Mapping[str, Path]) -> BatchLoader:
    """Table `loader`."""
    found = BatchLoader(
        workers=table.whole("workers", 0, high=256),
        prefetch=table.whole("prefetch", 2, 1, 1000),
        time=table.read("time", parse_duration, Duration()),
        path=find_path(table, paths),
    )
    table.end()
    return found


def parse_ranks(table: ScenarioTable) -> RankSettings:
    """Table `ranks`."""
    usual = RankSettings()
    count = table.whole("count", usual.count, 1, 1024)
    found = RankSettings(
        count=count,
        host=_parse_factors(table.table("host"), count),
        kernels=_parse_factors(table.table("kernels"), count),
        latency=parse_nanoseconds(table, "latency", usual.latency),
        rate=table.read("rate", parse_rate, usual.rate),
    )
    table.end()
    if found.rate <= 0.0:
        raise make_fault(f"{table.where}.rate", "must be above 0")
    return found


def _parse_factors(table: ScenarioTable, count: int) -> dict[int, float]:
    """Factors by rank: `3 = 1.25`."""
    found: dict[int, float] = {}
    for key in table.left():
        if not key.isdecimal() or int(key) >= count:
            raise make_fault(f"{table.where}.{key}", f"must be a rank from 0 to {count - 1}")
        found[int(key)] = table.number(key, 1.0, 0.01, 100.0)
    return found


def parse_kernel(table: ScenarioTable) -> KernelModel:
    """One table of `kernels`."""
    usual = KernelModel("", Duration())
    found = KernelModel(
        name=table.take("name", str),
        time=table.understood("time", parse_duration, table.take("time", str)),
        registers=table.whole("registers", usual.registers, 1, 255),
        threads=table.whole("threads", usual.threads, 1, 1024),
        blocks=table.whole("blocks", usual.blocks, 1, 2**31),
        static_shared=table.whole("static_shared", 0, high=2**20),
        dynamic_shared=table.whole("dynamic_shared", 0, high=2**20),
        local_memory=table.whole("local_memory", 0, high=2**40),
        active=table.number("active", usual.active, 0.0001, 1.0),
        factor=table.number("factor", usual.factor, 0.0001, 10_000.0),
        stalls=_parse_stalls(table.table("stalls")),
    )
    table.end()
    return found


def _parse_stalls(table: ScenarioTable) -> dict[str, float]:
    shares = {name: table.number(name, 0.0, high=1.0) for name in STALLS}
    table.end()
    if sum(shares.values()) > 1.0 + 1e-12:
        raise make_fault(table.where, f"sum to {sum(shares.values()):g}, which is above 1")
    return shares
