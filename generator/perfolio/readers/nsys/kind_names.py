"""What names and numbers of kinds mean in reports of Nsight Systems."""

from __future__ import annotations

import re
from typing import NamedTuple

from perfolio.readers.events.event_names import MOST_OF_SHAPES, OPERATORS, runtime_library
from perfolio.readers.events.recording import Code, OperationKind, RangeKind

UNNAMED = "<unnamed>"
MEMSET = "[CUDA memset]"
MPI = "libmpi.so"
OPENMP = "libgomp.so"
SYSTEM = "libc.so"
PAGEABLE, PINNED = 0, 1
"""Kinds of memory of the host."""


class Direction(NamedTuple):
    """What a kind of copy is."""

    kind: OperationKind
    name: str


_IN, _OUT = OperationKind.COPY_IN, OperationKind.COPY_OUT
_WITHIN, _OTHER = OperationKind.COPY_WITHIN, OperationKind.COPY_OTHER
_PEER, _MIGRATION = OperationKind.COPY_PEER, OperationKind.MIGRATION
DIRECTIONS = {
    1: Direction(_IN, "Host-to-Device"),
    2: Direction(_OUT, "Device-to-Host"),
    3: Direction(_IN, "Host-to-Array"),
    4: Direction(_OUT, "Array-to-Host"),
    5: Direction(_WITHIN, "Array-to-Array"),
    6: Direction(_WITHIN, "Array-to-Device"),
    7: Direction(_WITHIN, "Device-to-Array"),
    8: Direction(_WITHIN, "Device-to-Device"),
    9: Direction(_OTHER, "Host-to-Host"),
    10: Direction(_PEER, "Peer-to-Peer"),
    11: Direction(_MIGRATION, "Unified Host-to-Device"),
    12: Direction(_MIGRATION, "Unified Device-to-Host"),
    13: Direction(_MIGRATION, "Unified Device-to-Device"),
}
"""By `copyKind`; table ENUM_CUDA_MEMCPY_OPER says the same where it is there."""
UNKNOWN = Direction(_OTHER, "Unknown")

_VERSION = re.compile(r"_v\d{4,6}$")
_COUNTED = re.compile(
    r"(?P<words>(?:[\w ]*[_ ])?(?:step|iter|iteration|batch|epoch|frame|cycle|timestep))"
    r"(?P<gap>[ _:=#-]*)\d+",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"ProfilerStep#\d+|(?:train(?:ing)?[ _])?(?:step|iteration|iter)[ _:=#-]*\d+", re.IGNORECASE
)
_NUMBERED = re.compile(r"#\d+$")
_TORCH = re.compile(r"(?P<name>.+?)(?:, (?:seq|op_id|stashed seq)\b.*)", re.DOTALL)
_SIZES = re.compile(r"\bsizes = (\[.*?\])(?:, input_op_ids|$)", re.DOTALL)

_MPI_DOMAIN = "MPI"
_LIBRARIES = {"NCCL": "libnccl.so", "cuDNN": "libcudnn.so", "cuBLAS": "libcublas.so"}
"""Libraries by their domains of NVTX."""


class Marked(NamedTuple):
    """What a range of NVTX is."""

    kind: RangeKind
    code: Code
    shapes: str
    """Shapes of an operator's arguments."""


def call_code(name: str | None) -> Code:
    """A call of CUDA; versions of one function are one."""
    words = _VERSION.sub("", name or UNNAMED)
    return Code(words, runtime_library(words))


def mark(name: str | None, domain: str, program: str) -> Marked:
    """A range by its text. Numbers that only count make no code of their own."""
    words = (name or UNNAMED).strip() or UNNAMED
    if domain == _MPI_DOMAIN:
        return Marked(RangeKind.LIBRARY, Code(words, MPI), "")
    torch = _TORCH.fullmatch(words)
    if torch or words.startswith("aten::"):
        sizes = _SIZES.search(words)
        shapes = "".join(sizes[1].split())[:MOST_OF_SHAPES] if sizes else ""
        code = Code(torch["name"] if torch else words, OPERATORS)
        return Marked(RangeKind.OPERATOR, code, shapes if shapes != "[]" else "")
    if _STEP.fullmatch(words):
        return Marked(RangeKind.STEP, Code(words, program), "")
    module = _LIBRARIES.get(domain, domain) if domain else program
    return Marked(RangeKind.ANNOTATION, Code(counted(words), module), "")


def counted(words: str) -> str:
    """A name without the number that only counts: the steps of a loop are one place of code."""
    found = _COUNTED.fullmatch(words)
    return f"{found['words']}{found['gap']}…" if found else _NUMBERED.sub("#…", words)
