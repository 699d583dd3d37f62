"""Plain MkDocs on a project: refreshed, with its reports in the navigation, watched."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files, get_files
from mkdocs.structure.nav import get_navigation

from perfolio.common.errors import InputError, SiteError, UsageError, WorkerError
from perfolio.common.progress import Progress
from perfolio.pipeline import project as project_module
from perfolio.site import hooks, local_server
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.local_server import SiteServer
from perfolio.site.minify import trim_files
from perfolio.site.serve import serve_site
from tests.kit.shared import ROOT

SITE = ROOT / "generator" / "perfolio" / "site"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one report; its mkdocs.yml is ours with fewer pages."""
    pages = {
        "docs/index.md": "# Start\n",
        "docs/reports/index.md": "# Reports\n",
        "docs/reports/a/findings.md": "# Findings\n",
        "docs/reports/a/findings.json": json.dumps({"run": {"title": "Run A"}}),
        "docs/reports/a/charts/c.js": "window.perfolio.specs.c = {};",
        "generator/perfolio/findings/rules/x.md": "a rule",
        "profiles/a/profile.toml": "",
        "mkdocs.yml": json.dumps(
            {
                "INHERIT": str(SITE / "base.yml"),
                "theme": {"custom_dir": str(SITE / "theme")},
                "hooks": [
                    str(SITE.parent / "pipeline" / "refresh_hook.py"),
                    str(SITE / "hooks.py"),
                ],
                "extra": {"perfolio_refresh": True},
                "nav": [{"Start": "index.md"}, {"Reports": "reports/index.md"}],
            }
        ),
    }
    sync_tree(pages, tmp_path)
    return tmp_path


@pytest.fixture
def config(project: Path) -> MkDocsConfig:
    return load_config(str(project / "mkdocs.yml"))


def test_the_reports_are_refreshed_before_the_navigation_is_made(
    config: MkDocsConfig, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refresh(root: Path, **_context: object) -> None:
        sync_tree({"findings.md": "# Findings\n"}, root / "docs" / "reports" / "b")

    monkeypatch.setattr(project_module, "refresh_project", refresh)
    nav = config.plugins.on_config(config).nav

    assert (project / "docs" / "reports" / "b" / "findings.md").is_file()
    assert nav is not None
    assert [next(iter(item)) for item in nav[1]["Reports"]] == ["All reports", "Run A", "b"]


def test_an_error_of_ours_is_one_line_of_mkdocs(
    config: MkDocsConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(root: Path, **_context: object) -> None:
        raise InputError(f"{root}: no profiles", hint="add one")

    monkeypatch.setattr(project_module, "refresh_project", refuse)
    with pytest.raises(PluginError, match="no profiles; add one"):
        config.plugins.on_config(config)


@pytest.mark.parametrize(("refresh", "kind"), [(True, PluginError), (False, WorkerError)])
def test_a_process_that_is_ended_is_one_line_of_mkdocs_where_that_runs_alone(
    config: MkDocsConfig, monkeypatch: pytest.MonkeyPatch, refresh: bool, kind: type[Exception]
) -> None:
    def ended(*_: object) -> None:
        raise WorkerError("a process was ended", hint="free memory")

    monkeypatch.setattr(hooks, "convert_ahead", ended)
    config.extra["perfolio_refresh"] = refresh
    files = get_files(config)
    with pytest.raises(kind, match="a process was ended; free memory"):
        hooks.on_nav(get_navigation(files, config), config, files)


def test_a_project_may_ask_for_no_refresh(
    config: MkDocsConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(project_module, "refresh_project")
    config.extra["perfolio_refresh"] = False

    assert hooks.on_config(config).extra["perfolio_version"]


def test_the_chart_library_is_added_where_there_are_charts(config: MkDocsConfig) -> None:
    added = {file.src_uri for file in config.plugins.on_files(get_files(config), config=config)}

    assert "assets/perfolio/vega-bundle.js" in added
    assert "assets/perfolio/chart-themes.js" in added
    assert len(config.plugins.on_files(Files([]), config=config)) == 0


@pytest.mark.parametrize("trees", [True, False])
@pytest.mark.parametrize("tiled", [True, False])
def test_scripts_are_there_where_a_report_has_what_they_draw(
    config: MkDocsConfig, *, tiled: bool, trees: bool
) -> None:
    timeline = ["assets/perfolio/timeline-view.js", "reports/a/timeline/r.js"]
    tree = ["assets/perfolio/tree-view.js", "reports/a/charts/cpu_icicle.js"]
    scripts = ["assets/perfolio/canvas.js", timeline[0], tree[0]]
    given = [*scripts, *timeline[1 : 1 + tiled], *tree[1 : 1 + trees]]
    places = (config.docs_dir, config.site_dir, config.use_directory_urls)
    files = Files([File(name, *places) for name in given])
    trim_files(files, config)

    wanted = [*(timeline if tiled else []), *(tree if trees else [])]
    assert sorted(files.src_uris) == sorted([*scripts[: tiled or trees], *wanted])


def test_without_a_cache_folder_the_chart_library_is_made_anew(
    config: MkDocsConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    files = config.plugins.on_files(get_files(config), config=config)
    bundle = files.get_file_from_path("assets/perfolio/vega-bundle.js")

    assert bundle is not None
    assert "perfolioVega" in bundle.content_string


def test_profiles_exercises_and_rules_are_watched(
    config: MkDocsConfig, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ignored: list[Path] = []
    monkeypatch.setattr(local_server, "ignore_reports", lambda _, docs: ignored.append(docs))
    (project / "exercises").mkdir()
    (project / "generator" / "perfolio" / "exercises" / "shipped").mkdir(parents=True)
    theirs = LiveReloadServer(lambda: None, "127.0.0.1", 0, str(project / "site"))
    theirs.watch(str(project / "docs"))
    server = hooks.on_serve(theirs, config, builder=None)

    assert isinstance(server, SiteServer)
    assert list(server._watched_paths) == [
        str(project / name)
        for name in (
            "docs", "profiles", "exercises", "generator/perfolio/findings",
            "generator/perfolio/exercises/shipped",
        )
    ]  # fmt: skip
    assert ignored == [project / "docs"]

    config.extra["perfolio_refresh"] = False
    hooks.on_serve(server, config, builder=None).server_close()
    assert ignored == [project / "docs"], "else reports are written by others"


@pytest.mark.slow
def test_plain_mkdocs_builds_a_site_that_perfolio_may_replace(project: Path) -> None:
    settings = json.loads((project / "mkdocs.yml").read_text())
    settings["extra"]["perfolio_refresh"] = False
    (project / "mkdocs.yml").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "mkdocs.yml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert (project / "site" / ".perfolio-site").is_file()
    assert "Run A" in (project / "site" / "reports" / "a" / "findings.html").read_text()
    assert (project / "site" / "assets" / "perfolio" / "vega-bundle.js").is_file()


def test_serving_a_project_that_does_not_exist_is_our_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(SiteError, match="cannot serve"):
        serve_site(tmp_path / "mkdocs.yml")
    assert list(tmp_path.iterdir()) == [], "MkDocs leaves a folder"
    assert tempfile.tempdir == str(tmp_path)


def test_serving_says_why_a_build_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging.getLogger("mkdocs")
    monkeypatch.setattr(log, "handlers", [])
    with pytest.raises(SiteError):
        serve_site(tmp_path / "mkdocs.yml")
    logging.getLogger("mkdocs.plugins").error("index.md.j2:109: unexpected end")
    assert "ERROR: index.md.j2:109: unexpected end\n" in capsys.readouterr().err


def test_a_refresh_says_in_the_log_what_it_does(
    config: MkDocsConfig, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refresh(_root: Path, *, progress: Progress, say: Callable[[str], None]) -> None:
        progress.start("dlrm: metrics", None)
        progress.start("metrics, charts and pages", 12)
        say("exercises/own/exercise.md:3: nothing there")

    monkeypatch.setattr(project_module, "refresh_project", refresh)
    with caplog.at_level(logging.INFO, "mkdocs"):
        config.plugins.on_config(config)

    assert caplog.messages == [
        "dlrm: metrics",
        "metrics, charts and pages (12)",
        "exercises/own/exercise.md:3: nothing there",
    ]


def test_fresh_reports_without_the_hook_that_makes_them_are_refused(project: Path) -> None:
    settings = json.loads((project / "mkdocs.yml").read_text())
    settings["hooks"] = [str(SITE / "hooks.py")]
    (project / "mkdocs.yml").write_text(json.dumps(settings))
    config = load_config(str(project / "mkdocs.yml"))
    with pytest.raises(PluginError, match=r"add generator/perfolio/pipeline/refresh_hook\.py"):
        config.plugins.on_config(config)


@pytest.mark.parametrize("old", ["generator/site/base.yml", "generator/site/hooks.py"])
def test_settings_that_name_our_files_where_they_were_are_refused(tmp_path: Path, old: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text(f"INHERIT: {old}\nhooks: [{old}]\n")
    with pytest.raises(UsageError, match="which is generator/perfolio/site"):
        serve_site(tmp_path / "mkdocs.yml")
    with pytest.raises(UsageError, match="which is generator/perfolio/site"):
        build_site(tmp_path / "docs", tmp_path / "site", config=tmp_path / "mkdocs.yml")
