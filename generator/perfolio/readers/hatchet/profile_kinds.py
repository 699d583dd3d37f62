"""What a file or folder is, by its first bytes."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.stable_file import open_input

HEAD = 1 << 16
"""Bytes at the begin of a file that tell what it is."""
DATABASE = "experiment.xml"
"""The file that a database of HPCToolkit's older format is about."""
TAU_NAME = re.compile(r"profile\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
"""Node, context and thread are in the name alone."""
MOST_FILES = 100_000


class CallTreeFormat(Enum):
    """Forms of files; the value is the tool that recorded what is in them."""

    DATABASE = "HPCToolkit 3"
    CALI = "Caliper"
    CALIPER_JSON = "Caliper (JSON)"
    TIMEMORY = "timemory"
    CPROFILE = "cProfile"
    PYINSTRUMENT = "pyinstrument"
    TAU = "TAU"
    DOT = "gprof2dot"


_BEGINS: tuple[tuple[CallTreeFormat, re.Pattern[bytes]], ...] = tuple(
    (form, re.compile(begin, re.DOTALL))
    for form, begin in (
        (CallTreeFormat.CALI, rb"__rec=(?:node|ctx|globals),"),
        (CallTreeFormat.CALIPER_JSON, rb'\{\s*"data"\s*:\s*\[\s*\['),
        (CallTreeFormat.TIMEMORY, rb'\{\s*"timemory"\s*:\s*\{'),
        (CallTreeFormat.CPROFILE, rb"[\x7b\xfb][\x28\xa8\x29\xa9]"),
        (
            CallTreeFormat.PYINSTRUMENT,
            rb'\{(?=.{0,4096}?"root_frame"\s*:\s*\{)(?=.{0,4096}?"sample_count"\s*:)',
        ),
        (CallTreeFormat.TAU, rb"\d{1,9} templated_functions"),
        (
            CallTreeFormat.DOT,
            rb'\s*(?:strict\s+)?digraph\b[^{]{0,200}\{(?=.*?label="[^"\n]*\d%\\n\(\d)',
        ),
        (CallTreeFormat.DATABASE, rb"\s*<\?xml(?=.{0,4096}?<(?:!DOCTYPE )?HPCToolkitExperiment)"),
    )
)


def detect_format(path: Path) -> CallTreeFormat | None:
    """The form of a file or folder; None for anything else, or where it cannot be read."""
    if path.is_dir():
        if _match_begin(path / DATABASE) is CallTreeFormat.DATABASE:
            return CallTreeFormat.DATABASE
        return CallTreeFormat.TAU if list_tau_files(path) else None
    found = _match_begin(path)
    return None if found is CallTreeFormat.DATABASE else found


def list_tau_files(folder: Path) -> list[Path]:
    """Profiles of TAU in a folder, by node and thread."""
    numbered = []
    for path in folder.iterdir():
        if found := TAU_NAME.fullmatch(path.name):
            numbered.append((tuple(map(int, found.groups())), path))
        if len(numbered) > MOST_FILES:
            raise InputError(
                f"{folder}: holds more than {MOST_FILES:,} profiles of TAU",
                hint="give a folder with some of them",
            )
    return [path for _, path in sorted(numbered) if _match_begin(path) is CallTreeFormat.TAU]


def _match_begin(path: Path) -> CallTreeFormat | None:
    try:
        if not path.is_file():
            return None
        opened = open_input(path)
        head = opened.read(0, min(opened.size, HEAD)).removeprefix(b"\xef\xbb\xbf")
    except (InputError, OSError):
        return None
    return next((form for form, begin in _BEGINS if begin.match(head)), None)
