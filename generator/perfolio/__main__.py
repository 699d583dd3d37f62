"""`python -m perfolio` is `perfolio`: the command as a process, which needs no pandas.

PyArrow asks of each list whether it is one of pandas, and for that imports it wherever it is
installed, which takes longer than reading a small profile.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from io import StringIO
from itertools import pairwise
from types import ModuleType

from perfolio.common.processes import (
    begin_side_process,
    end_side_process,
    search_garbage_rarely,
)

_LINEAR_ALGEBRA = ("OPENBLAS_NUM_THREADS", "1")
"""NumPy's library begins a thread for each processor, which all wait busily for the first work."""
_RECORDS = "record"
"""The command that starts a program of the user, in the user's surroundings."""
_BUILDS = {"build", "serve"}
"""Commands whose pages and site a process beside this one makes."""


class _WithoutPandas(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Refuse that one module, and leave all others to other finders."""
        del path, target
        if fullname == "pandas":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def perfolio() -> None:
    """Run the command."""
    search_garbage_rarely()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started this
            setattr(sys, name, StringIO())
    sys.meta_path.insert(0, _WithoutPandas())
    if _RECORDS not in sys.argv[1:2]:
        os.environ.setdefault(*_LINEAR_ALGEBRA)
    if _names_profiles(sys.argv[1:]):
        begin_side_process(_prepare_report_files)  # before anything begins a thread
    try:
        from perfolio.cli.main import main  # takes a third of a second

        main()
    except SystemExit as end:
        _leave(end)
    finally:
        end_side_process()


def _names_profiles(arguments: Sequence[str]) -> bool:
    """Whether reports of profiles are to be built, as far as that is seen before any is parsed.

    A project's settings may name code of its own, which runs in this process.
    """
    named = (not {one[:1], other[:1]} & {"-"} for one, other in pairwise(arguments))
    return not _BUILDS.isdisjoint(arguments[:1]) and any(named)


def _prepare_report_files() -> None:
    """Import all that makes pages of documents, and a site of pages."""
    from perfolio.pipeline.side_tasks import prepare

    prepare()


def _leave(end: SystemExit) -> None:
    """End the process: to take apart what a report leaves in memory would take 0.3 s.

    What registered for the end runs, and what was printed is out; else Python ends as it does.
    """
    if not isinstance(end.code, int) or sys.gettrace() or sys.getprofile():
        raise end  # what watches a program writes what it saw where that ends
    atexit._run_exitfuncs()  # noqa: SLF001 - Python has no other name for it
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads, or they are closed
        raise end from None
    os._exit(end.code)


if __name__ == "__main__":
    perfolio()
