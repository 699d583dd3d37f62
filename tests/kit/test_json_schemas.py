"""Documents against a schema, of which equal items are looked at once."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.json_schemas import remembering

ITEM = {"type": ["integer", "array"], "minimum": 0, "items": {"$ref": "#/$defs/small"}}
SCHEMA = {
    "$defs": {"small": {"type": ["integer", "boolean"], "maximum": 3}},
    "properties": {"list": {"items": ITEM}, "other": {"items": {"$ref": "#/$defs/small"}}},
}
CELL = st.sampled_from([-1, 0, 3, 4, True, 1.0, "a"])
REFERENCE, ASKED = jsonschema.Draft202012Validator(SCHEMA), remembering(SCHEMA)


@given(st.dictionaries(st.sampled_from(["list", "other"]), st.lists(CELL | st.lists(CELL))))
def test_the_same_is_faulty_at_the_same_places_each_time(document: object) -> None:
    expected = [(list(error.path), error.message) for error in REFERENCE.iter_errors(document)]
    for _ in range(2):
        found = [(list(error.path), error.message) for error in ASKED.iter_errors(document)]
        assert found == expected, json.dumps(document)


def test_a_schema_whose_items_depend_on_their_place_is_refused() -> None:
    with pytest.raises(AssertionError):
        remembering({"prefixItems": [{"type": "integer"}]})
