"""The fields of a filled PDF, read by pypdf, which is imported when the first PDF is.

In:  a file that anybody may have made. Out: values by the names of fields; InputError names the
     file where it is no PDF, or has no field of a sheet.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perfolio.common.errors import InputError, OutputError

_LARGEST = 20_000_000
_MOST = 4_000
"""Fields of one file."""
_DAMAGED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError, OSError,
    RecursionError, TypeError, ValueError, zlib.error,
)  # fmt: skip
"""What pypdf raises for bytes that are not what they say, besides its own errors."""


def read_fields(path: Path) -> dict[str, str]:
    """The values of all fields with a name; a box that is ticked has the name of its state."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as problem:
        raise OutputError(
            f"{path}: PDF cannot be read here: no pypdf", hint="pip install 'perfolio[handouts]'"
        ) from problem
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{path}: larger than {_LARGEST:,} bytes")
        with path.open("rb") as file:
            fields = PdfReader(file).get_fields() or {}
            values = {str(name): _format_value(field) for name, field in fields.items()}
    except (PyPdfError, *_DAMAGED) as problem:
        raise InputError(f"{path}: cannot be read as PDF: {problem}") from problem
    if not values:
        raise InputError(
            f"{path}: this PDF has no fields",
            hint="hand in the file that was filled in, not a print of it",
        )
    if len(values) > _MOST:
        raise InputError(f"{path}: more than {_MOST:,} fields")
    return values


def _format_value(field: Mapping[str, Any]) -> str:
    value = field.get("/V")
    return "" if value is None else str(value)
