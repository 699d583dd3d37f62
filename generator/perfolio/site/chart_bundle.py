"""The chart library (Vega-Embed with all it needs) as one local script.

It comes out of the vl-convert package that also draws the static images, so that
both show the same, and nothing is ever loaded from a network.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version

from perfolio.charts.vega import VegaAnswer, get_vega
from perfolio.common.cache import Cache, make_key

_CACHE = Cache("bundle")
_SNIPPET = "window.perfolioVega = {embed: vegaEmbed};"
# The bundle is written as a module; as a plain script its names would be global.
_WRAPPED = "(function () {{\n{code}\n}})();\n"


def load_bundle() -> bytes:
    """The script, which takes 1.5 s to make: defines `window.perfolioVega`, no other global."""
    return _CACHE.get(_make_bundle_key(), _make_bundle)


@contextmanager
def prepare_bundle() -> Iterator[None]:
    """Make a missing bundle beside the block, which ends when both are done."""
    missing = _CACHE.load(_make_bundle_key()) is None
    if missing:
        _start_script()
    yield
    if missing:
        load_bundle()


def _make_bundle_key() -> str:
    return make_key(version("vl-convert-python"), _SNIPPET, _WRAPPED)


def _make_bundle() -> bytes:
    return _WRAPPED.format(code=_start_script().text()).encode()


@cache
def _start_script() -> VegaAnswer:
    return get_vega().script(_SNIPPET)
