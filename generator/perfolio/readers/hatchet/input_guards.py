"""What is checked of a file's content before Hatchet sees it, and what it says of itself.

Each guard raises InputError or FormatError for what Hatchet would not bear: entities of XML,
Python's code, sizes that a file promises and does not have, times of intervals that do not add up.
"""

from __future__ import annotations

import json
import re
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any

from perfolio.common.errors import FormatError, InputError
from perfolio.readers.hatchet.marshal_check import MarshalError, check_plain
from perfolio.readers.hatchet.profile_kinds import TAU_NAME, CallTreeFormat
from perfolio.readers.hatchet.staged_files import StagedFiles
from perfolio.readers.json_stream import Braces
from perfolio.readers.stable_file import OpenedFile

AGAIN = "record it again, or copy the whole file again"
METRIC_HEAD = 32
"""Bytes before the values of a .metric-db file."""
_METRIC_NAME = re.compile(r".*-(\d{1,9})-(\d{1,9})-\w+-\d+-\d\.metric-db")
_TAG = re.compile(rb"<(?:(/)|!ENTITY|[A-Za-z])")
_OF_PYTHON_2 = {"s", "R", "f"}
"""Types of marshal: texts of bytes, references to texts, numbers written out."""
DEEPEST = 400
"""Places within each other: Hatchet follows them by calls of Python within each other."""


def check_input(held: StagedFiles) -> None:
    """Raise InputError or FormatError where Hatchet must not read the files."""
    guard = _GUARDS.get(held.form)
    if guard is not None:
        guard(held)


def read_json(held: StagedFiles) -> Any:
    """The document of a file of JSON. Raises FormatError."""
    path, text = held.files[0].path, held.first
    _check_depth(held, text)
    try:
        return json.loads(text)
    except RecursionError as problem:
        raise _make_depth_error(held) from problem
    except ValueError as problem:
        offset = getattr(problem, "pos", 0)
        raise FormatError(path, offset, f"no JSON: {problem}", hint=AGAIN) from problem


def _check_depth(held: StagedFiles, text: bytes) -> None:
    """JSON within itself, three levels of it for each place."""
    braces = Braces()
    deepest = max((braces.depth for _ in braces.tokens(text)), default=0)
    if deepest > 2 * DEEPEST + 20:
        raise _make_depth_error(held)


def _make_depth_error(held: StagedFiles) -> InputError:
    return InputError(
        f"{held.files[0].path}: more than {DEEPEST} calls within each other, which Hatchet does "
        "not follow",
        hint="record less deep calling paths",
    )


def _check_json(held: StagedFiles) -> None:
    document = read_json(held)
    if held.form is CallTreeFormat.TIMEMORY and not _has_trees(document):
        raise InputError(
            f"{held.path}: is timemory's flat layout, which holds no calling paths",
            hint="give the file of the same run that ends in .tree.json",
        )


def _has_trees(document: Any) -> bool:
    found = document.get("timemory") if isinstance(document, dict) else None
    trees = found.values() if isinstance(found, dict) else ()
    return any(isinstance(one, dict) and {"graph", "mpi", "upcxx"} & one.keys() for one in trees)


def _check_xml(held: StagedFiles) -> None:
    """No entities, which can be made to fill the memory, no depth, and values as promised."""
    text, path = held.first, held.files[0].path
    depth = 0
    begin = max(text.find(b"<SecCallPathProfileData"), 0)
    entity = text.find(b"<!ENTITY")
    if entity >= 0:
        raise FormatError(path, entity, "an entity, which no database has", hint=AGAIN)
    for found in _TAG.finditer(text, begin):
        depth += -1 if found[1] else 1
        close = text.find(b">", found.start())
        depth -= text[close - 1 : close] == b"/"
        if depth > 2 * DEEPEST:
            raise _make_depth_error(held)
    if not held.files[1:]:
        raise InputError(
            f"{held.path}: has no .metric-db files, in which the costs of threads are",
            hint="give the database as hpcprof-mpi of HPCToolkit 3 wrote it, with all its files",
        )
    shapes = {_read_shape(each) for each in held.files[1:]}
    if len(shapes) > 1:
        raise InputError(f"{held.path}: its .metric-db files are not of one run", hint=AGAIN)
    _check_threads(held)


def _check_threads(held: StagedFiles) -> None:
    """Hatchet takes every rank to have equally many threads, and all numbers to be there."""
    names = [_METRIC_NAME.fullmatch(each.path.name) for each in held.files[1:]]
    numbers = sorted((int(name[1]), int(name[2])) for name in names if name)
    threads = Counter(rank for rank, _ in numbers)
    expected = [(rank, thread) for rank in range(len(threads)) for thread in range(threads[0])]
    if numbers != expected:
        raise InputError(
            f"{held.path}: ranks or threads are missing among its .metric-db files",
            hint="copy the whole folder again",
        )


def _read_shape(file: OpenedFile) -> tuple[int, int]:
    """Contexts and metrics of a file of values, as its size must say as well."""
    head = file.read(0, min(file.size, METRIC_HEAD))
    if len(head) < METRIC_HEAD or not head.startswith(b"HPCPROF-metricdb__") or head[23:24] != b"b":
        raise FormatError(file.path, 0, "no values of HPCToolkit 3, big-endian", hint=AGAIN)
    nodes, metrics = struct.unpack(">ii", head[24:32])
    if min(nodes, metrics) < 1 or METRIC_HEAD + 8 * nodes * metrics != file.size:
        raise FormatError(
            file.path, 24, f"promises {nodes:,} contexts of {metrics:,} metrics", hint=AGAIN
        )
    return nodes, metrics


def _check_marshal(held: StagedFiles) -> None:
    path = held.files[0].path
    try:
        kinds = check_plain(held.first)
    except MarshalError as problem:
        raise FormatError(path, problem.offset, str(problem), hint=AGAIN) from problem
    if kinds & _OF_PYTHON_2:
        raise InputError(
            f"{path}: was written by Python 2, or by no profiler of Python",
            hint="record it with Python 3",
        )


def _check_cali(held: StagedFiles) -> None:
    for found in (b"loop.start_iteration", b"timeseries.snapshot"):
        if found in held.first:
            raise InputError(
                f"{held.path}: holds intervals of a loop ({found.decode()}), which cannot be added",
                hint="record without timeseries: CALI_CONFIG=runtime-profile",
            )


def _check_tau(held: StagedFiles) -> None:
    for each in held.files:
        if not TAU_NAME.fullmatch(each.path.name):
            raise InputError(
                f"{each.path}: TAU's profiles are told by their names, profile.NODE.CONTEXT.THREAD",
                hint="give it the name that TAU gave it",
            )
    lines = held.first.split(b"\n", 2)
    if len(lines) < 3 or b"<value>" not in lines[1]:
        raise FormatError(held.files[0].path, 0, "no name of a metric in line 2", hint=AGAIN)


_GUARDS: dict[CallTreeFormat, Callable[[StagedFiles], None]] = {
    CallTreeFormat.DATABASE: _check_xml,
    CallTreeFormat.CALI: _check_cali,
    CallTreeFormat.TIMEMORY: _check_json,
    CallTreeFormat.PYINSTRUMENT: _check_json,
    CallTreeFormat.CPROFILE: _check_marshal,
    CallTreeFormat.TAU: _check_tau,
}
