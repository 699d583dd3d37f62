"""What a newcomer types: each way of docs/how-to/install.md, in environments that are empty.

Packages come from the package index, as they do for a newcomer; a report is made without it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

from tests.kit.databases import write_database
from tests.kit.shared import ROOT
from tests.test_packages import made_packages

PAGE = ROOT / "docs" / "how-to" / "install.md"
CONTAINER = ROOT / "Containerfile"
ACTION = ROOT / "action.yml"
WHEEL = f"perfolio-{version('perfolio')}-py3-none-any.whl"
GH = 'echo "$@" >> "$LOG"; case "$*" in *--jq*) cat posted;; *) echo 7 > posted;; esac'
"""A program that keeps what it is given, and has a comment once one was posted."""
OFFLINE = {"PIP_NO_INDEX": "1", "UV_OFFLINE": "1"}
ELSEWHERE = ("make ", "docker ", ".venv/", "tar ")
"""Commands of the page that other tests try, or that need another machine."""
Done = subprocess.CompletedProcess[str]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packages")]


def list_commands() -> list[str]:
    """The commands of the page, in its order."""
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


class Newcomer:
    """A folder, a home and a path with nothing of this machine's Python in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = [folder / "home" / ".local" / "bin"]
        (folder / "home").mkdir()

    def call(self, command: str, **more: str) -> Done:
        """A command as a shell runs it."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        for name in ("VIRTUAL_ENV", "XDG_CACHE_HOME"):
            kept.pop(name, None)
        path = os.pathsep.join([*map(str, self.programs), os.environ["PATH"]])
        own = {
            "HOME": str(self.folder / "home"), "PATH": path, "PIP_CACHE_DIR": str(find_pip_cache()),
            "PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1",
            "UV_CACHE_DIR": str(ROOT / ".cache" / "tests" / "uv"), "UV_PYTHON": sys.executable,
            "PIPX_DEFAULT_PYTHON": sys.executable, "PIPX_DEFAULT_BACKEND": "uv",
        }  # fmt: skip
        return subprocess.run(
            ["bash", "-e", "-c", command], cwd=self.folder, env={**kept, **own, **more},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def make_environment(self, name: str) -> None:
        """Activate an environment of its own, in place of an earlier one."""
        venv.create(self.folder / name, with_pip=True, symlinks=True)
        self.programs.insert(0, self.folder / name / "bin")


def find_pip_cache() -> Path:
    """Where the packages lie that `make` has fetched."""
    return Path(os.environ.get("PIP_CACHE_DIR", Path.home() / ".cache" / "pip"))


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Newcomer]:
    """With uv and pipx, the wheel, the lock and a profile; skips without a package index.

    Five environments are 2 GB and take 80 s of processor time: CI makes them.
    """
    if not os.environ.get("CI"):
        pytest.skip("five environments of 0.5 GB: set CI=1 to make them")
    folder = tmp_path_factory.mktemp("newcomer")
    one = Newcomer(folder)
    one.make_environment("tools")
    fetched = one.call("pip install uv pipx")
    if fetched.returncode:
        pytest.skip(f"no package index: {fetched.stderr.strip().splitlines()[-1]}")
    shutil.copy(made_packages()[0], folder)
    shutil.copy(ROOT / "requirements.lock", folder)
    write_database(folder / "profile.d")
    yield one
    shutil.rmtree(folder, ignore_errors=True)


def check_report(newcomer: Newcomer, perfolio: str = "perfolio") -> None:
    """The command makes a report, and asks no network for it."""
    site = newcomer.folder / "site"
    shutil.rmtree(site, ignore_errors=True)
    done = newcomer.call(f"{perfolio} build profile.d -o site", **OFFLINE)
    assert done.returncode == 0, done.stderr
    assert (site / "index.html").is_file()


def test_the_page_has_the_ways_that_are_tried_here() -> None:
    """A new command of the page needs a test."""
    tried = [one for one in list_commands() if not one.startswith(ELSEWHERE)]
    assert [one.split(" ./")[0].split(" '")[0] for one in tried] == [
        "uvx --from", "pipx install", "pip install", "pip install",
        "pip download --no-deps --require-hashes -r requirements.lock -d wheels",
        "pip install --no-index --find-links wheels",
    ]  # fmt: skip
    assert all(WHEEL in one for one in tried if "install" in one or "uvx" in one)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [one for one in tried[:3] if one not in readme] == []


def test_uvx_runs_it_without_installing(newcomer: Newcomer) -> None:
    (command,) = [one for one in list_commands() if one.startswith("uvx --from ./")]
    program, _, arguments = command.partition(" build ")
    assert arguments == "trace.json.gz --open"
    assert newcomer.call(f"{program} --version").stdout.startswith("perfolio")
    check_report(newcomer, program)


def test_pipx_installs_the_command(newcomer: Newcomer) -> None:
    (command,) = [one for one in list_commands() if one.startswith("pipx ")]
    done = newcomer.call(command)
    assert done.returncode == 0, done.stderr
    check_report(newcomer)
    newcomer.call("pipx uninstall perfolio")


def test_pip_installs_offline_what_was_downloaded_and_then_extras(newcomer: Newcomer) -> None:
    """The locked packages, without an index; and extras from the index above them."""
    download, install = [one for one in list_commands() if "wheels" in one]
    (extras,) = [one for one in list_commands() if one.startswith("pip install '")]
    newcomer.make_environment("offline")
    done = newcomer.call(download)
    assert done.returncode == 0, done.stderr
    done = newcomer.call(install, **OFFLINE)
    assert done.returncode == 0, done.stderr
    check_report(newcomer)
    lacking = newcomer.call("perfolio fleet ingest profile.d --lake lake")
    hint = lacking.stderr.partition("; ")[2].strip()
    assert "pip install" in hint
    assert "dask" in hint
    done = newcomer.call(extras)
    assert done.returncode == 0, done.stderr
    done = newcomer.call("perfolio fleet ingest profile.d --lake lake")
    assert done.returncode == 0, done.stderr
    again = newcomer.call(f"{hint} --dry-run")
    assert again.returncode == 0, again.stderr


def read_stages() -> list[list[tuple[str, str]]]:
    """Instructions of each stage of the container file."""
    text = CONTAINER.read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    stages: list[list[tuple[str, str]]] = []
    for line in lines:
        name, _, value = line.partition(" ")
        if name == "FROM":
            stages.append([])
        stages[-1].append((name, value))
    return stages


def test_the_container_file_is_small_and_runs_without_rights() -> None:
    build, last = read_stages()
    assert build[0][1].split(" ")[0] == last[0][1]
    assert ("USER", "perfolio") in last
    assert json.loads(dict(last)["ENTRYPOINT"]) == ["perfolio"]
    assert not [value for name, value in last if name == "RUN" and "install" in value]
    for name, value in build:
        if name == "COPY":
            *sources, _ = value.split()
            assert [one for one in sources if not (ROOT / one).exists()] == []


def test_steps_of_the_container_file_install_a_command_that_works(newcomer: Newcomer) -> None:
    build, _ = read_stages()
    source, prefix = newcomer.folder / "source", newcomer.folder / "opt"
    source.mkdir()
    for value in (value for name, value in build if name == "COPY"):
        *names, target = shlex.split(value)
        for name in names:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, source / (name if target == "./" else target))
    python = shlex.quote(sys.executable)
    for value in (value for name, value in build if name == "RUN"):
        step = value.replace("/opt/perfolio", str(prefix)).replace("--no-cache-dir ", "")
        step = re.sub(r"^python ", f"{python} ", step)
        done = newcomer.call(f"cd source && {step}")
        assert done.returncode == 0, done.stderr
    check_report(newcomer, str(prefix / "bin" / "perfolio"))


def read_action() -> dict[str, str]:
    """What the shell runs of each step of the action, by its name."""
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    steps = action["runs"]["steps"]
    assert all("${{" not in step["run"] for step in steps if "run" in step)
    return {step["name"]: step["run"] for step in steps if "run" in step}


def test_the_action_checks_comments_and_fails(tmp_path: Path) -> None:
    """As a runner runs it: with a program `gh` that keeps what it is given."""
    programs, installed = tmp_path / "bin", tmp_path / "perfolio" / "bin"
    programs.mkdir()
    installed.mkdir(parents=True)
    for name, body in (
        (installed / "perfolio", f'exec {shlex.quote(sys.executable)} -m perfolio "$@"'),
        (
            programs / "gh",
            'echo "$@" >> "$LOG"; case "$*" in *--jq*) cat posted;; *) echo 7 > posted;; esac',
        ),
    ):
        name.write_text(f"#!/bin/bash\n{body}\n")
        name.chmod(0o755)
    write_database(tmp_path / "profile.d")
    (tmp_path / "posted").touch()
    environment = {
        **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LOG": str(tmp_path / "log"),
        "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_REPOSITORY": "a/b", "PULL": "5", "PROFILE": "profile.d", "BASELINE": "",
        "PYTHONPATH": str(ROOT / "generator"), "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }  # fmt: skip

    def call(script: str, **more: str) -> Done:
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=tmp_path,
            env=environment | more, capture_output=True, text=True, check=False,
        )  # fmt: skip

    steps = read_action()
    assert call(steps["Check"], FAIL_ON="never").returncode == 0
    done = call(steps["Check"], FAIL_ON="info")
    assert done.returncode == 11, done.stderr
    assert "::" in done.stdout
    text = (tmp_path / "perfolio-comment.md").read_text("utf-8")
    assert text.startswith("<!-- perfolio action -->\n## Performance check: failed\n")
    assert text in (tmp_path / "summary.md").read_text("utf-8")
    trace = {"PROFILE": str(ROOT / "profiles" / "dlrm-cpu-torch" / "trace.json.gz")}
    added = call(f'{installed / "perfolio"} baseline add main "$PROFILE"', **trace)
    assert added.returncode == 0, added.stderr
    assert call(steps["Check"], BASELINE="main", **trace).returncode == 0
    for _ in range(2):
        done = call(steps["Comment"])
        assert done.returncode == 0, done.stderr
    posted = [line.split(" -F ")[0] for line in (tmp_path / "log").read_text().splitlines()]
    asked = [line for line in posted if "--jq" in line]
    assert all("--paginate" in line for line in asked), "ours may be behind a hundred others"
    done = call(steps["Check"], FAIL_ON="never", PROFILE="--help")
    assert (done.returncode, "--help" in done.stderr) == (3, True), "a profile is no option"
    assert [line for line in posted if line not in asked] == [
        "api repos/a/b/issues/5/comments",
        "api -X PATCH repos/a/b/issues/comments/7",
    ]
