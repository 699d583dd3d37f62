"""Runs MkDocs on a folder of Markdown; the site appears whole or not at all."""

from __future__ import annotations

import errno
import html
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfolio.common.atomic_output import make_temporary_folder, replace_folder
from perfolio.common.errors import OutputError, SiteError, UsageError
from perfolio.common.processes import start_beside
from perfolio.site.navigation import Nav, find_only_summary, make_site_nav
from perfolio.site.site_marker import refuse_foreign

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

Proof = Callable[[Path], None]
FOR_USER = "user"
"""Says in the settings of a build that its pages are kept in the user's cache."""
_HERE = Path(__file__).resolve().parent
_CANNOT_WRITE = {
    errno.EACCES,
    errno.EDQUOT,
    errno.EFBIG,
    errno.ENOSPC,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}


def build_site(
    docs_dir: Path,
    site_dir: Path,
    *,
    config: Path | None = None,
    site_name: str = "Performance reports",
    cached: bool = True,
    proof: Proof | None = None,
) -> None:
    """Build the Markdown in `docs_dir` into `site_dir`, replacing an earlier site.

    With `config` (a project's mkdocs.yml) its settings hold and `site_name` is not used; without
    it the packaged ones do, with a navigation over the reports found. The pages are taken as they
    are: nothing is refreshed. Without `cached`, every page is converted, also where an earlier
    build of the project kept what it would give. `proof` looks at the finished site before it
    takes its place, and raises an error where it must not.

    Raises SiteError when MkDocs refuses the pages or warns about them, OutputError when
    `site_dir` cannot be written or holds something that Perfolio did not make.
    """
    check_date()
    target = site_dir.resolve()  # a symbolic link stays, what it points to is replaced
    refuse_foreign(target)
    try:
        with replace_folder(target) as partial, make_temporary_folder() as scratch:
            settings = config or _write_packaged_config(
                scratch, docs_dir, site_name, make_site_nav(docs_dir)
            )
            keep = (None if config else FOR_USER) if cached else False
            asked = settings, docs_dir, partial, target
            if config is not None:  # it may name code of its own
                _run_mkdocs(*asked, keep=keep)
            else:
                start_beside(_run_mkdocs, *asked, keep=keep).get_result()
            if proof is not None:
                proof(partial)
    except OSError as error:
        raise _make_write_error(target, error) from error


def _write_packaged_config(folder: Path, docs_dir: Path, site_name: str, nav: Nav) -> Path:
    """A mkdocs.yml outside of any project: the packaged settings, with paths and names."""
    import yaml

    settings: dict[str, Any] = {
        "INHERIT": str(_HERE / "base.yml"),
        "site_name": html.escape(site_name),
        "docs_dir": str(docs_dir.resolve()),
        "theme": {"custom_dir": str(_HERE / "theme")},
        "hooks": [str(_HERE / "hooks.py")],
        "nav": nav,
    }
    if home := find_only_summary(docs_dir):
        settings["extra"] = {"homepage": home}
    path = folder / "mkdocs.yml"
    path.write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
    return path


def _run_mkdocs(
    settings: Path, docs_dir: Path, partial: Path, target: Path, *, keep: str | bool | None
) -> None:
    """Build into `partial`; every warning of MkDocs is an error here."""
    silence_notice()
    import yaml
    from jinja2 import TemplateError
    from mkdocs.commands.build import build
    from mkdocs.exceptions import MkDocsException

    with collect_warnings() as warnings:
        try:
            build(_load_settings(settings, docs_dir, partial, keep=keep))
        except (MkDocsException, TemplateError, yaml.YAMLError) as error:
            raise SiteError(_describe_failure(warnings, error)) from error
        except OSError as error:
            if error.errno in _CANNOT_WRITE:
                raise _make_write_error(target, error) from error
            raise SiteError(_describe_failure(warnings, error)) from error
    if warnings:
        raise SiteError(_describe_failure(warnings, None))


def _load_settings(
    settings: Path, docs_dir: Path, partial: Path, *, keep: str | bool | None
) -> MkDocsConfig:
    """The settings of a build; with `keep`, where its pages are kept: None as they say."""
    from mkdocs.config import load_config

    check_paths(settings)

    loaded = load_config(str(settings), docs_dir=str(docs_dir.resolve()), site_dir=str(partial))
    loaded.extra["perfolio_refresh"] = False
    if keep is not None:
        loaded.extra["perfolio_keep"] = keep
    return loaded


def check_paths(settings: Path) -> None:
    """Refuse a mkdocs.yml that names our files where they no longer are."""
    with suppress(OSError, ValueError):
        if "generator/site/" in settings.read_text("utf-8"):
            raise UsageError(
                f"{settings}: names files in generator/site, which is generator/perfolio/site",
                hint="write that, and add generator/perfolio/pipeline/refresh_hook.py below hooks",
            )


def check_date() -> None:
    """Refuse a SOURCE_DATE_EPOCH in which MkDocs would see no date."""
    value = os.environ.get("SOURCE_DATE_EPOCH", "0")
    try:
        datetime.fromtimestamp(int(value), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f"SOURCE_DATE_EPOCH: must be a time in seconds since 1970, not {value!r}",
            hint="unset it",
        ) from error


def silence_notice() -> None:
    """Keep Material's notice about MkDocs 2 out of our output; before its import."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """What MkDocs warns about meanwhile, instead of on the terminal."""
    messages: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("mkdocs")
    before = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
        logger.propagate = before[0]
        logger.setLevel(before[1])


def _describe_failure(warnings: list[str], error: Exception | None) -> str:
    """One line: the first complaint, and how many more there are."""
    first = warnings[0] if warnings else str(error)
    more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return f"MkDocs: {first}{more}"


def _make_write_error(target: Path, error: OSError) -> OutputError:
    problem = error.strerror or str(error)
    return OutputError(f"{target}: cannot be written: {problem}", hint="choose another folder")
