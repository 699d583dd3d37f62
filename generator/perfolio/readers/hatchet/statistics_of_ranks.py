"""Statistics over ranks to the tables of a source, where HPCToolkit's over profiles stand as well.

A metric of a statistic is at scope execution where it is inclusive, and at scope function where it
is not. Of ranks that a profile adds up, the sum of the formula `1` counts those that entered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from perfolio.readers.events.cost_tables import SUMMED
from perfolio.readers.events.recording import Ints
from perfolio.readers.hatchet.call_places import OverRanks
from perfolio.readers.measures import find_tool_name, load_measures

_COUNT = ("sum", "1")
_VALUE = "$$"


def add_statistics(
    tables: Mapping[str, pa.Table], statistics: Sequence[OverRanks], contexts: Ints
) -> dict[str, pa.Table]:
    """Tables metric and summary with these statistics; none of a context with two places."""
    if not statistics:
        return dict(tables)
    first = max(tables["metric"]["id"].to_pylist(), default=SUMMED - 1) + 1
    alone = np.bincount(contexts)[contexts] == 1
    metrics, parts = [], []
    for number, each in enumerate(statistics, first):
        metrics.append(_describe_statistic(each, number))
        kept = np.flatnonzero(np.isfinite(each.amounts) & alone)
        parts.append(
            pa.table(
                {
                    "context": pa.array(contexts[kept].astype(np.uint32)),
                    "metric": pa.array(np.full(len(kept), number, np.int32)),
                    "value": pa.array(each.amounts[kept]),
                }
            )
        )
    metric, summary = tables["metric"], tables["summary"]
    parts = [each.select(summary.column_names) for each in parts]
    return {
        **tables,
        "metric": pa.concat_tables([metric, pa.Table.from_pylist(metrics, schema=metric.schema)]),
        "summary": pa.concat_tables([summary, *parts]),
    }


def _describe_statistic(each: OverRanks, number: int) -> dict[str, object]:
    statistic, formula = _COUNT if each.statistic == "count" else (each.statistic, _VALUE)
    return {
        "id": number,
        "name": find_tool_name(each.measure, load_measures(Path(__file__).parent)),
        "measure": each.measure,
        "scope": "execution" if each.is_inclusive else "function",
        "statistic": statistic,
        "formula": formula,
    }
