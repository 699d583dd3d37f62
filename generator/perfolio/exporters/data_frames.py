"""Results of a run as data frames of pandas, for notebooks.

    import perfolio

    perfolio.frames.metrics("run.duckdb")
    perfolio.frames.table("run.duckdb", "cpu.top_functions")
    perfolio.frames.findings("run.duckdb")
    perfolio.frames.query("run.duckdb", "SELECT rank, count(*) AS threads FROM profile GROUP BY
    rank")

`attrs` of each frame has the run, and for its columns `units` and `definitions`. A metric that was
not measured has no value, and the reason; it is never 0.
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from perfolio.common.errors import UsageError
from perfolio.common.extra_packages import make_install_command
from perfolio.exporters import arrow_tables

if TYPE_CHECKING:  # takes half a second, and is an extra
    import hatchet
    import pandas as pd
    import pyarrow as pa

Store = str | PathLike[str]


class MissingPandasError(UsageError):
    """There is no pandas here."""


def metrics(store: Store, run: str | None = None) -> pd.DataFrame:
    """Every metric of a run with one number, by name: value, bounds, unit, title, or why not."""
    return make_frame(arrow_tables.read_metrics(Path(store), run)).set_index("name")


def table(store: Store, name: str, run: str | None = None) -> pd.DataFrame:
    """The rows of a metric that is a table. Raises UsageError where there is no such metric.

    Without rows, `attrs["reason"]` says why, and `attrs["collect"]` what records them.
    """
    return make_frame(arrow_tables.read_table(Path(store), name, run))


def findings(store: Store, run: str | None = None) -> pd.DataFrame:
    """Every rule with its verdict on the run, by code: severity, value, threshold, sentence."""
    return make_frame(arrow_tables.read_findings(Path(store), run)).set_index("code")


def query(store: Store, sql: str, run: str | None = None) -> pd.DataFrame:
    """The rows of one SELECT; with `run`, names stand for the tables and models of that run."""
    return make_frame(arrow_tables.run_query(Path(store), sql, run))


def graphframe(
    store: Store, run: str | None = None, *, by_thread: bool = False
) -> hatchet.GraphFrame:
    """The calling contexts of a run for Hatchet; `by_thread`: rows for each rank and thread."""
    from perfolio.exporters.hatchet import graphframe as of_hatchet

    return of_hatchet(Path(store), run, by_thread=by_thread)


def make_frame(rows: pa.Table) -> pd.DataFrame:
    """A table as a data frame, with what the table says of itself in `attrs`."""
    try:
        import pandas as pd  # noqa: F401 - Arrow needs it, and says so in many lines
    except ImportError as problem:
        raise MissingPandasError(
            "data frames need pandas", hint=make_install_command("frames")
        ) from problem
    about = (rows.schema.metadata or {}).get(arrow_tables.ABOUT, b"{}")
    frame: pd.DataFrame = rows.replace_schema_metadata(None).to_pandas()
    frame.attrs = json.loads(about)
    return frame
