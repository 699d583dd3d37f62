"""The metrics document as it is written to a file, and back.

In:  the content of metrics.json as programs here have it. Out: the same without what is equal in
     all reports, and the other way round.

What a metric is over, its SQL, its source and all but the first sentence of its definition stand
once beside the reports, in catalogue.json. What a run lacks has a name, a title and the number of
the reason, of which there are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import perfolio
from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.caveats import filter_caveat, filter_definition, take_first_sentence
from perfolio.metrics.document import make_record
from perfolio.metrics.model import INTERVAL, Metric, MetricColumn, Result

CATALOGUE = "perfolio-catalogue/1"
_OF_RUN = {"status", "reason", "collect", "value", "low", "high", "n", "interval", "rows"}
"""What of an entry one run gave: the rest says what its metric is."""
_NAMED = ("name", "title", "status")
_MEASURED = ("unit", "better")
_AROUND = ("low", "high", "n")

Entry = Mapping[str, Any]


def shorten_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document as a file has it; `schema/metrics-2.schema.json` describes it."""
    gaps: dict[tuple[str, str], int] = {}
    metrics = [_shorten_entry(item, gaps) for item in document["metrics"]]
    listed = [{"reason": reason, "collect": collect} for reason, collect in gaps]
    return {**document, "gaps": listed, "metrics": metrics}


def restore_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """A written document with what the installed metrics say, where they are the same metrics.

    ContentError where it names a reason that it does not have, or where a metric's rows have more
    or fewer cells than it has columns.
    """
    known, tool = load_catalog(), str(document["run"]["tool"])
    explained = [{**item, **_find_gap(item, document["gaps"])} for item in document["metrics"]]
    metrics = [_restore_entry(item, known.get(item["name"]), tool) for item in explained]
    for metric in metrics:
        if any(len(row) != len(metric["columns"]) for row in metric["rows"]):
            raise ContentError(f"metrics/{metric['name']}/rows: needs a cell for each column")
    return {key: value for key, value in document.items() if key != "gaps"} | {"metrics": metrics}


def make_catalogue(documents: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What catalogue.json says of the metrics of these documents, each metric once.

    A definition may lack sentences on tools by which no run of these was recorded.
    """
    found: dict[str, dict[str, Any]] = {}
    for document in documents:
        for item in document["metrics"]:
            texts = {key: value for key, value in item.items() if key not in _OF_RUN}
            entry = found.setdefault(item["name"], texts)
            for text in ("definition", "caveat"):
                entry[text] = max(entry[text], texts[text], key=len)
    return {
        "schema": CATALOGUE,
        "perfolio": perfolio.__version__,
        "metrics": list(found.values()),
    }


def _find_gap(item: Entry, gaps: Sequence[Mapping[str, str]]) -> Mapping[str, str]:
    number = item.get("gap")
    if number is None:
        return {}
    if number >= len(gaps):
        raise ContentError(f"{item['name']}: there is no reason {number}")
    return gaps[number]


def _shorten_entry(item: Entry, gaps: dict[tuple[str, str], int]) -> dict[str, Any]:
    """An entry as it is written; `gaps` are the reasons so far, and their numbers."""
    named = {key: item[key] for key in _NAMED}
    if item["status"] != "measured":
        why = (item["reason"], item["collect"])
        return named | {"gap": gaps.setdefault(why, len(gaps))}
    measured = named | {key: item[key] for key in _MEASURED}
    measured["definition"] = take_first_sentence(item["definition"])
    if item.get("interval", INTERVAL) != INTERVAL:
        measured["interval"] = item["interval"]
    if item["shape"] == "table":
        return measured | {key: item[key] for key in ("columns", "rows")}
    around = {key: item[key] for key in _AROUND if item[key] is not None}
    return measured | {"value": item["value"]} | around


def _restore_entry(item: Entry, known: Metric | None, tool: str) -> dict[str, Any]:
    metric = (
        known if known is not None and _is_of_metric(item, known) else _make_unknown_metric(item)
    )
    result = Result(
        metric,
        item["status"],
        value=item.get("value"),
        rows=tuple(item.get("rows", ())),
        reason=item.get("reason", ""),
        collect=item.get("collect", ""),
        **{key: item.get(key) for key in _AROUND},
    )
    made = make_record(result) | {
        "title": item["title"],
        "interval": item.get("interval", INTERVAL),
    }
    return made | {
        "definition": filter_definition(made["definition"], tool),
        "caveat": filter_caveat(made["caveat"], tool),
    }


def _is_of_metric(item: Entry, known: Metric) -> bool:
    """Whether an entry is of the installed metric, and not of an older one of its name."""
    if item["status"] != "measured":
        return True
    columns = tuple(MetricColumn(**each) for each in item.get("columns", ()))
    said = (item["unit"], item["better"], item["definition"], columns)
    return said == (known.unit, known.better, take_first_sentence(known.definition), known.columns)


def _make_unknown_metric(item: Entry) -> Metric:
    """What an entry alone says of its metric."""
    return Metric(
        name=item["name"],
        title=item["title"],
        unit=item.get("unit", "1"),
        shape="table" if "columns" in item else "scalar",
        better=item.get("better", "neither"),
        definition=item.get("definition", ""),
        population="",
        needs=(),
        source="",
        sql="",
        columns=tuple(MetricColumn(**each) for each in item.get("columns", ())),
    )
