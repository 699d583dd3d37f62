"""Changes of a text that a person wrote: of signs, of lines, of values, of its whole structure."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import yaml

Change = Callable[[str, Random], str]

WORDS = (
    *("", " ", "x", "true", "null", "~", ".inf", "-.inf", ".nan", "nan", "inf", "-0", "0", "1"),
    *("-1", "0.0", "1e-320", "5e-324", "1e308", "1e999", "-1e308", "1e-10", "0x10", "0o7"),
    *("1_000", "1:30", str(2**31), str(2**63 - 1), str(2**63), str(2**64), "9" * 40, "9" * 5_000),
    *("1" + "0" * 400, "[]", "{}", "[[]]", "{a: {}}", "[1, a, null]", "'''", '"', "[", "{"),
    *("- a", "a: b", "? a", "|", "&a [*a]", "*a", "!!python/object:os.system x", "!!int a"),
    *("!!binary eA==", "!!set {a, b}", "2020-01-01", "2020-02-31", "2020-01-01 10:00:00"),
    *("=cmd|' /C calc'!A0", "@a", "+1", "%", "{{ value() }}", "{{ value('time.wall') }}"),
    *("{{ run.x }}", "{% if %}", "{{", "}}", "{#", "../../etc/passwd", "/", "\\", "a/b"),
    *("time.wall", "gpu.kernels", "gpu.kernels.short", "before.time.wall", "low.time.wall"),
    *("finding.D8.fired", "finding.X", "hardware.x", "workload.x", "a / 0", "a * * b", "(((("),
    *("a.b.c.d", "time.wall / time.wall - 1", "min()", "sum(gpu.kernels.share)", "a and", "not"),
    *("time.wall > 1 > 2", "x == 'y'", "'a' == 'a'", "lambda: 1", "a if b else c", "é"),
    *("\u202e", "\u2028", "\ufeff", "\x00", "\x1b[31m", "\x85", "💥", "١", "²", "\ud800"),
    *("x" * 200, "x " * 3_000, "-" * 80, "`" * 9, "<b>", "%s%n", "\r", "\r\n", "\t", "---"),
    "```item",
)  # fmt: skip
"""What stands in for a value, or for a piece of one."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**63, -(2**63), 10**400, 0.0, -0.0, 0.5, 1e-320, 1e308),
    *(-1e308, float("inf"), float("-inf"), float("nan"), "", " ", "x", "A", "0", "1e999"),
    *("\ud800", "\x00", "x" * 5_000, [], {}, [None], [[]], [""], [0], {"": ""}, {"a": None}),
    *(["a"] * 50, {"x": {"y": []}}),
)  # fmt: skip
"""What stands in for a value of a structure."""
_SCALAR = re.compile(r"(?<=[:=,\[{] )[^,\]}\n]+|(?<=[:=] )[^\n]+")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_KEY = re.compile(r"^[ -]*([A-Za-z_]\w*)(?= *[:=])", re.MULTILINE)


def mutated(text: str, rng: Random, structured: Change | None = None) -> str:
    """The text with one to four changes; most have few, as many are soon refused."""
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, 4))):
        if structured is not None and rng.random() < 0.6:
            text = structured(text, rng)
        else:
            text = rng.choice(CHANGES)(text, rng)
    return text


def in_json(text: str, rng: Random) -> str:
    """A change of a document of JSON, where it still is one."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return json.dumps(changed(document, rng), indent=1)


def in_yaml(text: str, rng: Random) -> str:
    """A change of one of the pieces of YAML in an exercise, where it still is some."""
    pieces = list(re.finditer(r"(?:(?<=\A---\n)|(?<=```item\n))(.*?)(?=^---$|^```$)", text, _BOTH))
    if not pieces:
        return text
    piece = rng.choice(pieces)
    try:
        new = yaml.safe_dump(changed(yaml.safe_load(piece[0]), rng), allow_unicode=True)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return text
    return text[: piece.start()] + new + text[piece.end() :]


_BOTH = re.DOTALL | re.MULTILINE


def changed(document: Any, rng: Random) -> Any:
    """A structure with one of its values replaced, removed, doubled, renamed, or put elsewhere."""
    document = copy.deepcopy(document)
    places = list(_places(document))
    if not places:
        return rng.choice(VALUES)
    inside, name = rng.choice(places)
    kind = rng.randrange(6)
    if kind <= 1:
        inside[name] = copy.deepcopy(rng.choice(VALUES))
    elif kind == 2:
        del inside[name]
    elif kind == 3:
        other, there = rng.choice(places)
        inside[name] = copy.deepcopy(other[there])
    elif isinstance(inside, dict):
        inside[rng.choice(("x", "", "id", "type", str(name).upper()))] = inside.pop(name)
    else:
        inside.insert(name, copy.deepcopy(inside[name]))
    return document


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    if isinstance(value, (dict, list)):
        for name, each in list(inner):
            yield value, name
            if isinstance(each, (dict, list)):
                yield from _places(each)


def _put(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _of_matches(pattern: re.Pattern[str], text: str, rng: Random, new: str) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = rng.choice(found)
    return _put(text, one.start(pattern.groups), one.end(pattern.groups), new)


def _value(text: str, rng: Random) -> str:
    return _of_matches(_SCALAR, text, rng, rng.choice(WORDS))


def _number(text: str, rng: Random) -> str:
    return _of_matches(_NUMBER, text, rng, rng.choice(WORDS[:40]))


def _key(text: str, rng: Random) -> str:
    known = [found[1] for found in _KEY.finditer(text)] or ["x"]
    return _of_matches(_KEY, text, rng, rng.choice((*known, "x", "", "__class__")))


def _word(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return _put(text, at, min(len(text), at + rng.choice((0, 0, 1, 3, 20))), rng.choice(WORDS))


def _sign(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return _put(text, at, at + rng.randint(0, 2), chr(rng.choice((*range(9, 127), 0x2028, 0xE9))))


def _cut(text: str, rng: Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _lines(text: str, rng: Random) -> str:
    """Lines removed, doubled, swapped, or moved in or out."""
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(5)
    if kind == 0:
        del lines[one : one + rng.randint(1, 6)]
    elif kind == 1:
        lines[one:one] = lines[other : other + rng.randint(1, 6)]
    elif kind == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif kind == 3:
        lines[one] = "  " * rng.randint(1, 3) + lines[one]
    else:
        lines[one] = lines[one].lstrip()
    return "\n".join(lines)


CHANGES: tuple[Change, ...] = (_value, _value, _value, _number, _key, _word, _sign, _cut, _lines)
