"""What names of recorded events say, whatever tool recorded them."""

from __future__ import annotations

import re
from typing import Any

from perfolio.readers.code_names import to_storable_text

MOST_OF_A_NAME = 4_000
"""Characters of a name that are kept."""
MOST_OF_SHAPES = 2_000
OPERATORS = "libtorch_cpu.so"
"""The library that operators of PyTorch are recorded in."""
_DRIVER = re.compile(r"cu[A-Z]")


def find_runtime_library(name: str) -> str:
    """The library of a GPU's runtime or driver that a call is in."""
    if name.startswith("hip"):
        return "libamdhip64.so"
    return "libcuda.so" if _DRIVER.match(name) else "libcudart.so"


def to_name_text(name: Any) -> str:
    """A name as plain text, of bounded length; empty where there is none."""
    return to_storable_text(name if isinstance(name, str) else "" if name is None else str(name))[
        :MOST_OF_A_NAME
    ]
