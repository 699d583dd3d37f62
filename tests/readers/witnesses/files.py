"""Files of other tools, written for one test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfolio.readers.text_stream import open_text
from perfolio.readers.witnesses.discovery import detect_kind
from perfolio.readers.witnesses.model import Witness


def witness(folder: Path, content: str | bytes, name: str) -> Witness:
    """What a file with this content says. Raises InputError."""
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    kind = detect_kind(file)
    assert kind is not None, f"{name} is not known"
    return kind.read(open_text(file))


def figures(found: Witness) -> dict[str, float]:
    """Its figures by name."""
    return {row[0]: row[1] for row in found.rows.get("told_figure", [])}


def doubts(found: Witness) -> dict[str, tuple[Any, ...]]:
    """What is said and held instead, by figure."""
    return {str(row[0]): row[1:] for row in found.rows.get("told_doubt", [])}
