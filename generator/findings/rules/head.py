"""The front matter of a rule file: its keys, and readers for their kinds.

In:  text of a rule file.
Out: the front matter with exactly the known keys, and texts and lists from it.
     ContentError for anything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import yaml

from generator.content import load_yaml
from generator.errors import ContentError

Head = Mapping[str, Any]
"""The front matter of one rule file, by key."""

REQUIRED = frozenset(
    {"title", "direction", "thresholds", "threshold_source", "parent", "effort", "phase", "risk"}
)
EVALUATED = frozenset({"metric", "states"})
"""Required too, where the rule compares a metric."""
LACKING = frozenset({"needs_input", "measures", "unit"})
"""Required in their place, where no database can give what the rule compares."""
OPTIONAL = frozenset(
    {
        "estimator",
        "besides",
        "unbounded",
        "concerns",
        "evidence",
        "evidence_columns",
        "evidence_by",
        "closer",
        "chart",
        "applies",
        "only_if",
        "harmless_if",
        "undecided_if",
        "effort_if",
        "after_if",
    }
    | {
        "exact",
        "also",
        "decide_with",
        "after",
        "target",
        "target_metric",
        "target_within",
        "target_source",
    }
    | {"needs_input"}
)
OF_LACKING = frozenset({"applies", "after"})
"""The optional keys of a rule that lacks its input."""
_Choice = TypeVar("_Choice", bound=str)
_MAY_BE_EMPTY = frozenset({"parent"})
_PAGE = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)


def split(page: str) -> tuple[Head, str]:
    """Front matter with exactly the known keys, and the Markdown below it."""
    parts = _PAGE.fullmatch(page)
    if parts is None:
        raise ContentError("no front matter between two lines of ---")
    try:
        head = load_yaml(parts["head"])
    except yaml.YAMLError as error:
        raise ContentError(f"front matter is not YAML: {error}") from error
    if not isinstance(head, dict):
        raise ContentError("front matter is not a list of `key: value`")
    lacking = "needs_input" in head and "metric" not in head
    required = REQUIRED | (LACKING if lacking else EVALUATED)
    allowed = required | (OF_LACKING if lacking else OPTIONAL)
    missing = sorted(required - head.keys())
    unknown = sorted(str(key) for key in head.keys() - allowed)
    if missing or unknown:
        raise ContentError(f"front matter: missing {missing}, unknown {unknown}")
    return head, parts["body"]


def text(head: Head, key: str) -> str:
    """The text of a key on one line; empty where the key is absent."""
    if key not in head:
        return ""
    value = head[key]
    needed = key in REQUIRED | EVALUATED | LACKING and key not in _MAY_BE_EMPTY
    if not isinstance(value, str) or (needed and not value.strip()):
        raise ContentError(f"`{key}` must be text")
    return " ".join(value.split())


def listed(head: Head, key: str) -> tuple[str, ...]:
    """The texts of a list; none where the key is absent."""
    value = head.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ContentError(f"`{key}` must be a list of texts")
    return tuple(value)


def number(head: Head, key: str) -> float | None:
    """A number; None where the key is absent."""
    value = head.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ContentError(f"`{key}` is not a number: {value!r}")
    return float(value)


def choice(head: Head, key: str, choices: tuple[_Choice, ...]) -> _Choice:
    """The one of `choices` that a key names."""
    for each in choices:
        if head[key] == each:
            return each
    raise ContentError(f"`{key}` is one of {', '.join(choices)}, not {head[key]!r}")
