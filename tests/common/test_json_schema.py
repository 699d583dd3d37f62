"""The validator against the reference implementation, on our own schemas."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perfolio.common.json_schema import ANNOTATIONS, KEYWORDS, find_first_problem
from perfolio.findings.document import load_schema as findings_schema
from perfolio.findings.document import make_findings_document
from perfolio.findings.document_format import shorten_document
from perfolio.metrics.document import load_schema as metrics_schema
from perfolio.metrics.document import make_metrics_document
from tests.findings.support import cases, results

RUN: dict[str, Any] = {
    "slug": "a-run", "title": "A run", "description": "", "notes": None, "path": "/p", "tool": "T",
       "format_version": "4.0", "digest": "0" * 64, "files": [], "hardware": None,
       "settings": {}, "warnings": [], "metrics_recorded": []}  # fmt: skip
ODD: list[Any] = [None, True, False, 0, -1, 1.5, "", "x", "high", [], {}, [None], {"a": 1}, "0\n"]


def document() -> dict[str, Any]:
    case = cases("cases")["G1"][0]
    given = results(case.get("measured"), case.get("tables"))
    made = make_findings_document(make_metrics_document(RUN, given))
    text = json.dumps(shorten_document(made) | {"findings": shorten_document(made)["findings"][:3]})
    return dict(json.loads(text))


DOCUMENT = document()


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    if not isinstance(value, (dict, list)) or path[:1] == ("metrics",):
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from places(inner, (*path, key))


PLACES = [place for place in places(DOCUMENT) if place]


def changed(path: tuple[str | int, ...], value: Any, *, remove: bool) -> dict[str, Any]:
    first = str(path[0])
    made: dict[str, Any] = {**DOCUMENT, first: copy.deepcopy(DOCUMENT[first])}
    inner: Any = made
    for key in path[:-1]:
        inner = inner[key]
    if remove:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


def strict(schema: Any) -> Any:
    """`schema` with patterns that end where the text does, as the specification has it.

    The reference takes them for Python's, in which `$` also matches before a last line's end.
    """
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value.removesuffix("$") + r"\Z"
        if key == "pattern" and isinstance(value, str)
        else strict(value)
        for key, value in schema.items()
    }


REFERENCE = jsonschema.Draft202012Validator(strict(findings_schema()))


@example(("findings", 2, "slug"), "0\n", False)
@given(st.sampled_from(PLACES), st.sampled_from(ODD), st.booleans())
def test_a_changed_document_is_judged_as_by_the_reference(
    path: tuple[str | int, ...], value: Any, remove: bool
) -> None:
    made = changed(path, value, remove=remove)
    expected = REFERENCE.is_valid(made)
    problem = find_first_problem(made, findings_schema())
    assert (problem is None) == expected, problem


def test_whole_documents_are_valid() -> None:
    assert find_first_problem(DOCUMENT, findings_schema()) is None
    assert find_first_problem(DOCUMENT["metrics"], metrics_schema()) is None


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("findings", 0, "severity"), "fatal", "findings/0/severity: must be"),
        (("findings", 0, "slug"), "A b", "findings/0/slug: must look like"),
        (("breakdown", "parts"), 3, "breakdown/parts: must be array"),
        (("more",), 3, ": knows no more"),
    ],
)
def test_a_problem_names_its_place(path: tuple[str | int, ...], value: Any, says: str) -> None:
    made = {**DOCUMENT, "more": value} if path == ("more",) else changed(path, value, remove=False)
    assert (find_first_problem(made, findings_schema()) or "").startswith(says)


def test_schemas_use_only_what_is_checked() -> None:
    for schema in (findings_schema(), metrics_schema()):
        assert set(keywords(schema)) <= KEYWORDS.keys() | ANNOTATIONS


def keywords(schema: dict[str, Any]) -> Iterator[str]:
    for key, value in schema.items():
        yield key
        if key in ("properties", "$defs"):
            inner = list(value.values())
        else:
            inner = value if isinstance(value, list) else [value]
        if key not in ("const", "enum", "required"):
            for one in inner:
                if isinstance(one, dict):
                    yield from keywords(one)


def test_a_whole_number_is_written_as_one() -> None:
    """The reference takes 2.0 for an integer; as the number of a reason it ended in a traceback."""
    assert find_first_problem(2, {"type": "integer"}) is None
    for value in (2.0, True, "2"):
        assert "must be integer" in str(find_first_problem(value, {"type": "integer"}))
