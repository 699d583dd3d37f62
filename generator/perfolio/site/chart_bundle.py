"""The chart library (Vega-Embed with all it needs) as one local script.

It comes out of the vl-convert package that also draws the static images, so that
both show the same, and nothing is ever loaded from a network.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from perfolio.charts.vega import VegaAnswer, get_vega
from perfolio.common.cache import find_cache_folder, mark_used, remove_unused
from perfolio.common.partial_files import write_alone

_SNIPPET = "window.perfolioVega = {embed: vegaEmbed};"
# The bundle is written as a module; as a plain script its names would be global.
_WRAPPED = "(function () {{\n{code}\n}})();\n"


def bundle_path() -> Path:
    """The bundle in the user's cache folder, made if it is not there (1.5 s).

    Raises OSError when no cache folder can be written.
    """
    path = _locate_bundle()
    if not path.is_file():
        _write_bundle(path)
    with suppress(OSError):
        mark_used(path)
    return path


def _write_bundle(path: Path) -> None:
    write_alone(path, bundle_script().encode("utf-8"))
    remove_unused(path.parent)


def _locate_bundle() -> Path:
    key = hashlib.sha256(f"{version('vl-convert-python')} {_SNIPPET}".encode()).hexdigest()[:16]
    return find_cache_folder() / f"vega-{key}.js"


@contextmanager
def prepare_bundle() -> Iterator[None]:
    """Make a missing bundle beside the block, which ends when both are done.

    Nothing depends on it: `bundle_path` makes what is missing, and says what prevents it.
    """
    place = _locate_bundle()
    missing = not place.is_file()
    if missing:
        _start_script()
    yield
    if missing:
        with suppress(OSError):
            _write_bundle(place)


def bundle_script() -> str:
    """The script itself: defines `window.perfolioVega` and no other global name."""
    return _WRAPPED.format(code=_start_script().text())


@cache
def _start_script() -> VegaAnswer:
    return get_vega().script(_SNIPPET)
