"""Poison inputs of every format, build their reports, crawl all pages, and print what ran.

    python -m tests.poison /tmp/poison              reports, sites of one file, handouts, feedback
    python -m tests.poison /tmp/poison --only nsys  of these names alone

Each page is visited from a server, with its policy, and from its folder, without; those with most
scripts from their folder with it too.
Ends with 1 where a name ran, or where a page was not whole.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import QUIET, found_chromium
from tests.kit.shared import ROOT, SHARED
from tests.poison.crawl import Told, crawl, pages_of, watched
from tests.poison.poisoned import payload, subjects

_MOST = ("findings", "hot-paths", "index", "single", "timeline")


def main() -> int:
    """Parse arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="for inputs and sites; kept, and used again")
    parser.add_argument("--only", default="", help="reports whose names hold this")
    given = parser.parse_args()
    total = Told()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found_chromium(), args=list(QUIET), chromium_sandbox=False
        )
        for name, site in _sites(given.folder, given.only):
            for how, told in _visits(browser, site):
                total.add(told)
                _show(f"{name}, {how}", told)
        browser.close()
    _show("all", total)
    for line in [*total.flags, *total.refused, *total.complaints][:50]:
        print(f"  {line[:300]}")
    return bool(total.flags or total.refused or total.complaints)


def _show(name: str, told: Told) -> None:
    counts = ("pages", "hovers", "touched", "charts", "searches")
    shown = [f"{getattr(told, one)} {one}" for one in counts]
    faults = [f"{len(getattr(told, one))} {one}" for one in ("flags", "refused", "complaints")]
    print(f"{name}: {', '.join(shown + faults)}", flush=True)


def _visits(browser: Browser, site: Path) -> Iterator[tuple[str, Told]]:
    pages = pages_of(site)
    files = [page.as_uri() for page in pages]
    with _served(site.parent) as address, watched(browser) as context:
        urls = [f"{address}/{page.relative_to(site.parent).as_posix()}" for page in pages]
        yield "from a path of a server", crawl(context, urls)
        with _served(site) as root:  # that page knows no path
            yield "of a server", crawl(context, [f"{root}/404.html"])
        most = [page.as_uri() for page in pages if page.stem in _MOST]
        yield "from its folder", crawl(context, most)
    with watched(browser, policy=False) as context:
        yield "without a policy", crawl(context, files)


def _sites(folder: Path, only: str) -> Iterator[tuple[str, Path]]:
    """Sites by the names of reports, each made when it is not there yet."""
    place = folder / "inputs"
    place.mkdir(parents=True, exist_ok=True)
    for name, subject in subjects(SHARED, place):
        site = (folder / "sites" / name).resolve()
        if only in name:
            if not site.is_dir():
                _make(subject, site)
            yield name, site


def _make(subject: Path, site: Path) -> None:
    """A site, with a report as one file and the sheets of its exercises beside."""
    _run("build", subject, "-o", site)
    _run("build", subject, "--single-file", site / "single.html")
    _run("worksheet", "build", subject, "-o", site / "sheets", "--format", "html")
    keys = site / "sheets" / "instructor"
    answers = site / "sheets" / "answers"
    answers.mkdir()
    for path in sorted(keys.glob("*.key.json")):
        key = json.loads(path.read_text("utf-8"))
        _write_answers(key, answers / path.name)
    if any(answers.iterdir()):
        _run("grade", answers, "--key", keys, "-o", site / "sheets" / "grades")


def _write_answers(key: dict[str, object], path: Path) -> None:
    """Answers of a learner whose name, and all that is said, are attacks."""
    items = {name: {"given": payload(n)} for n, name in enumerate(key["items"])}  # type: ignore[var-annotated,arg-type]
    told = {"schema": "perfolio-answers/1", "sheet": key["sheet"], "exercise": key["exercise"],
            "variant": "", "learner": payload(3), "saved": "", "items": items}  # fmt: skip
    path.write_text(json.dumps(told), encoding="utf-8")


def _run(*words: object) -> None:
    command = [sys.executable, "-m", "perfolio", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"  {' '.join(map(str, words[:2]))}: {done.stderr.strip().splitlines()[-1]}")


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The address of a server of all below a folder."""
    handler = partial(_Silent, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
