"""How long an edit takes until a site that is being served shows it, and its processor time.

    python -m tests.bench.edits [--repeats 3] [--profile dlrm-h100] [--page findings] [--plain]

A copy of the project is served in a folder of its own. Each edit puts a new number into a file;
its page is asked for until it shows that number. Wall time begins with the edit, so it holds the
half second in which MkDocs looks for changes. Processor time is of the server and of all
processes that it started and that have ended, until it rests, without what it takes to look for
changes meanwhile; builds are how often MkDocs
built for one edit. With `--plain`, the server is `mkdocs serve`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "127.0.0.1:8765"
COPIED = ("generator", "profiles", "docs", "mkdocs.yml")
FIRST = 600.0
REST = 2.0
IDLE = 0.4
"""A server rests after so many seconds, in which it takes less than this share of a processor."""
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure each kind of edit, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--profile", default="dlrm-h100")
    parser.add_argument("--page", default="findings")
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        copied(root)
        with served(root, plain=given.plain) as server:
            print(f"{'edit of':10} {'wall, s':>8} {'CPU-s':>7} {'builds':>7}")
            for name, edit in edits(root, given.profile, given.page).items():
                found = [server.shown(edit, number) for number in range(given.repeats)]
                wall, spent, builds = (statistics.median(each) for each in zip(*found, strict=True))
                print(f"{name:10} {wall:8.2f} {spent:7.2f} {builds:7g}", flush=True)


def copied(root: Path) -> None:
    """A copy of the project without what was made from it."""
    for name in COPIED:
        ignored = shutil.ignore_patterns("__pycache__", "reports")
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, root / name)


Edit = Callable[[int], tuple[str, str]]
"""Makes an edit of this number; gives the page that shows it and the words that it has then."""


def edits(root: Path, profile: str, page: str) -> dict[str, Edit]:
    """What is edited, by name."""
    toml = root / "profiles" / profile / "profile.toml"
    template = root / "generator" / "perfolio" / "pages" / "templates" / "report" / f"{page}.md.j2"
    hand_written = root / "docs" / "tutorial.md"
    before = {path: path.read_text("utf-8") for path in (toml, template, hand_written)}
    report = f"reports/{profile}/"

    def title(number: int) -> tuple[str, str]:
        words = f"Edited title {number}"
        toml.write_text(
            re.sub(r"^title = .*", f'title = "{words}"', before[toml], flags=re.MULTILINE)
        )
        return report, words

    def setting(number: int) -> tuple[str, str]:
        words = f"setting{number}"
        toml.write_text(f'{before[toml].rstrip()}\nadded = "{words}"\n')
        return f"{report}technical.html", words

    def page_template(number: int) -> tuple[str, str]:
        words = f"Edited template {number}"
        body, end, rest = before[template].rpartition("{% endblock %}")
        template.write_text(f"{body}\n{words}\n{end}{rest}")
        return f"{report}{page}.html", words

    def own_page(number: int) -> tuple[str, str]:
        words = f"Edited page {number}"
        hand_written.write_text(f"{before[hand_written]}\n\n{words}\n")
        return "tutorial.html", words

    return {"title": title, "setting": setting, "template": page_template, "page": own_page}


class Server:
    """A server that runs: its process and its log."""

    def __init__(self, process: int, log: Path) -> None:
        self.process = process
        self.log = log

    def shown(self, edit: Edit, number: int) -> tuple[float, float, int]:
        """Seconds until an edit shows, processor seconds until rest, and builds."""
        idle = self.rest()
        spent, builds, begin = self.spent(), self.builds(), time.monotonic()
        wait_for(*edit(number))
        taken = time.monotonic() - begin
        self.rest()
        looking = idle * (time.monotonic() - begin)
        return taken, self.spent() - spent - looking, self.builds() - builds

    def spent(self) -> float:
        """Its processor seconds, with those of the processes that it started and that ended."""
        fields = Path(f"/proc/{self.process}/stat").read_text("utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS

    def builds(self) -> int:
        """How often MkDocs built."""
        return self.log.read_text("utf-8").count("Building documentation")

    def rest(self) -> float:
        """Wait until all is built; gives the share of a processor that it takes even then."""
        share = 1.0
        while share > IDLE:
            spent = self.spent()
            time.sleep(REST)
            share = (self.spent() - spent) / REST
        return share


def fetched(page: str, limit: float) -> str:
    """A page as it is served."""
    with urlopen(f"http://{ADDRESS}/{page}", timeout=limit) as answer:
        text: str = answer.read().decode()
        return text


def wait_for(page: str, words: str, limit: float = FIRST) -> None:
    """Ask for a page until it has these words."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        with suppress(URLError, ConnectionError):
            if words in fetched(page, limit):
                return
        time.sleep(0.02)
    raise TimeoutError(f"{page} does not show {words!r}")


@contextmanager
def served(root: Path, *, plain: bool) -> Iterator[Server]:
    """The project in `root` on a server, which has built it once."""
    command = ["mkdocs", "serve", "--dev-addr"] if plain else ["generator", "serve", "--address"]
    log = root / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *command, ADDRESS],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root / "generator")},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for("", "html")
        yield Server(process.pid, log)
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
