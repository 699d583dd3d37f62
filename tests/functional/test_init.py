"""`perfolio init`: a project that Perfolio and plain MkDocs build alike, from its first minute."""

from __future__ import annotations

import logging
import os
import shutil
from filecmp import dircmp
from pathlib import Path

import pytest
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, ConfigurationError

from perfolio.pipeline.mkdocs_plugin import PerfolioPlugin
from perfolio.site.build import silence_notice
from tests.functional.conftest import Run

TITLE = 'Our "solver" <b> & $x: y'
WRITTEN = {
    ".github/workflows/pages.yml", ".github/workflows/performance.yml", ".gitignore",
    "docs/index.md", "mkdocs.yml", "perfolio.toml", "profiles/example/profile.toml",
    "profiles/example/scenario.toml", "requirements.txt",
}  # fmt: skip


def list_files(folder: Path) -> set[str]:
    return {one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file()}


def find_differences(pair: dircmp[str]) -> list[str]:
    found = [*pair.left_only, *pair.right_only, *pair.diff_files]
    return found + [name for below in pair.subdirs.values() for name in find_differences(below)]


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    done = run("init", "mine", "--title", TITLE)
    assert done.returncode == 0, done.stderr
    assert "perfolio serve" in done.stdout
    return tmp_path / "mine"


def build_by_mkdocs(project: Path, site: str) -> None:
    silence_notice()
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    build(load_config(os.fspath(project / "mkdocs.yml"), site_dir=os.fspath(project / site)))


@pytest.mark.slow
@pytest.mark.usefixtures("imageless")
def test_a_new_project_builds_by_perfolio_and_by_mkdocs_alike(run: Run, project: Path) -> None:
    assert list_files(project) == WRITTEN
    assert yaml.safe_load((project / "mkdocs.yml").read_text())["plugins"] == ["perfolio"]
    build_by_mkdocs(project, "plain")  # strict: what it says of the new report is no warning
    first = run("build", "-o", "ours", cwd=project)
    assert first.returncode == 0, first.stderr
    assert find_differences(dircmp(project / "ours", project / "plain")) == []
    page = (project / "ours" / "index.html").read_text("utf-8")
    assert "Our &#34;solver&#34; &lt;b&gt; &amp; $x: y" in page
    assert "<b> &" not in page
    assert (project / "ours" / "reports" / "example" / "findings.json").is_file()
    again = run("build", "-o", "ours", cwd=project)
    assert again.stdout.endswith("ours/index.html is up to date\n")
    shared = run("build", "--share", "-o", "public", cwd=project)
    assert shared.returncode == 0, shared.stderr


def test_what_is_there_is_not_overwritten(run: Run, project: Path) -> None:
    before = (project / "mkdocs.yml").read_text()
    again = run("init", ".", cwd=project)
    assert again.returncode == 2
    assert again.stderr.count("\n") == 1
    assert "is there already" in again.stderr
    assert (project / "mkdocs.yml").read_text() == before
    (project / "mkdocs.yml").unlink()
    (project / ".gitignore").write_text("mine\n")
    third = run("init", ".", cwd=project)
    assert third.returncode == 0, third.stderr
    assert "Kept .gitignore, which was there" in third.stdout
    assert (project / ".gitignore").read_text() == "mine\n"


@pytest.mark.parametrize("title", ["", "  ", "two\nlines", "x" * 201, "bell\a"])
def test_a_title_is_one_line(run: Run, tmp_path: Path, title: str) -> None:
    done = run("init", tmp_path / "mine", "--title", title)
    assert done.returncode == 2
    assert "must be one line of 1 to 200 characters" in done.stderr
    assert not (tmp_path / "mine").exists()


def test_a_project_without_profiles_says_what_to_do(run: Run, project: Path) -> None:
    shutil.rmtree(project / "profiles" / "example")
    done = run("build", cwd=project)
    assert done.returncode == 3
    assert "no profile found there" in done.stderr


def read_merged(project: Path, text: str) -> dict[str, object]:
    """What the plugin makes of settings: nothing is refreshed."""
    path = project / "mkdocs.yml"
    refresh = str("docs_dir" in text).lower()
    (project / "pages").mkdir()
    path.write_text(
        f"site_name: x\nplugins: [perfolio]\nextra: {{perfolio_refresh: {refresh}}}\n{text}"
    )
    config = load_config(os.fspath(path), site_dir=os.fspath(project / "elsewhere"))
    plugin = config.plugins["perfolio"]
    assert isinstance(plugin, PerfolioPlugin)
    return dict(plugin.on_config(config))


def test_settings_of_a_project_stand_above_ours(project: Path) -> None:
    merged = read_merged(
        project,
        "markdown_extensions: [meta]\ntheme: {name: material, language: de}\n"
        "use_directory_urls: true\n",
    )
    assert merged["use_directory_urls"] is True
    assert {"meta", "tables", "pymdownx.tabbed"} <= set(merged["markdown_extensions"])  # type: ignore[call-overload]
    assert str(merged["site_dir"]).endswith("elsewhere")
    theme = merged["theme"]
    assert theme["language"] == "de"  # type: ignore[index]
    assert theme["font"] is False  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("theme: readthedocs\n", "need the theme material"),
        ("docs_dir: pages\n", "reports are made in docs"),
        ("hooks: [none.py]\n", "configuration error"),
    ],
)
def test_settings_that_cannot_be_are_named(project: Path, text: str, says: str) -> None:
    with pytest.raises((ConfigurationError, Abort), match=says):
        read_merged(project, text)


def test_files_hooks_and_plugins_of_a_project_are_kept(project: Path) -> None:
    """Its files of the theme stand before ours; each hook and plugin is asked once."""
    (project / "overrides").mkdir()
    (project / "hook.py").write_text(
        "def on_config(config):\n    config.extra_css.append('x.css')\n    return config\n"
    )
    (project / "docs" / "x.css").touch()
    (project / "mkdocs.yml").write_text(
        "site_name: x\nhooks: [hook.py]\ntheme: {name: material, custom_dir: overrides}\n"
        "plugins: {perfolio: {}, search: {lang: [de]}}\nextra: {perfolio_refresh: false}\n"
    )
    config = load_config(os.fspath(project / "mkdocs.yml"))
    merged = config.plugins.on_config(config)
    assert merged.extra_css == ["x.css"]
    assert merged.plugins is config.plugins
    (search,) = [one for name, one in merged.plugins.items() if name.endswith("search")]
    assert search.config["lang"] == ["de"]
    first, second, *_ = merged.theme.dirs
    assert first == os.fspath(project / "overrides")
    assert Path(second).parts[-2:] == ("site", "theme")


def test_the_gate_of_a_new_project_is_a_workflow(project: Path) -> None:
    text = (project / ".github" / "workflows" / "performance.yml").read_text("utf-8")
    steps = yaml.safe_load(text)["jobs"]["gate"]["steps"]
    last = [step["run"] for step in steps if "run" in step][-1]
    assert last.endswith("check run --against main --format github")
    assert "head.repo.full_name == github.repository" in yaml.safe_load(text)["jobs"]["gate"]["if"]
    assert "./wheels/perfolio-" in (project / "requirements.txt").read_text()
