"""Every structure of format 4.0 as a table: field, byte offset, type.

`size` is the END row of the specification's table: what format 4.0 occupies. An
"expandable" structure in an array has the *stored* size as its stride, which a later
minor version may raise; a stored size below `needs` cannot hold the fields read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

U8, U16, U32, U64, F64 = "u1", "<u2", "<u4", "<u8", "<f8"


@dataclass(frozen=True)
class Layout:
    """A structure: its fields by name, each with byte offset and numpy type."""

    name: str
    size: int
    fields: Mapping[str, tuple[int, str]]
    types: dict[int, np.dtype[np.void]] = field(default_factory=dict, repr=False, compare=False)
    """Types that were made, by stride: files of many lines ask for one a hundred thousand times."""

    @property
    def needs(self) -> int:
        """Bytes from the start of the structure to the end of its last field."""
        return max(offset + np.dtype(kind).itemsize for offset, kind in self.fields.values())

    def dtype(self, stride: int | None = None) -> np.dtype[np.void]:
        """The numpy type with `stride` bytes (default: `size`) from record to record."""
        length = self.size if stride is None else stride
        if length not in self.types:
            self.types[length] = np.dtype(
                {
                    "names": list(self.fields),
                    "formats": [kind for _, kind in self.fields.values()],
                    "offsets": [offset for offset, _ in self.fields.values()],
                    "itemsize": length,
                }
            )
        return self.types[length]


SECTIONS: Mapping[bytes, tuple[str, ...]] = {
    b"meta": (
        "General",
        "IdNames",
        "Metrics",
        "Context",
        "Strings",
        "Modules",
        "Files",
        "Functions",
    ),
    b"prof": ("ProfileInfos", "IdTuples"),
    b"ctxt": ("CtxInfos",),
    b"trce": ("CtxTraces",),
}
FOOTERS: Mapping[bytes, bytes] = {
    b"meta": b"_meta.db",
    b"prof": b"_prof.db",
    b"ctxt": b"__ctx.db",
    b"trce": b"trace.db",
}
MAGIC = b"HPCTOOLKIT"
MAJOR_VERSION = 4
MINOR_VERSION = 0
SECTION_TABLE = 0x10

# meta.db
GENERAL = Layout("General Properties", 0x10, {"pTitle": (0x00, U64), "pDescription": (0x08, U64)})
ID_NAMES = Layout("Identifier Names", 0x09, {"ppNames": (0x00, U64), "nKinds": (0x08, U8)})
POINTER = Layout("pointer", 0x08, {"p": (0x00, U64)})
METRICS = Layout(
    "Performance Metrics",
    0x1B,
    {
        "pMetrics": (0x00, U64),
        "nMetrics": (0x08, U32),
        "szMetric": (0x0C, U8),
        "szScopeInst": (0x0D, U8),
        "szSummary": (0x0E, U8),
        "pScopes": (0x10, U64),
        "nScopes": (0x18, U16),
        "szScope": (0x1A, U8),
    },
)
METRIC = Layout(
    "{MD}",
    0x20,
    {
        "pName": (0x00, U64),
        "pScopeInsts": (0x08, U64),
        "pSummaries": (0x10, U64),
        "nScopeInsts": (0x18, U16),
        "nSummaries": (0x1A, U16),
    },
)
SCOPE_INST = Layout("{PSI}", 0x10, {"pScope": (0x00, U64), "propMetricId": (0x08, U16)})
SUMMARY = Layout(
    "{SS}",
    0x18,
    {
        "pScope": (0x00, U64),
        "pFormula": (0x08, U64),
        "combine": (0x10, U8),
        "statMetricId": (0x12, U16),
    },
)
SCOPE = Layout(
    "{PS}",
    0x10,
    {"pScopeName": (0x00, U64), "type": (0x08, U8), "propagationIndex": (0x09, U8)},
)
MODULES = Layout("Load Modules", 0x0E, {"p": (0x00, U64), "n": (0x08, U32), "sz": (0x0C, U16)})
"""Source files and functions begin alike."""
MODULE = Layout("[LMS]", 0x10, {"flags": (0x00, U32), "pPath": (0x08, U64)})
FILE = Layout("[SFS]", 0x10, {"flags": (0x00, U32), "pPath": (0x08, U64)})
FUNCTION = Layout(
    "[FS]",
    0x28,
    {
        "pName": (0x00, U64),
        "pModule": (0x08, U64),
        "offset": (0x10, U64),
        "pFile": (0x18, U64),
        "line": (0x20, U32),
        "flags": (0x24, U32),
    },
)
CONTEXT = Layout(
    "Context Tree",
    0x0B,
    {"pEntryPoints": (0x00, U64), "nEntryPoints": (0x08, U16), "szEntryPoint": (0x0A, U8)},
)
ENTRY_POINT = Layout(
    "{Entry}",
    0x20,
    {
        "szChildren": (0x00, U64),
        "pChildren": (0x08, U64),
        "ctxId": (0x10, U32),
        "entryPoint": (0x14, U16),
        "pPrettyName": (0x18, U64),
    },
)
CTX_WORDS = 4
"""64-bit words of {Ctx} before `flex`: szChildren, pChildren, ctxId to nFlexWords, propagation."""
COPIED = 1
HAS_FUNCTION, HAS_SRC_LOC, HAS_POINT = 1, 2, 4

# profile.db
PROFILE_INFOS = Layout(
    "Profile Info",
    0x0D,
    {"pProfiles": (0x00, U64), "nProfiles": (0x08, U32), "szProfile": (0x0C, U8)},
)
PROFILE_INFO = Layout(
    "{PI}",
    0x30,
    {
        "nValues": (0x00, U64),
        "pValues": (0x08, U64),
        "nCtxs": (0x10, U32),
        "pCtxIndices": (0x18, U64),
        "pIdTuple": (0x20, U64),
        "flags": (0x28, U32),
    },
)
VALUE = Layout("{Val}", 0x0A, {"metricId": (0x00, U16), "value": (0x02, F64)})
CTX_INDEX = Layout("{Idx}", 0x0C, {"ctxId": (0x00, U32), "startIndex": (0x04, U64)})
ID_TUPLE = Layout("[HIT]", 0x08, {"nIds": (0x00, U16)})
ID = Layout(
    "{Id}",
    0x10,
    {
        "kind": (0x00, U8),
        "flags": (0x02, U16),
        "logicalId": (0x04, U32),
        "physicalId": (0x08, U64),
    },
)
IS_SUMMARY, IS_PHYSICAL = 1, 1

# cct.db: read for comparison only
CTX_INFOS = Layout(
    "Context Info", 0x0D, {"pCtxs": (0x00, U64), "nCtxs": (0x08, U32), "szCtx": (0x0C, U8)}
)
CTX_INFO = Layout(
    "{CI}",
    0x20,
    {
        "nValues": (0x00, U64),
        "pValues": (0x08, U64),
        "nMetrics": (0x10, U16),
        "pMetricIndices": (0x18, U64),
    },
)
PROFILE_VALUE = Layout("{Val}", 0x0C, {"profIndex": (0x00, U32), "value": (0x04, F64)})
METRIC_INDEX = Layout("{Idx}", 0x0A, {"metricId": (0x00, U16), "startIndex": (0x02, U64)})

# trace.db
CTX_TRACES = Layout(
    "Context Trace Headers",
    0x20,
    {
        "pTraces": (0x00, U64),
        "nTraces": (0x08, U32),
        "szTrace": (0x0C, U8),
        "minTimestamp": (0x10, U64),
        "maxTimestamp": (0x18, U64),
    },
)
TRACE = Layout(
    "{CTH}", 0x18, {"profIndex": (0x00, U32), "pStart": (0x08, U64), "pEnd": (0x10, U64)}
)
ELEM = Layout("{Elem}", 0x0C, {"timestamp": (0x00, U64), "ctxId": (0x08, U32)})

ENTRY_POINTS = {0: "unknown entry", 1: "main thread", 2: "application thread"}
RELATIONS = {0: "lexical", 1: "call", 2: "inlined call"}
LEXICAL_TYPES = {0: "function", 1: "loop", 2: "line", 3: "instruction"}
SCOPE_TYPES = {1: "point", 2: "execution"}
"""Types of propagation scopes whose names are fixed."""
COMBINE = {0: "sum", 1: "min", 2: "max"}


def name_enum_value(names: Mapping[int, str], value: int) -> str:
    """The name of an enumeration's value; values of later versions are kept as `unknown(n)`."""
    return names.get(value, f"unknown({value})")
