"""Cells and fields of ROCm's files, which are numbers, texts or missing, to what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from perfolio.readers.code_names import to_storable_text
from perfolio.readers.events.exact_numbers import to_whole_number
from perfolio.readers.events.recording import NONE, OperationKind

LARGEST = 1 << 62
MOST_OF_A_NAME = 4_000
_LONGEST_NUMBER = 40
_AGENT = re.compile(r"[A-Za-z]*[ _]?(\d{1,18})")
_DIRECTION = re.compile(r"(host|device)to(host|device)|(?<![a-z])([hd])(?:to|2)([hd])(?![a-z])")
_DIRECTIONS = {
    "hd": OperationKind.COPY_IN,
    "dh": OperationKind.COPY_OUT,
    "dd": OperationKind.COPY_WITHIN,
}
_WITHIN_HOST = "hh"
_CLONE = re.compile(r"(?: \[clone \.kd\]| \(\.kd\)|\.kd)$")
_LAUNCHERS = {
    "OMPI_COMM_WORLD_RANK": "OMPI_COMM_WORLD_SIZE",
    "PMIX_RANK": "",
    "PMI_RANK": "PMI_SIZE",
    "MV2_COMM_WORLD_RANK": "MV2_COMM_WORLD_SIZE",
    "MPI_RANK": "MPI_SIZE",
    "FLUX_TASK_RANK": "FLUX_JOB_SIZE",
    "SLURM_PROCID": "SLURM_STEP_NUM_TASKS",
    "RANK": "WORLD_SIZE",
}
"""Variables in which launchers tell a process its rank and how many there are, the surest first."""


def parse_whole(value: Any) -> int:
    """A number that is not negative and fits 62 bits; NONE for anything else."""
    if isinstance(value, str):
        value = value.strip()
        if not value.isdecimal() and value[:1].isdecimal() and len(value) < _LONGEST_NUMBER:
            value = _parse_unusual(value)
    return to_whole_number(value)


def _parse_unusual(text: str) -> int | str:
    """A whole number written with a point or an exponent, as spreadsheets do, or in base 16."""
    try:
        if text[:2].lower() == "0x":
            return int(text, 16)
        number = Decimal(text)
    except (ValueError, InvalidOperation):
        return text
    is_whole = number.is_finite() and abs(number) < LARGEST and number == number.to_integral_value()
    return int(number) if is_whole else text


def to_name_text(value: Any) -> str:
    """A name as a store can hold it."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return to_storable_text(text[: MOST_OF_A_NAME * 2])[:MOST_OF_A_NAME]


def name_kernel(value: Any) -> str:
    """The name of a kernel without the suffix of its descriptor."""
    return _CLONE.sub("", to_name_text(value)) or "<unnamed>"


def parse_agent(value: Any) -> int:
    """The number of an agent, which may be written `Agent 7`; NONE for anything else."""
    number = parse_whole(value)
    if number == NONE and isinstance(value, str) and (found := _AGENT.fullmatch(value.strip())):
        return int(found[1])
    return number


def parse_handle(value: Any) -> int:
    """The number of a handle, or of a correlation, which may stand in an object."""
    if isinstance(value, Mapping):
        inner = next((value[key] for key in ("handle", "internal", "value") if key in value), None)
        return parse_whole(inner)
    return parse_whole(value)


def parse_direction(value: Any) -> OperationKind | None:
    """What kind of copy a direction names; None for copies within the host's memory."""
    text = value.lower()[:100].replace("_", "") if isinstance(value, str) else ""
    found = _DIRECTION.search(text)
    ends = "".join(end[0] for end in found.groups() if end) if found else ""
    return None if ends == _WITHIN_HOST else _DIRECTIONS.get(ends, OperationKind.COPY_OTHER)


def choose_copy(source_is_gpu: bool | None, target_is_gpu: bool | None) -> OperationKind | None:  # noqa: FBT001 - both ends are alike
    """What kind of copy goes from one agent to another; None within the host's memory."""
    if source_is_gpu is None or target_is_gpu is None:
        return OperationKind.COPY_OTHER
    ends = ("d" if source_is_gpu else "h") + ("d" if target_is_gpu else "h")
    return _DIRECTIONS.get(ends)


def place_copy(
    kind: OperationKind | None, source: int, target: int
) -> tuple[OperationKind | None, int]:
    """What kind of copy it is by its agents' numbers, and the GPU that it counts for.

    From one GPU to another it counts where its data comes from; the CPU's agent counts for none.
    """
    if kind is OperationKind.COPY_WITHIN and NONE not in (source, target) and source != target:
        kind = OperationKind.COPY_PEER
    is_from = kind in (OperationKind.COPY_OUT, OperationKind.COPY_PEER)
    return kind, source if is_from else target


def compute_product(sizes: Sequence[int]) -> int:
    """The product of three sizes; NONE where one is not known."""
    if not sizes or any(size <= 0 for size in sizes):
        return NONE
    found = 1
    for size in sizes:
        found *= size
    return parse_whole(found)


def count_blocks(grid: Sequence[int], group: Sequence[int]) -> int:
    """Workgroups of a grid, which is given in work-items: begun ones count."""
    if len(grid) != len(group) or min((*grid, *group), default=0) <= 0:
        return NONE
    return compute_product([-(-items // size) for items, size in zip(grid, group, strict=True)])


def find_rank(environment: Any) -> int | None:
    """The rank that a launcher told a process, by its environment."""
    if not isinstance(environment, Mapping):
        return None
    for name in _LAUNCHERS:
        if 0 <= (rank := parse_whole(environment.get(name))) < 1 << 31:
            return rank
    return None


def find_rank_counts(environment: Any) -> set[int]:
    """How many ranks there are, as the launcher says that told a process its rank."""
    if not isinstance(environment, Mapping):
        return set()
    sizes = (environment.get(size) for rank, size in _LAUNCHERS.items() if rank in environment)
    return {next((size for size in map(parse_whole, sizes) if 0 < size < 1 << 31), 0)} - {0}
