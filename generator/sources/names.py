"""Names that HPCToolkit makes up."""

from __future__ import annotations

PYTHON_MODULE = "<logical python>"
"""The load module of functions of Python."""
