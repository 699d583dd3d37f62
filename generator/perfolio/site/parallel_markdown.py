"""Pages that several processes convert from Markdown before MkDocs asks for them.

In:  a cache of pages, and the files of a build. Out: pages in the cache, as if an earlier build
     had kept them, each taken only where its source and settings are those of this build.

A page of which MkDocs says anything, or which cannot be converted, is left to the process that
builds: there it is heard of as it would be without others.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from perfolio.common.errors import SiteError
from perfolio.common.processes import (
    count_copies,
    count_workers,
    map_in_copies,
    map_in_processes,
)
from perfolio.site.page_cache import PAGE_CACHE, ConvertedPage, PageCache, make_page_cache

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files

LITTLE = 100
"""So many pages, some 4 s of work, take hardly longer in one process: others begin in 1 s."""
_SHARES = 4
"""Pieces of work for each process: what ends early takes another one."""


@dataclass(frozen=True)
class _BuildSettings:
    """Where another process finds the settings of a build, and what its command may change."""

    config_file: str
    docs_dir: str
    site_dir: str
    use_directory_urls: bool


@dataclass(frozen=True)
class _PreparedBuild:
    """A build as far as to its files."""

    config: MkDocsConfig
    files: Files
    pages: PageCache


def convert_ahead(pages: PageCache, config: MkDocsConfig, files: Files) -> None:
    """Add the pages of a build that are not kept, where these are many.

    Raises what `map_in_processes` does.
    """
    waiting = [file for file in files.documentation_pages() if not pages.find_page(file)]
    paths = [file.src_uri for file in sorted(waiting, key=_measure_size, reverse=True)]
    for path, page in _convert_apart(paths, _PreparedBuild(config, files, pages)):
        pages.add_page(path, page)


def _convert_apart(
    paths: Sequence[str], build: _PreparedBuild
) -> Iterator[tuple[str, ConvertedPage]]:
    """Pages that other processes convert: copies of this one, or new ones for many."""
    if count_copies(len(paths)) > 1:
        with _hear_nothing(build.pages):
            shares = map_in_copies(lambda path: _convert_paths([path], build), paths)
        for found in shares:
            yield from found.items()
        return
    config = build.config
    count, settings = count_workers(len(paths)), str(config.config_file_path)
    if count < 2 or len(paths) <= LITTLE or not Path(settings).is_file():
        return
    where = _BuildSettings(settings, config.docs_dir, config.site_dir, config.use_directory_urls)
    pieces = count * _SHARES
    for share in map_in_processes(
        _convert_share, [(where, paths[n::pieces]) for n in range(pieces)]
    ):
        yield from share.items()


@contextmanager
def _hear_nothing(pages: PageCache) -> Iterator[None]:
    """Let what MkDocs says of a page here be said when the build comes to it, and not twice."""
    logger = logging.getLogger("mkdocs")
    heard, count = logger.handlers, pages.warnings.count
    logger.handlers = [pages.warnings]
    try:
        yield
    finally:
        logger.handlers, pages.warnings.count = heard, count


def _measure_size(file: File) -> int:
    with suppress(OSError):  # the process that builds says so
        return len(file.content_bytes)
    return 0


def _convert_share(share: tuple[_BuildSettings, Sequence[str]]) -> dict[str, ConvertedPage]:
    settings, paths = share
    return _convert_paths(paths, _prepare_build(settings))


def _convert_paths(paths: Sequence[str], build: _PreparedBuild) -> dict[str, ConvertedPage]:
    """Pages by their paths, without those that are left to the process that builds."""
    from mkdocs.exceptions import MkDocsException

    found = {}
    with suppress(MkDocsException, OSError, UnicodeError):  # the process that builds meets it
        for path in paths:
            if (page := _convert_page(path, build)) is not None:
                found[path] = page
    return found


def _convert_page(path: str, build: _PreparedBuild) -> ConvertedPage | None:
    """A page as it is known once converted; None where there is something to say about it."""
    from mkdocs.commands.build import _populate_page
    from mkdocs.structure.pages import Page

    file, warnings = build.files.src_uris[path], build.pages.warnings
    page, before = file.page or Page(None, file, build.config), warnings.count
    _populate_page(page, build.config, build.files)
    build.pages.find_sections(page)
    page.markdown = page.content = None  # some 100 kB
    converted = build.pages.converted.pop(path)
    return converted if warnings.count == before else None


@cache
def _prepare_build(settings: _BuildSettings) -> _PreparedBuild:
    """The build that is under way in another process, in this one: in the order of MkDocs."""
    from mkdocs.config import load_config
    from mkdocs.structure.files import get_files, set_exclusions
    from mkdocs.structure.nav import get_navigation

    log = logging.getLogger("mkdocs")
    log.propagate = False
    log.addHandler(logging.NullHandler())  # else it would be written where there is no other
    log.setLevel(logging.INFO)
    config = load_config(**vars(settings))
    config.extra["perfolio_refresh"] = False
    config = config.plugins.on_config(config)
    files = get_files(config)
    files.add_files_from_theme(config.theme.get_env(), config)
    files = config.plugins.on_files(files, config=config)
    set_exclusions(files, config)
    get_navigation(files, config)  # gives pages the titles that it names
    pages = config.extra[PAGE_CACHE] = make_page_cache(None, config, files)
    if pages is None:
        raise SiteError(f"{settings.config_file}: changed meanwhile", hint="build again")
    pages.warnings.setLevel(logging.INFO)
    return _PreparedBuild(config, files, pages)
