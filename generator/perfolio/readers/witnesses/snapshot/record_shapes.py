"""What a pickle's reader keeps, and what it asks of each dictionary and list that is whole."""

from __future__ import annotations

from typing import Any, Protocol

DROPPED = object()
"""Stands for items that a list does not keep."""


class MemoList(list[Any]):
    """A list of the file, with its place in the memo."""

    __slots__ = ("at",)
    at: int


class MemoDict(dict[Any, Any]):
    """A dictionary of the file, with its place in the memo."""

    __slots__ = ("at",)
    at: int


class SiblingLookup(Protocol):
    """Where a dictionary stands."""

    def sibling(self) -> int:
        """Of the dictionary that is being closed: the number of its list among lists beside it."""


class FileShape(Protocol):
    """What becomes of what is read."""

    def closed(self, entries: MemoDict, siblings: SiblingLookup) -> object:
        """What stands for a dictionary from now on: itself, or something smaller."""

    def listed(self, items: list[Any]) -> object | None:
        """What stands for a list of these items: None for itself, DROPPED for it without them."""
