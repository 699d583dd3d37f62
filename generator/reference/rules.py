"""The page docs/reference/rules.md: thresholds in one table, then every rule with its advice.

In:  the rules, and the metrics that they read.
Out: Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from perfolio.common.units import format_threshold
from perfolio.findings.model.rule import WHO, Condition, Rule
from perfolio.findings.rules.advice_passages import format_for_readers
from perfolio.metrics.model import Metric
from perfolio.metrics.requirements import Vocabulary, load_vocabulary
from perfolio.metrics.run_commands import CommandSetting, prepare_command
from perfolio.readers.tool_catalog import CAPABILITIES, list_tools
from reference.markdown import link, page, table, text

_NO_BREAK = "\N{NO-BREAK SPACE}"
_RULES_HEAD = (
    "Each rule is one Markdown file in `generator/perfolio/findings/rules`. It compares one metric "
    "with "
    "thresholds and fires with the severity of the last one reached. *Proposed* means that nobody "
    "has published the threshold. Where a trace shows that a finding is worth less than 1 % of "
    "the run, its severity is *info*, whatever its value, and *low* at most below 5 %."
)


_TOOLS_HEAD = (
    "*yes*: the tool can record all that the rule's metric needs, with the options that "
    "`perfolio info` names where a recording lacks something. *in part*: on the GPUs of some "
    "vendors only. What none can answer yet needs counters of the hardware."
)


def rules_page(rules: Sequence[Rule], metrics: dict[str, Metric]) -> str:
    """All thresholds in one table, then every rule with its advice."""
    rows = (
        [
            f"[{rule.code}](#{_anchor(rule)})",
            text(rule.title),
            _thresholds(rule, _unit(rule, metrics), "<br>"),
            text(rule.threshold_source),
        ]
        for rule in rules
    )
    parts = [
        "# Rules",
        _RULES_HEAD,
        "## Thresholds",
        table(["Rule", "Finding", "Fires", "Source of the threshold"], rows),
        "## What each tool's recordings can answer",
        _TOOLS_HEAD,
        _by_tool(rules, metrics),
    ]
    return page([*parts, *(part for rule in rules for part in _rule(rule, metrics))])


def _by_tool(rules: Sequence[Rule], metrics: dict[str, Metric]) -> str:
    """For each rule the tools whose recordings it can be judged from."""
    told = {tool: load_vocabulary(folder / CAPABILITIES) for tool, folder in list_tools().items()}
    rows = (
        [f"[{rule.code}](#{_anchor(rule)})", text(rule.title)]
        + [_answer(rule, metrics, words) for words in told.values()]
        for rule in rules
    )
    return table(["Rule", "Finding", *map(text, told)], rows)


def _answer(rule: Rule, metrics: dict[str, Metric], words: Vocabulary) -> str:
    """Whether a tool records what a rule's own metric needs, or one that decides closer."""
    judged = [rule.metric, *(each.metric for each in rule.exact if not each.passes_only)]
    found = [_recorded(metrics[name].needs, words) for name in judged if name]
    return next((each for each in ("yes", "in part") if each in found), "no")


def _recorded(needs: Iterable[str], words: Vocabulary) -> str:
    entries = [entry for need in needs if (entry := words.entry(need)) is not None]
    if any("any" in entry.never for entry in entries):
        return "no"
    return "in part" if any(entry.never for entry in entries) else "yes"


def _rule(rule: Rule, metrics: dict[str, Metric]) -> Iterator[str]:
    yield f"## {rule.code}: {text(rule.title)} {{ #{_anchor(rule)} }}"
    facts = [
        ["Fires", _thresholds(rule, _unit(rule, metrics))],
        ["Source of the threshold", text(rule.threshold_source)],
        ["Applies where", _conditions(rule.applies, metrics) or "always"],
    ]
    facts += _gates(rule, metrics)
    facts += _exact(rule)
    yield table(_compared(rule, metrics), [*facts, *_plan(rule, metrics)])
    if rule.input and not rule.metric:
        title, why = text(rule.input.title), text(rule.input.why["any"])
        yield f"Not evaluated from an HPCToolkit database. {title}: {why}"
        if rule.input.collect["any"]:
            yield f"```sh\n{prepare_command(rule.input.collect['any'], CommandSetting())}\n```"
    for heading, words in rule.sections.items():
        yield f"**{heading}**"
        yield format_for_readers(words)


def _gates(rule: Rule, metrics: dict[str, Metric]) -> Iterator[list[str]]:
    """Where it does not fire, whatever its value."""
    only = [each for gate in rule.gates for each in gate.unless]
    if only:
        yield ["Fires only where", _conditions(only, metrics)]
    for then, words in (("passed", "Passes where"), ("not_evaluated", "Not evaluated where")):
        where = [each for gate in rule.gates if gate.then == then for each in gate.when]
        if where:
            yield [words, _conditions(where, metrics)]


def _exact(rule: Rule) -> Iterator[list[str]]:
    """The metrics that are judged in place of its own."""
    judged = [link(each.metric) for each in rule.exact if not each.passes_only]
    passing = [link(each.metric) for each in rule.exact if each.passes_only]
    if judged:
        yield ["Judged in its place where measured", ", else ".join(judged)]
    if passing:
        yield ["Passes already where this, which it cannot exceed, does", ", or ".join(passing)]


def _unit(rule: Rule, metrics: dict[str, Metric]) -> str:
    return metrics[rule.metric].unit if rule.metric else rule.needs.unit


def _compared(rule: Rule, metrics: dict[str, Metric]) -> list[str]:
    """What the rule compares: its metric, or in words what no database holds."""
    if not rule.metric:
        return ["Compares", text(rule.needs.measures)]
    return ["Metric", f"{link(rule.metric)}: {text(metrics[rule.metric].title)}"]


def _plan(rule: Rule, metrics: dict[str, Metric]) -> Iterator[list[str]]:
    """Where the fix belongs in a plan."""
    yield ["Takes", f"{rule.effort} for {WHO[rule.who]}; phase: {rule.phase}"]
    first = ", ".join(rule.after)
    further = ", ".join(code for each in rule.also for code in each.after)
    if first or further:
        some = f"on some runs {further}" if further else ""
        yield ["Comes after", "; ".join(filter(None, (first, some)))]
    yield ["Risk", text(rule.risk)]
    aim = rule.target
    if aim.value is not None:
        target = format_threshold(aim.value, _unit(rule, metrics))
        within = f", where {link(aim.within)} allows it" if aim.within else ""
        yield ["Target", f"{target}{within}: {text(aim.source)}"]
    if aim.metric:
        yield ["Target", f"{link(aim.metric)}: {text(aim.source)}"]


def _conditions(conditions: Iterable[Condition], metrics: dict[str, Metric]) -> str:
    return ", ".join(
        f"{link(one.metric)} is {one.direction} "
        f"{format_threshold(one.bound, metrics[one.metric].unit)}"
        for one in conditions
    )


def _thresholds(rule: Rule, unit: str, between: str = ", ") -> str:
    return between.join(
        f"{rule.direction} {format_threshold(one.value, unit)}: {one.severity}".replace(
            " ", _NO_BREAK
        )
        for one in rule.thresholds
    )


def _anchor(rule: Rule) -> str:
    return f"{rule.code}-{rule.slug}".lower()
