"""Where the numbers of a document come from: input, program, definitions.

In:  the document of the metrics, and the rules that judged them.
Out: digests and versions. Two documents with the same provenance hold the same numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import duckdb
import msgspec

from generator.findings.terms.model import Rule
from generator.store.connect import SCHEMA_VERSION, definition

_INPUT = ("name", "bytes", "sha256")
_DEFINES = ("name", "unit", "shape", "better", "definition", "population", "needs", "source",
            "caveat", "empty", "sql", "columns")  # fmt: skip
"""What of a metric's entry is its definition: the rest is what one run gave."""


def provenance(metrics: Mapping[str, Any], rules: Iterable[Rule]) -> dict[str, Any]:
    """Digest of the run, its input files, and what was used to compute from them."""
    return {
        "digest": metrics["run"]["digest"],
        "inputs": [{key: file[key] for key in _INPUT} for file in metrics["run"]["files"]],
        "perfolio": metrics["perfolio"],
        "store_schema": SCHEMA_VERSION,
        "store_definition": definition(),
        "duckdb": duckdb.__version__,
        "metrics_sha256": metrics_sha256(metrics),
        "rules_sha256": _sha256(sorted((msgspec.to_builtins(rule) for rule in rules), key=_code)),
    }


def metrics_sha256(metrics: Mapping[str, Any]) -> str:
    """SHA-256 over the definitions of all metrics of a metrics document, in its order."""
    return _sha256([{key: item[key] for key in _DEFINES} for item in metrics["metrics"]])


def _code(rule: Mapping[str, Any]) -> str:
    return str(rule["code"])


def _sha256(content: object) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
