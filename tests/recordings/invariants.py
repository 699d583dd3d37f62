"""Relations that hold in every document, whatever was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from tests.recordings.product import Documents

_JUST = 1e-6
_SHARES = ("_share", "utilisation", "efficiency", "balance")
"""Endings of names of metrics that are parts of a whole."""
_NO_SHARES = frozenset({"time.idle_imbalance"})
_SUMS: tuple[tuple[tuple[str, ...], str | float], ...] = (
    (("time.exposed_copy", "time.overlap"), "time.copy_busy"),
    (("time.gpu_busy", "time.gap_time"), "time.gpu_span"),
    (("time.gpu_utilisation", "time.gpu_idle_share"), 1.0),
    (("gpu.kernel_time", "gpu.copy_time"), "gpu.operation_time"),
)
"""Parts, and the whole that they make up, or do not exceed."""
_EXACT = 3
"""So many of the sums are exact."""


def broken(documents: Documents) -> Iterator[str]:
    """What does not hold of a document."""
    yield from _shares(documents)
    yield from _sums(documents)
    yield from _tables(documents)
    yield from _estimates(documents)
    for warning in documents.findings["metrics"]["run"].get("warnings", []):
        if "defect of Perfolio" in warning:
            yield warning


def _shares(documents: Documents) -> Iterator[str]:
    for name, value in documents.scalars().items():
        if name.endswith(_SHARES) and name not in _NO_SHARES and not -_JUST <= value <= 1 + _JUST:
            yield f"{name} is {value}"


def _sums(documents: Documents) -> Iterator[str]:
    for number, (parts, whole) in enumerate(_SUMS):
        found = [documents.value(part) for part in parts]
        every = documents.value(whole) if isinstance(whole, str) else whole
        if every is None or all(value is None for value in found):
            continue
        total = sum(value or 0.0 for value in found)
        if total > every + _JUST * every or (number < _EXACT and total < every - _JUST * every):
            yield f"{' + '.join(parts)} is {total}, of {whole}: {every}"


def _tables(documents: Documents) -> Iterator[str]:
    wholes: tuple[tuple[str, str, float | None], ...] = (
        ("time.wall_parts", "time", documents.value("time.wall")),
        ("time.span_parts", "time", documents.value("time.gpu_span")),
        ("time.iteration_classes", "share", 1.0),
        ("gpu.kernel_classes", "share", 1.0),
    )
    for table, column, whole in wholes:
        rows = documents.rows(table)
        total = sum(float(row[column] or 0) for row in rows)
        if rows and whole is not None and abs(total - whole) > _JUST * max(whole, total):
            yield f"{column} of {table} sum to {total}, not to {whole}"


def _estimates(documents: Documents) -> Iterator[str]:
    wall = documents.value("time.wall")
    for one in documents.findings["findings"]:
        worth, expected = one["estimate"], one["expected"]
        if worth is None or one["status"] != "fired":
            continue
        if not 0 < worth["reduction"] < 1:
            yield f"{one['code']} saves {worth['reduction']}"
        if wall and worth["saved"] is not None and worth["saved"] > wall * (1 + _JUST):
            yield f"{one['code']} saves {worth['saved']} s of {wall} s"
        if worth["weaker"] is not None and worth["weaker"] > worth["reduction"] * (1 + _JUST):
            yield f"{one['code']} saves {worth['weaker']} of {worth['reduction']} by weaker means"
        if expected is not None and not 0 <= expected["low"] <= expected["high"] <= 1 + _JUST:
            yield f"{one['code']} is expected to save {expected['high']} of its bound"
