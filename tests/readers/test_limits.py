"""What is promised of time and memory holds for databases made to take the most of both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit import crafted
from tests.kit.limits import allowed, measured


@pytest.mark.slow
@pytest.mark.parametrize("make", [*crafted.READ, *crafted.REFUSED])
def test_a_crafted_database_keeps_within_limits(
    make: Callable[[Path, int], None], tmp_path: Path
) -> None:
    database = crafted.crafted(make, tmp_path / "x", 1_000_000)
    seconds, memory = measured(database)
    most_seconds, most_memory = allowed(database)
    assert seconds < most_seconds
    assert memory < most_memory
