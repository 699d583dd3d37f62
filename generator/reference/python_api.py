"""The page of what notebooks import: signatures and docstrings of `perfolio.Run` and of frames.

In:  classes and functions. Out: Markdown.
"""

from __future__ import annotations

import html
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from perfolio.exporters import data_frames
from perfolio.exporters.notebook_run import NotebookRun, RunComparison
from reference.markdown import page

_HEAD = """
What `import perfolio` offers to [notebooks](../how-to/notebooks.md). Data frames are of pandas: the
extra `frames`. Values are in base units (s, B, Hz; shares as parts of 1), unless a row or column
names another. Errors are `perfolio.common.errors.PerfolioError`s of one line.
"""
_FRAMES = """
Functions of a store, the file that `perfolio ingest` wrote. `run` names one of several runs.
"""
_FUNCTIONS: tuple[Callable[..., Any], ...] = (
    data_frames.metrics,
    data_frames.table,
    data_frames.findings,
    data_frames.query,
    data_frames.graphframe,
)


def python_page() -> str:
    """Both classes with their members, and the functions."""
    functions = (
        part
        for each in _FUNCTIONS
        for part in (f"### frames.{each.__name__}", *_described(each, f"frames.{each.__name__}"))
    )
    return page(
        [
            "# Python",
            _HEAD,
            *_describe_class(NotebookRun, "perfolio.Run"),
            *_describe_class(RunComparison, "RunComparison"),
            "## perfolio.frames",
            _FRAMES,
            *functions,
        ]
    )


def _describe_class(kind: type, name: str) -> Iterator[str]:
    yield f"## {name}"
    yield from _described(kind, name if kind is NotebookRun else kind.__name__)
    for member, value in vars(kind).items():
        if member.startswith("_"):
            continue
        yield f"### {kind.__name__.removeprefix('Notebook')}.{member}"
        if isinstance(value, property) and value.fget:
            answer = inspect.signature(value.fget).return_annotation
            owner = "run" if kind is NotebookRun else "comparison"
            yield f"```python\n{owner}.{member}  # {answer}\n```"
            yield _docstring(value)
        else:
            yield from _described(value, f"run.{member}")


def _described(what: Callable[..., Any], name: str) -> Iterator[str]:
    """How to call it, where it is a function or `Run`, and its docstring."""
    if what is not RunComparison:
        signature = str(inspect.signature(what)).replace("'", "").replace("(self, ", "(")
        yield f"```python\n{name}{signature}\n```"
    yield _docstring(what)


def _docstring(what: object) -> str:
    return html.escape(inspect.getdoc(what) or "", quote=False)
