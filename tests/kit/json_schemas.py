"""Schemas that tests hold many documents against, of which most parts are the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators

_CONTEXTUAL = ("unevaluated", "dynamicRef", "prefixItems")
"""Words by which an item's validity would follow from more than itself."""


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
