"""The command in a folder of its own, as for functional tests; and PyTorch with one thread."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.functional.conftest import run

__all__ = ["run"]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """Here and in programs that are recorded: threads of small networks wait, busily."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OMP_NUM_THREADS", "1")
        torch = sys.modules.get("torch")
        if torch is None:
            yield
            return
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        yield
        torch.set_num_threads(before)
