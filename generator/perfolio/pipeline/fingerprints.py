"""On what the reports of a project depend besides their profiles, named by digests.

In:  the package as it is on disk, thresholds, a project's exercises. Out: an `Edition`.

Code is that with which the process runs; content (SQL, rules, templates) is read again after each
edit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from perfolio.common.content_files import code_digest, code_on_disk, files_digest
from perfolio.common.errors import UsageError
from perfolio.pages.template_dependencies import compute_template_digests
from perfolio.pipeline.run_documents import Context

_AGAIN = "start it again"
_PACKAGE = Path(__file__).resolve().parents[1]
_NO_INPUT = ("__pycache__", "cli", "simulation", "site", "verification", "writers")
"""Folders of the package on which no page of a report depends."""
_DRAWN_BY = ("altair", "duckdb", "jinja2", "vl-convert-python")
_CONTENT = (".csv", ".j2", ".json", ".md", ".sql", ".toml", ".yaml")
_OF_REPORTS = "report/"
"""Folder of the templates that are a page of each report."""
EXERCISES = "exercises"


@dataclass(frozen=True)
class Edition:
    """On what reports depend besides their profiles, as digests."""

    documents: str
    templates: Mapping[str, str]
    """Digest of what each page of a report depends on besides its documents."""
    shared: str
    """Digest of what the pages depend on that stand beside the reports."""


def compute_edition(told: Context) -> Edition:
    """The present edition of what the context asks for."""
    content = files_digest(_PACKAGE, without=(*_NO_INPUT, "pages", "exercises"), kinds=_CONTENT)
    documents = _compute_digest(
        _compute_code_digest(), content, repr(sorted(told.overrides.by_code.items()))
    )
    templates = compute_template_digests(_PACKAGE / "pages" / "templates")
    pages = {_find_page(name): each for name, each in templates.items() if _find_page(name)}
    others = [each for name, each in templates.items() if not name.startswith(_OF_REPORTS)]
    own = told.project / EXERCISES if told.project else None
    exercises = files_digest(own) if own and own.is_dir() else ""
    shared = _compute_digest(
        _compute_code_digest(), content, *others, _compute_content_digest("exercises"), exercises
    )
    return Edition(documents, pages, shared)


def _find_page(template: str) -> str:
    """The page of a report that a template gives; nothing where it gives none."""
    name = template.removeprefix(_OF_REPORTS).removesuffix(".md.j2")
    return name if template.startswith(_OF_REPORTS) and not name.startswith("_") else ""


def compute_metrics_edition() -> str:
    """Names all on which the metrics of a run depend besides its content."""
    return _compute_digest(
        _compute_code_digest(), _compute_content_digest("metrics", "store", "readers")
    )


def _compute_content_digest(*folders: str) -> str:
    """Digest of the content of these folders of the package."""
    return _compute_digest(*(files_digest(_PACKAGE / name, kinds=_CONTENT) for name in folders))


def check_code() -> None:
    """Other processes, which make several reports, run the code that is on disk now."""
    if code_on_disk() != code_digest():
        raise UsageError("the code of Perfolio is not that with which this began", hint=_AGAIN)


def _compute_digest(*parts: str) -> str:
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()


@cache
def _compute_code_digest() -> str:
    """Digest of the package's code and of what it uses; unchanged while this process runs."""
    versions = [f"{name} {version(name)}" for name in _DRAWN_BY]
    return files_digest(_PACKAGE, without=_NO_INPUT, kinds=(".py",)) + " ".join(versions)
