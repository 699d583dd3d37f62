"""Rule files with gaps are refused, naming the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import ContentError
from generator.findings.rules.catalog import load_rules
from generator.findings.terms.model import SECTIONS, Condition, Threshold

HEAD = {
    "title": "Something",
    "metric": "gpu.copy_to_kernel",
    "direction": "above",
    "thresholds": "{low: 1, high: 2}",
    "threshold_source": "proposed",
    "states": "It is {value}.",
    "parent": "gpu.kernels",
    "effort": "days",
    "phase": "immediate",
    "risk": "Something else breaks.",
}
BODY = "".join(f"## {heading}\n\nWords.\n\n" for heading in SECTIONS)


def _write(folder: Path, head: dict[str, str], body: str = BODY, name: str = "X9-thing.md") -> Path:
    lines = "\n".join(f'{key}: "{value}"' if key == "states" else f"{key}: {value}"
                      for key, value in head.items())  # fmt: skip
    path = folder / name
    path.write_text(f"---\n{lines}\n---\n{body}", encoding="utf-8")
    return path


def test_a_complete_rule_is_read(tmp_path: Path) -> None:
    head = {**HEAD, "applies": "[gpu.operation_time, 'run.ranks > 1']", "estimator": "balance",
            "only_if": "['stall.issue_ratio < 0.8']", "evidence": "cpu.threads"}  # fmt: skip
    _write(tmp_path, head)
    rule = load_rules(tmp_path)["X9"]
    assert (rule.slug, rule.title, rule.estimator) == ("thing", "Something", "balance")
    assert rule.thresholds == (Threshold("low", 1.0), Threshold("high", 2.0))
    assert rule.applies == (
        Condition("gpu.operation_time", "above", 0.0),
        Condition("run.ranks", "above", 1.0),
    )
    assert rule.only_if == (Condition("stall.issue_ratio", "below", 0.8),)
    assert rule.sections["How to verify"] == "Words."


@pytest.mark.parametrize("key", HEAD)
def test_a_missing_key_is_refused(tmp_path: Path, key: str) -> None:
    path = _write(tmp_path, {name: value for name, value in HEAD.items() if name != key})
    with pytest.raises(ContentError, match=key) as caught:
        load_rules(tmp_path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"thresholds": "{high: 1, low: 2}"}, "mild to severe"),
        ({"thresholds": "{low: 2, high: 1}"}, "mild to severe"),
        ({"thresholds": "{low: 1, high: 1}"}, "mild to severe"),
        ({"direction": "below"}, "mild to severe"),
        ({"thresholds": "{low: true}"}, "not a number"),
        ({"thresholds": "{grave: 1}"}, "unknown severity"),
        ({"thresholds": "[]"}, "severity: value"),
        ({"direction": "sideways"}, "above, below"),
        ({"estimator": "crystal_ball"}, "unknown estimator"),
        ({"estimator": "balance", "unbounded": "Why."}, "or says why there is none"),
        ({"applies": "gpu.copies"}, "list of texts"),
        ({"applies": "['gpu.copies >= 3']"}, "not a condition"),
        ({"applies": "['gpu.copies > 1.2.3']"}, "not a number"),
        ({"colour": "red"}, "colour"),
        ({"title": "[1]"}, "must be text"),
        ({"metric": "seed.gpu_cpu_ratio"}, "known to be wrong"),
        ({"states": "It is {seed.gpu_cpu_ratio}."}, "known to be wrong"),
        ({"title": "'unclosed"}, "not YAML"),
        ({"parent": "GPU"}, "tree of causes"),
        ({"effort": "minutes"}, "hours, days, weeks, months"),
        ({"phase": "someday"}, "immediate, architecture, advanced"),
        ({"risk": "''"}, "must be text"),
        ({"after": "X1"}, "list of texts"),
        ({"also": "more"}, "`also` is a list"),
        ({"also": "[{say: more, where: here}]"}, "`also` is a list"),
        ({"target": "low", "target_source": "because"}, "not a number"),
        ({"target": "0.5"}, "go together"),
        ({"target_source": "because"}, "go together"),
        ({"target_metric": "gpu.copies"}, "go together"),
        (
            {"target": "0.5", "target_metric": "gpu.copies", "target_source": "because"},
            "go together",
        ),
        ({"target_within": "gpu.copies"}, "goes with a `target`"),
        ({"target": "1.5", "target_source": "because"}, "still fire at its target"),
    ],
)
def test_a_faulty_front_matter_is_refused(
    tmp_path: Path, changed: dict[str, str], complaint: str
) -> None:
    path = _write(tmp_path, HEAD | changed)
    with pytest.raises(ContentError, match=complaint) as caught:
        load_rules(tmp_path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        "",
        BODY.replace("## How to verify", "## How to check"),
        BODY.replace("## When to ignore\n\nWords.", ""),
        BODY.replace("## When to ignore\n\nWords.", "## When to ignore"),
        "Stray words.\n" + BODY,
        BODY + "## Further reading\n\nWords.\n",
    ],
)
def test_missing_empty_or_foreign_sections_are_refused(tmp_path: Path, body: str) -> None:
    _write(tmp_path, HEAD, body)
    with pytest.raises(ContentError, match=r"X9-thing\.md"):
        load_rules(tmp_path)


def test_a_file_without_front_matter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "X9-thing.md").write_text(BODY, encoding="utf-8")
    with pytest.raises(ContentError, match="front matter"):
        load_rules(tmp_path)


def test_a_file_without_code_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, HEAD, name="thing.md")
    with pytest.raises(ContentError, match="<CODE>-<slug>"):
        load_rules(tmp_path)


def test_two_rules_of_one_code_are_refused(tmp_path: Path) -> None:
    _write(tmp_path, HEAD)
    _write(tmp_path, HEAD, name="X9-other.md")
    with pytest.raises(ContentError, match="code X9"):
        load_rules(tmp_path)


@pytest.mark.parametrize(
    "changed",
    [
        {"metric": "gpu.magic"},
        {"evidence": "gpu.magic"},
        {"closer": "{evidence: gpu.magic, share: a, evidence_columns: [a]}"},
        {"applies": "[gpu.magic]"},
        {"only_if": "['gpu.magic > 1']"},
        {"states": "It is {value} of {gpu.magic}."},
    ],
)
def test_an_unknown_metric_is_refused_where_the_known_ones_are_given(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    _write(tmp_path, HEAD | changed)
    with pytest.raises(ContentError, match=r"gpu\.magic"):
        load_rules(tmp_path, metrics={"gpu.copy_to_kernel"})
    assert "X9" in load_rules(tmp_path)


def test_what_a_plan_needs_is_read(tmp_path: Path) -> None:
    _write(tmp_path, HEAD, name="X1-first.md")
    more = {"parent": "''", "effort": "weeks", "phase": "advanced", "after": "[X1]",
            "target": "1", "target_source": "its own threshold"}  # fmt: skip
    _write(tmp_path, HEAD | more)
    rule = load_rules(tmp_path)["X9"]
    assert (rule.parent, rule.effort, rule.phase, rule.after) == ("", "weeks", "advanced", ("X1",))
    assert (rule.target, rule.target_source) == (1.0, "its own threshold")
    assert rule.risk == "Something else breaks."


def test_an_order_of_fixes_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, HEAD | {"after": "[X1]"})
    with pytest.raises(ContentError, match=r"unknown rules \['X1'\]"):
        load_rules(tmp_path)
    _write(tmp_path, HEAD | {"after": "[X2]"}, name="X1-first.md")
    _write(tmp_path, HEAD | {"after": "[X9]"}, name="X2-second.md")
    with pytest.raises(ContentError, match="leads back"):
        load_rules(tmp_path)


def test_a_phase_is_as_long_as_its_fixes_take() -> None:
    """Days belong below two weeks, weeks below two months, months below half a year."""
    phases = {"hours": "immediate", "days": "immediate", "weeks": "architecture",
              "months": "advanced"}  # fmt: skip
    wrong = [rule.code for rule in load_rules().values() if rule.phase != phases[rule.effort]]
    assert wrong == []


def test_each_rule_on_a_cause_bounds_its_gain_or_says_why_not() -> None:
    for rule in load_rules().values():
        if rule.metric and rule.parent:
            assert bool(rule.estimator) != bool(rule.unbounded), rule.code
