"""Texts by their identifiers, which rows hold in their place."""

from __future__ import annotations

from perfolio.common.errors import TableError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.events.event_names import MOST_OF_A_NAME
from perfolio.readers.nsys.checked_tables import AGAIN, ReportTables, read_rows

TABLE = "StringIds"
MOST_TEXT = 1 << 30
"""Characters of all texts together."""


class StringTable:
    """The texts of a report; none for an identifier that it does not list."""

    def __init__(self, tables: ReportTables) -> None:
        """Raises TableError where the texts are more than any report has."""
        self._known: dict[int, str] = {}
        room = MOST_TEXT
        for rows in read_rows(tables, TABLE, ("id", "value")):
            identifiers = rows.numbers("id").tolist()
            for identifier, value in zip(identifiers, rows.texts("value"), strict=True):
                if value is None:
                    continue
                text = to_storable_text(value[:MOST_OF_A_NAME])
                room -= len(text)
                self._known[identifier] = text
            if room < 0:
                what = f"its texts add up to more than {MOST_TEXT:,} characters"
                raise TableError(tables.path, TABLE, what, hint=AGAIN)

    def get(self, identifier: int) -> str | None:
        """The text with an identifier."""
        return self._known.get(identifier)
