"""Hatchet reads in forks of one process that has imported it, which takes most of the time."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from perfolio.readers.hatchet import worker
from tests.kit.forked import forked_program


@pytest.fixture(autouse=True)
def _forked(request: pytest.FixtureRequest) -> Iterator[None]:
    """Except for tests that ask for `real_process`."""
    if "real_process" in request.fixturenames:
        yield
        return
    run = SimpleNamespace(**vars(subprocess) | {"run": forked_program})
    with patch.object(worker, "subprocess", run):
        yield


@pytest.fixture
def real_process() -> None:
    """Hatchet is imported by the process that reads, as for users."""
