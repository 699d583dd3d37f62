"""The command in a folder of its own, as for functional tests; and PyTorch with one thread.

It is imported for modules with the mark `torch` when their tests run, which takes 2 s: modules are
collected where their tests are left out, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.functional.conftest import run

__all__ = ["run"]


@pytest.fixture(scope="module", autouse=True)
def _one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """Here and in programs that are recorded: threads of small networks wait, busily."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OMP_NUM_THREADS", "1")
        if request.node.get_closest_marker("torch") is None:
            yield
            return
        torch = pytest.importorskip("torch", reason="PyTorch is not installed: make torch")
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        yield
        torch.set_num_threads(before)
