"""What templates see of the documents; and that all tell one expectation of a step."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from perfolio.charts.zoom import META
from perfolio.common.units import quantity
from perfolio.findings.model.step_replay import (
    METHODS,
    choose_expectation,
    name_unit,
    name_whole,
    tell_expectation,
)
from perfolio.metrics.catalog import load_catalog
from perfolio.pages.brief_pages import render_brief
from perfolio.pages.cpu_cost_unit import apply_cost_unit, find_cost_unit
from perfolio.pages.first_steps import tell_first_steps
from perfolio.pages.page_tables import choose_columns
from perfolio.pages.report_rendering import render_report
from perfolio.pages.report_view import Report
from perfolio.pages.timeline_leads import list_leads, write_places
from tests.kit.samples import sample_documents
from tests.pages.support import charts, documents


def report() -> Report:
    return Report(*documents(), charts=charts())


def table(name: str, *columns: tuple[str, str], rows: list[list[object]]) -> dict[str, Any]:
    return {
        "name": name,
        "unit": "1",
        "columns": [{"name": key, "title": key.title(), "unit": unit} for key, unit in columns],
        "rows": rows,
    }


EVENT = table(
    "cpu.event",
    ("event", "text"), ("unit", "text"), ("total", "1"),
    rows=[["REALTIME (sec)", "thread-s", 118.3]],
)  # fmt: skip
THREADS = table("cpu.threads", ("label", "text"), ("time", "1"), ("share", "ratio"), rows=[])


def test_metrics_are_selected_by_name_and_by_group() -> None:
    names = [item["name"] for item in report().select(["gpu.launches", "stall."])]
    assert names == [
        "gpu.launches", "stall.gmem_of_stalls", "stall.gmem_of_samples", "stall.reasons",
    ]  # fmt: skip


def test_scalars_are_measured_numbers() -> None:
    assert [item["name"] for item in report().scalars(["launch.", "transfer."])] == [
        "transfer.copies", "transfer.bytes_h2d",
    ]  # fmt: skip


@pytest.mark.parametrize(("nvidia", "kept"), [(0.0, "Other."), (1.0, "all")])
def test_what_is_wrong_with_calls_of_cuda_concerns_nvidias_gpus(nvidia: float, kept: str) -> None:
    metrics, findings = documents()
    caveat = "HPCToolkit does not see kernels launched by cuLaunchKernelEx, or CUDA graphs. Other."
    item = next(each for each in metrics["metrics"] if each["name"] == "gpu.launches")
    maker = {**item, "name": "run.nvidia_gpu", "value": nvidia, "caveat": ""}
    item["caveat"] = caveat
    metrics["metrics"].append(maker)
    caveats = Report(metrics, findings, charts=charts()).caveats()
    found = [key for key, items in caveats.items() if item in items]
    assert found == [caveat if kept == "all" else kept]


def test_gaps_of_one_reason_are_one_entry() -> None:
    gaps = report().gaps(["cpu.", "balance.", "launch."])
    assert [[item["name"] for item in gap.metrics] for gap in gaps] == [
        ["cpu.time", "cpu.top_functions", "balance.threads"],
        ["launch.blocks"],
    ]
    assert gaps[0].reason == "the profile lists no `CPUTIME (sec)`"


def test_gaps_that_differ_in_brackets_only_are_one_entry() -> None:
    metrics, findings = documents()
    for item, missing in zip(metrics["metrics"], ("GINS:STL_GMEM", "GKER (sec)"), strict=False):
        item |= {"status": "not_measured", "reason": f"there is no sample ({missing}) here"}
        item["collect"] = ""
    one = Report(metrics, findings, charts={})
    both = [item["name"] for item in metrics["metrics"][:2]]
    assert [gap.reason for gap in one.gaps(both)] == ["there is no sample here"]
    assert [gap.reason for gap in one.gaps(both[:1])] == ["there is no sample (GINS:STL_GMEM) here"]


def test_all_gaps_leave_out_formulas_that_are_wrong() -> None:
    metrics, findings = documents()
    seed = next(item for item in metrics["metrics"] if item["name"].startswith("seed."))
    seed |= {"status": "not_measured", "reason": "nothing", "value": None}
    one = Report(metrics, findings, charts={})
    names = {item["name"] for gap in one.all_gaps() for item in gap.metrics}
    assert names == {
        "time.wall", "time.gpu_utilisation", "time.blame", "cpu.time", "cpu.top_functions",
        "balance.threads", "launch.blocks",
    }  # fmt: skip


def without_a_gpu() -> Report:
    """As of a run without a GPU: nobody misses its figures, and the one of the CPU is missed."""
    metrics, findings = documents()
    findings["not_measured"] = [
        item for item in findings["not_measured"] if item["metric"] == "cpu.time"
    ]
    return Report(metrics, findings, charts={})


def test_a_page_does_not_list_figures_that_do_not_apply() -> None:
    """`time.` has measured ones beside those of a trace; `launch.blocks` alone has none."""
    one = without_a_gpu()
    assert one.has_any(["time.", "cpu."])
    (gap,) = one.gaps(["time.", "cpu."])
    assert [item["name"] for item in gap.metrics] == ["cpu.time"]
    assert [item["name"] for gap in one.all_gaps() for item in gap.metrics] == ["cpu.time"]


def test_a_page_without_any_figure_says_how_to_collect_them() -> None:
    (gap,) = without_a_gpu().gaps(["launch.blocks"])
    assert [item["name"] for item in gap.metrics] == ["launch.blocks"]
    (gap,) = without_a_gpu().gaps(["launch.blocks", "cpu.time"])
    assert [item["name"] for item in gap.metrics] == ["cpu.time"], "the other does not apply"


def test_figures_that_do_not_apply_are_counted() -> None:
    assert report().beside_the_point == 0
    assert without_a_gpu().beside_the_point == 6


def test_findings_about_a_page_are_of_its_metrics_or_its_charts() -> None:
    assert [item["code"] for item in report().fired_about(["stall."])] == ["M2"]
    assert [item["code"] for item in report().fired_about([], "time")] == ["X2"]
    assert report().fired_about([], "balance") == []


def test_charts_of_a_page_stay_in_the_order_given() -> None:
    both = {
        name: type(chart)(**{**vars(chart), "group": "time"}) for name, chart in charts().items()
    }
    one = Report(*documents(), charts=both)
    assert [chart.name for chart in one.group_charts("time")] == [*both]
    other = Report(*documents(), charts=dict(reversed(both.items())))
    assert [chart.name for chart in other.group_charts("time")] == [*both][::-1]


def test_caveats_are_those_of_measured_metrics_each_once() -> None:
    caveats = report().caveats()
    assert len(caveats) == 4
    lower_bound = next(iter(caveats.values()))
    assert [item["name"] for item in lower_bound] == [
        "gpu.kernel_time", "gpu.launches", "gpu.mean_kernel_time", "gpu.kernels",
    ]  # fmt: skip


def test_groups_follow_the_order_of_the_page_and_keep_unknown_ones() -> None:
    metrics, findings = documents()
    metrics["metrics"].insert(0, {**metrics["metrics"][0], "name": "power.mean"})
    groups = Report(metrics, findings, charts={}).groups()
    assert [group.key for group in groups] == [
        "time", "serving", "cpu", "gpu", "launch", "stall", "calls", "operators", "memory",
        "transfer", "roofline",
        "balance", "quality", "run", "seed", "power",
    ]  # fmt: skip
    assert groups[-1].title == "Power"
    assert groups[5].measured == 3


def test_the_line_of_a_trace_is_no_place_in_the_source() -> None:
    lines = table("time.timeline", ("line", "text"), ("busy", "ratio"), rows=[["stream 7", 0.5]])
    places = table("x", ("line", "id"), ("time", "s"), rows=[[7, 0.5]])
    assert [column["name"] for column in choose_columns(lines, ())] == ["line", "busy"]
    assert [column["name"] for column in choose_columns(places, ())] == ["time", "line"]


@pytest.mark.parametrize(
    ("measured", "only"),
    [(["time.wall"], True), (["time.wall", "quality.invariant"], False), ([], False)],
)
def test_a_trace_without_values_is_told_apart(measured: list[str], only: bool) -> None:
    metrics, findings = documents()
    for item in metrics["metrics"]:
        item["status"] = "not_measured"
    template = {**metrics["metrics"][0], "status": "measured"}
    metrics["metrics"] += [{**template, "name": name} for name in measured]
    assert Report(metrics, findings, charts={}).only_traced is only


def test_hardware_facts_leave_out_what_is_unknown() -> None:
    metrics, findings = documents()
    metrics["run"]["hardware"] |= {"fp8_flops": None}
    facts = Report(metrics, findings, charts={}).hardware_facts
    assert ("Multiprocessors", 132, "count") in facts
    assert "FP8 tensor peak" not in [title for title, _, _ in facts]


def test_bounds_of_intervals_and_empty_names_are_no_columns() -> None:
    rows = table(
        "stall.reasons",
        ("reason", "text"), ("share", "ratio"), ("share_low", "ratio"), ("share_high", "ratio"),
        ("rank", "id"), ("time", "s"), ("hidden", "text"),
        rows=[["memory", 0.4, 0.3, 0.5, None, None, "x"]],
    )  # fmt: skip
    shown = [(column["name"], column["title"]) for column in choose_columns(rows, ("hidden",))]
    assert shown == [
        ("reason", "Reason"), ("share", "Share (95 % interval)"), ("time", "Time"),
    ]  # fmt: skip


@pytest.mark.parametrize(("waits", "is_shown"), [(2.0, True), (None, False)])
def test_waits_are_a_column_where_some_row_has_them(*, waits: float | None, is_shown: bool) -> None:
    rows = table(
        "cpu.working_functions",
        ("function", "text"), ("time", "thread-s"), ("python_waits", "thread-s"),
        rows=[["f", 3.0, None], ["g", 3.0, waits]],
    )  # fmt: skip
    assert ("python_waits" in [column["name"] for column in choose_columns(rows, ())]) is is_shown


def test_files_and_lines_come_after_the_numbers() -> None:
    rows = table(
        "cpu.top_functions",
        ("function", "text"), ("module", "text"), ("file", "text"), ("line", "id"), ("time", "s"),
        rows=[["f", "m", "a/b.c", 3, 1.0]],
    )  # fmt: skip
    names = [column["name"] for column in choose_columns(rows, ("module",))]
    assert names == ["function", "time", "file", "line"]


def test_the_place_of_a_call_path_has_no_columns_of_its_own() -> None:
    columns = [
        ("path", "text"),
        ("file", "text"),
        ("line", "id"),
        ("module", "text"),
        ("time", "s"),
    ]
    described = [{"name": name, "title": name, "unit": unit} for name, unit in columns]
    rows = {"columns": described, "rows": [["main", "a.py", 1, None, 2.0]]}
    assert [column["name"] for column in choose_columns(rows, ())] == ["path", "time"]


def test_cpu_cost_has_the_unit_of_the_runs_event() -> None:
    assert find_cost_unit([THREADS, EVENT]) == "thread-s"
    threads = apply_cost_unit(THREADS, "cpu.threads", "thread-s")
    assert [column["unit"] for column in threads["columns"]] == ["text", "thread-s", "ratio"]
    assert threads["unit"] == "thread-s"


def test_events_are_named_in_the_title_as_their_numbers_have_no_symbol() -> None:
    threads = apply_cost_unit(THREADS, "cpu.threads", "events")
    assert [column["title"] for column in threads["columns"]] == ["Label", "Time (events)", "Share"]


def test_every_number_of_cpu_cost_gets_its_unit() -> None:
    """Numbers without a unit in metrics that need an event of the CPU are costs, and named so."""
    costs = {
        (name, column.name)
        for name, metric in load_catalog().items()
        for column in metric.columns
        if "cpu_event" in metric.needs and column.unit == "1"
    }
    assert ("balance.mpi", "computing") in costs
    for name, column in costs:
        (shown,) = apply_cost_unit(table(name, (column, "1"), rows=[]), name, "CPU-s")["columns"]
        assert shown["unit"] == "CPU-s", (name, column)


@pytest.mark.parametrize(("name", "unit"), [("quality.totals", "thread-s"), ("cpu.threads", "1")])
def test_other_numbers_keep_their_unit(name: str, unit: str) -> None:
    assert apply_cost_unit(THREADS, name, unit) == THREADS


@pytest.mark.parametrize("event", [{**EVENT, "rows": []}, THREADS])
def test_without_a_known_event_cpu_cost_has_no_unit(event: dict[str, Any]) -> None:
    assert find_cost_unit([event]) == "1"


def test_breakdown_and_evidence_have_the_unit_of_the_run() -> None:
    metrics, findings = documents()
    metrics["metrics"].append(EVENT | {"status": "measured"})
    findings["breakdown"]["unit"] = "1"
    one = Report(metrics, findings, charts={})
    assert one.breakdown["unit"] == "thread-s"
    finding = findings["findings"][0] | {"evidence": {**THREADS, "metric": "cpu.threads"}}
    assert one.evidence(finding) is None
    finding["evidence"]["rows"] = [["thread 0", 1.0, 1.0]]
    shown = one.evidence(finding)
    assert shown is not None
    assert shown["columns"][1]["unit"] == "thread-s"


def timed(name: str, *rows: list[object]) -> dict[str, Any]:
    found = table(name, ("short", "text"), ("start", "s"), ("duration", "s"), rows=[*rows])
    return {**found, "metric": name}


def test_a_timeline_marks_the_gap_of_the_first_finding_that_has_one() -> None:
    tables = [
        ("Odd", timed("time.iteration_times", ["x", 5.0, 1.0])),
        ("Idle", timed("time.gaps_of_gpu", ["x", 2.0, 0.5], ["x", 3.0, 0.1])),
        ("Not on this clock", timed("time.typical_iteration", ["x", 1.0, 1.0])),
    ]
    zoom = {"unit": 0.001, "places": [{"name": "Typical", "begin": 10, "end": 20}]}
    longest = timed("time.longest_gaps", ["x", 7.0, 1.0])
    drawn = replace(charts()["gpu_composition"], spec=json.dumps({"usermeta": {META: zoom}}))
    assert json.loads(write_places(drawn, longest, tables)) == [
        ["Typical", 0.01, 0.02, 0], ["Idle", 2.0, 2.5, 1], ["Longest gap", 7.0, 8.0, 1],
    ]  # fmt: skip
    assert json.loads(write_places(None, longest, tables[:1]))[0] == ["Odd", 5.0, 6.0, 1]
    assert json.loads(write_places(None, None, tables[2:])) == []


def test_names_of_a_timeline_lead_to_rows_of_kernels_and_to_findings() -> None:
    kernels = table("gpu.kernels", ("short", "text"), rows=[["gemm"], ["<b>"]])
    evidence = timed("gpu.kernels", ["gemm", 1.0, 1.0], ["gemm", 2.0, 1.0])
    findings: list[dict[str, Any]] = [
        {"code": "C3", "title": "Short", "evidence": evidence},
        {"code": "D1", "title": "None", "evidence": None},
    ]
    assert [(one.name, one.kind, one.href) for one in list_leads(kernels, findings)] == [
        ("gemm", "Kernel", "kernels.html#kernel-1"),
        ("<b>", "Kernel", "kernels.html#kernel-2"),
        ("gemm", "Finding", "findings.html#c3"),
    ]
    assert list_leads(None, []) == []


REPLAYED, LEARNED = "decoder-h200-graphs", "dlrm-h100-pinned"
SPACE = "\N{NO-BREAK SPACE}"
NUMBER = r"-?\d[\d.]* %"
TOLD = re.compile(
    rf"(?:[Rr]eplayed:|[Ee]xpect|Expect\n:   (?:Saves )?|Expect: )\s*"
    rf"((?:{NUMBER}(?: to {NUMBER})?)|nothing now)"
)
CELL = re.compile(rf"({NUMBER}(?: to {NUMBER})?)[\w ]* \((?:replayed|\d+ (?:measured|simulated))")


@cache
def pages_of(sample: str) -> Mapping[str, str]:
    """All that is written of a sample, as words without markup."""
    one = sample_documents(sample)
    written = render_report(one.metrics, one.findings, {})
    made = {name: str(text) for name, text in written.items() if name.endswith((".md", ".txt"))}
    made["brief"] = render_brief(Report(one.metrics, one.findings, {}))
    made["first steps"] = "\n".join(tell_first_steps(one.findings))
    return {name: strip(text) for name, text in made.items()}


def strip(page: str) -> str:
    """Words of a page; a row of a table, an item or a paragraph is a line."""
    return re.sub(r"<[^>]*>", "", page).replace(SPACE, " ")


def steps_of(sample: str) -> list[dict[str, Any]]:
    """Findings of the steps of a sample."""
    document = sample_documents(sample).findings
    found = {one["code"]: one for one in document["findings"]}
    phases = document["roadmap"]["phases"]
    return [found[step["code"]] for phase in phases for step in phase["steps"]]


def list_told(page: str, title: str, others: list[str]) -> list[str]:
    """What a page expects of the step of a title: in its section, else up to the next title."""
    if "\n### " in page:
        after = [part for part in page.split("\n### ") if title in part.partition("\n")[0]]
    else:
        parts = re.split(f"({'|'.join(map(re.escape, [title, *others]))})", page)
        after = [text for name, text in pairwise(parts) if name == title]
    return [told for text in after for told in (*TOLD.findall(text), *CELL.findall(text))]


@pytest.mark.parametrize("sample", [REPLAYED, LEARNED])
def test_no_two_pages_expect_different_things_of_a_step(sample: str) -> None:
    steps = steps_of(sample)
    titles = [step["title"] for step in steps]
    fired = [one["title"] for one in sample_documents(sample).findings["findings"]]
    methods = set()
    for step in steps:
        expectation = step["expectation"]
        if expectation is None or expectation["method"] == "bound":
            continue
        ends = [quantity(expectation[end], "ratio") for end in ("low", "high")]
        told = " to ".join(dict.fromkeys(ends)).replace(SPACE, " ")
        others = [title for title in (*titles, *fired) if title != step["title"]]
        found = {
            name: set(list_told(page, step["title"], others))
            for name, page in pages_of(sample).items()
        }
        assert {name: each for name, each in found.items() if each - {told}} == {}
        where = {name for name, each in found.items() if each}
        assert {"roadmap.md", "conclusion.md", "brief", "index.md", "first steps"} <= where
        methods.add(expectation["method"])
    assert methods == {"replay" if sample == REPLAYED else "share"}


def test_a_learned_share_shows_nowhere_where_the_run_is_replayed() -> None:
    one = sample_documents(REPLAYED)
    findings = copy.deepcopy(one.findings)
    for finding in findings["findings"]:
        if finding["expectation"] and finding["expectation"]["method"] == "replay":
            finding["expected"] = {
                "low": 0.123456, "high": 0.234567, "cases": 987, "source": "measured", "part": 1.0,
            }  # fmt: skip
    again = render_report(one.metrics, findings, {})
    before = render_report(one.metrics, one.findings, {})
    assert {n: t for n, t in again.items() if n.endswith(".md")} == {
        n: t for n, t in before.items() if n.endswith(".md")
    }


@pytest.mark.parametrize(("cases", "told"), [(2, True), (1, False)])
def test_money_is_what_is_expected_of_the_first_step(cases: int, *, told: bool) -> None:
    one = sample_documents(LEARNED)
    metrics, findings = copy.deepcopy(one.metrics), copy.deepcopy(one.findings)
    worth, code = findings["worth"], steps_of(LEARNED)[0]["code"]
    lead = next(one for one in findings["findings"] if one["code"] == code)
    metrics["run"]["settings"]["price.gpu_hour"] = "2.0"
    money = {"what": "money", "unit": "EUR", "now": 1.0, "most": 0.5, "formula": "GPUs"}
    worth |= {"returns": [money], "is_time": True, "most": {**worth["most"], "steady": 0.6}}
    lead |= {"first": "", "confidence": "sure"}
    lead["expectation"] = {
        "method": "share", "low": 0.2, "high": 0.4, "of": "the steady iterations", "recurs": True,
        "error": 0.0, "is_nothing": False, "decides": "", "cases": cases, "source": "measured",
    }  # fmt: skip

    def page() -> str:
        page = str(render_report(metrics, findings, {})["roadmap.md"])
        return strip(page.replace("&nbsp;", " "))

    assert ("Expect the first step to save 40 to 80 EUR." in page()) == told
    lead["expectation"] |= {"method": "replay", "low": 0.1, "high": 0.1, "cases": 0}
    assert "Replayed, the first step saves 20 EUR." in page()
    lead["expectation"] |= {"is_nothing": True}
    assert "the first step saves" not in page()


@pytest.mark.parametrize("replay", [None, {"reason": "clocks differ", "steps": []}])
def test_a_roadmap_links_to_its_replay_only_where_there_is_one(
    replay: dict[str, Any] | None,
) -> None:
    """Where the first step's bound is not the largest one: the order is told then."""
    one = sample_documents(LEARNED)
    findings = {**copy.deepcopy(one.findings), "replay": replay}
    steps = [step for phase in findings["roadmap"]["phases"] for step in phase["steps"]]
    steps[0]["most"], steps[1]["most"] = 0.1, 0.2
    page = str(render_report(one.metrics, findings, {})["roadmap.md"])
    assert "The largest bound is not the first step's" in page
    assert "#replayed" not in page


def make_replay(**facts: Any) -> dict[str, Any]:
    """A replay of one step, G1."""
    step = {
        "codes": ["G1"], "alone": {"low": 0.1, "high": 0.2}, "error": 0.01, "is_nothing": False,
    }  # fmt: skip
    resources = [{"title": "Kernels", "now": 0.08, "after": 0.0}]
    return {"plain": None, "host": 1.0, "steps": [step], "resources": resources, **facts}


def make_finding(**facts: Any) -> dict[str, Any]:
    worth = {"kind": "gain", "of": "wall time; x", "whole": "wall", "reduction": 0.5}
    told = {"low": 0.2, "high": 0.4, "cases": 3, "source": "measured"}
    return {
        "code": "G1", "status": "fired", "estimate": {**worth, "steady": None}, "expected": told,
        **facts,
    }  # fmt: skip


def test_a_replay_counts_before_a_share_and_a_share_before_the_bound() -> None:
    found = choose_expectation(make_finding(), make_replay())
    assert found is not None
    assert (found.method, found.low, found.high, found.of) == ("replay", 0.1, 0.2, "an iteration")
    found = choose_expectation(make_finding(), make_replay(steps=[]))
    assert found is not None
    assert (found.method, found.low, found.high) == ("share", 0.1, 0.2)
    assert (found.of, found.recurs, found.cases) == ("wall time; x", False, 3)
    found = choose_expectation(make_finding(expected=None), None)
    assert found is not None
    assert (found.method, found.low, found.high) == ("bound", None, 0.5)
    assert choose_expectation(make_finding(estimate=None), None) is None
    assert choose_expectation(make_finding(status="passed"), make_replay()) is None
    assert set(METHODS) == {"replay", "share", "bound"}


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("Kernels", "replayed: nothing now, as kernels decide"),
        ("Loading of input", "replayed: nothing now, as loading of input decides"),
        (
            "Host's work between calls",
            "replayed: nothing now, as host's work between calls decides",
        ),
    ],
)
def test_where_a_step_saves_nothing_it_is_told_what_decides(title: str, says: str) -> None:
    replay = make_replay(resources=[{"title": title, "now": 0.08, "after": 0.0}])
    replay["steps"][0]["is_nothing"] = True
    found = choose_expectation(make_finding(), replay)
    assert found is not None
    assert tell_expectation(vars(found)) == says


def test_what_is_replayed_is_a_recording_where_nothing_marks_iterations() -> None:
    assert name_unit(make_replay()) == name_whole(make_replay()) == "an iteration"
    assert name_whole(make_replay(is_recording=True)) == "the recording"
    known = make_replay(plain=0.1, host=0.8)
    assert name_whole(known) == "an iteration without the profiler"
    found = choose_expectation(make_finding(), make_replay(is_recording=True))
    assert found is not None
    assert (found.of, found.recurs) == ("the recording", False)
