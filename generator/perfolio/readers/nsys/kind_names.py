"""What names and numbers of kinds mean in reports of Nsight Systems."""

from __future__ import annotations

import re
from typing import NamedTuple

from perfolio.readers.events.event_names import MOST_OF_SHAPES, OPERATORS, find_runtime_library
from perfolio.readers.events.recording import CodePlace, OperationKind, RangeKind

UNNAMED = "<unnamed>"
MEMSET = "[CUDA memset]"
MPI = "libmpi.so"
OPENMP = "libgomp.so"
SYSTEM = "libc.so"
PAGEABLE, PINNED = 0, 1
"""Kinds of memory of the host."""


class CopyDirection(NamedTuple):
    """What a kind of copy is."""

    kind: OperationKind
    name: str


_IN, _OUT = OperationKind.COPY_IN, OperationKind.COPY_OUT
_WITHIN, _OTHER = OperationKind.COPY_WITHIN, OperationKind.COPY_OTHER
_PEER, _MIGRATION = OperationKind.COPY_PEER, OperationKind.MIGRATION
DIRECTIONS = {
    1: CopyDirection(_IN, "Host-to-Device"),
    2: CopyDirection(_OUT, "Device-to-Host"),
    3: CopyDirection(_IN, "Host-to-Array"),
    4: CopyDirection(_OUT, "Array-to-Host"),
    5: CopyDirection(_WITHIN, "Array-to-Array"),
    6: CopyDirection(_WITHIN, "Array-to-Device"),
    7: CopyDirection(_WITHIN, "Device-to-Array"),
    8: CopyDirection(_WITHIN, "Device-to-Device"),
    9: CopyDirection(_OTHER, "Host-to-Host"),
    10: CopyDirection(_PEER, "Peer-to-Peer"),
    11: CopyDirection(_MIGRATION, "Unified Host-to-Device"),
    12: CopyDirection(_MIGRATION, "Unified Device-to-Host"),
    13: CopyDirection(_MIGRATION, "Unified Device-to-Device"),
}
"""By `copyKind`; table ENUM_CUDA_MEMCPY_OPER says the same where it is there."""
UNKNOWN = CopyDirection(_OTHER, "Unknown")

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


class MarkedRange(NamedTuple):
    """What a range of NVTX is."""

    kind: RangeKind
    code: CodePlace
    shapes: str
    """Shapes of an operator's arguments."""


def make_call_code(name: str | None) -> CodePlace:
    """A call of CUDA; versions of one function are one."""
    words = _VERSION.sub("", name or UNNAMED)
    return CodePlace(words, find_runtime_library(words))


def parse_mark(name: str | None, domain: str, program: str) -> MarkedRange:
    """A range by its text. Numbers that only count make no code of their own."""
    words = (name or UNNAMED).strip() or UNNAMED
    if domain == _MPI_DOMAIN:
        return MarkedRange(RangeKind.LIBRARY, CodePlace(words, MPI), "")
    torch = _TORCH.fullmatch(words)
    if torch or words.startswith("aten::"):
        sizes = _SIZES.search(words)
        shapes = "".join(sizes[1].split())[:MOST_OF_SHAPES] if sizes else ""
        code = CodePlace(torch["name"] if torch else words, OPERATORS)
        return MarkedRange(RangeKind.OPERATOR, code, shapes if shapes != "[]" else "")
    if _STEP.fullmatch(words):
        return MarkedRange(RangeKind.STEP, CodePlace(words, program), "")
    module = _LIBRARIES.get(domain, domain) if domain else program
    return MarkedRange(RangeKind.ANNOTATION, CodePlace(drop_count(words), module), "")


def drop_count(words: str) -> str:
    """A name without the number that only counts: the steps of a loop are one place of code."""
    found = _COUNTED.fullmatch(words)
    return f"{found['words']}{found['gap']}…" if found else _NUMBERED.sub("#…", words)
