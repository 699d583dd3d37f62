"""Markdown that MkDocs need not convert again, because it has not changed.

In:  MkDocs' pages before they are read, and a cache of pages that earlier builds converted.
Out: pages with their HTML of that build; after a build without warnings, its other pages kept.

Conversion takes nearly all the time of a build; templates, and with them the navigation and the
theme, are rendered each time. A kept page is taken only while all files to which it links are
there, and its anchors and links take part in MkDocs' check like those of any other page.
"""

from __future__ import annotations

import json
import logging
import posixpath
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import files_digest
from perfolio.site.frame_cache import FrameCache, make_frame_cache
from perfolio.site.report_scope import SCOPE
from perfolio.site.search_index import Entry, list_sections
from perfolio.site.site_marker import versions

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page
    from mkdocs.structure.toc import AnchorLink

PAGE_CACHE = "perfolio_pages"
"""Under this name the settings of a build have its cache of pages."""
_BUILTIN = ("toc", "tables", "fenced_code")
"""Extensions that MkDocs adds."""
_ADDRESS = " at 0x"
"""In the text of a function, which another process knows by another address."""
_REFERENCE = re.compile(r'(?:href|src|data-src)="([^"#?:]+)')
_HERE = Path(__file__).resolve().parent
_HOOKS = frozenset(
    {
        _HERE / "hooks.py",
        _HERE.parent / "pipeline" / "refresh_hook.py",
        _HERE.parents[1] / "reference" / "docs_hook.py",
    }
)
"""What they change of a page before its conversion is in its text."""


@dataclass(frozen=True)
class ConvertedPage:
    """What MkDocs knows of a page after its conversion."""

    key: str
    html: str
    title: str | None
    meta: dict[str, Any]
    toc: list[dict[str, Any]]
    """Entries with name, id, level and children, as Python-Markdown gives them."""
    anchors: list[str]
    links: dict[str, dict[str, str]]
    """Anchors in other pages, by source path: anchor to the link as written."""
    targets: list[str]
    """Files of the site to which the page links."""
    indexed_title: str = ""
    """The page's title when its sections were found: navigation may give it another."""
    sections: list[Entry] = field(default_factory=list)
    """What search knows of it."""


@dataclass
class PageCache:
    """The pages of one build, those of earlier ones among them."""

    cache: Cache | None
    """None where no page is kept from one build to another."""
    edition: str
    """Names all on which the conversion of every page depends."""
    targets: frozenset[str]
    """Every file that the site has."""
    nav: Navigation | None = None
    """The navigation of the site."""
    reused: dict[str, ConvertedPage] = field(default_factory=dict)
    """Pages that are not converted here, by source path."""
    keys: dict[str, str] = field(default_factory=dict)
    """Keys of the pages that are converted."""
    converted: dict[str, ConvertedPage] = field(default_factory=dict)
    """Pages to be kept."""
    frames: FrameCache | None = None
    """What surrounds the pages, where the process builds again."""
    warnings: _WarningCounter = field(default_factory=lambda: _WarningCounter(logging.WARNING))

    def skip_conversion(self, page: Page) -> bool:
        """Convert nothing where there is HTML already that says what the source says."""
        if page.file.src_uri not in self.reused and not self.find_page(page.file):
            return False
        # To set the extensions up for nothing takes a millisecond each time.
        page.render = partial(_render_nothing, page)  # type: ignore[method-assign]
        return True

    def find_page(self, file: File) -> bool:
        """Whether an earlier build kept a page as it would be converted now."""
        path = file.src_uri
        try:
            self.keys[path] = make_key(self.edition, path, file.content_bytes)
        except OSError:  # MkDocs says so when it reads the page
            return False
        stored = self.cache.load(self.keys[path], self._name(path)) if self.cache else None
        return stored is not None and self._reuse(path, ConvertedPage(**json.loads(stored)))

    def add_page(self, path: str, page: ConvertedPage) -> None:
        """Take a page that another process converted, if it is as it would be converted here."""
        if self._reuse(path, page):
            self.converted[path] = page

    def restore_html(self, html: str, page: Page, files: Files) -> str:
        """The HTML of a page: as it was kept, or as it was converted now."""
        known = self.reused.get(page.file.src_uri)
        if known is None:
            self._note_conversion(page, html)
            return html
        from mkdocs.structure.toc import get_toc

        page.meta = dict(known.meta)
        page.toc = get_toc(known.toc)  # type: ignore[arg-type]
        page._title_from_render = known.title  # noqa: SLF001 - MkDocs has no other way
        page.present_anchor_ids = set(known.anchors)
        linked = {files.get_file_from_path(path): links for path, links in known.links.items()}
        page.links_to_anchors = {file: links for file, links in linked.items() if file is not None}
        return known.html

    def find_sections(self, page: Page) -> list[Entry]:
        """What search is to know of a page: as it was kept, else as found now."""
        path, title = page.file.src_uri, str(page.title)
        known = self.reused.get(path) or self.converted[path]
        if known.indexed_title == title:
            return known.sections
        found = list_sections(page, page.content or "")
        self.converted[path] = replace(known, indexed_title=title, sections=found)
        return found

    def reuse_frames(self, env: Environment, config: MkDocsConfig, pages: Sequence[Page]) -> None:
        """Take pages as they were shown in the build before, with what surrounds them."""
        frames = self.frames = make_frame_cache(env, config, self.nav, self.edition)
        if frames is None:
            return
        for page in pages:
            path = page.file.src_uri
            key = self.reused[path].key if path in self.reused else self.keys[path]
            frames.find_page(page, key, page.meta[SCOPE])

    def keep_pages(self) -> None:
        """Keep what was converted, unless MkDocs warned: it would not warn again."""
        logging.getLogger("mkdocs").removeHandler(self.warnings)
        if self.warnings.count or self.cache is None:
            return
        for path, page in self.converted.items():
            with suppress(TypeError):  # a date in its front matter, say: converted each time
                self.cache.keep(page.key, json.dumps(vars(page)).encode(), self._name(path))

    def _name(self, path: str) -> str:
        """A project has one page of a path; the user's cache has those of many sites."""
        return path if self.cache and self.cache.project else ""

    def _reuse(self, path: str, page: ConvertedPage) -> bool:
        fits = page.key == self.keys[path] and self.targets.issuperset(page.targets)
        if fits:
            self.reused[path] = page
        return fits

    def _note_conversion(self, page: Page, html: str) -> None:
        path, folder = page.file.src_uri, posixpath.dirname(page.file.dest_uri)
        named = {posixpath.normpath(posixpath.join(folder, r)) for r in _REFERENCE.findall(html)}
        self.converted[path] = ConvertedPage(
            key=self.keys[path],
            html=html,
            title=page._title_from_render,  # noqa: SLF001 - as above
            meta=dict(page.meta),
            toc=_list_tokens(page.toc),
            anchors=sorted(page.present_anchor_ids or ()),
            links={f.src_uri: links for f, links in (page.links_to_anchors or {}).items()},
            targets=sorted(named & self.targets),
        )


def make_page_cache(cache: Cache | None, config: MkDocsConfig, files: Files) -> PageCache | None:
    """The pages of a build whose files are known.

    None where pages may depend on more than their text and these settings, or where nobody would
    hear of a warning.
    """
    if not (_is_ours(config) and logging.getLogger("mkdocs").isEnabledFor(logging.WARNING)):
        return None
    settings = repr((config.mdx_configs, config.use_directory_urls, dict(config.validation)))
    if _ADDRESS in settings:
        return None
    targets = frozenset(file.dest_uri for file in files)
    pages = PageCache(cache, make_key(_compute_code_digest(), settings), targets)
    logging.getLogger("mkdocs").addHandler(pages.warnings)
    return pages


def _is_ours(config: MkDocsConfig) -> bool:
    """Whether nothing takes part in the conversion but what we know, which reads no other files."""
    ours = yaml.safe_load((_HERE / "base.yml").read_text("utf-8"))["markdown_extensions"]
    beside = Path(config.config_file_path).parent
    others = {(beside / name).resolve() for name in config.plugins} - _HOOKS
    return not others and {*config.markdown_extensions} <= {*ours, *_BUILTIN}


class _WarningCounter(logging.Handler):
    """Counts what MkDocs warns about."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        del record
        self.count += 1


@cache
def _compute_code_digest() -> str:
    """What converts Markdown, while this process runs."""
    return files_digest(_HERE, without=("theme", "__pycache__")) + repr(versions())


def _render_nothing(page: Page, _config: MkDocsConfig, _files: Files) -> None:
    page.content = ""


def _list_tokens(toc: Iterable[AnchorLink]) -> list[dict[str, Any]]:
    return [
        {"name": e.title, "id": e.id, "level": e.level, "children": _list_tokens(e.children)}
        for e in toc
    ]
