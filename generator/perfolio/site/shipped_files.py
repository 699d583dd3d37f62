"""The files of a site that are shipped, the same for everybody, and those that tell of runs.

The chart library (Vega-Embed with all it needs) is one local script. It comes out of the vl-convert
package, against whose images the static ones are held, so that both show the same, and nothing is
ever loaded from a network.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path

from perfolio.common.cache import Cache, make_key

_THEME = Path(__file__).parent / "theme"
_CACHE = Cache("bundle")
_SNIPPET = "window.perfolioVega = {embed: vegaEmbed};"
# The bundle is written as a module; as a plain script its names would be global.
_WRAPPED = "(function () {{\n{code}\n}})();\n"


def find_telling_files(site: Path, reports: str = "") -> list[Path]:
    """The files of a site that say what reports do; with `reports`, their folder in a project's."""
    own = [*(site / reports).rglob("*")]
    if reports:
        own += [site / "llms.txt", *site.glob("assets/perfolio/search-reports.js")]
    return sorted(path for path in own if path.is_file() and not is_shipped(site, path))


def is_shipped(site: Path, path: Path) -> bool:
    """Whether a file of a finished site is one of the theme's, or the chart library, unchanged."""
    name = path.relative_to(site)
    if name.parts[:1] != ("assets",):
        return False
    places = [folder / name for folder in _list_folders()]
    content = path.read_bytes()
    if name.name.startswith("vega") and content == load_bundle():
        return True
    return any(place.is_file() and place.read_bytes() == content for place in places)


@cache
def _list_folders() -> tuple[Path, ...]:
    import material

    return _THEME, Path(str(material.__file__)).parent / "templates"


def load_bundle() -> bytes:
    """The script, which takes 1.5 s to make: defines `window.perfolioVega`, no other global."""
    return _CACHE.get(_make_bundle_key(), _make_bundle)


def _make_bundle_key() -> str:
    return make_key(version("vl-convert-python"), _SNIPPET, _WRAPPED)


def _make_bundle() -> bytes:
    import vl_convert

    return _WRAPPED.format(code=vl_convert.javascript_bundle(_SNIPPET)).encode()
