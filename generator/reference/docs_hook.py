"""Gives the project's own site the pages that nobody writes: MkDocs calls it, as mkdocs.yml says.

In:  the files that MkDocs found.
Out: the same with the generated pages, in place of those that `make docs` wrote for reading.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

if (_BESIDE := str(Path(__file__).resolve().parents[1])) not in sys.path:
    sys.path.append(_BESIDE)  # where the package is installed, and not this one


@event_priority(50)  # before what looks at all pages
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    from reference.build import generated_pages

    for path, content in generated_pages().items():
        written = files.get_file_from_path(path)
        if written is not None:
            files.remove(written)
        files.append(File.generated(config, path, content=content))
    return files
