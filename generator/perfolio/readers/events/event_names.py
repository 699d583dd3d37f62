"""What names of recorded events say, whatever tool recorded them."""

from __future__ import annotations

import re
from typing import Any

from perfolio.readers.code_names import plain

MOST_OF_A_NAME = 4_000
"""Characters of a name that are kept."""
MOST_OF_SHAPES = 2_000
OPERATORS = "libtorch_cpu.so"
"""The library that operators of PyTorch are recorded in."""
_DRIVER = re.compile(r"cu[A-Z]")


def runtime_library(name: str) -> str:
    """The library of a GPU's runtime or driver that a call is in."""
    if name.startswith("hip"):
        return "libamdhip64.so"
    return "libcuda.so" if _DRIVER.match(name) else "libcudart.so"


def words_of(name: Any) -> str:
    """A name as plain text, of bounded length; empty where there is none."""
    return plain(name if isinstance(name, str) else "" if name is None else str(name))[
        :MOST_OF_A_NAME
    ]
