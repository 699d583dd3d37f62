"""What the types of a rule's entries do not say: which of them go together, and which rules do.

In:  the front matter of a rule; all rules. Out: what is wrong with them, as `key: why`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise

from msgspec import structs

from perfolio.common.units import UNITS
from perfolio.findings.estimates.estimator_catalog import load_estimators
from perfolio.findings.model.conditions import is_beyond
from perfolio.findings.model.rule import SEVERITIES, Rule, RuleHead, RuleNeeds
from perfolio.findings.rules.external_inputs import load_inputs
from perfolio.findings.tree.catalog import load_causes

_OF_A_METRIC = (
    "headline",
    "states",
    "also",
    "exact",
    "gates",
    "worth",
    "evidence",
    "estimator",
    "chart",
    "target",
)
_NEAREST = 12
"""How many names are told in place of one that there is not."""
_ABSENT = {field.name: field.default for field in structs.fields(RuleHead)}


def find_contradictions(head: RuleHead) -> Iterator[str]:
    """What is wrong with the front matter of a rule, one after the other."""
    for mild, severe in pairwise(head.thresholds):
        worse = SEVERITIES.index(severe.severity) < SEVERITIES.index(mild.severity)
        if not worse or not is_beyond(severe.value, head.direction, mild.value):
            yield "thresholds: do not go from mild to severe"
    gates = (*head.gates, *(gate for each in head.exact for gate in each.gates))
    if any(bool(gate.when) == bool(gate.unless) for gate in gates):
        yield "gates: each has either `if` or `unless`"
    if not all(
        each.say or each.effort or each.who or each.first or each.after for each in head.also
    ):
        yield "also: each has `say`, `effort`, `who`, `first` or `after`"
    yield from _check_needs(head)
    yield from _check_causes(head)
    yield from _check_worth(head)
    yield from _check_target(head)


def _check_needs(head: RuleHead) -> Iterator[str]:
    """A rule compares a metric, or says what it would compare if there were an input."""
    needs, inputs = head.needs, load_inputs()
    if needs.input and needs.input not in inputs:
        yield f"needs.input: {needs.input!r} is none of {', '.join(inputs)}"
    if not head.metric:
        yield from _check_without_metric(head, needs)
    elif not (head.states and head.headline):
        yield f"{'states' if head.headline else 'headline'}: is missing"
    elif needs.measures or needs.unit:
        yield "needs: `measures` and `unit` are of a rule without `metric`"


def _check_without_metric(head: RuleHead, needs: RuleNeeds) -> Iterator[str]:
    if not (needs.input and needs.measures):
        yield "metric: is missing, and so is what it `needs`: `input`, `measures` and `unit`"
    if needs.unit not in UNITS:
        yield f"needs.unit: {needs.unit!r} is none of {', '.join(UNITS)}"
    for key in _OF_A_METRIC:
        if getattr(head, key) != _ABSENT[key]:
            yield f"{key}: is of a rule with a `metric`"


def _check_worth(head: RuleHead) -> Iterator[str]:
    """A rule has a bound of its gain, or says why there is none."""
    known = load_estimators()
    if head.estimator and head.estimator not in known:
        yield f"estimator: {head.estimator!r} is none of {list_nearest(head.estimator, known)}"
    if head.estimator and head.worth.unbounded:
        yield "worth.unbounded: says why there is no `estimator`, and there is one"


def list_nearest(name: str, known: Collection[str]) -> str:
    """Those of the known names that are most like one that is none of them."""
    near = get_close_matches(name, known, _NEAREST, 0.0)
    more = len(known) - len(near)
    return ", ".join(near) + (f" and {more} more" if more else "")


def _check_causes(head: RuleHead) -> Iterator[str]:
    """A rule explains a cause that the tree has, or none where it is about the data."""
    known = [node.key for node in load_causes().nodes]
    own = {"cause": head.cause}
    own |= {f"exact[{place}].cause": each.cause for place, each in enumerate(head.exact)}
    for key, cause in own.items():
        if cause and cause not in known:
            yield f"{key}: {cause!r} is none of {list_nearest(cause, known)}"


def _check_target(head: RuleHead) -> Iterator[str]:
    """A target has one origin, and reaching it makes the rule pass."""
    target = head.target
    if target.source and (target.value is None) == (not target.metric):
        yield "target: has either a `value` or a `metric`"
    if target.within and target.value is None:
        yield "target.within: goes with a `value`"
    mildest = head.thresholds[0].value
    if target.value is not None and is_beyond(target.value, head.direction, mildest):
        yield f"target: the rule would still fire at {target.value}"


def find_out_of_order(rules: Sequence[Rule]) -> Iterator[tuple[Rule, str]]:
    """Rules whose `after` names no other rule, or leads back to themselves."""
    by_code = {rule.code: rule for rule in rules}
    for rule in rules:
        unknown = sorted({*_list_first(rule)} - by_code.keys())
        if unknown:
            yield rule, f"after: there is no rule {unknown[0]}"
        if rule.code in _find_before(rule, by_code):
            yield rule, "after: leads back to the rule itself"


def _find_before(rule: Rule, by_code: Mapping[str, Rule]) -> set[str]:
    """Codes of all rules that come before `rule`, directly or through others."""
    found: set[str] = set()
    waiting = [*_list_first(rule)]
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            other = by_code.get(code)
            waiting += _list_first(other) if other is not None else ()
    return found


def _list_first(rule: Rule) -> tuple[str, ...]:
    """Codes of those whose fix should come first, on whatever run."""
    return (*rule.after, *(code for each in rule.also for code in each.after))
