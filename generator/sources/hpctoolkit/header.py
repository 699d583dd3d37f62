"""The common header of *.db files: magic, version, sections; and the footer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from generator.errors import FormatError
from generator.sources.hpctoolkit.layouts import (
    FOOTERS,
    MAGIC,
    MAJOR_VERSION,
    MINOR_VERSION,
    SECTION_TABLE,
    SECTIONS,
    Layout,
)
from generator.sources.hpctoolkit.mapped import MappedFile, Records, map_file


@dataclass(frozen=True)
class Section:
    """A contiguous region of a file."""

    offset: int
    size: int


@dataclass(frozen=True)
class DatabaseFile:
    """A mapped file whose header was checked."""

    file: MappedFile
    version: str
    sections: Mapping[str, Section]
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
    """Map `path` and check that it is a database file of `kind` (`meta`, `prof`, `trce`)."""
    file = map_file(path)
    names = SECTIONS[kind]
    if file.size < SECTION_TABLE + 16 * len(names) or file.map[:10] != MAGIC:
        raise FormatError(
            path,
            0,
            "this is not a file of an HPCToolkit database",
            hint="give the folder that hpcprof wrote",
        )
    if file.map[10:14] != kind:
        raise file.error(10, f"this is a file of kind {file.map[10:14]!r}, expected {kind!r}")
    warnings = _check_version(file)
    if file.map[file.size - 8 :] != FOOTERS[kind]:
        raise file.error(file.size - 8, f"the footer {FOOTERS[kind].decode()} is missing")
    table = np.frombuffer(file.map, "<u8", count=2 * len(names), offset=SECTION_TABLE)
    sections = {}
    for index, name in enumerate(names):
        size, offset = int(table[2 * index]), int(table[2 * index + 1])
        file.require(offset, size, f"section {name}")
        sections[name] = Section(offset, size)
    return DatabaseFile(file, f"{file.map[14]}.{file.map[15]}", sections, warnings)


def _check_version(file: MappedFile) -> tuple[str, ...]:
    major, minor = file.map[14], file.map[15]
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
