"""A run in a notebook: its summary in a cell, its numbers as data frames, and comparisons.

run = perfolio.Run("trace.json.gz")
run
run.kernels.head()
run.compare("after.json.gz")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfolio.common.errors import UsageError
from perfolio.comparison.comparison_document import compare_runs
from perfolio.comparison.run_record import RunRecord
from perfolio.exporters import arrow_tables
from perfolio.exporters.data_frames import make_frame
from perfolio.pages.comparison_pages import render_comparison_cell
from perfolio.pages.report_rendering import render_run_cell, render_short_report
from perfolio.pages.report_view import Report
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.run_comparison import read_side
from perfolio.pipeline.run_redaction import ShareRequest
from perfolio.readers.own_files import is_duckdb, is_export
from perfolio.store.database import open_store
from perfolio.store.run_lookup import find_run

if TYPE_CHECKING:  # takes half a second, and is an extra
    import pandas as pd

_LEAST = 2.0
"""Least difference of two runs that is called one [%]."""


class NotebookRun:
    """One run, measured when it is made. As the last line of a cell it shows its summary.

    `path` is a profile, file or folder; a scenario; a store, or a folder of exported runs; or a
    report's `findings.json`. `run` names one of several runs of a store. With `share`, paths, users
    and hosts are hidden, for others to read the notebook, and the words of `hide` with them.

    Raises InputError where there is no such profile or it cannot be read, StoreError for a store of
    another version, and UsageError where `path` holds several runs and `run` names none of them.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        run: str | None = None,
        *,
        share: bool = False,
        hide: Sequence[str] = (),
    ) -> None:
        shared = ShareRequest(tuple(hide), ()) if share or hide else None
        self._context = Context(share=shared)
        self._record, self._documents = _read_run(Path(path), run, self._context)

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.verdict}>"

    def _repr_html_(self) -> str:
        return self._prove(render_run_cell(self._report))

    @cached_property
    def _report(self) -> Report:
        return Report(self._documents.metrics, self._documents.findings, charts={})

    @property
    def name(self) -> str:
        """The short name of the run, a text."""
        return self._documents.slug

    @property
    def verdict(self) -> str:
        """What limits the run, in one sentence."""
        return str(self._documents.findings["verdict"]["headline"])

    @property
    def brief(self) -> str:
        """The report in at most 16,000 characters of Markdown, as `perfolio brief` prints it."""
        return self._prove(render_short_report(self._report))

    @property
    def metrics(self) -> pd.DataFrame:
        """A row for each metric with one number, by its name.

        Columns: `value`, `low`, `high` (floats, in the `unit` of the row), `n`, and texts: `title`,
        `status`, `definition`, `population`, `reason`, `collect`. What was not measured has no
        value (NaN), and a reason. Raises MissingPandasError where the extra `frames` is missing.
        """
        return make_frame(arrow_tables.build_metrics(self._documents)).set_index("name")

    @property
    def findings(self) -> pd.DataFrame:
        """A row for each rule, by its code.

        Columns: `value`, `low`, `high`, `threshold` (floats, in the `unit` of the row), and texts:
        `status` (`fired`, `passed`, or why it was not judged), `severity`, `title`, `sentence`,
        `metric`, `slug`, `reason`, `collect`. Raises MissingPandasError.
        """
        return make_frame(arrow_tables.build_findings(self._documents)).set_index("code")

    @property
    def kernels(self) -> pd.DataFrame:
        """A row for each kernel, the one with the most time first; none where no kernel ran.

        It is the metric `gpu.kernels`: `time` and `mean` in seconds, `share` and `cumulative` as
        parts of all kernel time, `launches` a count. `attrs["units"]` has the unit of each column,
        `attrs["reason"]` why there are no rows. Raises MissingPandasError.
        """
        return self.table("gpu.kernels")

    def table(self, name: str) -> pd.DataFrame:
        """The rows of any metric that is a table, such as `cpu.top_functions`.

        `attrs` has `units` and `definitions` of the columns, and where there are no rows `reason`
        and `collect`. Raises UsageError, with all names, where there is no such table.
        """
        return make_frame(arrow_tables.build_table(self._documents, name))

    def compare(
        self, other: NotebookRun | str | PathLike[str], *, least: float = _LEAST
    ) -> RunComparison:
        """This run, before a change, with another one after it: a run, or its path.

        A difference below `least` percent is called none. One run on each side is no proof: the
        verdict says that two recordings differ, not that a change made it faster. Raises UsageError
        where the runs have no time in common, and what `Run` raises of a path.
        """
        if not isinstance(other, NotebookRun):
            shared = self._context.share
            other = NotebookRun(
                other, share=shared is not None, hide=shared.words if shared else ()
            )
        document = compare_runs([self._record], [other._record], least / 100.0)
        return RunComparison(document, (self._context, other._context))

    def _prove(self, text: str) -> str:
        self._context.prove([("the summary", text)])
        return text


class RunComparison:
    """Two runs, compared. As the last line of a cell it shows the verdict and what made it."""

    def __init__(self, document: Mapping[str, Any], contexts: tuple[Context, ...] = ()) -> None:
        self._document = document
        self._contexts = contexts

    def __repr__(self) -> str:
        return f"<RunComparison {self.verdict}: {self.sentence}>"

    def _repr_html_(self) -> str:
        made = render_comparison_cell(self._document)
        for context in self._contexts:
            context.prove([("the comparison", made)])
        return made

    @property
    def verdict(self) -> str:
        """The verdict in one word.

        One of `faster`, `slower`, `no-difference`, `cannot-tell`, `recordings-differ` and
        `not-comparable`; with one run on each side none of the first two.
        """
        return str(self._document["verdict"]["kind"])

    @property
    def sentence(self) -> str:
        """The verdict with its numbers."""
        return str(self._document["verdict"]["sentence"])

    @property
    def difference(self) -> float:
        """The change of the time as a part of the time before: -0.2 takes a fifth less."""
        return float(self._document["difference"]["value"])

    @property
    def parts(self) -> pd.DataFrame:
        """A row for each part of the time: `part`, `kind`, `before`, `after`, `difference` [ns].

        Times are per iteration and GPU, else per run. No rows where the sides are divided
        otherwise. Raises MissingPandasError, as each frame does.
        """
        return self._make_frame("parts")

    @property
    def work(self) -> pd.DataFrame:
        """A row for each kernel, copy or wait that was matched: times [ns], and calls.

        `by_calls` is the part of `difference` by more or fewer calls, `by_duration` by slower or
        faster ones.
        """
        return self._make_frame("waterfall")

    @property
    def figures(self) -> pd.DataFrame:
        """A row for each metric that both sides may have: `before`, `after`, in its `unit`."""
        return self._make_frame("figures")

    @property
    def findings(self) -> pd.DataFrame:
        """A row for each finding that fired on a side, with its `fate`: `new`, `gone`, `worse`."""
        return self._make_frame("findings")

    def _make_frame(self, entry: str) -> pd.DataFrame:
        return make_frame(arrow_tables.build_compared(self._document, entry))


def _read_run(path: Path, run: str | None, context: Context) -> tuple[RunRecord, RunDocuments]:
    """The only run of a path, or that of a name."""
    is_store = is_duckdb(path) or is_export(path)
    if run is not None and not is_store:
        raise UsageError(f"{path}: is no store, of which run names a run", hint="leave run out")
    if is_store and run is None:
        with open_store(path) as connection:  # names the runs before any is measured
            find_run(connection, None)
    side = read_side([path], run, context)
    if len(side.records) > 1:
        names = ", ".join(record.slug for record in side.records[:10])
        raise UsageError(f"{path}: holds {len(side.records)} runs ({names})", hint="give one")
    if side.documents is None:
        raise UsageError(
            f"{path}: is a record of runs without their report", hint="give the profile or a store"
        )
    return side.records[0], side.documents
