"""Tables of a scenario to its parts, one function per table."""

from __future__ import annotations

from collections.abc import Mapping

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.phase_steps import D2D, D2H, H2D
from perfolio.simulation.quantity_parser import Duration, duration, frequency, rate, size
from perfolio.simulation.scenario import (
    AMD,
    NVIDIA,
    STALLS,
    Artefacts,
    Device,
    HostCosts,
    Kernel,
    Link,
    Loader,
    Measurement,
    Ranks,
    WarmUp,
)
from perfolio.simulation.toml_fields import Table, fault, known

_LINKS = {
    H2D: Link(Duration(1.2e3), 6e9, 50e9),
    D2H: Link(Duration(1.2e3), 6e9, 50e9),
    D2D: Link(Duration(2e3), 1.2e12, 1.2e12),
}
"""Of a GPU behind PCIe 5, where a scenario does not say."""


def path_of(table: Table, paths: Mapping[str, Path], default: Path = ()) -> Path:
    """The calling path that entry `path` of a table names."""
    name = table.take("path", str, None)
    return default if name is None else paths[known(f"{table.where}.path", name, paths)]


def nanoseconds(table: Table, key: str, default: float) -> float:
    """A time without a spread [ns]."""
    found = table.read(key, duration, Duration(default))
    if found.spread:
        raise fault(f"{table.where}.{key}", "cannot vary: give a time without ±")
    return found.mean


def device(table: Table) -> Device:
    """Table `device`."""
    usual = Device()
    found = Device(
        vendor=table.chosen("vendor", (NVIDIA, AMD), usual.vendor),
        multiprocessors=table.whole("multiprocessors", usual.multiprocessors, 1),
        clock=table.read("clock", frequency, usual.clock),
        warp_size=table.whole("warp_size", usual.warp_size, 1, 128),
        max_warps=table.whole("max_warps", usual.max_warps, 1, 1024),
        max_blocks=table.whole("max_blocks", usual.max_blocks, 1, 1024),
        registers=table.whole("registers", usual.registers, 1),
        shared_memory=table.read("shared_memory", size, usual.shared_memory),
    )
    table.end()
    return found


def links(table: Table) -> dict[str, Link]:
    """Table `link`: one table per direction."""
    found = {name: _link(table.table(name), usual) for name, usual in _LINKS.items()}
    table.end()
    return found


def _link(table: Table, usual: Link) -> Link:
    found = Link(
        latency=table.read("latency", duration, usual.latency),
        pageable=table.read("pageable", rate, usual.pageable),
        pinned=table.read("pinned", rate, usual.pinned),
    )
    table.end()
    for key, value in (("pageable", found.pageable), ("pinned", found.pinned)):
        if value <= 0.0:
            raise fault(f"{table.where}.{key}", "must be above 0")
    return found


def host_costs(table: Table) -> HostCosts:
    """Table `host`."""
    usual = HostCosts()
    found = HostCosts(
        dispatch=table.read("dispatch", duration, usual.dispatch),
        launch=table.read("launch", duration, usual.launch),
        graph_launch=table.read("graph_launch", duration, usual.graph_launch),
        delay=nanoseconds(table, "delay", usual.delay),
        graph_gap=nanoseconds(table, "graph_gap", usual.graph_gap),
        spins=table.take("spins", bool, usual.spins),
    )
    table.end()
    return found


def measurement(table: Table) -> Measurement:
    """Table `measurement`."""
    usual = Measurement()
    found = Measurement(
        cpu_event=table.chosen("cpu_event", ("CPUTIME (sec)", "REALTIME (sec)"), usual.cpu_event),
        cpu_period=nanoseconds(table, "cpu_period", usual.cpu_period),
        lost_samples=table.number("lost_samples", usual.lost_samples, high=0.99),
        burst=table.number("burst", usual.burst, 1.0, 10_000.0),
        pc_samples=table.take("pc_samples", bool, usual.pc_samples),
        pc_period=table.whole("pc_period", usual.pc_period, 32, 2**31),
        dropped=table.number("dropped", usual.dropped, high=0.99),
        traces=table.take("traces", bool, usual.traces),
    )
    table.end()
    if 0 < found.cpu_period < 1e5:
        raise fault(f"{table.where}.cpu_period", "must be 100 us or more, or 0 s for no samples")
    return found


def artefacts(table: Table) -> Artefacts:
    """Table `artefacts`."""
    found = Artefacts(
        serialisation=table.read("serialisation", duration, Duration()),
        one_ns_idle=table.whole("one_ns_idle", 0),
        threads_as_blocks=table.take("threads_as_blocks", bool, False),  # noqa: FBT003  # the default
        eight_blocks=table.take("eight_blocks", bool, False),  # noqa: FBT003  # the default
        unseen_graphs=table.take("unseen_graphs", bool, False),  # noqa: FBT003  # the default
    )
    table.end()
    return found


def warm_up(table: Table, paths: Mapping[str, Path]) -> WarmUp:
    """Table `warm_up`."""
    found = WarmUp(
        iterations=table.whole("iterations", 0),
        factor=table.number("factor", 1.0, 0.01, 1000.0),
        extra=table.read("extra", duration, Duration()),
        phase=table.take("phase", str, ""),
        path=path_of(table, paths),
    )
    table.end()
    return found


def loader(table: Table, paths: Mapping[str, Path]) -> Loader:
    """Table `loader`."""
    found = Loader(
        workers=table.whole("workers", 0, high=256),
        prefetch=table.whole("prefetch", 2, 1, 1000),
        time=table.read("time", duration, Duration()),
        path=path_of(table, paths),
    )
    table.end()
    return found


def ranks(table: Table) -> Ranks:
    """Table `ranks`."""
    usual = Ranks()
    count = table.whole("count", usual.count, 1, 1024)
    found = Ranks(
        count=count,
        host=_factors(table.table("host"), count),
        kernels=_factors(table.table("kernels"), count),
        latency=nanoseconds(table, "latency", usual.latency),
        rate=table.read("rate", rate, usual.rate),
    )
    table.end()
    if found.rate <= 0.0:
        raise fault(f"{table.where}.rate", "must be above 0")
    return found


def _factors(table: Table, count: int) -> dict[int, float]:
    """Factors by rank: `3 = 1.25`."""
    found: dict[int, float] = {}
    for key in table.left():
        if not key.isdecimal() or int(key) >= count:
            raise fault(f"{table.where}.{key}", f"must be a rank from 0 to {count - 1}")
        found[int(key)] = table.number(key, 1.0, 0.01, 100.0)
    return found


def kernel(table: Table) -> Kernel:
    """One table of `kernels`."""
    usual = Kernel("", Duration())
    found = Kernel(
        name=table.take("name", str),
        time=table.understood("time", duration, table.take("time", str)),
        registers=table.whole("registers", usual.registers, 1, 255),
        threads=table.whole("threads", usual.threads, 1, 1024),
        blocks=table.whole("blocks", usual.blocks, 1, 2**31),
        static_shared=table.whole("static_shared", 0, high=2**20),
        dynamic_shared=table.whole("dynamic_shared", 0, high=2**20),
        local_memory=table.whole("local_memory", 0, high=2**40),
        active=table.number("active", usual.active, 0.0001, 1.0),
        factor=table.number("factor", usual.factor, 0.0001, 10_000.0),
        stalls=_stalls(table.table("stalls")),
    )
    table.end()
    return found


def _stalls(table: Table) -> dict[str, float]:
    shares = {name: table.number(name, 0.0, high=1.0) for name in STALLS}
    table.end()
    if sum(shares.values()) > 1.0 + 1e-12:
        raise fault(table.where, f"sum to {sum(shares.values()):g}, which is above 1")
    return shares
