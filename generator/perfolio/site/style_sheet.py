"""One style sheet for a site: the theme's and ours in one file, which a page fetches at once.

In:  the files of a site, and the names of our styles in their order (`extra.perfolio_styles`).
Out: the files with `assets/perfolio/site.css` in place of the single ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

SHEET = "assets/perfolio/site.css"
_OF_THEME = re.compile(r"assets/stylesheets/(?:main|palette)\..*\.css")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BETWEEN = re.compile(r"\s*\n\s*")


def bundle_styles(files: Files, config: MkDocsConfig) -> None:
    """Put all styles into one file; the theme's `main.html` then links that one."""
    from mkdocs.structure.files import File

    ours = [f"assets/perfolio/{name}.css" for name in config.extra.get("perfolio_styles", ())]
    theme = sorted(file.src_uri for file in files if _OF_THEME.fullmatch(file.src_uri))
    found = [files.get_file_from_path(path) for path in theme + ours]
    if not ours or None in found:
        return
    sheets = [_shorten_styles(file.content_string) for file in found if file is not None]
    for file in found:
        if file is not None:
            files.remove(file)
    files.append(File.generated(config, SHEET, content="\n".join(sheets)))
    config.extra["perfolio_sheet"] = SHEET


def _shorten_styles(css: str) -> str:
    """Styles without comments and indentation; what lies within a line stays as it is."""
    return _BETWEEN.sub("\n", _COMMENT.sub("", css)).strip()
