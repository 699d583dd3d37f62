"""GPUs of a host: what they are called, and which one a process means by a number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from perfolio.readers.code_names import to_storable_text
from perfolio.readers.nsys.checked_tables import ReportTables, read_rows

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
