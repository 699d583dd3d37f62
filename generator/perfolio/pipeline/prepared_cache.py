"""What the first report of every user would make again, made once: when the package is built.

In:  this version of the package, of DuckDB, Jinja, MkDocs and vl-convert.
Out: `prepared/` in the package, which `perfolio.common.cache` reads: the chart library, the store
     to copy, compiled templates, and converted pages that are the same in each site.

`generator/build_hook.py` runs it, in a process with a cache folder of its own and without what was
prepared before; for a wheel with `--steady`. It builds a report of a run with one step, and keeps
what is of no run.
"""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from perfolio.common.atomic_output import make_temporary_folder, replace_folder
from perfolio.common.cache import PREPARED, Cache
from perfolio.common.parsed_texts import get_parsed_texts
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.pages.template_environment import make_environment
from perfolio.pipeline.reports import build
from perfolio.site.shipped_files import load_bundle

_ROOMS = ("bundle", "catalogues", "content", "stores", "templates", "texts")
"""Rooms of the cache in which nothing is of one run."""
_UNSTEADY = "stores"
"""A room whose files have other bytes each time: DuckDB's hold an identifier, and unset memory."""
_STEADY = "--steady"
_NAME = "one-step"
_EVENTS = (
    {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "ts": 0, "dur": 100},
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 10, "dur": 80},
    {
        "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": 20, "dur": 10,
        "args": {"correlation": 1},
    },
    {
        "ph": "X", "cat": "kernel", "name": "gemm", "ts": 40, "dur": 30, "pid": 0, "tid": 7,
        "args": {"correlation": 1, "device": 0, "stream": 7},
    },
)  # fmt: skip


def prepare_cache(*, steady: bool = False) -> None:
    """Write `prepared/`, of what this process finds and makes in its cache folder.

    With `steady` only what has the same bytes each time, as a wheel needs.
    """
    with make_temporary_folder() as work:
        _fill_cache(work)
        with replace_folder(PREPARED) as folder:
            for room in (one for one in _ROOMS if not (steady and one == _UNSTEADY)):
                shutil.copytree(Cache(room).folder, folder / room)
            _copy_shared_pages(folder)


def _fill_cache(work: Path) -> None:
    trace = work / f"{_NAME}.json"
    same = {"pid": 1, "tid": 1}
    trace.write_text(json.dumps({"traceEvents": [same | dict(one) for one in _EVENTS]}), "utf-8")
    load_bundle()
    for path in sorted(PREPARED.parent.rglob("*.toml")):
        with suppress(TomlError):  # a template of one
            read_toml(path)
    templates = make_environment()
    for name in templates.list_templates():
        templates.get_template(name)
    build([trace], work / "site")
    get_parsed_texts().keep()


def _copy_shared_pages(folder: Path) -> None:
    """Pages that do not name the report: those of no report, but for the list of reports."""
    pages = Cache("pages")
    (folder / pages.room).mkdir()
    for path in sorted(pages.folder.iterdir()):
        if _NAME.encode() not in (pages.load(path.name) or b""):
            shutil.copy(path, folder / pages.room)


if __name__ == "__main__":
    prepare_cache(steady=_STEADY in sys.argv[1:])
