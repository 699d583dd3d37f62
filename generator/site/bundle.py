"""The chart library (Vega-Embed with all it needs) as one local script.

It comes out of the vl-convert package that also draws the static images, so that
both show the same, and nothing is ever loaded from a network.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from generator.caching import cache_folder
from generator.site.sync import write_atomic

_SNIPPET = "window.perfolioVega = {embed: vegaEmbed};"
# The bundle is written as a module; as a plain script its names would be global.
_WRAPPED = "(function () {{\n{code}\n}})();\n"


def bundle_path() -> Path:
    """The bundle in the user's cache folder, made if it is not there (1.5 s).

    Raises OSError when no cache folder can be written.
    """
    path = _place()
    if not path.is_file():
        write_atomic(path, bundle_script().encode("utf-8"))
    return path


def _place() -> Path:
    key = hashlib.sha256(f"{version('vl-convert-python')} {_SNIPPET}".encode()).hexdigest()[:16]
    return cache_folder() / f"vega-{key}.js"


@contextmanager
def made_meanwhile() -> Iterator[None]:
    """Make a missing bundle in a process beside the block, which ends when both are done.

    In a process, because vl-convert lets no other thread run. Nothing depends on it:
    `bundle_path` makes what is missing, and says what prevents it.
    """
    maker = None if _place().is_file() else _start_maker()
    try:
        yield
        if maker is not None:
            maker.wait()
    finally:
        if maker is not None and maker.poll() is None:
            maker.terminate()
            maker.wait()


def _start_maker() -> subprocess.Popen[bytes] | None:
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-m", __name__]
    try:
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
    except OSError:
        return None


def bundle_script() -> str:
    """The script itself: defines `window.perfolioVega` and no other global name."""
    import vl_convert

    return _WRAPPED.format(code=vl_convert.javascript_bundle(_SNIPPET))


if __name__ == "__main__":
    bundle_path()
