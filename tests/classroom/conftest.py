"""Variants are made in this process."""

from __future__ import annotations

from tests.exercises.conftest import one_process

__all__ = ["one_process"]
