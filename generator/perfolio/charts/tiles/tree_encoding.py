"""Call trees to script files, of a report's tables or of all that the store has.

In:  a connection to a store and a run. Out: the text of the scripts of its trees.

The tables of a report have frames from 0.1 % of the run on. With the store, the tree has each
function that costs anything below its caller (`call_tree_rows.keep_largest` says which are summed).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import duckdb

from perfolio.charts.call_tree_rows import DEEPEST, find_hot_path, make_live_tree, write_tree_script
from perfolio.charts.chart_data import Record, amount
from perfolio.charts.cpu_cost import CpuCost, read_cpu_cost
from perfolio.charts.model import TILES
from perfolio.charts.tiles.run_intervals import read_timeline
from perfolio.charts.tiles.tile_encoding import write_tile_scripts
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results
from perfolio.store.run_tables import make_run_tables

CHARTS = "charts"
"""Folder of the files of charts, beside the page that shows them."""
MOST_FRAMES = 500_000
"""Beyond, a page has the frames of its table alone."""
_COUNT = "SELECT count(*) FROM frame_cost WHERE inclusive > 0"
_COLUMNS = ("context", "parent", "depth", "name", "time", "share", "module", "file", "line")
_TREE = """
    SELECT context, parent, depth, name, cost AS "time", share, module, file, line, whole
    FROM call_tree({spent}, 0, {deepest}) ORDER BY depth, "left", context
"""


@dataclass(frozen=True)
class TreeKind:
    """A call tree that reports have."""

    key: str
    chart: str
    sql: str

    @property
    def metric(self) -> str:
        """The table of its larger frames."""
        return f"tree.{self.key}"

    def read_cost(self, results: Results) -> CpuCost:
        """What its widths are."""
        return read_cpu_cost(results) if self.key == "cpu" else GPU_COST


GPU_COST = CpuCost("GPU-operation time", "s")
KINDS = tuple(
    TreeKind(key, f"{key}_icicle", _TREE.format(spent=spent, deepest=DEEPEST))
    for key, spent in (("cpu", "cpu_event_of()"), ("gpu", "'gpu_operation_time'"))
)
QUERIES = (_COUNT, *(kind.sql for kind in KINDS))


def write_live_files(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    results: Results,
    told: Callable[[str], str] = str,
) -> dict[str, str]:
    """The scripts of a run's timeline and call trees by their path in its report.

    `results` are those of its report; `told` says a name in the words that readers are to see.
    """
    timeline = read_timeline(connection, run)
    tiles = write_tile_scripts(timeline, told) if timeline is not None else {}
    trees = write_run_trees(connection, run, results, told)
    return {**{f"{TILES}/{name}": text for name, text in tiles.items()}, **trees}


def write_run_trees(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    results: Results,
    told: Callable[[str], str] = str,
) -> dict[str, str]:
    """The scripts of the trees that `results` have, of all that the store has."""
    scripts = {}
    with make_run_tables(connection, run, QUERIES) as tables:
        ((frames,),) = tables.rows(_COUNT)
        if frames > MOST_FRAMES:
            return {}
        for kind in KINDS:
            drawn = [row for row in get_rows(results, kind.metric) if amount(row, "share") > 0.0]
            if not drawn or not (found := tables.rows(kind.sql)):
                continue
            *_, whole = found[0]
            rows = [_tell_row(dict(zip(_COLUMNS, row, strict=False)), told) for row in found]
            path = find_hot_path(drawn)
            hot = frozenset(row["context"] for row in path) if len(path) > 1 else frozenset()
            tree = make_live_tree(kind.key, rows, kind.read_cost(results), hot, whole=whole)
            scripts[f"{CHARTS}/{kind.chart}.js"] = write_tree_script(kind.chart, tree)
    return scripts


def _tell_row(row: Record, told: Callable[[str], str]) -> Record:
    named = ((part, row[part]) for part in ("name", "module", "file"))
    return {**row, **{part: told(cell) for part, cell in named if isinstance(cell, str)}}
