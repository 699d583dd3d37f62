"""Builds a release: a wheel and a source archive, the same bytes each time, and what is in them.

    python generator/release.py dist                  # the wheel alone: `make wheel`
    python generator/release.py dist --version 0.1.0  # a release: `make release VERSION=0.1.0`

In:  the commit that is checked out. Out: the folder, with the packages, their hashes, and the list
     of packages that Perfolio runs with (CycloneDX). A release also gets its tag in git.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_BUILD = "from hatchling import build; print(build.build_{kind}({folder!r}))"
_LOCKED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_MADE = ("perfolio/prepared/", ".dist-info/")
"""Parts of names in a wheel that stand in no commit."""
_OF_ARCHIVE = {"PKG-INFO", ".gitignore"}


class ReleaseError(Exception):
    """Why there is no release, in one line."""


def main() -> None:
    """Build what the arguments ask for; an error ends with one line."""
    parser = argparse.ArgumentParser(description="Build the packages of Perfolio.")
    parser.add_argument("folder", type=Path, help="where they go")
    parser.add_argument("--version", help="make a release of this version, with its tag")
    given = parser.parse_args()
    try:
        if given.version is None:
            print(build_packages(ROOT, given.folder, ("wheel",))[0])  # noqa: T201
            return
        for line in make_release(given.folder, given.version):
            print(line)  # noqa: T201
    except ReleaseError as problem:
        sys.exit(f"release: {problem}")


def make_release(folder: Path, version: str) -> Iterator[str]:
    """Build a release of what is committed; yields lines on what was done. Raises ReleaseError."""
    _check_version(version)
    tag = f"v{version}"
    if _run_git("status", "--porcelain"):
        raise ReleaseError("there are changes that are not committed: commit them")
    is_tagged = bool(_run_git("tag", "--list", tag))
    if is_tagged and _run_git("rev-parse", f"{tag}^{{commit}}") != _run_git("rev-parse", "HEAD"):
        raise ReleaseError(f"{tag} is of another commit: choose another version")
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        built = [
            build_packages(_copy_commit(Path(one)), Path(one) / "out") for one in (first, second)
        ]
        for one, other in zip(*built, strict=True):
            if one.read_bytes() != other.read_bytes():
                raise ReleaseError(f"{one.name}: two builds differ")
            yield f"{one.name}: two builds are equal"
        folder.mkdir(parents=True, exist_ok=True)
        made = [Path(shutil.copy(one, folder)) for one in built[0]]
    for one in made:
        if strays := list_strays(one):
            raise ReleaseError(f"{one.name}: holds what no commit has: {', '.join(strays[:5])}")
    bill = folder / f"perfolio-{version}.cdx.json"
    bill.write_text(json.dumps(make_bill_of_materials(version), indent=1) + "\n", "utf-8")
    sums = [f"{sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in (*made, bill)]
    (folder / "SHA256SUMS").write_text("".join(sums), "utf-8")
    yield f"Wrote {folder}: {len(made)} packages, {bill.name} and SHA256SUMS"
    if not is_tagged:
        _run_git("tag", "--annotate", tag, "--message", f"Perfolio {version}")
        yield f"Tagged {tag}; publish it: git push origin {tag}"


def build_packages(
    root: Path, folder: Path, kinds: tuple[str, ...] = ("wheel", "sdist")
) -> list[Path]:
    """Build packages of the project in `root`, dated by its last commit. Raises ReleaseError."""
    folder.mkdir(parents=True, exist_ok=True)
    date = {"SOURCE_DATE_EPOCH": _run_git("log", "-1", "--format=%ct"), "PYTHONHASHSEED": "0"}
    found = []
    for kind in kinds:
        program = _BUILD.format(kind=kind, folder=str(folder.resolve()))
        done = subprocess.run(  # noqa: S603 - ours
            [sys.executable, "-c", program], cwd=root, env=os.environ | date,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise ReleaseError(f"{kind}: {(done.stderr.strip() or 'it ended').splitlines()[-1]}")
        found.append(folder / done.stdout.splitlines()[-1])
    return found


def list_strays(package: Path) -> list[str]:
    """Files of a package that are of no commit and that no build makes."""
    known = set(_run_git("ls-files").splitlines())
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            names = {f"generator/{name}" for name in wheel.namelist()}
        return sorted(name for name in names - known if not any(one in name for one in _MADE))
    with tarfile.open(package) as archive:
        names = {str(PurePosixPath(*PurePosixPath(name).parts[1:])) for name in archive.getnames()}
    return sorted(names - known - _OF_ARCHIVE)


def make_bill_of_materials(version: str, root: Path = ROOT) -> dict[str, Any]:
    """The packages of requirements.lock as CycloneDX 1.6: name, version, hashes, licence."""
    text = (root / "requirements.lock").read_text("utf-8")
    places = list(_LOCKED.finditer(text))
    ends = [*(one.start() for one in places[1:]), len(text)]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _describe_package("perfolio", version, "application")},
        "components": [
            _describe_package(one["name"], one["version"])
            | {
                "externalReferences": [
                    {
                        "type": "distribution",
                        "url": f"pkg:pypi/{one['name']}@{one['version']}",
                        "hashes": [
                            {"alg": "SHA-256", "content": found}
                            for found in _HASH.findall(text, one.start(), end)
                        ],
                    }
                ]
            }
            for one, end in zip(places, ends, strict=True)
        ],
    }


def _describe_package(name: str, version: str, kind: str = "library") -> dict[str, Any]:
    url = f"pkg:pypi/{name.lower()}@{version}"
    found = {"type": kind, "bom-ref": url, "name": name, "version": version, "purl": url}
    try:
        licence = metadata(name).get("License-Expression")
    except PackageNotFoundError:
        licence = None  # of another platform
    return found | ({"licenses": [{"expression": licence}]} if licence else {})


def _check_version(version: str) -> None:
    """Refuse a version that the code or the changes do not name."""
    code = (ROOT / "generator" / "perfolio" / "__init__.py").read_text("utf-8")
    if f'__version__ = "{version}"\n' not in code:
        raise ReleaseError(f"generator/perfolio/__init__.py has another version than {version}")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        raise ReleaseError(f"CHANGELOG.md has no section `## {version} - YYYY-MM-DD`")


def _copy_commit(folder: Path) -> Path:
    """The files of the commit, without what lies beside them."""
    copy = folder / "perfolio"
    copy.mkdir()
    archive = subprocess.run(  # noqa: S603 - ours
        ["git", "-C", str(ROOT), "archive", "HEAD"],  # noqa: S607
        capture_output=True, check=True,
    )  # fmt: skip
    subprocess.run(["tar", "-x", "-C", str(copy)], input=archive.stdout, check=True)  # noqa: S603, S607
    return copy


def _run_git(*arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - ours
        ["git", "-C", str(ROOT), *arguments],  # noqa: S607
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]}: {done.stderr.strip() or 'it ended'}")
    return done.stdout.strip()


if __name__ == "__main__":
    main()
