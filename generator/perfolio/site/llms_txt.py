"""What a site has for assistants: report.md of each report, and llms.txt, which lists them all.

In:  MkDocs' files, of which `report.md.txt` is a report in few words: called `.md`, it would
     become a page. Out: the same files, those as `report.md`, and `llms.txt` (llmstxt.org), which
     also names what says once for all reports what their metrics are.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files

_REPORT = re.compile(r"(.+/)?report\.md\.txt")
_CATALOGUE = re.compile(r"(.+/)?catalogue\.json")
_HEAD = re.compile(r"# (.+)\n\n> (.+)\n")
"""Title and headline, as the template of a report has them."""
_SHARED = "of each metric its definition, what it is over, its limits, its source and its SQL"


def add_texts(files: Files, config: MkDocsConfig) -> None:
    """Call each report's text by its name, and list them where there is any."""
    entries = []
    for file in list(files):
        if _REPORT.fullmatch(file.src_uri):
            files.remove(file)
            files.append(_rename_file(file))
            entries.append(_format_entry(file))
    if entries:
        shared = [f.src_uri for f in files if _CATALOGUE.fullmatch(f.src_uri)]
        files.append(_make_list_file(entries, shared, config))


def _rename_file(file: File) -> File:
    from mkdocs.structure.files import File

    return File(
        file.src_uri,
        file.src_dir,
        file.dest_dir,
        file.use_directory_urls,
        dest_uri=file.src_uri.removesuffix(".txt"),
    )


def _format_entry(file: File) -> str:
    head = _HEAD.match(file.content_string)
    title, headline = head.groups() if head else (file.src_uri, "")
    folder = file.src_uri.removesuffix("report.md.txt")
    title = title.replace("]", "\\]")
    return f"- [{title}]({folder}report.md): {headline} All numbers: {folder}findings.json"


def _make_list_file(entries: list[str], shared: list[str], config: MkDocsConfig) -> File:
    from mkdocs.structure.files import File

    about = config.site_description or "Performance reports, each made from a recorded profile."
    text = f"# {html.unescape(config.site_name)}\n\n> {about}\n\n## Reports\n\n" + "\n".join(
        sorted(entries)
    )
    for path in shared:
        text += f"\n\n## Metrics\n\n- [{path}]({path}): {_SHARED}"
    return File.generated(config, "llms.txt", content=f"{text}\n")
