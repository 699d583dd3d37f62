"""Mutants of files that people write by hand: each gives a result, or one line."""

from __future__ import annotations
