"""How long a report takes, and what other tools take on the same files: a page of docs.

In:  `measured/performance.json`, which `make bench ARGS='peers --write'` writes: runs of each tool.
Out: the page. Figures are medians of runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from reference.markdown import page, table, text

FIGURES = Path(__file__).with_name("measured") / "performance.json"
QUIET = 0.5
"""Load of a machine on which nothing else runs."""
_LEAST = 1.0
"""CPU-seconds below which the spread of runs is that of starting a program."""
_KINDS = {"ours": "", "peer": "", "limit": " (a limit)"}
_SUMMARY = """\
How long a report takes, how much memory it needs, and what other tools take on the same files."""
_COLD = """\
These are first builds: nothing is kept from an earlier one, and start-up is included. A second
build reuses what has not changed."""
_INTRODUCTION = """\
All tools read the same file, in one run of one benchmark. Each measurement is a process of its
own, from its start to its end, with all that it starts. CPU-seconds are those of the processor,
user and system together: other programs change them less than the clock. Peak memory is of all
processes of a tool together.

Look at what a tool gives before you compare what it takes. *Limits* read JSON and analyse nothing:
they show what the text alone costs. Hatchet reads no JSON of PyTorch's profiler, and the other
tools read no databases of HPCToolkit."""
_RUN = """\
```console
make bench ARGS=peers                         # all of this page, for your machine
make bench ARGS='peers trace.json.gz'         # your own recordings
make bench ARGS='peers --only build,orjson'   # some of the tools
make bench ARGS='peers --write'               # keep the figures for this page
```

The other tools are installed with pip below `.cache/peers`, each in an environment of its own.
Perfolio never depends on them. Their versions are pinned in `tests/bench/peers.txt`. What cannot be
installed stands in the table with its reason.

TraceLens comes from its repository, and `--from tracelens=CHECKOUT` takes a checkout of yours.
Perfetto's package loads its trace processor when it is first used; a `trace_processor_shell` on the
path is taken instead."""

Figures = Mapping[str, Any]


def performance_page(figures: Figures | None = None) -> str:
    """The page of these figures, or of those that are kept."""
    if figures is None:
        figures = json.loads(FIGURES.read_text("utf-8"))
    parts = [
        "# Performance",
        _SUMMARY,
        *_first_answer(figures),
        "## Beside other tools",
        _INTRODUCTION,
    ]
    for recording in figures["inputs"]:
        parts += [f"### {text(recording['title'])}", _describe(recording), _compare(recording)]
    return page([*parts, "## How it was measured", *_describe_run(figures), "## Run it", _RUN])


def _first_answer(figures: Figures) -> Iterator[str]:
    """The builds of all recordings, where they were measured."""
    built = [
        (recording, row)
        for recording in figures["inputs"]
        for row in recording["rows"]
        if row["peer"] == "build" and row["runs"]
    ]
    if not built:
        return
    yield "## A report"
    heads = ["Recording", "Size [MB]", "Events", "CPU-seconds", "Peak memory [MB]"]
    cells = [
        [
            text(recording["title"]),
            _megabytes(recording["unpacked"]),
            "" if recording["events"] is None else f"{recording['events']:,}",
            _seconds(_median_of(row, "cpu")),
            _megabytes(_median_of(row, "peak")),
        ]
        for recording, row in built
    ]
    if _was_quiet(figures):
        heads.append("Seconds on the clock")
        cells = [
            [*one, _seconds(_median_of(row, "wall"))]
            for one, (_, row) in zip(cells, built, strict=True)
        ]
    yield table(heads, cells, numbers=range(1, len(heads)))
    yield _COLD


def _describe(recording: Figures) -> str:
    size, unpacked = recording["bytes"], recording["unpacked"]
    words = f"{recording['made']}: {_megabytes(size)} MB"
    if unpacked != size:
        words += f", unpacked {_megabytes(unpacked)} MB"
    if recording["events"] is not None:
        words += f", {recording['events']:,} events"
    return f"{text(words[0].upper() + words[1:])}."


def _compare(recording: Figures) -> str:
    """A row for each tool, and a reason where there is no figure."""
    return table(
        ["Tool", "CPU-seconds", "Peak memory [MB]", "What it gives"],
        map(_row, recording["rows"]),
        numbers=(1, 2),
    )


def _row(row: Figures) -> list[str]:
    title = f"`{row['title']}`" if row["kind"] == "ours" else text(row["title"])
    if "failed" in row:
        return [title + _KINDS[row["kind"]], "–", "–", f"Not measured: {text(row['failed'])}"]
    cpu, peak = _seconds(_median_of(row, "cpu")), _megabytes(_median_of(row, "peak"))
    return [title + _KINDS[row["kind"]], cpu, peak, text(row["gives"])]


def _describe_run(figures: Figures) -> Iterator[str]:
    """Machine, day, versions, and how far to trust the figures."""
    machine, repeats = figures["machine"], figures["repeats"]
    yield (
        f"On {figures['date']}, on {text(machine['processor'])} with {machine['cores']} cores and "
        f"{machine['memory'] / 1e9:.0f} GB of memory, {machine['system']}, Python "
        f"{machine['python']}."
    )
    figure = f"Figures are medians of {repeats} runs" if repeats > 1 else "Figures are of one run"
    yield (
        f"{figure}, for which the tools took turns. Byte code was "
        f"there. A run had at most {figures['timeout']:,.0f} s.{_judge_spread(figures)}"
    )
    if not _was_quiet(figures):
        yield (
            '!!! note "The machine was shared"\n'
            f"    Its load was {machine['load']} before the first run: other programs ran. "
            "CPU-seconds of all tools are then too high. Seconds on the clock are left out."
        )
    yield table(["Package", "Version"], ([f"`{k}`", v] for k, v in figures["versions"].items()))


def _judge_spread(figures: Figures) -> str:
    """How far the runs of one tool lie apart."""
    runs = [
        [run["cpu"] for run in row["runs"]]
        for recording in figures["inputs"]
        for row in recording["rows"]
        if len(row["runs"]) > 1
    ]
    spreads = [(max(one) - min(one)) / median(one) for one in runs if median(one) >= _LEAST]
    if not spreads:
        return ""
    return f" CPU-seconds of one tool differed by up to {max(spreads):.0%} between runs."


def _was_quiet(figures: Figures) -> bool:
    return bool(figures["machine"]["load"] <= QUIET)


def _median_of(row: Figures, name: str) -> float:
    runs: Sequence[Mapping[str, float]] = row["runs"]
    return median(run[name] for run in runs)


def _seconds(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def _megabytes(value: float) -> str:
    return f"{value / 1e6:.1f}" if value < 10e6 else f"{value / 1e6:,.0f}"
