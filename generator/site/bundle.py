"""The chart library (Vega-Embed with all it needs) as one local script.

It comes out of the vl-convert package that also draws the static images, so that
both show the same, and nothing is ever loaded from a network.
"""

from __future__ import annotations

import hashlib
import os
from importlib.metadata import version
from pathlib import Path

from generator.site.sync import write_atomic

_SNIPPET = "window.perfolioVega = {embed: vegaEmbed};"
# The bundle is written as a module; as a plain script its names would be global.
_WRAPPED = "(function () {{\n{code}\n}})();\n"


def bundle_path() -> Path:
    """The bundle in the user's cache folder, made if it is not there (1.5 s).

    Raises OSError when no cache folder can be written.
    """
    key = hashlib.sha256(f"{version('vl-convert-python')} {_SNIPPET}".encode()).hexdigest()[:16]
    path = cache_folder() / f"vega-{key}.js"
    if not path.is_file():
        write_atomic(path, bundle_script().encode("utf-8"))
    return path


def bundle_script() -> str:
    """The script itself: defines `window.perfolioVega` and no other global name."""
    import vl_convert

    return _WRAPPED.format(code=vl_convert.javascript_bundle(_SNIPPET))


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/perfolio`, by default `~/.cache/perfolio`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "perfolio"
