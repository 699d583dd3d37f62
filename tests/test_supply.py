"""What comes from others: locked by hash, run with the least rights, and named with its licence."""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from perfolio.site.minify import is_needless
from tests.kit.shared import ROOT

THEME = ROOT / "generator" / "perfolio" / "site" / "theme"
NOTICES = THEME / "assets" / "perfolio" / "third-party.txt"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"
OFFERED = sorted(
    path
    for path in (ROOT / "generator" / "perfolio" / "cli" / "skeletons" / "project").glob("*.yml")
    if path.name != "mkdocs.yml"
)
"""Workflows that `perfolio init` writes."""


def _name_workflow(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


WRITING = (
    ({"pages": "write", "id-token": "write"}, ["actions/deploy-pages"]),
    ({"id-token": "write"}, ["actions/download-artifact", "pypa/gh-action-pypi-publish"]),
)
"""Rights of a job that publishes, and the actions that it runs."""
INSTALLS = re.compile(r"\b(?:pip|npm|npx|uvx?|pipx)\b[^\n#]*?\b(?:install|ci|sync|add|exec|run)\b")


def packaged(package: str, path: str = "") -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / path


def workflow(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return {str(name): part for name, part in found.items()} | {"on": found[True]}  # type: ignore[index]


def jobs(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from workflow(path)["jobs"].items()


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for _, job in jobs(path):
        yield from job["steps"]


def test_each_package_of_node_is_locked_by_hash() -> None:
    locks = [one for one in ROOT.glob("tests/**/package-lock.json") if ".cache" not in one.parts]
    assert locks
    for lock in locks:
        packages = json.loads(lock.read_text("utf-8"))["packages"]
        assert len(packages) > 10
        assert [
            name
            for name, package in packages.items()
            if name and not re.fullmatch(r"sha512-[\w+/]{86}==", package.get("integrity", ""))
        ] == []


def test_what_is_installed_is_compared_with_its_hash() -> None:
    """But PyTorch, which tests alone use and which is locked by version, and our own package."""
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    commands = [line for line in makefile.splitlines() if "$(INSTALL)" in line]
    locked = [line for line in commands if "--require-hashes" in line and "--no-deps" in line]
    assert {line.split("-r ")[1] for line in locked} == {
        "requirements.lock",
        "requirements-dev.lock",
    }
    others = [line.strip() for line in commands if line not in locked and "'$(TORCH)'" not in line]
    assert others == ["$(INSTALL) --no-deps --no-build-isolation -e ."]
    assert re.findall(r"\bnpm \w+", makefile) == ["npm ci"]
    for path in [*WORKFLOWS, ROOT / ".ci" / "run"]:
        assert INSTALLS.findall(path.read_text("utf-8")) == [], path.name


@pytest.mark.parametrize("path", [*WORKFLOWS, *OFFERED], ids=_name_workflow)
def test_a_workflow_has_the_least_rights(path: Path) -> None:
    """Jobs that may write run no code of the repository."""
    assert workflow(path)["permissions"] == {"contents": "read"}
    for name, job in jobs(path):
        assert job["timeout-minutes"] <= 180, name
        rights = job.get("permissions", {})
        if "write" in rights.values():
            used = [step["uses"].split("@")[0] for step in job["steps"] if "uses" in step]
            assert (rights, used) in WRITING, name


@pytest.mark.parametrize("path", [*WORKFLOWS, *OFFERED], ids=_name_workflow)
def test_a_workflow_trusts_no_text_of_a_stranger(path: Path) -> None:
    """No secret where a stranger's code runs, and no title or branch in a script."""
    asked = workflow(path)["on"]
    assert not {"pull_request_target", "workflow_run", "issue_comment"} & set(asked)
    assert "secrets." not in path.read_text("utf-8")
    assert [step["run"] for step in steps(path) if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize("path", [*WORKFLOWS, *OFFERED], ids=_name_workflow)
def test_actions_are_pinned_by_commit_and_keep_no_credentials(path: Path) -> None:
    used = re.findall(r"uses: *(\S+)(.*)", path.read_text("utf-8"))
    assert len(used) == sum("uses" in step for step in steps(path))
    assert [
        action
        for action, version in used
        if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)
        or not re.fullmatch(r" # v\d+(\.\d+)*", version)
    ] == []
    for step in steps(path):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def entries() -> set[str]:
    """Works of others that the notices name with a licence whose text follows."""
    text, _, texts = NOTICES.read_text("utf-8").partition("Texts of the licences")
    blocks = re.findall(r"^(\S.*) \(([^()]+)\)\n((?:    \S.*\n)+)", text, re.MULTILINE)
    for name, licences, whose in blocks:
        assert whose, name
        for licence in licences.split(" and "):
            assert re.search(rf"^{re.escape(licence)}\n-+$", texts, re.MULTILINE), licence
    return {name for name, _, _ in blocks}


def patterns() -> list[str]:
    """Files of a site that the notices are about."""
    parts = re.findall(
        r"^Files:((?: +\S+)+(?:\n +\S+.*)*)", NOTICES.read_text("utf-8"), re.MULTILINE
    )
    return [pattern for part in parts for pattern in part.split()]


def test_each_script_of_others_in_a_site_is_named_with_its_licence() -> None:
    assets = packaged("material", "templates")
    shipped = {
        path.relative_to(assets).as_posix()
        for path in (assets / "assets").rglob("*")
        if path.suffix in {".js", ".css", ".woff2", ".png", ".svg"}
    }
    shipped = {path for path in shipped if not is_needless(path)} | {
        "assets/perfolio/vega-bundle.js"
    }
    assert len(shipped) >= 5
    assert [
        path for path in sorted(shipped) if not any(fnmatch(path, one) for one in patterns())
    ] == []


def test_each_package_in_the_theme_is_named_with_its_licence() -> None:
    sources = [
        source
        for path in packaged("material", "templates/assets").rglob("*.map")
        for source in json.loads(path.read_text("utf-8"))["sources"]
    ]
    used = {
        found[1]
        for one in sources
        if (found := re.search(r"node_modules/((?:@[^/]+/)?[^/]+)", one))
    }
    assert {"lunr", "rxjs"} <= used
    assert used - entries() == set()


def test_each_package_in_the_chart_library_is_named_with_its_licence() -> None:
    (library,) = packaged("vl_convert").glob("vl_convert*.so")
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        used = {
            found[1].decode()
            for found in re.finditer(rb"/npm/((?:@[a-z0-9-]+/)?[a-z0-9._-]+)@\d", data)
        }
    assert {"vega", "vega-lite", "vega-embed", "d3-array"} <= used
    assert used - entries() == set()
    assert "vl-convert-python" in entries()


def test_no_script_of_others_hides_among_ours() -> None:
    """Ours have no licence of their own: those of the project hold."""
    ours = [path for path in THEME.rglob("*") if path.suffix in {".js", ".css"}]
    assert len(ours) > 20
    assert [
        one.name for one in ours if re.search(r"(?i)copyright|@license|/\*!", one.read_text())
    ] == []


def test_a_report_in_one_file_has_the_notice_of_the_styles_in_it() -> None:
    (notice,) = [
        file.read_text("utf-8")
        for file in distribution("mkdocs-material").files or []
        if file.match("*.dist-info/**/LICENSE")
    ]
    assert "Martin Donath" in notice
    for file in (NOTICES, ROOT / "generator" / "perfolio" / "site" / "single" / "single.css"):
        text = " ".join(file.read_text("utf-8").split())
        for part in notice.split("\n\n"):
            assert " ".join(part.split()) in text, file.name
