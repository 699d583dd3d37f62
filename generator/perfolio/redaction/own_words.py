"""The words of our own texts: pages hold them whatever a profile says, so they tell nothing.

In:  what is shipped: definitions, rules, exercises, templates, scripts, and texts in code; those of
     the theme. Out: its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_OWN = Path(__file__).parents[1]
_TEXTS = frozenset(
    {".css", ".html", ".j2", ".js", ".json", ".md", ".sql", ".svg", ".toml", ".txt", ".yml"}
)
_DOCSTRING = re.compile(r'""".*?"""', re.DOTALL)
_LITERAL = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'')
_WORD = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
_PART = re.compile(r"[a-z0-9]+")


@cache
def collect_own_words() -> frozenset[str]:
    """Words of our own texts, small: also those that a name is made of (`data-loader`)."""
    found = {word for text in _read_own_texts() for word in _WORD.findall(text.lower())}
    return frozenset(found.union(*map(_PART.findall, found)))


def _read_own_texts() -> Iterator[str]:
    for path in _OWN.rglob("*"):
        if path.suffix in _TEXTS:
            yield path.read_text("utf-8")
        elif path.suffix == ".py" and path.parent != Path(__file__).parent:
            yield "\n".join(_LITERAL.findall(_DOCSTRING.sub("", path.read_text("utf-8"))))
    for path in _list_theme_files():
        yield path.read_text("utf-8")


def _list_theme_files() -> Iterator[Path]:
    spec = find_spec("material")
    if spec is None or spec.origin is None:
        return
    folder = Path(spec.origin).parent / "templates"
    for form in ("partials/**/*.html", "assets/javascripts/*.js", "assets/stylesheets/*.css"):
        yield from folder.glob(form)
