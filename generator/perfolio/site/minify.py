"""What a site goes without: files that nothing asks for, white space, long ways to say the same."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2

from perfolio.site.navigation import FLEET_RUNS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files

_NEEDLESS = re.compile(r"assets/(?:.*\.map|javascripts/lunr/.*|images/favicon\.png)")
"""Of the theme: source maps, other languages for the search, an icon in place of which is ours."""
_OF_FLEETS = "assets/perfolio/rows.js"
"""Of ours: what shows the runs of a fleet."""
_OF_TIMELINES = re.compile(r"assets/perfolio/timeline(?:-\w+)?\.js")
"""Of ours: what shows every interval of a run of events."""
_TILES = re.compile(r"(?:.*/)?timeline/r\.js")
_OF_TREES = re.compile(r"assets/perfolio/tree(?:-\w+)?\.js")
"""Of ours: what draws call trees."""
_TREES = re.compile(r"(?:.*/)?charts/\w+_icicle\.js")
_OF_BOTH = "assets/perfolio/canvas.js"
_MAPPED = re.compile(r"assets/(?:javascripts|stylesheets)/.*\.min\.(?:js|css)")
_MAP = re.compile(r"\n(?://|/\*)# sourceMappingURL=.*\s*\Z")
_BETWEEN = re.compile(r"\s*\n\s*")
_RIGHT = re.compile(r'(<t[dh]) style="text-align: ?right;?">')
_LISTS = '<div class="md-sidebar'
"""Where the lists of pages and of places begin: of blocks alone."""
_AROUND = re.compile(r"(?<=>)\n|\n(?=<)")
_QUOTED = re.compile(r"""( (?:class|href|for|id))="([^\s"'=<>`]+)"(?=[ >])""")
_ENDS_OF_ITEMS = re.compile(r"</li>(?=<li\b|</ul>)")
_ENDS_OF_CELLS = re.compile(r"</t[dhr]>(?=\s*(?:<t[dhr]\b|</(?:tr|thead|tbody|table)>))")
_ENDS_OF_PARAGRAPHS = re.compile(
    r"</p>(?=\s*(?:<(?:p|h[1-6]|div|[uod]l|details|pre)\b|</(?:div|details)>))"
)
_OF_TABLES = re.compile(r">\s*\n\s*(?=</?t(?:[dhr]|able|body|head)\b)")
_SIGNS = re.compile("&#(?:" + "|".join(str(ord(sign)) for sign in "!()*+-./:=[]^_{|}~") + ");")
"""Signs that mean something in Markdown and nothing in HTML, nor in a reference to another sign."""


class ThemeLoader(jinja2.FileSystemLoader):
    """Finds templates wherever they lie, and lists none of a folder that is hidden by a dot.

    MkDocs lists all files of a theme and leaves those out afterwards: 14,000 icons of Material's.
    """

    def list_templates(self) -> list[str]:
        """The names of all templates but those, sorted."""
        found = set()
        for root in self.searchpath:
            for folder, inner, names in os.walk(root, followlinks=self.followlinks):
                inner[:] = [name for name in inner if not name.startswith(".")]
                found |= {Path(folder, name).relative_to(root).as_posix() for name in names}
        return sorted(found)


def leave_icons_out(config: MkDocsConfig) -> None:
    """Let MkDocs copy the theme without looking at each of its icons, which pages hold inline."""
    get_env = config.theme.get_env

    def get_env_of_files() -> jinja2.Environment:
        env = get_env()
        env.loader = ThemeLoader(config.theme.dirs)
        return env

    config.theme.get_env = get_env_of_files  # type: ignore[method-assign]


def trim_files(files: Files, config: MkDocsConfig) -> None:
    """Leave out what the theme brings and no page of ours loads."""
    names = {file.src_uri for file in files}
    unused = _find_unused(names)
    for file in list(files):
        if is_needless(file.src_uri) or file.src_uri in unused:
            files.remove(file)
    for file, trimmed in list(_strip_source_maps(files, config)):
        files.remove(file)
        files.append(trimmed)


def _find_unused(names: Collection[str]) -> set[str]:
    """Scripts of ours for what no page of this site has."""
    is_tiled, has_trees = (any(map(kind.fullmatch, names)) for kind in (_TILES, _TREES))
    unused = set() if FLEET_RUNS in names else {_OF_FLEETS}
    if not is_tiled:
        unused |= set(filter(_OF_TIMELINES.fullmatch, names))
    if not has_trees:
        unused |= set(filter(_OF_TREES.fullmatch, names))
    return unused if is_tiled or has_trees else unused | {_OF_BOTH}


def is_needless(path: str) -> bool:
    """Whether a site goes without this file of the theme."""
    return _NEEDLESS.fullmatch(path) is not None


def _strip_source_maps(files: Files, config: MkDocsConfig) -> Iterator[tuple[File, File]]:
    """Scripts and styles without the line that names their source map, which is left out."""
    from mkdocs.structure.files import File

    for file in files:
        if _MAPPED.fullmatch(file.src_uri):
            content = _MAP.sub("\n", file.content_string)
            yield file, File.generated(config, file.src_uri, content=content)


def trim_article(html: str) -> str:
    """The HTML of a page, in which cells of numbers have a class, and signs are themselves.

    How cells are aligned takes a third of a large table. Elements and words are the same.
    """
    aligned = _OF_TABLES.sub(">", _RIGHT.sub(r"\1 class=r>", html))
    if "<script" in aligned:  # there, a reference is none
        return aligned
    return _SIGNS.sub(lambda sign: chr(int(sign[0][2:-1])), aligned)


def trim_page(page: str) -> str:
    """A page with one line break where the frame around its article has many.

    Between elements these are the same. The article is left alone, but for its elements: it may
    hold code. Ends of cells, rows, items and paragraphs that HTML ends itself are left out.
    """
    head, opening, rest = page.partition("<article")
    article, closing, tail = rest.rpartition("</article>")
    if not closing:
        return page
    if "<script" not in article:
        article = _ENDS_OF_PARAGRAPHS.sub("", _ENDS_OF_CELLS.sub("", article))
    return _trim_head(head) + opening + article + closing + trim_frame(tail)


def trim_frame(html: str) -> str:
    """What stands around an article, with one line break in the place of white space with any."""
    return _BETWEEN.sub("\n", html)


def _trim_head(head: str) -> str:
    """What stands before an article. Within lists of links no line break is seen.

    These lists are half of what is around a page: there, words need no quotes.
    """
    before, lists, links = trim_frame(head).partition(_LISTS)
    links = _ENDS_OF_ITEMS.sub("", _AROUND.sub("", links))
    return before + lists + _QUOTED.sub(r"\1=\2", links)
