"""The pages of one report in a built site, put together to one file.

In:  a site, and the folder of a report in it. Out: HTML that needs nothing beside it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from perfolio import __version__
from perfolio.common.errors import SiteError
from perfolio.pages.template_environment import make_environment
from perfolio.site.navigation import REFERENCE, REPORT_PAGES
from perfolio.site.single.anchors import PagePlace, place_article
from perfolio.site.single.inlining import as_data, read_style, write_tile_blocks, write_tree_blocks

_GUIDE = (("How to read a report", "reading.html"), ("Glossary", "glossary.html"))
"""Pages beside the reports that a reader of one needs."""
_HERE = Path(__file__).resolve().parent
_ASSETS = _HERE.parent / "theme" / "assets" / "perfolio"
_SCRIPTS = (_ASSETS / "reach.js", _ASSETS / "tips.js", _HERE / "single.js")
_OF_TIMELINE = tuple(
    _ASSETS / f"timeline{part}.js"
    for part in ("-tiles", "-ask", "-paint", "-view", "-tell", "-steer", "")
)
"""Where the file holds a timeline; the first one goes before all others."""
_OF_TREES = tuple(_ASSETS / f"tree{part}.js" for part in ("-sums", "-view", "-pane", ""))
"""Where it holds a call tree, in their order."""
_CANVAS = _ASSETS / "canvas.js"
"""Before either."""
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_ABOUT = re.compile(r'<meta name="description" content="([^"]*)"')
_ARTICLE = re.compile(r"<article[^>]*>(.*)</article>", re.DOTALL)
_SUMMARY = "index.html"
_TIMELINE = "timeline.html"


@dataclass(frozen=True)
class FilePage:
    """A page within the file."""

    group: str
    title: str
    path: str
    """Below the site."""
    name: str
    """In the file."""


def build_single_file(site: Path, folder: str) -> str:
    """The report in `folder` of a site as one file of HTML.

    Raises SiteError where there is no such report.
    """
    parts = list(_find_pages(site, folder))
    if not parts or not parts[0].path.endswith(_SUMMARY):
        raise SiteError(f"{site}: holds no report {folder}")
    names = {part.path: part.name for part in parts}
    sources = {part.path: (site / part.path).read_text(encoding="utf-8") for part in parts}
    first = sources[parts[0].path]
    tiles = write_tile_blocks(site / folder, sources.get(f"{folder}/{_TIMELINE}", ""))
    trees = write_tree_blocks(site / folder)
    drawn = [*(_OF_TIMELINE if tiles else ()), *(_OF_TREES if trees else ())]
    scripts = (_CANVAS, *drawn, *_SCRIPTS) if drawn else _SCRIPTS
    script = "\n".join(path.read_text("utf-8") for path in scripts)
    return (
        make_environment()
        .get_template("single.html.j2")
        .render(
            title=_extract_text(_TITLE, first).strip().removeprefix("Summary · "),
            about=_extract_text(_ABOUT, first),
            parts=parts,
            articles={
                part.name: place_article(
                    _extract_text(_ARTICLE, sources[part.path]), PagePlace(site, part.path, names)
                )
                for part in parts
            },
            icon=html.escape(as_data(_ASSETS / "favicon.svg")),
            mark=(_ASSETS / "mark.svg").read_text(encoding="utf-8"),
            styles=_join_styles(site, parts[0].path, first),
            blocks="\n".join(filter(None, (tiles, trees))),
            script=script,
            version=__version__,
        )
    )


def _find_pages(site: Path, folder: str) -> Iterator[FilePage]:
    """The pages that are there, those that answer first."""
    for group, title, source in REPORT_PAGES:
        name = f"{source.removesuffix('.md')}.html"
        path = f"{folder}/{name}"
        if (site / path).is_file():
            yield FilePage(group, title, path, "summary" if name == _SUMMARY else Path(name).stem)
    beside = Path(folder).parent
    for title, name in _GUIDE:
        path = (beside / name).as_posix()
        if (site / path).is_file():
            yield FilePage(REFERENCE, title, path, Path(name).stem)


def _join_styles(site: Path, path: str, page: str) -> str:
    """All style sheets of a page in their order, and that of one file."""
    linked = [(site / path).parent / found for found in _STYLE.findall(page)]
    return "\n".join(read_style(each) for each in [*linked, _HERE / "single.css"])


def _extract_text(pattern: re.Pattern[str], page: str) -> str:
    found = pattern.search(page)
    return found[1] if found else ""
