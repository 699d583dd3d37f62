"""What SARIF 2.1.0 asks of the objects that we write, as a JSON Schema.

After OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0: required
properties, allowed values and bounds of each object in sections 3.13 to 3.58. Objects are closed:
a property that the standard does not know is an error there too.
"""

from __future__ import annotations

from typing import Any


def _object(*required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": {"properties": {"type": "object"}, **properties},
        "additionalProperties": False,
    }


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


TEXT = {"type": "string"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = _object("text", text=TEXT, markdown=TEXT)
ARTIFACT = _object(
    uri={"type": "string", "pattern": "^[A-Za-z0-9._~!$&'()*+,;=@%/-]+$", "not": {"pattern": "^/"}},
    uriBaseId=TEXT,
)
REGION = _object("startLine", startLine={"type": "integer", "minimum": 1})
PHYSICAL = _object("artifactLocation", artifactLocation=ARTIFACT, region=REGION)
LOCATION = _object(
    id={"type": "integer", "minimum": 0},
    physicalLocation=PHYSICAL,
    logicalLocations=_list(_object(fullyQualifiedName=TEXT)),
    message=MESSAGE,
)
RULE = _object(
    "id", id=TEXT, name=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE, help=MESSAGE,
    defaultConfiguration=_object(level=LEVEL),
)  # fmt: skip
RESULT = _object(
    "message",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    kind={"const": "fail"},
    level=LEVEL,
    rank={"type": "number", "minimum": 0, "maximum": 100},
    message=MESSAGE,
    locations=_list(LOCATION),
    relatedLocations=_list({**LOCATION, "required": ["id"]}),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
)
NOTE = _object("message", level=LEVEL, message=MESSAGE, associatedRule=_object("id", id=TEXT))
RUN = _object(
    "tool",
    tool=_object("driver", driver=_object("name", name=TEXT, version=TEXT, rules=_list(RULE))),
    automationDetails=_object(id=TEXT),
    originalUriBaseIds={"type": "object", "additionalProperties": _object(description=MESSAGE)},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=_list(
        _object(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=_list(NOTE),
        )
    ),
    results=_list(RESULT),
)
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["version", "runs"],
    "properties": {"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": _list(RUN)},
    "additionalProperties": False,
}
