"""Words decide nothing: with each sentence replaced, a report judges and orders as before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import structs

from perfolio.findings.document import make_findings_document
from perfolio.findings.evaluation import finding_sentences
from perfolio.findings.evaluation import threshold_margin as margin
from perfolio.findings.model import wording
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.findings.model.rule import Rule, Wordings
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree import run_tree
from perfolio.findings.tree.catalog import CauseNode, load_causes
from tests.kit.samples import SAMPLES, sample_documents

WORD = "word"
KINDS = ("whole", "kind", "key", "parent", "rating", "metric", "code")
TEXTS = ("formula", "weaker_if", "weaker_formula", "reason")


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_words_decide_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = sample_documents(name).metrics
    before = make_findings_document(metrics)
    _silence(monkeypatch)
    rules = {code: _silent(rule) for code, rule in load_rules().items()}
    after = make_findings_document(metrics, rules)
    assert WORD in {each["sentence"].strip(".") for each in after["findings"]}
    assert [_judged(each) for each in after["findings"]] == [
        _judged(each) for each in before["findings"]
    ]
    assert after["roadmap"]["phases"] == before["roadmap"]["phases"]
    assert [each["code"] for each in after["roadmap"]["not_now"]] == [
        each["code"] for each in before["roadmap"]["not_now"]
    ]
    for part in ("worth", "verdict"):
        assert _numbers(after[part]) == _numbers(before[part])
    assert _numbers(after["worth"]["most"]) == _numbers(before["worth"]["most"])
    for part in ("targets", "key_figures"):
        assert [_numbers(each) for each in after[part]] == [_numbers(each) for each in before[part]]
    assert [_numbers(node) for node in after["causes"]["nodes"]] == [
        _numbers(node) for node in before["causes"]["nodes"]
    ]


def _silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """One word in place of each sentence that findings are made with."""
    for kind in (Estimate, Refusal):
        monkeypatch.setattr(kind, "__init__", _without_words(kind.__init__))
    for name in ("words", "short"):
        monkeypatch.setattr(BoundWhole, name, property(lambda _: WORD))
    for name in ("write_headline", "write_fired", "write_fired_for_little", "write_passed"):
        monkeypatch.setattr(finding_sentences, name, lambda *_: WORD)
    for name in ("name_metric", "describe_side", "format_threshold", "describe_severity"):
        monkeypatch.setattr(margin, name, lambda *_: WORD)
    monkeypatch.setattr(wording, "FIELDS", dict.fromkeys(wording.FIELDS, WORD))
    known = load_causes()
    silent = structs.replace(
        known,
        wholes=tuple(structs.replace(each, of=_silent_words(each.of)) for each in known.wholes),
        nodes=tuple(_silent_node(node) for node in known.nodes),
    )
    monkeypatch.setattr(run_tree, "load_causes", lambda: silent)


def _without_words(made: Any) -> Any:
    def make(self: Any, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        for field in TEXTS:
            if getattr(self, field, ""):
                object.__setattr__(self, field, WORD)
        if isinstance(self, Estimate):
            object.__setattr__(self, "assumptions", (WORD,))

    return make


def _silent(rule: Rule) -> Rule:
    sections = dict.fromkeys(rule.sections, WORD)
    also = tuple(structs.replace(each, say=each.say and WORD) for each in rule.also)
    exact = tuple(structs.replace(each, states=WORD) for each in rule.exact)
    worth = structs.replace(
        rule.worth, besides=rule.worth.besides and WORD, unbounded=rule.worth.unbounded and WORD
    )
    return structs.replace(
        rule,
        title=WORD,
        headline=WORD,
        states=WORD,
        threshold_source=WORD,
        sections=sections,
        worth=worth,
        risk=WORD,
        also=also,
        exact=exact,
    )


def _silent_node(node: CauseNode) -> CauseNode:
    return structs.replace(node, title=_silent_words(node.title), says=_silent_words(node.says))


def _silent_words(wordings: Wordings) -> Wordings:
    return Wordings(structs.replace(each, say=WORD) for each in wordings)


def _judged(finding: Mapping[str, Any]) -> dict[str, Any]:
    """What was found, without a word about it."""
    kept = ("code", "status", "severity", "value", "low", "high", "threshold", "affected")
    margin = finding["margin"] or {}
    return {
        **{key: finding[key] for key in kept},
        "margin": _numbers(margin),
        "estimate": _numbers(finding["estimate"] or {}),
        "expected": finding["expected"],
    }


def _numbers(record: Mapping[str, Any] | None) -> dict[str, Any]:
    """The entries of a record that are no text, and nothing that holds one."""
    return {
        key: value
        for key, value in (record or {}).items()
        if isinstance(value, (int, float, bool)) or key in KINDS
    }
