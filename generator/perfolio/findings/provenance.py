"""Where the numbers of a document come from: input, program, definitions.

In:  the document of the metrics, and the rules that judged them.
Out: digests and versions. Two documents with the same provenance hold the same numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any

import duckdb
import msgspec

from perfolio.findings.model.rule import Rule
from perfolio.store.database import SCHEMA_VERSION, get_definition_hash

_INPUT = ("name", "bytes", "sha256")
_WORDS = ("name", "unit", "shape", "better", "definition", "population", "source", "caveat",
          "empty", "sql")  # fmt: skip
"""What of a metric's entry is its definition, with its needs and columns: the rest is of a run."""
_Definition = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[tuple[str, str], ...], ...]]


def describe_provenance(metrics: Mapping[str, Any], rules: Iterable[Rule]) -> dict[str, Any]:
    """Digest of the run, its input files, and what was used to compute from them."""
    return {
        "digest": metrics["run"]["digest"],
        "inputs": [{key: file[key] for key in _INPUT} for file in metrics["run"]["files"]],
        "perfolio": metrics["perfolio"],
        "store_schema": SCHEMA_VERSION,
        "store_definition": get_definition_hash(),
        "duckdb": duckdb.__version__,
        "metrics_sha256": compute_metrics_sha256(metrics),
        "rules_sha256": _compute_rules_sha256(msgspec.json.encode(list(rules))),
    }


def compute_metrics_sha256(metrics: Mapping[str, Any]) -> str:
    """SHA-256 over the definitions of all metrics of a metrics document, in its order."""
    return _compute_definitions_sha256(
        tuple(_extract_definition(item) for item in metrics["metrics"])
    )


def _extract_definition(item: Mapping[str, Any]) -> _Definition:
    columns = tuple(tuple(column.items()) for column in item["columns"])
    return _words(item), tuple(item["needs"]), columns


_words = itemgetter(*_WORDS)


@lru_cache(8)  # the same of all documents of a report, and half a megabyte of text
def _compute_definitions_sha256(definitions: Iterable[_Definition]) -> str:
    return _compute_sha256(
        [
            {
                **dict(zip(_WORDS, words, strict=True)),
                "needs": needs,
                "columns": [dict(column) for column in columns],
            }
            for words, needs, columns in definitions
        ]
    )


@lru_cache(8)
def _compute_rules_sha256(rules: bytes) -> str:
    """Of rules as JSON."""
    return _compute_sha256(sorted(json.loads(rules), key=itemgetter("code")))


def _compute_sha256(content: object) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
