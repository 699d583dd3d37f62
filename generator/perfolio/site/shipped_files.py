"""Which files of a site tell of runs, and which are shipped, the same for everybody."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from perfolio.site.chart_bundle import load_bundle

_THEME = Path(__file__).parent / "theme"


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
