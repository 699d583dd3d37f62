"""Whether rules can be followed in the order that they ask for.

In:  rules, with the codes of those whose fix should come first.
Out: those for which no order is possible, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.findings.terms.model import Rule


def out_of_order(rules: Sequence[Rule]) -> Iterator[tuple[Rule, str]]:
    """Rules whose `after` names no other rule, or leads back to themselves."""
    by_code = {rule.code: rule for rule in rules}
    for rule in rules:
        unknown = sorted({*_first(rule)} - by_code.keys())
        if unknown:
            yield rule, f"after: there is no rule {unknown[0]}"
        if rule.code in _before(rule, by_code):
            yield rule, "after: leads back to the rule itself"


def _before(rule: Rule, by_code: Mapping[str, Rule]) -> set[str]:
    """Codes of all rules that come before `rule`, directly or through others."""
    found: set[str] = set()
    waiting = [*_first(rule)]
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            other = by_code.get(code)
            waiting += _first(other) if other is not None else ()
    return found


def _first(rule: Rule) -> tuple[str, ...]:
    """Codes of those whose fix should come first, on whatever run."""
    return (*rule.after, *(code for each in rule.also for code in each.after))
