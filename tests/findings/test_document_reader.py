"""findings.json from a file: whole or refused, and never markup of its own."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.findings.document import make_findings_document
from perfolio.findings.document_format import shorten_document
from perfolio.findings.document_reader import _parse_file, read_document
from perfolio.metrics.document import make_metrics_document
from tests.findings.support import cases, results

RUN: dict[str, Any] = {
    "slug": "a-run", "title": "A run", "description": "", "notes": None, "path": "/somewhere",
    "tool": "A tool", "format_version": "4.0", "digest": "0" * 64, "files": [], "hardware": None,
    "settings": {}, "warnings": [], "metrics_recorded": [],
}  # fmt: skip


@pytest.fixture
def document() -> dict[str, Any]:
    case = cases("cases")["G1"][0]
    return make_findings_document(
        make_metrics_document(RUN, results(case.get("measured"), case.get("tables")))
    )


def put(folder: Path, document: object) -> Path:
    """A file with this in it."""
    path = folder / "findings.json"
    path.write_text(json.dumps(document))
    return path


def test_a_document_is_read_as_it_was_written(tmp_path: Path, document: dict[str, Any]) -> None:
    assert read_document(put(tmp_path, shorten_document(document))) == document


def test_the_document_holds_all_metrics(document: dict[str, Any]) -> None:
    assert document["metrics"]["schema"] == "perfolio-metrics/2"
    judged = {finding["metric"] for finding in document["findings"] if finding["metric"]}
    assert judged <= {metric["name"] for metric in document["metrics"]["metrics"]}


def test_sections_that_no_rule_has_are_plain_text(tmp_path: Path, document: dict[str, Any]) -> None:
    hostile = "<script>alert(1)</script>\n\n```\n<b>\n```\n[x](javascript:alert(1))"
    document["findings"][0]["sections"]["What to do"] = hostile
    sections = read_document(put(tmp_path, shorten_document(document)))["findings"][0]["sections"]
    first, *inside, last = sections["What to do"].split("\n")
    assert (first, last) == ("```` text", "````")
    assert "\n".join(inside) == hostile


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schema": "perfolio-findings/2"}, 'schema: must be "perfolio-findings/3"'),
        ({"metrics": {}}, "lacks schema"),
        ({"provenance": None}, "provenance: must be object"),
        ({"run": {"slug": "../up", "title": "", "digest": ""}}, "run/slug: must look like"),
        ({"run": {"slug": "other", "title": "", "digest": ""}}, "are of different runs"),
    ],
)
def test_what_is_no_document_is_refused_with_its_place(
    tmp_path: Path, document: dict[str, Any], change: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        read_document(put(tmp_path, shorten_document(document) | change))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"a": NaN}', "\xff", "null"])
def test_what_is_no_json_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "findings.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError) as caught:
        read_document(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cells", [[], [1], ["a"] * 40])
def test_rows_have_a_cell_for_each_column(
    tmp_path: Path, document: dict[str, Any], cells: list[Any]
) -> None:
    kernels = next(m for m in document["metrics"]["metrics"] if m["name"] == "gpu.kernels")
    kernels |= {"status": "measured", "rows": [cells], "reason": "", "collect": ""}
    with pytest.raises(InputError, match=r"gpu\.kernels/rows: needs a cell for each column"):
        read_document(put(tmp_path, shorten_document(document)))


def test_provenance_changes_with_thresholds_and_with_queries(document: dict[str, Any]) -> None:
    from msgspec import structs

    from perfolio.findings.model.rule import Thresholds
    from perfolio.findings.provenance import compute_metrics_sha256, describe_provenance
    from perfolio.findings.rules.catalog import load_rules

    rules = load_rules()
    metrics = document["metrics"]
    before = describe_provenance(metrics, rules.values())
    assert before == document["provenance"]
    first = Thresholds(rules["G1"].thresholds[:1])
    moved = structs.replace(rules["G1"], thresholds=first)
    after = describe_provenance(metrics, (rules | {"G1": moved}).values())
    assert before["rules_sha256"] != after["rules_sha256"]
    metrics["metrics"][0]["sql"] += " "
    assert compute_metrics_sha256(metrics) != before["metrics_sha256"]
    metrics["metrics"][1]["value"] = 1.0
    assert compute_metrics_sha256(metrics) != before["metrics_sha256"]


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e999", "-1.7e308", "1e101"])
def test_no_number_breaks_a_report(tmp_path: Path, document: dict[str, Any], number: str) -> None:
    mark = 123456789
    for changed in _with_each_shape_of_number(shorten_document(document), mark):
        path = put(tmp_path, changed)
        path.write_text(path.read_text().replace(str(mark), number))
        with pytest.raises(InputError, match="larger than any number of a report"):
            read_document(path)


def _with_each_shape_of_number(document: Any, mark: int) -> Iterator[Any]:
    """The document with `mark` for one number, for the first one of each key."""
    seen: set[str] = set()
    for path in list(_numbers(document)):
        if str(path[-1]) not in seen:
            seen.add(str(path[-1]))
            changed = copy.deepcopy(document)
            place = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = mark
            yield changed


def _numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _numbers(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _numbers(each, (*path, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def test_integers_of_64_bits_are_read_to_the_last_digit(
    tmp_path: Path, document: dict[str, Any]
) -> None:
    path = put(tmp_path, document | {"exact": 2**64 - 1})
    assert _parse_file(path)["exact"] == 2**64 - 1


def test_a_reason_that_is_not_there_is_refused(tmp_path: Path, document: dict[str, Any]) -> None:
    short = shorten_document(document)
    (first, *_) = (item for item in short["metrics"]["metrics"] if "gap" in item)
    first["gap"] = len(short["metrics"]["gaps"])
    with pytest.raises(InputError, match=f"{first['name']}: there is no reason {first['gap']}"):
        read_document(put(tmp_path, short))


@pytest.mark.parametrize(
    "callers",
    [{1: None, 2: 1, 3: 2}, {1: None, 2: 7, 3: 2}],
    ids=["a tree", "a caller that is too small to be told"],
)
def test_frames_are_read_callers_first(tmp_path: Path, callers: dict[int, int | None]) -> None:
    tree = make_tree(list(callers.items()))
    assert read_document(put(tmp_path, shorten_document(tree))) == tree


@pytest.mark.parametrize(
    "frames",
    [[(1, None), (1, 1)], [(1, 2), (2, 1)], [(2, 1), (1, None)], [(1, 1)]],
    ids=["twice", "in a circle", "callees first", "of itself"],
)
def test_frames_that_are_no_tree_are_refused(
    tmp_path: Path, frames: list[tuple[int, int | None]]
) -> None:
    with pytest.raises(InputError, match=r"tree\.cpu: its rows are no tree"):
        read_document(put(tmp_path, shorten_document(make_tree(frames))))


def make_tree(frames: list[tuple[int, int | None]]) -> dict[str, Any]:
    """A document whose call tree has these frames and their callers."""
    cells = {"depth": 1, "name": "f", "time": 1.0, "share": 0.5, "left": 0.0}
    rows = [{"context": frame, "parent": caller, **cells} for frame, caller in frames]
    return make_findings_document(make_metrics_document(RUN, results(tables={"tree.cpu": rows})))
