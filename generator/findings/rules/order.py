"""Whether rules can be followed in the order that they ask for.

In:  rules, with the codes of those whose fix should come first.
Out: nothing; ContentError where no order is possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.errors import ContentError
from generator.findings.terms.model import Rule


def refuse_impossible_order(rules: Sequence[Rule]) -> None:
    """`after` and `after_if` name other rules, and none of their chains comes back to its begin."""
    by_code = {rule.code: rule for rule in rules}
    for rule in rules:
        unknown = sorted({*rule.after, *rule.after_if} - by_code.keys())
        if unknown:
            raise ContentError(f"rule {rule.code}: `after` names unknown rules {unknown}")
        if rule.code in _before(rule, by_code):
            raise ContentError(f"rule {rule.code}: `after` leads back to the rule itself")


def _before(rule: Rule, by_code: Mapping[str, Rule]) -> set[str]:
    """Codes of all rules that come before `rule`, directly or through others."""
    found: set[str] = set()
    waiting = [*rule.after, *rule.after_if]
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            other = by_code.get(code)
            waiting += [*other.after, *other.after_if] if other is not None else []
    return found
