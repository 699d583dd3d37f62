"""One module per form in which a comparison is printed: the document to text.

To add one: a module `<name>_form` with `render(document)`. The name is what `--format` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

_FORM = "_form"
Render = Callable[[Mapping[str, Any]], str]


def list_formats() -> list[str]:
    """All forms, in the order of the alphabet."""
    return sorted(module.name.removesuffix(_FORM) for module in iter_modules(__path__))


def load_renderer(name: str) -> Render:
    """The function that prints a comparison in this form."""
    render: Render = import_module(f"{__name__}.{name}{_FORM}").render
    return render
