"""Hatchet as users have it, for tests that ask for it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from perfolio.readers.hatchet import worker


@pytest.fixture
def real_process() -> Iterator[None]:
    """Hatchet is imported by the process that reads."""
    with patch.object(worker, "subprocess", subprocess):
        yield
