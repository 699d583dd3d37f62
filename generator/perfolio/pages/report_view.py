"""One report's documents arranged for templates: look-ups and groupings, no markup.

In:  the content of metrics.json and findings.json, and the rendered charts.
Out: `Report`, the only thing that the templates of a report see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from perfolio.charts.model import RenderedChart
from perfolio.findings.model.conditions import find_shared_condition, is_beyond
from perfolio.findings.model.step_replay import find_replayed_step, name_whole
from perfolio.metrics.caveats import is_sampling_tool
from perfolio.pages.cpu_cost_unit import Record, apply_cost_unit, find_cost_unit
from perfolio.pages.finding_topics import (
    FindingTopic,
    choose_first_topics,
    find_postponed_codes,
    list_topics,
)
from perfolio.pages.first_steps import list_steps
from perfolio.pages.group_titles import HARDWARE
from perfolio.pages.metric_groups import (
    MetricGap,
    MetricGroup,
    group_by_reason,
    group_metrics,
    is_measured,
)
from perfolio.pages.timeline_leads import (
    KERNELS,
    TIMELINE,
    WITHIN_ITERATION,
    TimelineLead,
    list_leads,
    write_places,
)
from perfolio.readers.tool_catalog import list_tools

_OF_CUDA = re.compile(r"HPCToolkit does not see kernels launched by cuLaunchKernelEx[^.]*\.")
"""The sentence of a caveat that is about CUDA's calls."""


@dataclass(frozen=True)
class Report:
    """Everything that is known of one run."""

    metrics_document: Record
    findings_document: Record
    charts: Mapping[str, RenderedChart]
    tiled: bool = False
    """Whether files of its timeline lie beside its pages."""

    @property
    def run(self) -> Record:
        """The facts of the run, as in metrics.json."""
        return _as_record(self.metrics_document["run"])

    @property
    def simulated(self) -> bool:
        """Whether profile.toml says that the profile was made up."""
        return is_simulated(self.run["settings"])

    @property
    def parameters(self) -> dict[str, str]:
        """What profile.toml says of the workload, by name."""
        settings = self.run["settings"].items()
        return {key.removeprefix("workload."): value for key, value in settings}

    @property
    def device(self) -> str:
        """The GPU as the table of hardware, else the tool or profile.toml, calls it."""
        known = self.run["hardware"]
        if known:
            return str(known["name"])
        settings = self.run["settings"]
        named = settings.get("device.name") or settings.get("workload.device")
        return str(named or "hardware unknown")

    @property
    def hardware_facts(self) -> list[tuple[str, Any, str]]:
        """What is known of the machine: (property, value, unit)."""
        row = self.run["hardware"] or {}
        return [
            (title, row[key], unit)
            for key, (title, unit) in HARDWARE.items()
            if row.get(key) is not None
        ]

    @cached_property
    def metrics(self) -> list[Record]:
        """All metrics, CPU costs in the unit of this run."""
        return [
            apply_cost_unit(item, item["name"], self.cost_unit)
            for item in self.metrics_document["metrics"]
        ]

    @cached_property
    def cost_unit(self) -> str:
        """The unit of CPU cost in this run."""
        return find_cost_unit(self.metrics_document["metrics"])

    @cached_property
    def _by_name(self) -> Mapping[str, Record]:
        return {item["name"]: item for item in self.metrics}

    @property
    def metric_names(self) -> frozenset[str]:
        """Names of metrics that the document has."""
        return frozenset(self._by_name)

    def metric(self, name: str) -> Record | None:
        """The metric of this name, None where the document has none."""
        return self._by_name.get(name)

    def first_of(self, names: Sequence[str]) -> Record | None:
        """The first of these metrics that has a value."""
        known = (self.metric(name) for name in names)
        return next((item for item in known if item and is_measured(item)), None)

    def holds(self, name: str) -> bool:
        """Whether a condition that findings share (`slowed`) is known to hold of this run."""
        condition = find_shared_condition(name)
        item = self.metric(condition.metric)
        value = item["value"] if item else None
        return value is not None and is_beyond(value, condition.direction, condition.bound)

    def select(self, names: Sequence[str]) -> list[Record]:
        """Metrics by full name (`gpu.launches`) or group (`stall.`), in the document's order."""
        found = {place for name in names for place in self._places.get(name, ())}
        return [self.metrics[place] for place in sorted(found)]

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        """Where metrics stand, by full name and by each group that they are of."""
        places: dict[str, list[int]] = {}
        for place, item in enumerate(self.metrics):
            above = accumulate(item["name"].split(".")[:-1], "{}.{}".format)
            for name in (item["name"], *(f"{group}." for group in above)):
                places.setdefault(name, []).append(place)
        return places

    def scalars(self, names: Sequence[str]) -> list[Record]:
        """The measured numbers among them."""
        return [m for m in self.select(names) if m["shape"] == "scalar" and is_measured(m)]

    def all_zero(self, names: Sequence[str]) -> bool:
        """Whether numbers among them are measured, and each is 0."""
        values = [item["value"] for item in self.scalars(names)]
        return bool(values) and not any(values)

    def gaps(self, names: Sequence[str]) -> list[MetricGap]:
        """What is not measured among them and applies to this run, by reason.

        Where nothing of them is measured, and none of them applies, it is all of them: how to
        collect it is the question.
        """
        missing = [item for item in self.select(names) if not is_measured(item)]
        missed = [item for item in missing if self.misses(item["name"])]
        return group_by_reason(missed if missed or self.has_any(names) else missing)

    def misses(self, name: str) -> bool:
        """Whether a metric is not measured and applies to this run."""
        return name in self._missed

    def misses_any(self, items: Sequence[Record]) -> bool:
        """Whether somebody may miss one of these metrics."""
        return any(self.misses(item["name"]) for item in items)

    @cached_property
    def _missed(self) -> frozenset[str]:
        """Metrics that the findings document says somebody may miss: none of an absent GPU."""
        return frozenset(item["metric"] for item in self.findings_document["not_measured"])

    def summary_gaps(self) -> list[MetricGap]:
        """What the findings document says was not measured, by reason, the widest one first."""
        known = (
            {**self._by_name.get(item["metric"], {}), **item, "name": item["metric"]}
            for item in self.findings_document["not_measured"]
        )
        return sorted(group_by_reason(known), key=lambda gap: -len(gap.metrics))

    def has_any(self, names: Sequence[str]) -> bool:
        """Whether anything among them is measured."""
        return any(map(is_measured, self.select(names)))

    def concerns(self, names: Sequence[str]) -> bool:
        """Whether any of them is measured, or may be missed: not what is about an absent GPU."""
        return any(is_measured(item) or self.misses(item["name"]) for item in self.select(names))

    @property
    def is_of_events(self) -> bool:
        """Whether the tool recorded begins and ends, and takes no samples of threads or GPUs."""
        return self.run["tool"] in list_tools() and not is_sampling_tool(self.run["tool"])

    @property
    def only_traced(self) -> bool:
        """Whether the database holds a trace and no values: profile.db is missing."""
        return not self.has_any(["quality.invariant"]) and self.has_any(["time."])

    def group_charts(self, group: str) -> list[RenderedChart]:
        """The charts of a page, in the order in which they are given."""
        return [chart for chart in self.charts.values() if chart.group == group]

    def is_tiled(self, chart: RenderedChart) -> bool:
        """Whether a chart is the timeline, and every interval of it is known."""
        return self.tiled and chart.zoom == TIMELINE

    def is_place_of_kernels(self, chart: RenderedChart) -> bool:
        """Whether its table is where links to a kernel lead: the first one of kernels."""
        charts = (each for each in self.charts.values() if each.metric == KERNELS)
        return next(charts, None) is chart

    @property
    def timeline_places(self) -> str:
        """Parts that buttons of the timeline show, and gaps that it marks, as JSON."""
        drawn = (chart for chart in self.charts.values() if chart.zoom == TIMELINE)
        longest = self.metric("time.longest_gaps")
        tables = [(item["title"], item["evidence"]) for item in self.findings("fired")]
        return write_places(next(drawn, None), longest, tables)

    @property
    def timeline_leads(self) -> list[TimelineLead]:
        """Where names of the timeline lead: rows of kernels, and findings."""
        return list_leads(self.metric(KERNELS), self.findings("fired"))

    def is_timed(self, name: str, item: Record) -> bool:
        """Whether rows of metric `name` have a place on the timeline that this report draws."""
        columns = {column["name"] for column in item["columns"]}
        on_timeline = name.startswith("time.") and name != WITHIN_ITERATION
        drawn = any(chart.zoom == TIMELINE for chart in self.charts.values())
        return on_timeline and drawn and {"start", "duration"} <= columns

    def findings(self, status: str) -> list[Record]:
        """Findings of one status, in the document's order: what matters first."""
        return [item for item in self.findings_document["findings"] if item["status"] == status]

    def topics(self, count: int) -> list[FindingTopic]:
        """The fired findings that matter most, by cause."""
        return choose_first_topics(self.findings_document, count)

    @cached_property
    def steps(self) -> list[Record]:
        """The steps of the roadmap, in their order."""
        return list_steps(self.findings_document)

    @cached_property
    def lead(self) -> Record | None:
        """What the first step answers, else the finding that matters most; None without any."""
        if self.steps:
            return self.finding(self.steps[0]["code"])
        first = self.topics(1)
        return first[0].finding if first else None

    @cached_property
    def all_topics(self) -> list[FindingTopic]:
        """Every fired finding, those of one cause together."""
        return list_topics(self.findings_document)

    @property
    def not_worth(self) -> int:
        """How many checks fired for what is not worth a step now."""
        return len(find_postponed_codes(self.findings_document))

    def finding(self, code: str) -> Record:
        """The finding of a code that the document has."""
        return next(item for item in self.findings_document["findings"] if item["code"] == code)

    def replayed(self, code: str) -> Record | None:
        """The change that stands for a step, replayed; None where it is not."""
        return find_replayed_step(code, self.findings_document.get("replay"))

    @property
    def replayed_whole(self) -> str:
        """What a replay tells shares of."""
        return name_whole(self.findings_document["replay"])

    def cause(self, key: str) -> Record | None:
        """The node of the tree of causes of a key, None where this run has none."""
        nodes: list[Record] = self.findings_document["causes"]["nodes"]
        return next((node for node in nodes if node["key"] == key), None)

    def evidence(self, holder: Record, part: str = "evidence") -> Record | None:
        """The rows behind a finding, or the places of a cause; None where it has none."""
        table = holder[part]
        if not table or not table["rows"]:
            return None
        return apply_cost_unit(table, table["metric"], self.cost_unit)

    @property
    def breakdown(self) -> Record:
        """How the run's main time divides, in the unit of this run."""
        parts = self.findings_document["breakdown"]
        return {**parts, "unit": self.cost_unit} if parts["unit"] == "1" else _as_record(parts)

    def measured_key_figures(self) -> list[Record]:
        """The key figures that have a value, in the document's order."""
        figures: list[Record] = self.findings_document["key_figures"]
        return [each for each in figures if self.has_any([each["metric"]])]

    def fired_about(self, names: Sequence[str], group: str = "") -> list[Record]:
        """Fired findings on these metrics or on a chart of this group."""
        charts = {chart.name for chart in self.group_charts(group)}
        return [
            item
            for item in self.findings("fired")
            if _is_selected(item["metric"] or "", names) or item["chart"] in charts
        ]

    def all_gaps(self) -> list[MetricGap]:
        """Everything that is not measured and applies to this run, by reason."""
        return self.gaps([f"{group.key}." for group in self.groups()])

    @property
    def beside_the_point(self) -> int:
        """How many metrics are not measured as they are about a GPU or ranks that the run lacks.

        Nobody misses the formulas of `seed`.
        """
        names = [item["name"] for item in self.metrics if not is_measured(item)]
        return sum(not name.startswith("seed.") and not self.misses(name) for name in names)

    def caveats(self) -> dict[str, list[Record]]:
        """What is known to be wrong with measured values, and which ones it concerns.

        What HPCToolkit does not see of CUDA is nothing wrong on the GPU of another maker.
        """
        nvidia = self.metric("run.nvidia_gpu")
        other = nvidia is not None and nvidia["value"] == 0
        groups: dict[str, list[Record]] = {}
        for item in self.metrics:
            caveat = _OF_CUDA.sub("", item["caveat"]).strip() if other else item["caveat"]
            if caveat and is_measured(item) and not item["name"].startswith("seed."):
                groups.setdefault(caveat, []).append(item)
        return groups

    def groups(self) -> list[MetricGroup]:
        """All metrics by the first part of their names."""
        return group_metrics(self.metrics)


def is_simulated(settings: Mapping[str, str]) -> bool:
    """Whether the settings of a run say that it was made up."""
    return str(settings.get("simulated", "false")).lower() not in ("false", "0", "")


def _as_record(value: Any) -> Record:
    return value if isinstance(value, Mapping) else {}


def _is_selected(name: str, names: Sequence[str]) -> bool:
    return any(name.startswith(each) if each.endswith(".") else name == each for each in names)
