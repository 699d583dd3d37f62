"""Templates are compiled once, and again when they or the code change; whom they name.

Also: The order of reports on the start page, and what each is compared with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import pytest
from jinja2 import meta

from perfolio.common.units import quantity
from perfolio.pages import template_cache, template_environment
from perfolio.pages.first_steps import choose_first_steps, list_steps, tell_first_steps
from perfolio.pages.report_view import Report
from perfolio.pages.run_series import order_runs, order_series, write_runs_script
from perfolio.pages.template_cache import TemplateCache, compute_template_digests
from tests.kit.shared import ROOT

_FOLDER = Path(template_environment.__file__).parent / "templates"
_TEXTS = {
    path.relative_to(_FOLDER).as_posix(): path.read_text("utf-8")
    for path in sorted(_FOLDER.rglob("*.j2"))
}
PAGE = "{{ name }} takes {{ 3 | shown }}"


def environment(text: str = PAGE, word: str = "s") -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.DictLoader({"page.md": text}),
        bytecode_cache=TemplateCache(),
        autoescape=True,
    )
    made.filters["shown"] = lambda number: f"{number} {word}"
    return made


def rendered(made: jinja2.Environment) -> str:
    return made.get_template("page.md").render(name="main")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "perfolio" / "templates"


def test_a_template_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rendered(environment()) == "main takes 3 s"
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(jinja2.Environment, "compile", lambda *_: pytest.fail("compiled again"))
    assert rendered(environment()) == "main takes 3 s"


def test_an_edited_template_is_compiled_again(cache: Path) -> None:
    rendered(environment())
    assert rendered(environment("{{ name }} waits")) == "main waits"
    assert rendered(environment()) == "main takes 3 s"
    assert len(list(cache.iterdir())) == 2


def test_a_filter_that_changes_is_not_folded_into_an_old_template(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert rendered(environment()) == "main takes 3 s"
    monkeypatch.setattr(template_cache, "code_digest", lambda: "edited")
    assert rendered(environment(word="seconds")) == "main takes 3 seconds"


def test_without_a_cache_templates_are_compiled_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert [rendered(environment()) for _ in range(2)] == ["main takes 3 s"] * 2


def test_those_of_reports_and_of_the_theme_are_kept() -> None:
    from mkdocs.config import load_config
    from mkdocs.structure.files import Files

    config = load_config(str(ROOT / "mkdocs.yml"))
    made = config.plugins.on_env(config.theme.get_env(), config=config, files=Files([]))
    assert isinstance(made.bytecode_cache, TemplateCache)
    assert isinstance(template_environment.make_environment().bytecode_cache, TemplateCache)


def _as_jinja_says(name: str) -> set[str]:
    parsed = template_environment.make_environment().parse(_TEXTS[name])
    found = {name}
    for each in meta.find_referenced_templates(parsed):
        assert each is not None, "a template that is named by an expression"
        found |= _as_jinja_says(each)
    return found


@pytest.mark.parametrize("name", _TEXTS)
def test_the_templates_that_a_template_names(name: str) -> None:
    assert template_cache._find_named(name, _TEXTS) == _as_jinja_says(name)


def test_a_digest_changes_with_a_template_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.j2").write_text('{% extends "b.j2" %}')
    (tmp_path / "b.j2").write_text("b")
    (tmp_path / "c.j2").write_text("c")
    before = compute_template_digests(tmp_path)
    (tmp_path / "b.j2").write_text("another")
    after = compute_template_digests(tmp_path)

    assert [name for name in after if after[name] != before[name]] == ["a.j2", "b.j2"]


def report(slug: str, before: str = "", **measured: float) -> Report:
    metrics: list[dict[str, Any]] = [
        {"name": name.replace("__", "."), "unit": "s", "status": "measured", "value": value}
        for name, value in measured.items()
    ]
    settings = {"workload.before": before} if before else {}
    return Report({"run": {"slug": slug, "settings": settings}, "metrics": metrics}, {}, charts={})


def test_a_run_follows_the_one_before_it() -> None:
    reports = [report("b"), report("a2", "a9"), report("a1", "a"), report("a"), report("a9", "a")]
    entries = order_series(reports)
    assert [entry.report.run["slug"] for entry in entries] == ["a", "a1", "a9", "a2", "b"]
    assert [entry.before.run["slug"] if entry.before else "" for entry in entries] == [
        *("", "a", "a", "a9", "")
    ]


def test_recorded_runs_come_first_and_the_rest_by_name_whatever_order_was_given() -> None:
    made: dict[str, str] = {"simulated": "true"}
    runs: dict[str, dict[str, str]] = {"a": made, "c": {}, "b": {"simulated": "false"}}
    assert order_runs(runs) == ["b", "c", "a"]
    assert order_runs(dict(reversed(runs.items()))) == ["b", "c", "a"]
    after = {**made, "workload.before": "c"}
    assert order_runs({"a": after, "b": made, "c": {}}) == ["c", "a", "b"]


def test_what_both_measured_is_compared() -> None:
    first = report("a", time__wall=3.0, time__iteration_median=0.1)
    same = report("b", "a", time__wall=2.0, time__iteration_median=0.05)
    less = report("c", "a", time__wall=2.0)
    none = report("d", "a")
    compared = {
        entry.report.run["slug"]: entry.compared
        for entry in order_series([first, same, less, none])
    }
    assert compared == {"a": "", "b": "time.iteration_median", "c": "time.wall", "d": ""}


def test_a_wall_time_that_may_be_the_profilers_is_not_compared() -> None:
    first = report("a", time__wall=3.0, cpu__time=5.0)
    little = report("b", "a", time__wall=4.0, cpu__time=5.0, time__nothing_runs_python=0.05)
    much = report("c", "a", time__wall=6.0, cpu__time=5.5, time__nothing_runs_python=0.5)
    entries = order_series([first, little, much])
    assert [entry.compared for entry in entries] == ["", "time.wall", "cpu.time"]
    assert [entry.missing for entry in entries] == ["", "", ""]


def test_what_one_of_them_alone_measured_is_named() -> None:
    first = report("a", time__wall=3.0, time__iteration_median=0.1)
    less = report("b", "a", time__wall=2.0)
    more = report("c", "b", time__wall=2.0, time__iteration_median=0.1)
    alike = report("d", "a", time__wall=2.0, time__iteration_median=0.1)
    missing = {
        entry.report.run["slug"]: entry.missing
        for entry in order_series([first, less, more, alike])
    }
    iteration = "time.iteration_median"
    assert missing == {"a": "", "b": iteration, "c": iteration, "d": ""}


def test_a_run_that_is_absent_and_runs_that_name_each_other_lose_nothing() -> None:
    reports = [report("a", "b"), report("b", "a"), report("c", "gone"), report("d", "d")]
    assert sorted(entry.report.run["slug"] for entry in order_series(reports)) == [
        "a",
        "b",
        "c",
        "d",
    ]


def test_the_list_of_runs_says_which_call_trees_each_has() -> None:
    def item(name: str, unit: str, *row: str, status: str = "measured") -> dict[str, Any]:
        columns = [{"name": "time", "unit": unit}, {"name": "unit", "unit": "text"}]
        return {
            "name": name, "unit": "1", "status": status, "shape": "table", "columns": columns,
            "rows": [[1.0, *row]], "value": None,
        }  # fmt: skip

    def told(**metrics: dict[str, Any]) -> Any:
        run = {"slug": "b", "title": "</script> & co", "settings": {"workload.before": "a"}}
        script = write_runs_script([({"run": run, "metrics": [*metrics.values()]}, {})])
        (one,) = json.loads(script.split("perfolio.runs = ")[1].removesuffix(";\n"))
        assert (one["slug"], one["title"], one["before"]) == ("b", "</script> & co", "a")
        return one["trees"]

    event, cpu, gpu = (
        item("cpu.event", "1", "thread-s"),
        item("tree.cpu", "1"),
        item("tree.gpu", "s"),
    )
    assert told(event=event, cpu=cpu, gpu=gpu) == {"cpu": "thread-s", "gpu": "s"}
    assert told(cpu=cpu) == {"cpu": "1"}
    assert told(cpu=item("tree.cpu", "1", status="not_measured"), other=event) == {}


FINDINGS: Mapping[str, Mapping[str, Any]] = {
    "limit": {"severity": "low", "estimate": {"kind": "limit"}, "expected": None},
    "info": {"severity": "info", "estimate": None, "expected": None},
    "wait": {"severity": "medium", "estimate": {"kind": "gain"}, "expected": {"cases": 1}},
    "input": {"severity": "low", "estimate": {"kind": "gain"}, "expected": None},
    "copies": {"severity": "low", "estimate": None, "expected": None},
}


def step(code: str, *after: str) -> dict[str, Any]:
    return {"code": code, "after": list(after)}


def test_steps_are_those_of_the_phases_in_their_order() -> None:
    phases = [{"steps": [step("wait"), step("input")]}, {"steps": []}, {"steps": [step("limit")]}]
    found = list_steps({"roadmap": {"phases": phases}})
    assert [each["code"] for each in found] == ["wait", "input", "limit"]


def test_steps_are_numbered_with_what_they_wait_for() -> None:
    steps = [step("wait"), step("input", "wait", "elsewhere"), step("copies"), step("limit")]
    first, second, third = choose_first_steps(steps, FINDINGS.__getitem__)
    assert [each.number for each in (first, second, third)] == [1, 2, 3]
    assert (first.after, second.after, third.after) == ((), (1,), ())


def test_what_comes_before_a_step_takes_the_place_of_one() -> None:
    steps = [step("wait"), step("input", "wait"), step("copies")]
    first, second = choose_first_steps(steps, FINDINGS.__getitem__, 2)
    assert [(each.number, each.after) for each in (first, second)] == [(2, ()), (3, (2,))]


def test_what_is_no_problem_is_told_only_alone() -> None:
    both = choose_first_steps([step("info"), step("wait")], FINDINGS.__getitem__)
    assert [each.step["code"] for each in both] == ["wait"]
    assert [each.number for each in choose_first_steps([step("info")], FINDINGS.__getitem__)] == [1]


def test_steps_are_told_with_what_they_save_of_an_iteration() -> None:
    gain = {"kind": "gain", "of": "wall time; all of it", "reduction": 0.2, "steady": None}
    steady = {**gain, "steady": 0.25}
    document = {
        "findings": [
            {
                "code": "a",
                "title": "Do less",
                "severity": "low",
                "estimate": gain,
                "expected": None,
            },
            {"code": "b", "title": "Copy", "severity": "low", "estimate": steady, "expected": None},
            {"code": "c", "title": "Look", "severity": "low", "estimate": None, "expected": None},
        ],
        "roadmap": {"phases": [{"steps": [step("a"), step("b")]}, {"steps": [step("c")]}]},
    }
    assert tell_first_steps(document) == [
        f"1. Do less: saves up to {quantity(0.2, 'ratio')} of wall time",
        f"2. Copy: saves up to {quantity(0.25, 'ratio')} of an iteration",
        "3. Look",
    ]
