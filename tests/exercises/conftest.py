"""Variants are made in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from perfolio.common import processes


@pytest.fixture(scope="package", autouse=True)
def one_process() -> Iterator[None]:
    """Each other process would import all and read all content again, for a run or two."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(processes, "count_processors", lambda: 1)
        yield
