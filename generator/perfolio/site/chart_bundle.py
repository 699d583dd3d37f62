"""The chart library (Vega-Embed with all it needs) as one local script.

It comes out of the vl-convert package, against whose images the static ones are held, so that
both show the same, and nothing is ever loaded from a network.
"""

from __future__ import annotations

from importlib.metadata import version

from perfolio.common.cache import Cache, make_key

_CACHE = Cache("bundle")
_SNIPPET = "window.perfolioVega = {embed: vegaEmbed};"
# The bundle is written as a module; as a plain script its names would be global.
_WRAPPED = "(function () {{\n{code}\n}})();\n"


def load_bundle() -> bytes:
    """The script, which takes 1.5 s to make: defines `window.perfolioVega`, no other global."""
    return _CACHE.get(_make_bundle_key(), _make_bundle)


def _make_bundle_key() -> str:
    return make_key(version("vl-convert-python"), _SNIPPET, _WRAPPED)


def _make_bundle() -> bytes:
    import vl_convert

    return _WRAPPED.format(code=vl_convert.javascript_bundle(_SNIPPET)).encode()
