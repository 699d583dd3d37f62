"""Words that stand nowhere else, in the shapes of what is private, and where they were planted."""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

FORMS = (
    "/home/{}/{}/k.py",
    "conv_/home/{}/{}/k.cu",
    r"C:\Users\{}\{}\k.cu",
    r"\\{}\{}\k.cu",
    "file:///data/{}/{}/k.cu",
    "{}@{}",
    "/scratch/{}/{}/k.so",
    r"d_D:\{}\{}\k.cu",
    "//{}/{}/k.cu",
    "s3://{}/{}/k.cu",
    "{}@{}:/data/k.cu",
    "{}-1.{}.example.org",
    "/Users/{}/a {}/k.m",
    "https://{}.example.org/{}/k.cu",
    "~/{}/{}/k.py",
    "/home/{}/{}",
    "/gpfs/{}/{}/",
)
"""Each with two words."""
MOST_OF_A_FIELD = 9
"""Values that get words, of one field."""
_WORD_LETTERS = "bcdfghjkmnprtvwx"


class Canaries:
    """The words, by where they were planted."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.words: dict[str, str] = {}
        self.planted: Counter[str] = Counter()

    def word(self, where: str) -> str:
        """A new one."""
        word = "zq" + "".join(self.random.choices(_WORD_LETTERS, k=9))
        self.words[word] = where
        return word

    def private(self, where: str) -> str:
        """Something private with two new ones, in the next form."""
        form = FORMS[sum(self.planted.values()) % len(FORMS)]
        self.planted[where] += 1
        return form.format(self.word(f"{where}: {form}"), self.word(f"{where}: {form}"))

    def address(self, where: str) -> str:
        """A machine's address, which is a word too."""
        numbers = [self.random.randint(1, 254) for _ in range(3)]
        text = ".".join(map(str, (10, *numbers)))
        self.words[text] = where
        return text

    def beside(self, own: str, where: str) -> str:
        """A text with something private behind, at most a few times for one field."""
        if self.planted[where] >= MOST_OF_A_FIELD:
            return own
        return f"{own} {self.private(where)}"


def in_json(value: Any, canaries: Canaries, where: str, kept: frozenset[str]) -> Any:
    """JSON with words in each text but that of the keys `kept`, and of those that are numbers."""
    if isinstance(value, dict):
        where = f"{where} {value.get('cat', '')}".strip()
        return {
            key: each if key in kept else in_json(each, canaries, f"{where} {key}", kept)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [in_json(each, canaries, where, kept) for each in value]
    if isinstance(value, str) and not re.fullmatch(r"[-\d.]*", value):
        return canaries.beside(value, where)
    return value


def in_sqlite(path: Path, canaries: Canaries, kept: frozenset[str]) -> None:
    """Words in each text of each table, but of the columns `kept` (table.column)."""
    with sqlite3.connect(path) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in found.fetchall():
            columns = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
            texts = [one[1] for one in columns if one[2].upper().startswith("TEXT")]
            for column in texts:
                if f"{table}.{column}" not in kept:
                    _in_column(connection, table, column, canaries)
    connection.close()


def _in_column(connection: sqlite3.Connection, table: str, column: str, canaries: Canaries) -> None:
    sql = f'SELECT rowid, "{column}" FROM "{table}" WHERE "{column}" <> \'\''
    for row, own in connection.execute(sql).fetchall():
        if isinstance(own, str):
            told = canaries.beside(own, f"{table}.{column}")
            update = f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?'
            connection.execute(update, (told, row))


def in_text(
    text: str, canaries: Canaries, where: str, pattern: str, also: Callable[[str], str] = str
) -> str:
    """Something private behind each piece of a text that a pattern finds."""
    return re.sub(pattern, lambda found: also(canaries.beside(found[0], where)), text)
