"""What a report says of itself: its version, clock, host, devices, ranks and diagnostics."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from perfolio.readers.code_names import to_storable_text
from perfolio.readers.nsys.checked_tables import (
    ABSENT,
    LATEST,
    CheckedRows,
    ReportTables,
    read_rows,
)
from perfolio.readers.nsys.string_ids import StringTable

_RANK = re.compile(r"MPI Rank (\d{1,7})")
_PROCESS = "PROCESS_0:"
_VARIABLE = f"{_PROCESS}ENVIRONMENT_VARIABLE"
_STARTED = re.compile(r"PROCESS_\d+:(?:COMMAND|ARGUMENT_\d+)")
_ASSIGNED = re.compile(r'(\w{1,80})="?(\d{1,7})"?')
_LAUNCHERS = {
    "OMPI_COMM_WORLD_RANK": "OMPI_COMM_WORLD_SIZE",
    "MV2_COMM_WORLD_RANK": "MV2_COMM_WORLD_SIZE",
    "PMI_RANK": "PMI_SIZE",
    "RANK": "WORLD_SIZE",
    "SLURM_PROCID": "SLURM_STEP_NUM_TASKS",
}
"""Variables of a rank and of how many there are; scripts of Slurm have the rank 0, and no step."""
_WARNING, _ERROR = 2, 3
"""Levels of a diagnostic event."""
MOST_RANK = 1 << 24
EVENTS = (
    "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
    "NVTX_EVENTS", "MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "OSRT_API",
)  # fmt: skip
"""Tables with times that tell the clock."""
MOST = 1 << 24
"""No host has a GPU of this number."""
PID = (1 << 24) - 1
_LONGEST = 200


@dataclass(frozen=True)
class HostDevices:
    """GPUs by their numbers on the host."""

    names: Mapping[int, str] = field(default_factory=dict)
    meant: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """The GPU by process and the number that this process has for it, where it is recorded."""
    ordinals: Mapping[int, int] = field(default_factory=dict)
    """The GPU by the number that processes have which see all of them."""

    @property
    def differ(self) -> bool:
        """Whether processes mean several GPUs by one number."""
        found: dict[int, set[int]] = defaultdict(set)
        for (_, own), gpu in self.meant.items():
            found[own].add(gpu)
        return any(len(gpus) > 1 for gpus in found.values())

    def number(self, process: int, own: int) -> int:
        """The number of a GPU in the report: the process's own one, unless these differ."""
        return self.meant.get((process & PID, own), own) if self.differ else own

    def name(self, process: int, own: int) -> str:
        """What the driver calls a GPU; nothing where that is not recorded."""
        known = self.meant.get((process & PID, own), self.ordinals.get(own, own))
        return self.names.get(known, "")


@dataclass(frozen=True)
class ReportMetadata:
    """What a report says beside its events."""

    version: str = ""
    schema: str = ""
    host: str = ""
    begin: int = 0
    """Begin of the session since the epoch [ns]; 0 where it is not said."""
    duration: int = 0
    """Length of the session [ns]; 0 where it is not said."""
    rank: int | None = None
    """Rank of the processes that `ranks` does not list, as they were started or named."""
    ranks: Mapping[int, int] = field(default_factory=dict)
    """Ranks of MPI by process."""
    size: int = 0
    """Ranks of the whole run; 0 where it is not said."""
    devices: HostDevices = field(default_factory=HostDevices)
    command: tuple[str, ...] = ()
    """Words of the command that the tool started; none where it started none, or several."""


def read_metadata(
    tables: ReportTables, names: StringTable, rank: int | None = None
) -> ReportMetadata:
    """What a report says of itself; `rank` is what its name says."""
    started = _read_started_rank(tables)
    meta = _read_export_data(tables)
    begin, duration = _read_clock(tables)
    environment = (
        dict(zip(rows.texts("name"), rows.texts("value"), strict=True))
        for rows in read_rows(tables, "TARGET_INFO_SYSTEM_ENV", ("name", "value"))
    )
    hosts = [found["Hostname"] or "" for found in environment if "Hostname" in found]
    return ReportMetadata(
        meta.get("EXPORT_PRODUCT_VERSION", "")[:40],
        meta.get("EXPORT_SCHEMA_VERSION", "")[:40],
        hosts[0][:200] if hosts else "",
        0 if meta.get("EXPORT_PARAM_TIME_NORMALIZE") == "true" else begin,
        duration,
        rank if started is None else started[0],
        _read_ranks(tables, names),
        0 if started is None else started[1],
        read_devices(tables),
        _read_command(tables),
    )


def _read_export_data(tables: ReportTables) -> dict[str, str]:
    found: dict[str, str] = {}
    for table in ("EXPORT_META_DATA", "META_DATA_EXPORT"):
        for rows in read_rows(tables, table, ("name", "value")):
            pairs = zip(rows.texts("name"), rows.texts("value"), strict=True)
            found |= {name: value for name, value in pairs if name and value}
    return found


def _read_clock(tables: ReportTables) -> tuple[int, int]:
    """Begin of the session since the epoch, 0 where times are since then, and its length."""
    begins = _read_first_number(tables, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs")
    length = _read_first_number(tables, "ANALYSIS_DETAILS", "duration")
    if not 0 < begins < LATEST:
        return 0, length
    for table in EVENTS:
        if max(_read_first_number(tables, table, "start"), 0) > begins // 2:
            return 0, length
    return begins, length if 0 < length < LATEST else 0


def _read_first_number(tables: ReportTables, table: str, column: str) -> int:
    rows = next(read_rows(tables, table, (column,)), None)
    value = int(rows.numbers(column)[0]) if rows else ABSENT
    return 0 if value == ABSENT else value


def _read_ranks(tables: ReportTables, names: StringTable) -> dict[int, int]:
    """Ranks by process: as MPI's trace has them, else as threads are called."""
    found: dict[int, int] = {}
    for rows in read_rows(tables, "MPI_RANKS", ("globalTid", "rank")):
        found |= dict(_pair_with_process(rows, rows.numbers("rank").tolist()))
    if found:
        return found
    for rows in read_rows(tables, "ThreadNames", ("globalTid", "nameId")):
        texts = [names.get(name) for name in rows.numbers("nameId").tolist()]
        found |= dict(_pair_with_process(rows, [_parse_rank_name(text) for text in texts]))
    return found


def _parse_rank_name(text: str | None) -> int:
    rank = _RANK.fullmatch(text or "")
    return int(rank[1]) if rank else ABSENT


def _read_started_rank(tables: ReportTables) -> tuple[int, int] | None:
    """The rank that the profiler was started as, of how many, by the environment of what it ran."""
    found: dict[str, int] = {}
    for rows in read_rows(tables, "META_DATA_CAPTURE", ("name", "value")):
        for name, value in zip(rows.texts("name"), rows.texts("value"), strict=True):
            if name == _VARIABLE and (said := _ASSIGNED.fullmatch(value or "")):
                found[said[1]] = int(said[2])
    for rank, size in _LAUNCHERS.items():
        if found.get(size, 1) > 1 and found.get(rank, MOST_RANK) < MOST_RANK:
            return found[rank], found[size]
    return None


def _read_command(tables: ReportTables) -> tuple[str, ...]:
    """The command with its arguments, which the tool numbers."""
    found: dict[str, str] = {}
    for rows in read_rows(tables, "META_DATA_CAPTURE", ("name", "value")):
        pairs = zip(rows.texts("name"), rows.texts("value"), strict=True)
        found |= {name: value or "" for name, value in pairs if name and _STARTED.fullmatch(name)}
    names = [f"{_PROCESS}COMMAND", *(f"{_PROCESS}ARGUMENT_{n}" for n in range(len(found) - 1))]
    return tuple(found[name] for name in names) if found.keys() == set(names) else ()


def _pair_with_process(rows: CheckedRows, ranks: list[int]) -> Iterator[tuple[int, int]]:
    for identifier, rank in zip(rows.numbers("globalTid").tolist(), ranks, strict=True):
        if identifier >= 0 and 0 <= rank < MOST_RANK:
            yield identifier >> 24, rank


def list_diagnostics(tables: ReportTables, most: int = 5) -> Iterator[str]:
    """What the tool itself warned of; errors first, each once."""
    found: dict[str, int] = {}
    for rows in read_rows(tables, "DIAGNOSTIC_EVENT", ("severity", "text")):
        for level, text in zip(rows.numbers("severity").tolist(), rows.texts("text"), strict=True):
            if text and level in (_WARNING, _ERROR) and not _EXPECTED.search(text):
                found.setdefault(" ".join(text.split())[:240], level)
    texts = sorted(found, key=lambda text: -found[text])
    yield from (f"Nsight Systems says: {text}" for text in texts[:most])
    if len(texts) > most:
        yield f"Nsight Systems says more: {len(texts) - most:,} of its diagnostics are not shown"


_EXPECTED = re.compile(r"^No (?!CUDA)\w+ events collected|^Unable to collect CPU kernel IP|OpenGL")
"""Of what was not asked for, or is left out here."""


def read_devices(tables: ReportTables) -> HostDevices:
    """What a report says of the GPUs of its host."""
    names: dict[int, str] = {}
    ordinals: dict[int, int] = {}
    for rows in read_rows(tables, "TARGET_INFO_GPU", ("id", "name", "cuDevice")):
        columns = (rows.numbers("id").tolist(), rows.numbers("cuDevice").tolist())
        for gpu, own, name in zip(*columns, rows.texts("name"), strict=True):
            names[gpu] = to_storable_text(name or "")[:_LONGEST]
            if own >= 0:
                ordinals[own] = gpu
    return HostDevices(names, dict(_read_process_devices(tables)), ordinals)


def _read_process_devices(tables: ReportTables) -> Iterator[tuple[tuple[int, int], int]]:
    for rows in read_rows(tables, "TARGET_INFO_CUDA_DEVICE", ("gpuId", "cudaId", "pid")):
        columns = (rows.numbers(name).tolist() for name in ("pid", "cudaId", "gpuId"))
        for pid, own, gpu in zip(*columns, strict=True):
            if pid >= 0 and own >= 0 and 0 <= gpu < MOST:
                yield (pid & PID, own), gpu
