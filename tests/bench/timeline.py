"""A timeline of a million events, or a call tree: sizes, until it is drawn, frames a second.

    python -m tests.bench timeline [TRACE] [--events 1_000_000] [--threads 2] [--streams 1]
    python -m tests.bench timeline --tree PROFILE

Draws a PyTorch trace with so many events, of threads with eight nested rows and streams, unless one
is given; builds its report, and opens the page from its file in headless Chromium without a GPU.
Each frame for five seconds sends an event of the wheel: moving, zooming, and zooming over the whole
run with all rows unfolded; then the same on a processor four times slower. Budgets: 250 kB for the
first file, 110 kB for any other, 0.5 s until it is drawn, 50 frames, 25 on the slow processor. Of
the call tree of a profile, the one with more nodes: 350 kB, 1 s from the opening of its file until
it is drawn, the same frames. The exit status is 1 where one is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page, sync_playwright

from perfolio.charts.tiles.run_intervals import read_timeline
from perfolio.charts.tiles.tile_encoding import FIRST, write_tile_scripts
from perfolio.pipeline.reports import build
from perfolio.store.database import open_store
from tests.browser.conftest import QUIET, found_chromium

DEPTH = 7
"""Operators around each call of the runtime."""
RECIPES = 40
"""Calling paths of a thread, each with a kernel of its own."""
MOST = {"first file [B]": 250_000, "largest other [B]": 110_000, "drawn [ms]": 500.0}
MOST_OF_TREE = {"script [B]": 350_000, "drawn [ms]": 1000.0}
LEAST = {"frames": 50.0, "frames, CPU / 4": 25.0}
FIGURE = "figure[data-zoom=t]"
TREE = "figure[data-chart={}]"
FRAMES = """([kind]) => new Promise(done => {
  const box = document.querySelector('.pf-time'), at = box.getBoundingClientRect();
  const spent = [], begin = performance.now();
  let last = begin, turn = 0;
  const frame = () => {
    const now = performance.now();
    spent.push(now - last);
    last = now;
    const way = Math.floor(turn++ / 90) % 2 ? 1 : -1;
    const event = kind === 'move' ? { shiftKey: true, deltaY: 24 * way }
      : { ctrlKey: true, deltaY: 14 * way };
    const middle = { clientX: at.left + at.width / 2, clientY: at.top + at.height / 2 };
    box.dispatchEvent(new WheelEvent('wheel', { cancelable: true, ...middle, ...event }));
    if (now - begin < 5000) requestAnimationFrame(frame); else done(spent.slice(1));
  };
  requestAnimationFrame(frame);
})"""


def draw_events(count: int, threads: int, streams: int) -> Iterator[dict[str, Any]]:
    """Events of a trace: a call and a kernel within operators, round after round."""
    random, correlation, steps = Random(1), 0, 40
    rounds = count // (threads * (DEPTH + 2))
    kernels = [f"kernel_{number}<float, {number % 9}>" for number in range(RECIPES)]
    free = [0.0] * streams
    for turn in range(rounds):
        for thread in range(threads):
            at, recipe = turn * 60.0 + random.randrange(9), random.randrange(RECIPES)
            for level in range(DEPTH):
                yield {
                    "cat": "cpu_op", "name": f"aten::op_{recipe}_{level}", "tid": thread + 1,
                    "ts": at + level, "dur": 48.5 - 2 * level - random.random(),
                }  # fmt: skip
            correlation += 1
            said = {"correlation": correlation}
            yield {
                "cat": "cuda_runtime", "name": "cudaLaunchKernel", "tid": thread + 1,
                "ts": at + DEPTH + 1, "dur": 4 + random.random(), "args": said,
            }  # fmt: skip
            stream = correlation % streams
            begin = max(free[stream], at + DEPTH + 7)
            free[stream] = begin + random.uniform(1, 50 * streams / threads)
            yield {
                "cat": "kernel", "name": kernels[recipe], "pid": 0, "tid": 7 + stream,
                "ts": begin, "dur": free[stream] - begin - 0.2,
                "args": said | {"device": 0, "stream": 7 + stream},
            }  # fmt: skip
    long = rounds * 60.0 / steps
    for step in range(steps):
        yield {
            "cat": "user_annotation", "name": f"ProfilerStep#{step}", "tid": 1,
            "ts": step * long, "dur": long - 1,
        }  # fmt: skip


def draw_more(events: int, threads: int, long: float) -> Iterator[dict[str, Any]]:
    """A function of Python on each thread, and what the allocator holds, now more, now less."""
    for thread in range(threads):
        yield {
            "cat": "python_function", "name": "train.py(7): train_loop", "tid": thread + 1,
            "ts": 0, "dur": long, "args": {"Python id": thread + 1, "Python parent id": None},
        }  # fmt: skip
    random, held = Random(2), 1_000_000
    for turn in range(events):
        held = max(0, held + random.randrange(-90_000, 100_000))
        said = {"Total Reserved": 2 * held, "Total Allocated": held, "Bytes": 512}
        yield {
            "ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "tid": 1,
            "ts": turn * long / events, "args": said | {"Device Id": 0, "Device Type": 1},
        }  # fmt: skip


def write_trace(path: Path, count: int, threads: int, streams: int, *, more: bool = False) -> None:
    """A trace as PyTorch writes it, an event to a line."""
    events = draw_events(count, threads, streams)
    long = 60.0 * count / (threads * (DEPTH + 2))
    with path.open("w", encoding="utf-8") as file:
        separator = '{"traceEvents": [\n'
        for event in chain(events, draw_more(count // 20, threads, long) if more else ()):
            file.write(separator + json.dumps({"ph": "X", "pid": 1, **event}))
            separator = ",\n"
        file.write("\n]}\n")


def measure_files(store: Path) -> dict[str, float]:
    """Sizes of the files, and what they take."""
    with open_store(store, reproducible=True) as connection:
        start = time.process_time()
        timeline = read_timeline(connection, 1)
        assert timeline is not None
        files = {name: len(text) for name, text in write_tile_scripts(timeline).items()}
        spent = time.process_time() - start
    first = files.pop(FIRST)
    return {
        "intervals": len(timeline.start),
        "rows": len(timeline.bounds) - 1,
        "CPU-s": spent,
        "all [B]": first + sum(files.values()),
        "first file [B]": first,
        "largest other [B]": max(files.values(), default=0),
    }


def wait(page: Page, what: str) -> None:
    """Playwright's own waiting evaluates text, which the page's policy forbids."""
    while not page.evaluate(f"() => !!({what})"):
        time.sleep(0.01)


def measure_frames(page: Page) -> float:
    """The fewest frames a second of moving, zooming, and zooming over the whole run."""
    found: list[float] = []
    for kind, whole in (("move", False), ("zoom", False), ("zoom", True)):
        page.locator(".pf-time").first.press("0" if whole else "Home")
        page.wait_for_timeout(500)
        spent = page.evaluate(FRAMES, [kind])
        found.append(1000 * len(spent) / sum(spent))
    return min(found)


def measure_page(url: str, figure: str, picture: Path | None) -> dict[str, float]:
    """Until it is drawn, for a tree from the page's opening on [ms], and frames a second."""
    live = "perfolioTimeline" if figure == FIGURE else "perfolioTree"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found_chromium(), args=list(QUIET), chromium_sandbox=False
        )
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(url)
        begin = page.evaluate("performance.now()") if figure == FIGURE else 0.0
        page.locator(figure).scroll_into_view_if_needed()
        wait(page, f"document.querySelector('{figure}').{live}?.view.cost")
        drawn = page.evaluate("performance.now()") - begin
        if page.get_by_role("button", name="Unfold").count():
            page.get_by_role("button", name="Unfold").click()
        fast = measure_frames(page)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        slow = measure_frames(page)
        if picture:
            page.screenshot(path=picture)
        browser.close()
    return {"drawn [ms]": drawn, "frames": fast, "frames, CPU / 4": slow}


def main() -> int:
    """Measure, print, and say whether budgets are kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("trace", nargs="?", type=Path)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--tree", type=Path, help="a profile whose call tree is measured")
    given = parser.parse_args()
    found = measure_tree(given.tree, given.picture) if given.tree else measure_timeline(given)
    most = MOST_OF_TREE if given.tree else MOST
    missed = [name for name in most if found[name] > most[name]]
    missed += [name for name, least in LEAST.items() if found[name] < least]
    for name, value in found.items():
        sys.stdout.write(f"{name:20}{value:14,.1f}{'  missed' if name in missed else ''}\n")
    return int(bool(missed))


def measure_tree(profile: Path, picture: Path | None) -> dict[str, float]:
    """The larger call tree of a profile: its script, and its page."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        (documents,) = build([profile], site)
        report = site / documents.slug
        scripts = {path.stem: path.stat().st_size for path in report.glob("charts/*_icicle.js")}
        chart = max(scripts, key=lambda name: scripts[name])
        address = (report / "hot-paths.html").as_uri()
        return {"script [B]": scripts[chart], **measure_page(address, TREE.format(chart), picture)}


def measure_timeline(given: argparse.Namespace) -> dict[str, float]:
    """The timeline of a trace, which is drawn where none is given: its files, and its page."""
    with tempfile.TemporaryDirectory() as folder:
        trace = given.trace or Path(folder) / "trace.json"
        if given.trace is None:
            write_trace(trace, given.events, given.threads, given.streams)
        site, store = Path(folder) / "site", Path(folder) / "store.duckdb"
        (documents,) = build([trace], site, store=store)
        found = measure_files(store)
        page = site / documents.slug / "timeline.html"
        return found | measure_page(page.as_uri(), FIGURE, given.picture)


if __name__ == "__main__":
    sys.exit(main())
