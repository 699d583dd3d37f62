"""The command in a folder of its own, as for functional tests."""

from __future__ import annotations

from tests.functional.conftest import run

__all__ = ["run"]
