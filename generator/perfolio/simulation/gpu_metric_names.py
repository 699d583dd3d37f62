"""Names of the metrics that HPCToolkit lists for a GPU, whether or not they have values."""

from __future__ import annotations

_MEMORIES = ("UNK", "PAG", "PIN", "DEV", "ARY", "MAN", "DST", "MST")
_COPIES = ("UNK", "H2D", "D2H", "H2A", "A2H", "A2A", "A2D", "D2A", "D2D", "H2H", "P2P")
_SYNCS = ("UNK", "EVT", "STRE", "STR", "CTX")
_STALLS = ("ANY", "NONE", "IFET", "IDEP", "GMEM", "TMEM", "SYNC", "CMEM", "PIPE", "MTHR", "NSEL")
_KERNEL = (
    "STMEM_ACUMU (B)",
    "DYMEM_ACUMU (B)",
    "LMEM_ACUMU (B)",
    "FGP_ACT_ACUMU",
    "FGP_MAX_ACUMU",
    "THR_REG_ACUMU",
    "BLK_THR_ACUMU",
    "BLK_SM_ACUMU",
    "BLKS_ACUMU",
    "COUNT",
)

AMD_METRICS = (
    *(f"{name} (sec)" for name in ("GPUOP", "GKER", "GMEM", "GMSET", "GXCOPY", "GICOPY", "GSYNC")),
    *(f"GMEM:{kind} (B)" for kind in _MEMORIES),
    "GMEM:COUNT",
    *(f"GMSET:{kind} (B)" for kind in _MEMORIES),
    "GMSET:COUNT",
    *(f"GXCOPY:{kind} (B)" for kind in _COPIES),
    "GXCOPY:COUNT",
    *(f"GSYNC:{kind} (sec)" for kind in _SYNCS),
    "GSYNC:COUNT",
)
NVIDIA_METRICS = (*AMD_METRICS, *(f"GKER:{name}" for name in _KERNEL))
PC_METRICS = (
    "GINS",
    *(f"GINS:STL_{name}" for name in (*_STALLS, "OTHR", "SLP")),
    *(f"GSAMP:{name}" for name in ("DRP", "EXP", "TOT", "PER (cyc)")),
)
