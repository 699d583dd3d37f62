"""Whether PyTorch is there.

In:  nothing. Out: nothing, or a UsageError whose line names the command that installs it.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

from perfolio.common.errors import UsageError

INSTALL = 'python -m pip install "torch==2.13.0"'
QUIET = {"KINETO_LOG_LEVEL": "99", "TORCH_CPP_LOG_LEVEL": "ERROR"}
"""The profiler tells each begin and end otherwise, and each block of memory that is older."""


def ensure_torch() -> None:
    """Raises UsageError where PyTorch is not installed."""
    if find_spec("torch") is None:
        raise UsageError("PyTorch is not installed", hint=f"install it: {INSTALL}")
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
