"""Documents to render, and Markdown as the site's parser reads it."""

from __future__ import annotations

import copy
import functools
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import markdown
import yaml

from perfolio.charts.model import RenderedChart
from perfolio.pages.finding_topics import list_topics
from perfolio.pages.report_rendering import render_report
from perfolio.pipeline.build_context import RunDocuments

HERE = Path(__file__).resolve().parent
SETTINGS = HERE.parent.parent / "generator" / "perfolio" / "site" / "base.yml"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</code></td></table><h1>x</h1>",
    '" onmouseover="alert(1)',
    "a | b || c",
    "line one\n\n# heading\n\n- item\n\n    code",
    "`code` ``code`` ```\nfence\n```",
    "{: .class #id onclick=alert(1) }",
    "name { .class onclick=alert(1) }",
    "[text](javascript:alert(1)) ![x](http://x/y.png) [ref]: http://x",
    "<http://example.org> www.example.org https://example.org a@example.org",
    "**bold** __bold__ *em* _em_ ~~del~~ ==mark== ^^ins^^ H~2~O ++ctrl+c++",
    "{{ 7 * 7 }} {% include 'x' %} {# comment #} ${7*7}",
    "&lt;b&gt; &amp; &#60;script&#62; &nbsp;",
    "'; DROP TABLE value; --",
    '??? note "title"\n    body',
    "!!! danger",
    "1. one",
    "> quote",
    "--- \n===",
    ":smile: at::native::cat::x",
    "--8<-- 'README.md'",
    "[^1] [^1]: footnote",
    "*[HTML]: expansion",
    "<!-- comment --> <?php ?> <![CDATA[x]]>",
    "\\* \\` \\",
    "\x02klzzwxh:0\x03 \x02wzxhzdk:0\x03 \x02amp\x03",
    "\u202egnp.exe \u200b \ufeff \ud800",
    "]]> --> */ */",
    "",
    " \t\n",
    "x" * 100_000,
    "<b>" * 30_000,
)
"""What a function, file or title of a profile may be called."""


@functools.cache
def extensions() -> tuple[list[str], dict[str, Any]]:
    """The Markdown extensions of every site, and some that a project may add."""
    configured = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))["markdown_extensions"]
    added = ["pymdownx.betterem", "pymdownx.caret", "pymdownx.emoji", "pymdownx.keys",
             "pymdownx.magiclink", "pymdownx.mark", "pymdownx.tilde"]  # fmt: skip
    return [*configured, *added], {name: options or {} for name, options in configured.items()}


@dataclass
class Page(HTMLParser):
    """The elements, attributes and words of rendered Markdown."""

    html: str
    elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    """Comments, declarations and the like: what a reader would not see."""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.closed.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.hidden.append(data)

    def handle_decl(self, decl: str) -> None:
        self.hidden.append(decl)

    def handle_pi(self, data: str) -> None:
        self.hidden.append(data)

    def unknown_decl(self, data: str) -> None:
        self.hidden.append(data)

    @property
    def text(self) -> str:
        """All words, white space as it is."""
        return "".join(self.words)

    def values(self, attribute: str) -> list[str]:
        """The values of an attribute wherever it stands."""
        pairs = (pair for _, attrs in self.elements for pair in attrs)
        return [value or "" for key, value in pairs if key == attribute]


def rendered(text: str) -> Page:
    """Markdown, front matter removed, as the site's parser reads it."""
    if text.startswith("---\n"):
        text = text.split("\n---\n", 1)[1]
    return Page(_parser().reset().convert(text))


@functools.cache
def _parser() -> markdown.Markdown:
    """Making it takes twenty times as long as a page of a few words; a reset makes it new."""
    names, options = extensions()
    return markdown.Markdown(extensions=names, extension_configs=options)


def documents() -> tuple[dict[str, Any], dict[str, Any]]:
    """A small report with something of each kind: a GPU run without CPU time."""
    metrics = json.loads((HERE / "documents" / "dlrm.metrics.json").read_text(encoding="utf-8"))
    findings = json.loads((HERE / "documents" / "dlrm.findings.json").read_text(encoding="utf-8"))
    findings["provenance"] = {
        "digest": metrics["run"]["digest"], "perfolio": metrics["perfolio"], "duckdb": "1.5.1",
        "store_schema": 1, "store_definition": "0123456789abcdef",
        "metrics_sha256": "a" * 64, "rules_sha256": "b" * 64,
    }  # fmt: skip
    findings["claims"] = claims()
    return metrics, findings


def claims() -> dict[str, Any]:
    """What another report says about it: one claim that is off, and a promise."""
    common = {"line": 12, "formula": "kernel_time / launches", "ratio": 19.6}
    off = {
        "key": "launches", "says": "Kernel launches", "kind": "value", "quantity": "gpu.launches",
        "unit": "count", "value": 145100.0, "truth": 7400.0, "claimed": "145,100",
        "measured": "7,400", "times": "19.6 times too much", "verdict": "off by a factor",
        "reasons": ["151,700 is what inclusive values of <main thread> give.", "It is 4.4 % off."],
    }  # fmt: skip
    promise = {
        "key": "phase_1", "says": "First phase", "kind": "speedup", "quantity": "", "unit": "x",
        "value": 10.0, "truth": None, "claimed": "10×", "measured": "", "times": "",
        "verdict": "unbounded", "reasons": ["A factor of 10× needs 90.0 % of run time."],
    }  # fmt: skip
    return {
        "title": "A hand-made report", "source": "report.md", "tolerance": 0.05,
        "counts": {"off by a factor": 1, "unbounded": 1},
        "claims": [common | off, common | promise | {"line": 0, "ratio": None, "formula": ""}],
    }  # fmt: skip


def charts() -> dict[str, RenderedChart]:
    """Charts of three pages: two drawn from a table, one from single numbers."""
    table = RenderedChart(
        name="gpu_composition",
        group="time",
        title="Copies take 52.9 % of GPU-operation time",
        description="Bars of GPU-operation time by kind. Copies 73.9 ms, kernels 65.9 ms.",
        metric="gpu.composition",
        note="Durations are added up; operations may overlap.",
        svg="<svg xmlns='http://www.w3.org/2000/svg'/>",
        spec='{"mark": "bar"}',
        csv="operation,time (s)\ncopies,0.0739\n",
    )
    numbers = RenderedChart(
        name="stall_summary",
        group="stalls",
        title="Global memory leads",
        description="Two bars.",
        metric="stall.gmem_of_stalls",
        note="",
        svg="<svg xmlns='http://www.w3.org/2000/svg'/>",
        spec="{}",
        csv="metric,value\n",
        metrics=("stall.gmem_of_stalls", "stall.gmem_of_samples"),
    )
    timeline = RenderedChart(
        name="timeline_overview",
        group="timeline",
        title="The GPU is busy 0.17 % of the 80.29 s from its first to its last operation",
        description="1 row over 80.29 s, marks where something runs.",
        metric="time.timeline",
        note="",
        svg="<svg xmlns='http://www.w3.org/2000/svg'/>",
        spec="{}",
        csv="line,kind\n",
        zoom="t",
    )
    return {chart.name: chart for chart in (table, numbers, timeline)}


def measured(document: dict[str, Any], values: dict[str, float | None]) -> dict[str, Any]:
    """`document` with these values of its scalar metrics; None: not measured."""
    for item in document["metrics"]:
        if item["name"] in values:
            value = values[item["name"]]
            item |= {"value": value, "status": "not_measured" if value is None else "measured"}
    return document


def unmeasured() -> tuple[dict[str, Any], dict[str, Any]]:
    """The same report of a profile that holds nothing, with neither hardware nor settings."""
    metrics, findings = documents()
    for item in metrics["metrics"]:
        item |= {"status": "not_measured", "reason": "the profile lists no `X`", "collect": "",
                 "value": None, "low": None, "high": None, "n": None, "rows": []}  # fmt: skip
    metrics["run"] |= {"hardware": None, "settings": {}, "notes": None, "description": "",
                       "warnings": [], "files": [], "metrics_recorded": []}  # fmt: skip
    blank = {"value": None, "low": None, "high": None, "severity": None, "threshold": None,
             "sentence": "", "evidence": None, "estimate": None}  # fmt: skip
    for item in findings["findings"]:
        item.update(blank, status="not_evaluated", reason="CPU time: nothing was recorded")
    findings["breakdown"]["parts"] = []
    without_plan(findings)
    said = "Nothing was measured."
    findings["verdict"] = {
        "headline": said, "sentence": said, "why": "", "why_title": "Why", "kind": "nothing",
        "details": [],
    }  # fmt: skip
    findings["not_measured"] = [
        {"metric": item["name"], "title": item["title"], "reason": item["reason"], "collect": ""}
        for item in metrics["metrics"]
    ]
    return metrics, findings


def without_a_gpu() -> tuple[dict[str, Any], dict[str, Any]]:
    """The same report of a traced run without a GPU, whose figures nobody misses then."""
    metrics, findings = unmeasured()
    for item in metrics["metrics"]:
        if item["name"] in ("time.wall", "time.cpu_running"):
            item |= {"status": "measured", "value": 2.0, "reason": "", "collect": ""}
    findings["not_measured"] = [
        item for item in findings["not_measured"] if item["metric"] == "cpu.time"
    ]
    return metrics, findings


def with_names(name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, RenderedChart]]:
    """The report with every text that a profile can set replaced by `name`."""
    metrics, findings = documents()
    run = metrics["run"]
    run |= dict.fromkeys(("title", "description", "notes", "path", "tool", "format_version"), name)
    run |= {"settings": {f"workload.{name}": name}, "warnings": [name], "digest": name}
    run["hardware"] |= {"name": name, "vendor": name}
    for file in run["files"]:
        file |= {"name": name, "format_version": name, "sha256": name}
    for item in metrics["metrics"]:
        item["reason"] = item["reason"] and name
        item["collect"] = item["collect"] and name
        item["rows"] = _named(item, name)
    findings["run"]["title"] = name
    findings["verdict"] |= {"headline": name, "sentence": name, "why": name, "details": [name]}
    for part in findings["breakdown"]["parts"]:
        part["name"] = name
    for figure in findings["key_figures"]:
        figure["comment"] = name
    for item in findings["findings"]:
        item |= {key: item[key] and name for key in ("sentence", "reason", "collect")}
        if item["evidence"]:
            item["evidence"]["rows"] = _named(item["evidence"], name)
    for item in findings["not_measured"]:
        item |= {"reason": name, "collect": name}
    findings["claims"] = _claims_with_names(name)
    drawn = {
        key: RenderedChart(**{**vars(chart), "title": name, "description": name, "note": name})
        for key, chart in charts().items()
    }
    return metrics, copy.deepcopy(findings), drawn


def _claims_with_names(name: str) -> dict[str, Any]:
    named = {"says": name, "formula": name, "reasons": [name]}
    made = claims()
    return made | {
        "title": name,
        "source": name,
        "claims": [claim | named for claim in made["claims"]],
    }


def _named(table: dict[str, Any], name: str) -> list[list[Any]]:
    units = [column["unit"] for column in table["columns"]]
    return [
        [name if unit == "text" else cell for unit, cell in zip(units, row, strict=True)]
        for row in table["rows"]
    ]


def without_plan(findings: dict[str, Any]) -> None:
    """Remove what follows from findings: causes, steps, targets and what they are worth."""
    findings["causes"] |= {"whole": "", "of": "nothing was measured", "amount": 0.0, "nodes": []}
    findings["roadmap"] = {"kind": "nothing", "not_now": [], "measure": [],
                           "phases": [{"phase": "immediate", "steps": []}]}  # fmt: skip
    findings["worth"] |= {"most": None, "steps": [], "unbounded": [], "returns": []}
    findings["targets"], findings["scorecard"] = [], []


def check_order_of_steps(made: RunDocuments) -> None:
    """The order of the roadmap is that of summary, conclusion, text and topics."""
    steps = [step for phase in made.findings["roadmap"]["phases"] for step in phase["steps"]]
    codes = [step["code"] for step in steps]
    anchors = [code.lower() for code in codes]
    files = {
        name: str(text) for name, text in render_report(made.metrics, made.findings, {}).items()
    }
    begin = files["index.md"].partition("## Start here")[2]
    named = re.findall(r"\((?:findings\.md#(\w+)-what-to-do|roadmap\.md#step-(\w+))\)", begin)
    first = list(dict.fromkeys(one or other for one, other in named))
    assert first == [each for each in anchors if each in first]
    assert first[:1] == anchors[:1]
    expected = files.get("conclusion.md", "").partition("## What to expect")[2]
    assert re.findall(r"roadmap\.md#step-(\w+)\)", expected) == anchors
    headings = re.findall(r"^### .*\{: #step-(\w+)", files.get("roadmap.md", ""), re.MULTILINE)
    assert headings[: len(anchors)] == anchors
    listed = files.get("report.md.txt", "").partition("## Steps")[2]
    assert re.findall(r"^\d+\. .*\(`(\w+)`\)", listed, re.MULTILINE) == codes[:8]
    topics = [
        {one["code"] for one in (topic.finding, *topic.others, *topic.wider)}
        for topic in list_topics(made.findings)
    ]
    answers = [{step["code"], *step["also"], *step["part"]} for step in steps]
    places = [[n for n, own in enumerate(answers) if own & topic] for topic in topics]
    found = [min(each) for each in places if each]
    assert found == sorted(found)


OF_EVENTS = ("PyTorch profiler", "XLA profiler", "Nsight Systems", "rocprofv3", "rocprof")
FOREIGN = re.compile(r"\b(?:hpcrun|hpcprof|hpcstruct|hpcviewer)\b")


def list_commands(value: Any) -> Iterator[str]:
    """All commands that a document gives, wherever they are."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "collect" and isinstance(inner, str):
                yield inner
            yield from list_commands(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from list_commands(inner)


def check_commands(made: RunDocuments) -> None:
    """Each command parses in a shell, and is of the tool at hand; so is what rules advise."""
    commands = set(list_commands(made.findings))
    for line in (line for text in commands for line in text.splitlines()):
        shlex.split(line, comments=True)  # ValueError where a quote does not end
    advice = {text for one in made.findings["findings"] for text in one["sections"].values()}
    if made.metrics["run"]["tool"] in OF_EVENTS:
        assert [text for text in commands | advice if FOREIGN.search(text)] == []
