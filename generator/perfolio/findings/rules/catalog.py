"""Rule files: front matter and Markdown sections become `Rule`s; gaps are refused.

In:  `rules/<CODE>-<slug>.md`, and `gates.yaml`: the gates that rules of a cause share.
Out: rules by code. A rule that is incomplete never reaches a report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

import yaml
from msgspec import Struct, structs

from perfolio.common.content_files import load_yaml, reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.typed_entries import SchemaError
from perfolio.findings.estimates.time_formulas import find_metrics
from perfolio.findings.model.conditions import SHARED, find_fields, get_field_metric
from perfolio.findings.model.content_entries import read, read_file
from perfolio.findings.model.rule import SECTIONS, Condition, Rule, RuleGate, RuleHead
from perfolio.findings.model.wording import FIELDS
from perfolio.findings.rules.advice_passages import find_named_metrics, refuse_empty
from perfolio.findings.rules.external_inputs import INPUTS, load_inputs
from perfolio.findings.rules.rule_checks import (
    find_contradictions,
    find_out_of_order,
    list_nearest,
)
from perfolio.findings.tree.catalog import FILE as CAUSES

RULES = Path(__file__).parent
GATES = RULES / "gates.yaml"

_FILE = re.compile(r"(?P<code>[A-Z]\d+[a-z]?)-(?P<slug>[a-z0-9-]+)\.md")
_PAGE = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_METRICS = "`perfolio metrics STORE` lists them"
_HINT = "docs/how-to/add-a-rule.md says what a rule holds"


def load_rules(
    folder: Path = RULES,
    metrics: Collection[str] | None = None,
    charts: Collection[str] | None = None,
) -> dict[str, Rule]:
    """All rules of `folder` by code, in the order of their codes.

    `metrics` and `charts` are the names of those that exist: where given, a rule that names
    another one is refused. ContentError names the faulty file.
    """
    rules = dict(_load_folder(folder))
    for rule, key, name in _list_named_metrics(folder) if metrics is not None else ():
        if name not in (metrics or ()):
            problem = f"{key}: {name!r} is none of {list_nearest(name, metrics or ())}"
            raise ContentError(f"{_make_path(folder, rule)}: {problem}", hint=_METRICS)
    for rule, name in _list_named_charts(rules.values()) if charts is not None else ():
        if name not in (charts or ()):
            problem = f"chart: {name!r} is none of {list_nearest(name, charts or ())}"
            raise ContentError(f"{_make_path(folder, rule)}: {problem}", hint=_HINT)
    return rules


def _list_named_charts(rules: Iterable[Rule]) -> list[tuple[Rule, str]]:
    named = ((rule, (rule.chart, *(each.chart for each in rule.exact))) for rule in rules)
    return [(rule, name) for rule, names in named for name in names if name]


@reload_when_edited(RULES, SHARED, INPUTS, GATES, CAUSES)
def _load_folder(folder: Path) -> dict[str, Rule]:
    rules = [_load_rule(path) for path in sorted(folder.glob("*.md"))]
    codes = [rule.code for rule in rules]
    for code in codes:
        if codes.count(code) > 1:
            raise ContentError(f"{folder}: more than one rule has the code {code}")
    for rule, problem in find_out_of_order(rules):
        raise ContentError(f"{_make_path(folder, rule)}: {problem}", hint=_HINT)
    return {rule.code: rule for rule in rules}


@reload_when_edited(RULES, SHARED, INPUTS, GATES, CAUSES)
def _list_named_metrics(folder: Path) -> list[tuple[Rule, str, str]]:
    """What `find_rule_metrics` finds in each rule, after the rule."""
    rules = _load_folder(folder).values()
    return [(rule, key, name) for rule in rules for key, name in find_rule_metrics(rule)]


def find_rule_metrics(rule: Rule) -> Iterator[tuple[str, str]]:
    """Every metric that the rule reads for itself, after the key or heading that names it."""
    for key in rule.__struct_fields__:
        yield from ((key, name) for name in _find_entry_metrics(key, getattr(rule, key)))
    for heading, words in rule.sections.items():
        yield from ((heading, name) for name in find_named_metrics(words))


def _find_entry_metrics(key: str, value: object) -> Iterator[str]:
    """The metrics that an entry names: in conditions, in sentences, or alone."""
    if isinstance(value, Condition):
        yield get_field_metric(value.metric)
    elif isinstance(value, Struct):
        for inner in value.__struct_fields__:
            yield from _find_entry_metrics(inner, getattr(value, inner))
    elif isinstance(value, tuple):
        for each in value:
            yield from _find_entry_metrics(key, each)
    elif isinstance(value, str) and value and key in _NAMING:
        yield from _NAMING[key](value)


def _wrap_name(name: str) -> Iterable[str]:
    return (name,)


def _find_stated_metrics(words: str) -> Iterator[str]:
    own = ("value", *FIELDS)
    return (get_field_metric(name) for name in find_fields(words) if name not in own)


_NAMING: Mapping[str, Callable[[str], Iterable[str]]] = {
    **dict.fromkeys(("metric", "table", "within"), _wrap_name),
    **dict.fromkeys(("states", "say"), _find_stated_metrics),
    "concerns": find_metrics,
}
"""How a text names metrics, by its key."""


def _make_path(folder: Path, rule: Rule) -> Path:
    return folder / f"{rule.code}-{rule.slug}.md"


def _load_rule(path: Path) -> Rule:
    try:
        return _read_rule(path)
    except ContentError as error:
        raise ContentError(f"{path}: {error.message}", hint=error.hint or _HINT) from error
    except (OSError, ValueError) as error:
        raise ContentError(f"{path}: {error}", hint=_HINT) from error


def _read_rule(path: Path) -> Rule:
    name = _FILE.fullmatch(path.name)
    if name is None:
        raise ContentError("a rule file is called <CODE>-<slug>.md, e.g. X2-copies.md")
    head, body = split_page(path.read_text(encoding="utf-8"))
    if (problem := next(find_contradictions(head), None)) is not None:
        raise ContentError(problem)
    rule = Rule(
        code=name["code"],
        slug=name["slug"],
        sections=_split_sections(body),
        input=load_inputs().get(head.needs.input),
        **structs.asdict(head) | {"gates": (*_gates_of(head.cause), *head.gates)},
    )
    for key, metric in find_rule_metrics(rule):
        if metric.startswith("seed."):
            raise ContentError(f"{key}: metrics of the group seed are known to be wrong")
    return rule


def _gates_of(cause: str) -> Iterator[RuleGate]:
    """The gates that rules of a cause share, those of wider causes first."""
    for wider, gates in load_gates().items():
        if cause == wider or cause.startswith(f"{wider}."):
            yield from gates


@reload_when_edited(GATES)
def load_gates(path: Path) -> dict[str, tuple[RuleGate, ...]]:
    """The gates that rules share, by their cause; ContentError names the file."""
    return read_file(path, dict[str, tuple[RuleGate, ...]])


def split_page(page: str) -> tuple[RuleHead, str]:
    """The front matter of a page, and the Markdown below it."""
    parts = _PAGE.fullmatch(page)
    if parts is None:
        raise SchemaError("no front matter between two lines of ---")
    try:
        entries = load_yaml(parts["head"])
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # such as a 31st of June
        raise SchemaError(f"front matter is not YAML: {error}") from error
    return read(entries, RuleHead), parts["body"]


def _split_sections(body: str) -> dict[str, str]:
    before, *pieces = _HEADING.split(body)
    headings = tuple(heading.strip() for heading in pieces[::2])
    if headings != SECTIONS or before.strip():
        raise ContentError(f"sections must be exactly {', '.join(SECTIONS)}")
    sections = {name: text.strip() for name, text in zip(headings, pieces[1::2], strict=True)}
    empty = [name for name, text in sections.items() if not text]
    if empty:
        raise ContentError(f"nothing below {', '.join(empty)}")
    for heading, words in sections.items():
        try:
            refuse_empty(words)
        except ContentError as error:
            raise ContentError(f"{heading}: {error.message}", hint=error.hint) from error
    return sections
