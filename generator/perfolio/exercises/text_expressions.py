"""Expressions in an author's text: `{{ value("time.wall") }}`, a call with constants and no more.

In:  a text. Out: its words and calls in turn. ExpressionError names what is none.

Texts of exercises may come from anybody. So nothing of them is evaluated: a call is read by the
grammar below, and its name and constants are looked up. There are no blocks, no comments, no
filters, no operators, and nothing of Python can be named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from inspect import Signature
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.exercises.model import NotAskedError
from perfolio.exercises.template_functions import list_signatures

_OPEN = re.compile(r"\{[{%#]")
_NAME = "[a-z]{1,20}"
_CONSTANT = r"""(?:"[^"\\{}\n]{0,200}+"|'[^'\\{}\n]{0,200}+'|[0-9]{1,6})"""
_ARGUMENT = rf"(?:({_NAME})\s*+=\s*+)?+({_CONSTANT})"
_CALL = re.compile(
    rf"\{{\{{\s*+({_NAME})\s*+\(\s*+({_ARGUMENT}(?:\s*+,\s*+{_ARGUMENT})*+)?+\s*+\)\s*+\}}\}}"
)
_EACH = re.compile(_ARGUMENT)
_SHOWN = 80


class ExpressionError(ContentError):
    """A text has an expression that is none, `offset` characters from its beginning."""

    def __init__(self, offset: int, expression: str, problem: str) -> None:
        known = f"{{{{ name(constants) }}}} of {', '.join(list_signatures())}"
        super().__init__(f"{expression[:_SHOWN]} {problem}", hint=f"write {known}")
        self.offset = offset


@dataclass(frozen=True)
class TemplateCall:
    """A function with its constants."""

    name: str
    positional: tuple[str | int, ...]
    named: Mapping[str, str | int]
    text: str
    """As it was written."""


def fill_calls(text: str, functions: Mapping[str, Callable[..., str]]) -> str:
    """A text with what `functions` say in place of its calls."""
    if "{" not in text:
        return text
    return "".join(
        part if isinstance(part, str) else _call_function(part, functions)
        for part in parse_calls(text)
    )


@lru_cache(4_096)
def parse_calls(text: str) -> tuple[str | TemplateCall, ...]:
    """The words and the calls of a text, in their order."""
    parts: list[str | TemplateCall] = []
    at = 0
    for mark in _OPEN.finditer(text):
        if mark.start() < at:
            continue
        call = _CALL.match(text, mark.start())
        if call is None:
            raise _make_call_error(text, mark.start())
        parts += [text[at : call.start()], _check_call(call)]
        at = call.end()
    return (*parts, text[at:])


def _call_function(call: TemplateCall, functions: Mapping[str, Callable[..., str]]) -> str:
    try:
        return functions[call.name](*call.positional, **call.named)
    except NotAskedError:
        raise
    except ContentError as problem:
        raise ContentError(f"{call.text}: {problem}") from problem


def _check_call(call: re.Match[str]) -> TemplateCall:
    """A call whose function there is, with constants as that takes them."""
    signature = list_signatures().get(call[1])
    if signature is None:
        raise ExpressionError(call.start(), call[0], f"asks for {call[1]}, which is no function")
    given = [(each[1], _parse_constant(each[2])) for each in _EACH.finditer(call[2] or "")]
    positional = tuple(value for name, value in given if not name)
    named = {name: value for name, value in given if name}
    in_order = all(name for name, _ in given[len(positional) :])
    if not in_order or len(positional) + len(named) < len(given):
        raise ExpressionError(call.start(), call[0], "names constants twice or out of order")
    if problem := _find_misfit(signature, positional, named):
        raise ExpressionError(call.start(), call[0], problem)
    return TemplateCall(call[1], positional, named, call[0])


def _find_misfit(signature: Signature, positional: tuple[Any, ...], named: dict[str, Any]) -> str:
    """How constants do not fit a function; nothing where they do."""
    try:
        bound = signature.bind(*positional, **named)
    except TypeError as problem:
        return f"does not fit: {problem}"
    for name, value in bound.arguments.items():
        if type(value) is not (annotation := signature.parameters[name].annotation):
            return f"needs {'a text' if annotation is str else 'a whole number'} as {name}"
    return ""


def _parse_constant(text: str) -> str | int:
    return text[1:-1] if text[0] in "\"'" else int(text)


def _make_call_error(text: str, at: int) -> ExpressionError:
    closing = {"{": "}}", "%": "%}", "#": "#}"}[text[at + 1]]
    end = text.find(closing, at)
    expression = text[at:] if end < 0 else text[at : end + 2]
    return ExpressionError(at, expression, "is no call of a function with constants")
