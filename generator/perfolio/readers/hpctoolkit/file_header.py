"""The common header of *.db files: magic, version, sections; and the footer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from perfolio.common.errors import FormatError
from perfolio.readers.hpctoolkit.binary_file import DataFile, Records, open_data
from perfolio.readers.hpctoolkit.format_layouts import (
    FOOTERS,
    MAGIC,
    MAJOR_VERSION,
    MINOR_VERSION,
    SECTION_TABLE,
    SECTIONS,
    Layout,
)


@dataclass(frozen=True)
class FileSection:
    """A contiguous region of a file."""

    offset: int
    size: int


@dataclass(frozen=True)
class DatabaseFile:
    """A file whose header was checked."""

    file: DataFile
    version: str
    sections: Mapping[str, FileSection]
    warnings: tuple[str, ...]

    def head(self, section: str, layout: Layout) -> dict[str, int]:
        """The header structure of a section; all zero where the section is empty."""
        place = self.sections[section]
        if place.size == 0:
            return dict.fromkeys(layout.fields, 0)
        if place.size < layout.needs:
            raise self.file.error(place.offset, f"section {section} has only {place.size} bytes")
        # The header's own last bytes may be padding beyond a minimal section.
        fitted = Layout(layout.name, layout.needs, layout.fields)
        return self.file.record(fitted, place.offset)

    def array(self, section: str, layout: Layout, offset: int, count: int, stride: int) -> Records:
        """An array that the specification places completely within a section."""
        place = self.sections[section]
        inside = place.offset <= offset and offset + count * stride <= place.offset + place.size
        if count and not inside:
            raise self.file.error(
                offset, f"array of {count:,} {layout.name} lies outside section {section}"
            )
        return self.file.records(layout, offset, count, stride)


def open_file(path: Path, kind: bytes) -> DatabaseFile:
    """Open `path` and check that it is a database file of `kind` (`meta`, `prof`, `trce`)."""
    file = open_data(path)
    names = SECTIONS[kind]
    size = SECTION_TABLE + 16 * len(names)
    head = file.opened.read(0, min(size, file.size))
    if len(head) < size or head[:10] != MAGIC:
        raise FormatError(
            path,
            0,
            "this is not a file of an HPCToolkit database",
            hint="give the folder that hpcprof wrote",
        )
    if head[10:14] != kind:
        raise file.error(10, f"this is a file of kind {head[10:14]!r}, expected {kind!r}")
    warnings = _check_version(file, *head[14:16])
    if file.opened.read(file.size - 8, 8) != FOOTERS[kind]:
        raise file.error(file.size - 8, f"the footer {FOOTERS[kind].decode()} is missing")
    table = np.frombuffer(head, "<u8", offset=SECTION_TABLE)
    sections = {}
    for index, name in enumerate(names):
        size, offset = int(table[2 * index]), int(table[2 * index + 1])
        file.require(offset, size, f"section {name}")
        sections[name] = FileSection(offset, size)
    return DatabaseFile(file, f"{head[14]}.{head[15]}", sections, warnings)


def _check_version(file: DataFile, major: int, minor: int) -> tuple[str, ...]:
    if major != MAJOR_VERSION:
        raise FormatError(
            file.path,
            14,
            f"format version {major}.{minor} is not supported",
            hint=f"version {MAJOR_VERSION}.x is: run hpcprof of HPCToolkit 2023 or later",
        )
    if minor > MINOR_VERSION:
        newer = f"format {major}.{minor} is newer than {MAJOR_VERSION}.{MINOR_VERSION}"
        return (f"{file.path.name}: {newer}; what it adds is not read",)
    return ()
