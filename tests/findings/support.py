"""Results made from what a case says, with the metrics of the real catalogue; schemas to hold
many documents against, of which most parts are the same."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators

from perfolio.findings.document import load_schema
from perfolio.findings.document_format import shorten_document
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.model import Metric, Result, Results
from tests.findings.ledger import ledger_rows

HERE = Path(__file__).parent
ABSENT = "not part of this case"
COMMAND = "hpcrun -e something PROGRAM"
_CONTEXTUAL = ("unevaluated", "dynamicRef", "prefixItems")
"""Words by which an item's validity would follow from more than itself."""

Number = float | Sequence[float]


@cache
def metrics() -> dict[str, Metric]:
    return load_catalog()


def results(
    measured: Mapping[str, Number] | None = None,
    tables: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> Results:
    """All metrics: scalars as value or [value, low, high], tables as rows; the rest is absent.

    But for the ledger of the GPU, which follows from them where the case has none.
    """
    absent = {
        name: Result(metric, "not_measured", reason=ABSENT, collect=COMMAND)
        for name, metric in metrics().items()
    }
    scalars = {name: _scalar(name, number) for name, number in (measured or {}).items()}
    values = {name: result.value for name, result in scalars.items() if result.value is not None}
    cells = ledger_rows(values, tables or {})
    told = {**({"time.gpu_ledger": cells} if cells else {}), **(tables or {})}
    rows = {name: _table(name, given) for name, given in told.items()}
    return absent | scalars | rows


def _scalar(name: str, number: Number) -> Result:
    value, *interval = number if isinstance(number, Sequence) else (number,)
    low, high = interval or (None, None)
    return Result(metrics()[name], "measured", value=value, low=low, high=high)


def _table(name: str, given: Sequence[Mapping[str, Any]]) -> Result:
    metric = metrics()[name]
    names = [column.name for column in metric.columns]
    for row in given:
        assert row.keys() <= set(names), f"{name} has no columns {row.keys() - set(names)}"
    rows = tuple(tuple(row.get(column) for column in names) for row in given)
    return Result(metric, "measured", rows=rows)


@cache
def cases(folder: str) -> dict[str, list[dict[str, Any]]]:
    """The cases of `folder` by the code of a rule or the kind of a verdict."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted((HERE / folder).glob("*.toml")):
        for key, listed in tomllib.loads(path.read_text(encoding="utf-8")).items():
            assert key not in found, f"{path}: cases of {key} are in two files"
            found[key] = listed
    return found


@cache
def _validator() -> Any:
    return remembering(load_schema())


def validate(document: Mapping[str, Any]) -> None:
    """ValidationError where a document, as it is written, is not as its schema says."""
    _validator().validate(shorten_document(document))


def remembering(schema: dict[str, Any]) -> Any:
    """A validator that looks at equal items of arrays once, and at what is faulty each time."""
    Draft202012Validator.check_schema(schema)
    assert not [word for word in _CONTEXTUAL if word in json.dumps(schema)]
    sound: set[tuple[int, str]] = set()

    def items(
        validator: Any, wanted: Any, instance: Any, _: dict[str, Any]
    ) -> Iterator[ValidationError]:
        if not validator.is_type(instance, "array"):
            return
        for index, item in enumerate(instance):
            key = (id(wanted), json.dumps(item))
            if key not in sound:
                found = list(validator.descend(item, wanted, path=index))
                yield from found
                if not found:
                    sound.add(key)

    made = validators.extend(Draft202012Validator, {"items": items})  # type: ignore[no-untyped-call]
    return made(schema)
