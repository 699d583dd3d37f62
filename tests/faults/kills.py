"""Commands that are killed at random points, and run on a disk that fills up.

    python -m tests.faults.kills                    # 40 kills and 20 full disks of each command
    python -m tests.faults.kills --only grade --count 200 --seed 7

Half of the kills come after a random time, half at a random write below the folder of the command.
A disk is full beyond a random size of a file. After each, the output must be the old one, or the
new one, whole, or, where there was none, not be there; after the last, the next run must leave
nothing but its output. Builds have small pages in the place of reports.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import mkdocs.commands.build

from perfolio.cli.main import main as perfolio
from perfolio.exercises.key_documents import make_key_document
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.reports import DOCS
from perfolio.redaction.pseudonyms import Secrets
from perfolio.site.file_sync import sync_tree
from tests.classroom.test_grading import answers, hand_in, keys_in
from tests.exercises.support import exercise_of, fenced
from tests.faults.__main__ import KILLED
from tests.faults.faults import Fault, install, watch
from tests.faults.operations import made_sheet
from tests.kit.databases import Shape, write_database

_PROGRAM = """
import json, os, pathlib
out = pathlib.Path(os.environ["PERFOLIO_OUT"])
seen = {"framework": "PyTorch 2", "python": "3", "cuda": "", "device": "cpu", "devices": [],
        "threads": 1, "optimizer": "SGD", "parameters": 1, "precision": [], "rank": "0",
        "first": 5, "clock": [0.1 * step for step in range(16)]}
(out / "steps-rank0.json").write_text(json.dumps(seen))
if os.environ.get("PERFOLIO_PROFILE"):
    (out / "trace-rank0.json.gz").write_bytes(bytes(100_000))
"""
"""Says that it trains: PyTorch need not be installed."""


@dataclass(frozen=True)
class Trial:
    """A command, and the output that it writes in its folder."""

    command: str
    output: str
    again: bool = True
    """Whether it may be called where its output is already."""


TRIALS = {
    "build of several": Trial("build a.d b.d -o out", "out"),
    "build --share": Trial("build a.d --share --hide node17 -o out", "out"),
    "build --single-file": Trial("build a.d --single-file out.html", "out.html"),
    "export --to speedscope": Trial("export s.duckdb out.json --to speedscope", "out.json"),
    "export --to csv": Trial("export s.duckdb out --to csv", "out"),
    "worksheet build": Trial(
        "worksheet build s.duckdb --exercise made --format html,gift -o out", "out"
    ),
    "grade": Trial("grade in --key keys -o out", "out"),
    "report": Trial("report s.duckdb --docs out", "out"),
    "record": Trial(
        f"record --with torch -o out -- {sys.executable} program.py", "out", again=False
    ),
}


def _write_few_reports(
    paths: Sequence[Path], _store: object, work: Path, *_: object, **__: object
) -> list[RunDocuments]:
    """In place of the reports, whose making writes no output and would take minutes."""
    text = Path("program.py").read_text().partition("\n")[0]
    slugs = [path.name.removesuffix(".d") for path in paths]
    facts = [{"run": {"slug": slug}} for slug in slugs]
    page = f"# Page\n\n{text}\n"
    pages = {f"{slug}/{name}.md": page for slug in slugs for name in ("index", "findings")}
    sync_tree({"index.md": "# Reports\n", **pages}, work / DOCS)
    return [RunDocuments(each, {"metrics": each}, Secrets(words=("node17",))) for each in facts]


def main() -> None:
    """Print a line per command; exit 1 where an output was half written, or anything was left."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kills", description=__doc__)
    parser.add_argument("--only", choices=TRIALS)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--full", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    assert mkdocs.commands.build  # imported here once, and not in each process
    failures = []
    with (
        tempfile.TemporaryDirectory(prefix="kills-") as folder,
        patch("perfolio.pipeline.reports._write_reports", _write_few_reports),
    ):
        for name in [given.only] if given.only else TRIALS:
            work = Path(folder) / name.replace(" ", "-")
            counts = given.count, given.full
            failures += _trial(name, TRIALS[name], work, counts, random.Random(given.seed))
    for failure in failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.exit(bool(failures))


def _trial(
    name: str, trial: Trial, work: Path, counts: tuple[int, int], by: random.Random
) -> list[str]:
    work.mkdir()
    before, now = work / "before", work / "now"
    _prepare(before, 1)
    old = None
    if trial.again:
        assert _run(before, trial) == 0
        old = _digest(before / trial.output)
        _prepare(before, 2)
    shutil.copytree(before, now)
    taken, writes, new = _undisturbed(now, trial)
    if (now / "cache").exists():  # charts of the new output need not be drawn each time
        shutil.rmtree(before / "cache", ignore_errors=True)
        shutil.copytree(now / "cache", before / "cache")
    states = {old: "old", new: "new"}
    ends: Counter[str] = Counter()
    failures = []
    for fault in _points(counts, taken, writes, by):
        _restore(before, now)
        code = _run(now, trial, fault)
        found = _digest(now / trial.output)
        aside = found is None and _is_aside(now, trial, states)
        ends[f"{_end(code)}, {'aside' if aside else states.get(found, 'HALF')}"] += 1
        sys.stderr.write(f"{fault[0]}: {_end(code)}, {states.get(found, 'HALF')}\n")
        if found not in states and not aside:
            failures.append(f"{name}, {fault[0]}: left something half")
    _restore(before, now, everything=not trial.again)
    code = _run(now, trial)
    if code != 0 or _digest(now / trial.output) != new:
        failures.append(f"{name}: the next run ended with {code}")
    failures += [f"{name}: left {each}" for each in _left(now, trial)]
    told = ", ".join(f"{number} {end}" for end, number in sorted(ends.items()))
    sys.stdout.write(f"{name}: {told}; {len(failures)} failures\n")
    sys.stdout.flush()
    return failures


def _points(
    counts: tuple[int, int], taken: float, writes: int, by: random.Random
) -> Iterator[tuple[str, Callable[[Path], None]]]:
    """Where a run is killed, or its disk is full: what it is called, and what prepares it."""
    for number in range(counts[0]):
        if number % 2:
            delay = by.uniform(0.0, taken)
            yield f"kill after {delay:.3f} s", _killed_after(delay)
        else:
            moment = by.randrange(writes)
            yield f"kill at write {moment}", _killed_at(moment)
    for _ in range(counts[1]):
        size = round(10 ** by.uniform(0.0, 6.0))
        fault = Fault("full disk", size=size)
        yield str(fault), _full(fault)


def _killed_after(delay: float) -> Callable[[Path], None]:
    def prepare(_: Path) -> None:
        timer = threading.Timer(delay, lambda: os.kill(os.getpid(), signal.SIGKILL))
        timer.daemon = True
        timer.start()

    return prepare


def _killed_at(moment: int) -> Callable[[Path], None]:
    return lambda folder: install(Fault("kill", moment=moment), folder)


def _full(fault: Fault) -> Callable[[Path], None]:
    return lambda folder: install(fault, folder)


def _undisturbed(now: Path, trial: Trial) -> tuple[float, int, str | None]:
    """How long a run takes, how often it writes, and what it makes."""
    counted = now / "tmp" / "writes"

    def count(folder: Path) -> None:
        moments: list[str] = []

        def note(moment: str) -> None:
            if not moments or moment != f"open {counted}":
                moments.append(moment)
                os.write(held, b".")

        held = os.open(counted, os.O_WRONLY | os.O_CREAT)
        watch(folder, note)

    counted.parent.mkdir(exist_ok=True)
    begin = time.perf_counter()
    assert _run(now, trial, ("", count)) == 0
    taken = time.perf_counter() - begin
    writes = counted.stat().st_size
    counted.unlink()
    return taken, writes, _digest(now / trial.output)


def _run(
    folder: Path, trial: Trial, fault: tuple[str, Callable[[Path], None]] | None = None
) -> int:
    """The exit code of the command in a process of its own, whose files are all in the folder."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    code = 99
    try:
        (folder / "tmp").mkdir(exist_ok=True)
        tempfile.tempdir = str(folder / "tmp")
        os.environ |= {"TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")}
        os.chdir(folder)
        place = os.devnull if fault else folder.parent / "log"  # whose size is bounded, too
        log = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        if fault:
            fault[1](folder)
        perfolio(trial.command.split(), prog_name="perfolio")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 98
    finally:
        os._exit(code)


def _prepare(folder: Path, edition: int) -> None:
    """All that the commands read, and a note of somebody in the folder of the first output."""
    folder.mkdir(exist_ok=True)
    for name in ("a", "b"):
        shutil.rmtree(folder / f"{name}.d", ignore_errors=True)
        write_database(folder / f"{name}.d", Shape(seed=edition, depth=3, fan_out=4, points=60))
    wall = {"id": "wall", "type": "number", "answer": {"metric": "cpu.time"}}
    exercise_of(folder / "exercises", fenced(wall), {"title": f"Edition {edition}"})
    (folder / "program.py").write_text(f"# {edition}\n{_PROGRAM}")
    key = json.loads(json.dumps(make_key_document(made_sheet(1).sheet)))
    keys_in(folder / "keys", key)
    hand_in(folder / "in", [answers(key, "Ada", {"wall": f"{edition} s"})])
    (folder / "s.duckdb").unlink(missing_ok=True)
    stored = Trial("ingest a.d --store s.duckdb", "s.duckdb")
    assert _run(folder, stored) == 0, (folder.parent / "log").read_text()


def _restore(before: Path, now: Path, *, everything: bool = True) -> None:
    """The folder as it was before the run; what a killed one left stays beside."""
    for path in before.iterdir():
        if everything or path.name not in {"out", "out.html", "out.json"}:
            target = now / path.name
            if target.is_dir():
                shutil.rmtree(target)
            elif target.exists():
                target.unlink()
            if path.is_dir():
                shutil.copytree(path, target)
            else:
                shutil.copy2(path, target)
    for name in ("out", "out.html", "out.json"):
        if everything and not (before / name).exists():
            path = now / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _digest(path: Path) -> str | None:
    """Of all files of an output; None where there is none."""
    if not path.exists():
        return None
    whole = hashlib.sha256()
    for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if each.is_file():
            whole.update(each.relative_to(path).as_posix().encode() + b"\0" + each.read_bytes())
    return whole.hexdigest()


def _is_aside(now: Path, trial: Trial, states: dict[str | None, str]) -> bool:
    """Whether the output was moved aside between two renames: the next run puts it back."""
    found = {_digest(earlier) for earlier in now.glob(f".{trial.output}-*.earlier")}
    return bool(found & states.keys())


def _end(code: int) -> str:
    return "killed" if code in KILLED else {0: "done", 9: "in one line"}.get(code, f"rc {code}")


def _left(folder: Path, trial: Trial) -> list[str]:
    """What is there besides the input and the output."""
    known = {"a.d", "b.d", "exercises", "program.py", "keys", "in", "s.duckdb", "tmp", "cache"}
    there = {path.name for path in folder.iterdir()} - known - {trial.output}
    return [*there, *(path.name for path in (folder / "tmp").iterdir())]


if __name__ == "__main__":
    main()
