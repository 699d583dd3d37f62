"""From what the reports and the site of a project were made, so that what holds stays.

In:  the package as it is on disk, a project's folder, its thresholds and exercises.
Out: an `Edition`, on which reports depend besides their profiles; `BuildStamps`, the reports of an
     earlier build and what stands beside them; a `SiteState`, looked at before a site is built and
     kept after it.

Files are as they were while their size and time are. Code is that with which the process runs;
content (SQL, rules, templates) is read again after each edit.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import yaml

from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import (
    State,
    code_digest,
    code_on_disk,
    files_digest,
    read_states,
)
from perfolio.common.errors import UsageError
from perfolio.findings.rules.threshold_overrides import ThresholdOverrides
from perfolio.pages.template_cache import compute_template_digests
from perfolio.pipeline.project_outcomes import ProjectOutcomes
from perfolio.site.site_marker import versions

_AGAIN = "start it again"
_PACKAGE = Path(__file__).resolve().parents[1]
_NO_INPUT = ("__pycache__", "cli", "simulation", "site", "verification", "writers")
"""Folders of the package on which no page of a report depends."""
_MADE_WITH = (
    "altair", "duckdb", "jinja2", "llnl-hatchet", "msgspec", "numpy", "pyarrow",
    "vl-convert-python",
)  # fmt: skip
"""Packages that read profiles, compute figures or draw: another version may give another report."""
_CONTENT = (".csv", ".j2", ".json", ".md", ".sql", ".toml", ".yaml")
_TOOLTIPS = ("glossary_terms.toml", "templates/glossary.md.j2")
"""From what words of the glossary are explained, on any page."""
GLOSSARY = "glossary.md"
_NAMES_GLOSSARY = re.compile(rf"^\s*- .+: {re.escape(GLOSSARY)}\s*$", re.MULTILINE)
_OF_REPORTS = "report/"
"""Folder of the templates that are a page of each report."""
EXERCISES = "exercises"
_ROOM = "build"
"""Where a project keeps the state of its reports and of its site."""
_SITE = _PACKAGE / "site"
_DOCS_HOOK = _PACKAGE.parent / "reference" / "docs_hook.py"
"""What gives our own site the pages that are generated, from all that the package holds."""
_OURS = {
    *(_SITE / name for name in ("base.yml", "hooks.py", "theme")),
    _PACKAGE / "pipeline" / "refresh_hook.py",
    _DOCS_HOOK,
}
"""Files and folders that settings may name: other ones may read anything."""
_PLUGIN = "perfolio"
"""Ours, which names base.yml, hooks.py and the theme."""
_OF_CODE = ("plugins", "markdown_extensions")
"""Settings that may name other code; what files others name are among the pages."""


@dataclass(frozen=True)
class Edition:
    """On what reports depend besides their profiles, as digests."""

    documents: str
    templates: Mapping[str, str]
    """Digest of what each page of a report depends on besides its documents."""
    shared: str
    """Digest of what the pages depend on that stand beside the reports."""


def compute_edition(
    overrides: ThresholdOverrides, project: Path | None, outcomes: ProjectOutcomes
) -> Edition:
    """The present edition with these thresholds, exercises of a project, and its outcomes."""
    code = _compute_code_digest()
    content = files_digest(_PACKAGE, without=(*_NO_INPUT, "pages", "exercises"), kinds=_CONTENT)
    templates = compute_template_digests(_PACKAGE / "pages" / "templates")
    tooltips = make_key(*((_PACKAGE / "pages" / name).read_bytes() for name in _TOOLTIPS))
    others = [each for name, each in templates.items() if not name.startswith(_OF_REPORTS)]
    own = project / EXERCISES if project else None
    exercises = files_digest(own) if own and own.is_dir() else ""
    return Edition(
        documents=make_key(code, content, repr(sorted(overrides.by_code.items())), repr(outcomes)),
        templates={
            _find_page(name): make_key(each, tooltips)
            for name, each in templates.items()
            if _find_page(name)
        },
        shared=make_key(
            code,
            content,
            *others,
            _compute_content_digest("exercises"),
            exercises,
            str(project is not None and has_glossary(project)),
            repr(outcomes),
        ),
    )


def has_glossary(project: Path) -> bool:
    """Whether a project has one: as a file, or in its navigation, where a hook makes it."""
    settings = project / "mkdocs.yml"
    return (project / "docs" / GLOSSARY).is_file() or (
        settings.is_file() and _NAMES_GLOSSARY.search(settings.read_text("utf-8")) is not None
    )


def _find_page(template: str) -> str:
    """The page of a report that a template gives; nothing where it gives none."""
    name = template.removeprefix(_OF_REPORTS).removesuffix(".md.j2")
    return name if template.startswith(_OF_REPORTS) and not name.startswith("_") else ""


def compute_metrics_edition() -> str:
    """Names all on which the metrics of a run depend besides its content."""
    return make_key(_compute_code_digest(), _compute_content_digest("metrics", "store", "readers"))


def check_code() -> None:
    """Other processes, which make several reports, run the code that is on disk now."""
    if code_on_disk() != code_digest():
        raise UsageError("the code of Perfolio is not that with which this began", hint=_AGAIN)


def _compute_content_digest(*folders: str) -> str:
    return make_key(*(files_digest(_PACKAGE / name, kinds=_CONTENT) for name in folders))


@cache
def _compute_code_digest() -> str:
    """Digest of the package's code and of what it uses; unchanged while this process runs."""
    used = (f"{name} {_find_version(name)}" for name in _MADE_WITH)
    return make_key(files_digest(_PACKAGE, without=_NO_INPUT, kinds=(".py",)), *used)


def _find_version(package: str) -> str:
    """The version that is installed; empty where an extra's package is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@dataclass(frozen=True)
class WrittenFiles:
    """Files that an earlier build wrote, and from what they were made."""

    key: str
    """Digest of all that they were made from."""
    files: State

    def hold(self, key: str, folder: Path) -> bool:
        """Whether they would be made from the same now, and lie there as they were written."""
        return self.key == key and self.files == read_states(folder, self.files)


@dataclass(frozen=True)
class ReportStamp(WrittenFiles):
    """A report. Its key names the files of its profile and the edition of its documents."""

    slug: str
    templates: Mapping[str, str]
    """Digest of the templates of each of its pages, by the page's name."""
    document: str
    """Digest of its findings.json."""
    numbers: str
    """Digest of it without words."""


@dataclass(frozen=True)
class SharedPart(WrittenFiles):
    """What stands beside the reports, as far as it is made at once."""

    read: Sequence[str]
    """Short names of the runs among that from which it was made."""


_FORM = make_key(*ReportStamp.__dataclass_fields__, *SharedPart.__dataclass_fields__)
"""Stamps of a version that notes something else are none."""


@dataclass(frozen=True)
class BuildStamps:
    """The reports of an earlier build by the path of the profile, and what stands beside them."""

    reports: Mapping[str, ReportStamp] = field(default_factory=dict)
    parts: Mapping[str, SharedPart] = field(default_factory=dict)

    def list_files(self) -> set[str]:
        """Every file that was written."""
        written = (*self.reports.values(), *self.parts.values())
        return {name for each in written for name in each.files}

    def keep(self, root: Path) -> None:
        """Keep them; without them the next build makes all reports again."""
        Cache(_ROOM, root).keep(_FORM, json.dumps(asdict(self)).encode(), "reports")


def load_stamps(root: Path) -> BuildStamps:
    """The stamps of an earlier build; none where they cannot be read."""
    stored = Cache(_ROOM, root).load(_FORM, "reports")
    if stored is None:
        return BuildStamps()
    stamps = json.loads(stored)
    return BuildStamps(
        {path: ReportStamp(**stamp) for path, stamp in stamps["reports"].items()},
        {name: SharedPart(**part) for name, part in stamps["parts"].items()},
    )


@dataclass(frozen=True)
class SiteState:
    """A project and the folder of its site, and from what it would be made now."""

    root: Path
    site: Path
    made_from: str | None
    """A digest; None where nobody can tell."""

    def holds(self) -> bool:
        """Whether the site was made from just that, and is as it was written."""
        if self.made_from is None:
            return False
        return Cache(_ROOM, self.root).load(self._compute_key(self.made_from), "site") is not None

    def keep(self) -> None:
        """Note that the site was built from this; without the note, the next build makes it."""
        if self.made_from is not None:
            Cache(_ROOM, self.root).keep(self._compute_key(self.made_from), b"", "site")

    def _compute_key(self, made_from: str) -> str:
        site = self.site.resolve()
        return make_key(os.fspath(site), made_from, repr(read_states(site)))


def find_site_state(root: Path, site: Path) -> SiteState:
    """From what the site of the project in `root` would be made now, at `site`."""
    settings = (root / "mkdocs.yml").read_bytes()
    if not _is_plain(root, settings):
        return SiteState(root, site, None)
    folders = (_PACKAGE, _DOCS_HOOK.parent) if _DOCS_HOOK.name.encode() in settings else (_SITE,)
    content = (files_digest(folder, without=("__pycache__",)) for folder in folders)
    pages = repr(read_states(root / "docs"))
    key = make_key(code_digest(), *content, repr(versions()), settings, pages)
    return SiteState(root, site, key)


def _is_plain(root: Path, settings: bytes) -> bool:
    """Whether settings name no code but ours, and nothing of the environment."""
    try:
        entries = yaml.safe_load(settings)
    except yaml.YAMLError:  # tags of MkDocs, `!ENV` say
        return False
    if not isinstance(entries, dict):
        return False
    is_plugin = entries.get("plugins") == [_PLUGIN]
    if any(entries.get(key) for key in _OF_CODE if not (is_plugin and key == "plugins")):
        return False
    theme = entries.get("theme") or {}
    if not isinstance(theme, dict) or theme.get("name", "material") != "material":
        return False
    hooks, base = entries.get("hooks") or [], entries.get("INHERIT")
    named = [base, theme.get("custom_dir"), *([hooks] if isinstance(hooks, str) else hooks)]
    return bool(base or is_plugin) and all(
        (root / str(name)).resolve() in _OURS for name in named if name
    )
