"""Runs written by hand, items read from YAML, and the sheets of the project's samples."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from perfolio.classroom.variants import Scenarios, find_scenarios
from perfolio.common.content_files import load_yaml
from perfolio.exercises.answer_sheet import find_run_before, make_sheet
from perfolio.exercises.catalog import list_named_runs, load_exercises
from perfolio.exercises.loader import load_exercise
from perfolio.exercises.model import Exercise, Sheet
from perfolio.exercises.run_view import Run
from perfolio.metrics.catalog import load_catalog
from perfolio.pages.exercise_pages import make_text_filler, render_exercises
from perfolio.readers.own_files import SCENARIO
from tests.kit.kept import digest_of, kept
from tests.kit.samples import PROFILES, sample_documents, simulated_sample
from tests.kit.shared import ROOT

SCRIPT = ROOT / "generator" / "perfolio" / "site" / "theme" / "assets" / "perfolio" / "sheet.js"
"""The script of handouts, the same on all pages."""
HERE = Path(__file__).resolve().parent
VARIED_SEED = 1
"""That of a trial, for all tests that need some variants: cached, these are made once."""
SHORT = "iterations = 24"
SHIPPED_SLUGS = sorted(load_exercises())
_TEXTS = ("name", "title", "unit", "shape", "better", "definition", "population", "source",
          "caveat", "empty", "sql")  # fmt: skip


def metrics_of(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Metrics of the catalogue: a number, `{value, low, high}`, rows, or a reason for none."""
    return [_metric(name, told) for name, told in values.items()]


def _metric(name: str, told: Any) -> dict[str, Any]:
    metric = load_catalog()[name]
    columns = [{"name": c.name, "title": c.title, "unit": c.unit} for c in metric.columns]
    made: dict[str, Any] = {key: getattr(metric, key) for key in _TEXTS}
    made |= {"needs": list(metric.needs), "interval": metric.interval, "columns": columns}
    made |= {"status": "measured", "reason": "", "collect": "", "rows": []}
    made |= dict.fromkeys(("value", "low", "high", "n"))
    if isinstance(told, str):
        return made | {"status": "not_measured", "reason": told, "collect": "hpcrun -t"}
    if isinstance(told, list):
        names = [column["name"] for column in columns]
        return made | {"rows": [[row.get(name) for name in names] for row in told]}
    return made | (told if isinstance(told, dict) else {"value": float(told)})


def run_of(
    values: Mapping[str, Any],
    *,
    slug: str = "made",
    settings: Mapping[str, str] | None = None,
    hardware: Mapping[str, Any] | None = None,
    findings: list[dict[str, Any]] | None = None,
) -> Run:
    """A run that holds these metrics and nothing else."""
    facts = {"slug": slug, "title": f"The run {slug}", "digest": "0" * 64,
             "settings": dict(settings or {}), "hardware": hardware}  # fmt: skip
    document = {"schema": "perfolio-metrics/2", "run": facts, "metrics": metrics_of(values)}
    return Run(document, {"findings": findings or [], "run": facts})


def finding(code: str, **told: Any) -> dict[str, Any]:
    """A finding that fired."""
    blank: dict[str, Any] = {
        "code": code,
        "title": f"Finding {code}",
        "status": "fired",
        "severity": "high",
    }
    blank |= {"value": 0.5, "sentence": f"{code} fired.", "effort": "days", "estimate": None}
    return blank | told


def exercise_of(folder: Path, items: str, front: Mapping[str, Any] | None = None) -> Exercise:
    """An exercise with these fenced items, written to a file and loaded."""
    head = {"title": "Made", "objectives": {"aim": "Learn it"},
            "steps": [{"id": "s1", "title": "First", "minutes": 5}], **(front or {})}  # fmt: skip
    path = folder / "made" / "exercise.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{write_yaml(head)}---\n{items}", encoding="utf-8")
    return load_exercise(path)


def write_yaml(entries: Mapping[str, Any]) -> str:
    """YAML, by libyaml where it is there: in Python a long text takes longer than a test."""
    text: str = yaml.dump(dict(entries), Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper))
    return text


def fenced(*items: Mapping[str, Any]) -> str:
    """Items as an exercise has them; what is common to all has defaults."""
    common = {"step": "s1", "tests": ["aim"], "ask": "How much?", "explain": "So much."}
    return "\n".join(f"```item\n{write_yaml({**common, **item})}```\n" for item in items)


def sheet_of(exercise: Exercise, run: Run, **more: Any) -> Sheet:
    """The sheet of an exercise on a run, texts filled in."""
    run = run.after(find_run_before(exercise, more.get("runs") or {}))
    return make_sheet(exercise, run, make_text_filler(run), **more)


def load_item_cases() -> dict[str, dict[str, Any]]:
    """The case of each type of item: a run, the item, and what it then shows and takes as right."""
    cases: Any = load_yaml((HERE / "item_cases.yaml").read_text(encoding="utf-8"))
    return dict(cases)


def case_sheet(name: str, folder: Path) -> Sheet:
    """The sheet of the case of a type of item."""
    case = load_item_cases()[name]
    run = run_of(
        case["metrics"],
        settings=case.get("settings"),
        hardware=case.get("hardware"),
        findings=[finding(**each) for each in case.get("findings", ())],
    )
    before = run_of(case["before"], slug="earlier") if "before" in case else None
    front = {"before": "earlier"} if before else {}
    item = {"id": "it", "type": name, **({} if case.get("points", 1) else {"tests": []})}
    exercise = exercise_of(folder, fenced({**item, **case["item"]}), front)
    runs = {"earlier": before} if before else {}
    for number, other in enumerate(case.get("beside", ())):
        slug = f"beside-{number}"
        runs[slug] = run_of(other["metrics"], slug=slug, settings=other["settings"])
    return sheet_of(exercise, run, runs=runs)


@cache
def sample_run(slug: str) -> Run:
    """A sample of the project."""
    one = sample_documents(slug)
    return Run(one.metrics, one.findings)


@cache
def sample_pages(slug: str, *beside: str) -> Mapping[str, str]:
    """The exercises of a sample as pages, and those of samples that they may name."""
    runs = map(sample_run, (slug, *beside))
    return render_exercises([(run.metrics, run.findings) for run in runs])


@cache
def sample_sheet(slug: str) -> Sheet:
    """A shipped exercise on the sample that it names."""
    exercise = load_exercises()[slug]
    runs = {name: sample_run(name) for name in list_named_runs(exercise)}
    return sheet_of(exercise, runs[exercise.run], runs=runs)


@cache
def short_scenarios() -> Scenarios:
    """That of eight-ranks with a fifth of its iterations, which take half the time to judge."""
    sample = PROFILES / "eight-ranks"

    def make(folder: Path) -> None:
        shutil.copytree(sample, folder / sample.name)
        path = folder / sample.name / SCENARIO
        text, count = re.subn(r"(?m)^iterations = 120$", SHORT, path.read_text("utf-8"))
        assert count == 1
        path.write_text(text, encoding="utf-8")

    return find_scenarios(kept("short-scenarios", digest_of(SHORT, sample, by=()), make))


@cache
def truth(slug: str) -> dict[str, Any]:
    """What the simulator says of a sample."""
    return dict(simulated_sample(slug).truth)
