"""Rule files with gaps are refused, naming the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.model.rule import SECTIONS, Condition, Threshold
from perfolio.findings.rules.catalog import load_gates, load_rules
from perfolio.findings.rules.external_inputs import load_inputs

HEAD = {
    "title": "Something",
    "metric": "gpu.copy_to_kernel",
    "direction": "above",
    "thresholds": "{low: 1, high: 2}",
    "threshold_source": "proposed",
    "headline": "It is {value}.",
    "states": "It is {value}.",
    "cause": "gpu.kernels",
    "effort": "days",
    "risk": "Something else breaks.",
}
BODY = "".join(f"## {heading}\n\nWords.\n\n" for heading in SECTIONS)


def _write(folder: Path, head: dict[str, str], body: str = BODY, name: str = "X9-thing.md") -> Path:
    lines = "\n".join(f'{key}: "{value}"' if key in ("headline", "states") else f"{key}: {value}"
                      for key, value in head.items())  # fmt: skip
    path = folder / name
    path.write_text(f"---\n{lines}\n---\n{body}", encoding="utf-8")
    return path


def test_a_complete_rule_is_read(tmp_path: Path) -> None:
    head = {**HEAD, "applies": "[gpu.operation_time, 'run.ranks > 1']",
            "estimator": "balance",
            "gates": "[{unless: ['stall.issue_ratio < 0.8'], then: passed}]",
            "evidence": "{table: cpu.threads}"}  # fmt: skip
    _write(tmp_path, head)
    rule = load_rules(tmp_path)["X9"]
    assert (rule.slug, rule.title, rule.estimator) == ("thing", "Something", "balance")
    assert rule.thresholds == (Threshold("low", 1.0), Threshold("high", 2.0))
    assert rule.applies == (
        Condition("gpu.operation_time", "above", 0.0),
        Condition("run.ranks", "above", 1.0),
    )
    assert rule.gates[0].unless == (Condition("stall.issue_ratio", "below", 0.8),)
    assert rule.evidence.table == "cpu.threads"
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
        ({"thresholds": "{low: true}"}, "thresholds: low: must be a number"),
        ({"thresholds": "{low: .nan}"}, "thresholds: low: must be a number"),
        ({"thresholds": "{grave: 1}"}, "thresholds: grave: is no known key; known: info, low"),
        ({"thresholds": "[]"}, "thresholds: must be a mapping, not a list"),
        ({"thresholds": "{}"}, "thresholds: must be `severity: value` pairs"),
        ({"direction": "sideways"}, "direction: 'sideways' is none of above, below"),
        ({"estimator": "crystal_ball"}, "estimator: 'crystal_ball' is none of .*, overlap"),
        ({"worth": "{estimator: balance}"}, "worth.estimator: is no known key"),
        ({"estimator": "balance", "worth": "{unbounded: Why.}"}, "worth.unbounded: says why there"),
        ({"applies": "gpu.copies"}, "applies: must be a list, not text"),
        ({"applies": "[1]"}, "applies: .*must be text, not a number"),
        ({"applies": "['gpu.copies >= 3']"}, "applies: not a condition: 'gpu.copies >= 3'"),
        ({"applies": "['gpu.copies > 1.2.3']"}, "applies: not a condition: .gpu.copies > 1.2.3"),
        ({"applies": "[is unheard_of]"}, "applies: no shared condition 'unheard_of'"),
        ({"colour": "red"}, "colour: is no known key; known: title, metric"),
        ({"code": "X8"}, "code: is no known key"),
        ({"title": "[1]"}, "title: must be text on one line"),
        ({"title": "'unclosed"}, "not YAML"),
        ({"title": "2026-02-31"}, "not YAML: day"),
        ({"metric": "seed.gpu_cpu_ratio"}, "metric: .*known to be wrong"),
        ({"states": "It is {seed.gpu_cpu_ratio}."}, "states: .*known to be wrong"),
        ({"cause": "GPU"}, "cause: 'GPU' is none of .* and "),
        ({"effort": "minutes"}, "effort: 'minutes' is none of days, hours, months, weeks"),
        ({"risk": "''"}, "risk: must be text on one line"),
        ({"after": "X1"}, "after: must be a list, not text"),
        ({"also": "more"}, "also: must be a list, not text"),
        ({"also": "[{say: more, where: here}]"}, r"also\[0\].where: is no known key; known: say"),
        (
            {"who": "nobody"},
            "who: 'nobody' is none of administrator, developer, kernel developer, user",
        ),
        ({"also": "[{effort: minutes}]"}, r"also\[0\].effort: 'minutes' is none of days, hours"),
        (
            {"also": "[{when: [is short]}]"},
            "also: each has `say`, `effort`, `who`, `first` or `after`",
        ),
        ({"gates": "[{if: [is short]}]"}, r"gates\[0\].then: is missing"),
        ({"gates": "[{then: passed}]"}, "gates: each has either `if` or `unless`"),
        ({"gates": "[{if: [is short], then: fired}]"}, r"gates\[0\].then: 'fired' is none of"),
        ({"evidence": "gpu.kernels"}, "evidence: must be a mapping, not text"),
        (
            {"evidence": "{table: a, closer: {table: b, share: c}}"},
            "evidence.closer.share: is no known key; known: table, columns, by, closer",
        ),
        ({"evidence": "{columns: [a]}"}, "evidence.table: is missing"),
        ({"evidence": "&loop {table: a, closer: *loop}"}, "contains itself"),
        ({"exact": "[{metric: a.b}]"}, r"exact\[0\].states: is missing"),
        (
            {"exact": "[{metric: a.b, states: c, cause: gpu.fan}]"},
            r"exact\[0\].cause: 'gpu.fan' is none of gpu, ",
        ),
        ({"needs": "{input: magic}"}, "needs.input: 'magic' is none of throughput"),
        ({"needs": "{measures: time}"}, "needs: `measures` and `unit` are of a rule without"),
        ({"needs": "{decide_with: {any: a, Arm: b}}"}, "needs.decide_with: 'Arm' is none of AMD"),
        ({"needs": "{decide_with: {AMD: run}}"}, "needs.decide_with: must have a text for `any`"),
        ({"target": "{value: low, source: because}"}, "target.value: must be a number, not text"),
        ({"target": "{value: 0.5}"}, "target.source: is missing"),
        ({"target": "{source: because}"}, "target: has either a `value` or a `metric`"),
        (
            {"target": "{value: 0.5, metric: gpu.copies, source: because}"},
            "target: has either a `value` or a `metric`",
        ),
        (
            {"target": "{metric: a.b, within: gpu.copies, source: because}"},
            "target.within: goes with a `value`",
        ),
        ({"target": "{value: 1.5, source: because}"}, "target: the rule would still fire at 1.5"),
    ],
)
def test_a_faulty_front_matter_is_refused(
    tmp_path: Path, changed: dict[str, str], complaint: str
) -> None:
    path = _write(tmp_path, HEAD | changed)
    with pytest.raises(ContentError, match=complaint) as caught:
        load_rules(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "; " in str(caught.value)


LACKING = {key: HEAD[key] for key in HEAD if key not in ("metric", "headline", "states")}


def test_a_rule_without_a_metric_says_what_it_would_compare(tmp_path: Path) -> None:
    _write(tmp_path, LACKING | {"needs": "{input: throughput, measures: time, unit: s}"})
    rule = load_rules(tmp_path)["X9"]
    assert rule.input == load_inputs()["throughput"]
    assert (rule.needs.measures, rule.needs.unit) == ("time", "s")


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({}, "metric: is missing, and so is what it `needs`"),
        ({"needs": "{input: throughput, unit: s}"}, "metric: is missing"),
        ({"needs": "{input: throughput, measures: time, unit: parsec}"}, "needs.unit: 'parsec'"),
        (
            {
                "needs": "{input: throughput, measures: a, unit: s}",
                "evidence": "{table: cpu.threads}",
            },
            "evidence: is of a rule with a `metric`",
        ),
    ],
)
def test_half_a_comparison_is_refused(
    tmp_path: Path, changed: dict[str, str], complaint: str
) -> None:
    _write(tmp_path, LACKING | changed)
    with pytest.raises(ContentError, match=complaint):
        load_rules(tmp_path)


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


def test_a_mark_out_of_place_is_told_with_its_section(tmp_path: Path) -> None:
    more = "to do\n\nWords.\n\n::: where time.wall is long\nMore.\n:::"
    _write(tmp_path, HEAD, BODY.replace("to do\n\nWords.", more))
    with pytest.raises(ContentError, match=r"X9-thing\.md: What to do: not a condition"):
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
        {"evidence": "{table: gpu.magic}"},
        {"evidence": "{table: gpu.copy_to_kernel, closer: {table: gpu.magic, by: [a]}}"},
        {"applies": "[gpu.magic]"},
        {"gates": "[{unless: ['gpu.magic > 1'], then: passed}]"},
        {"also": "[{effort: hours, when: [gpu.magic]}]"},
        {"also": "[{say: 'so {gpu.magic}'}]"},
        {"states": "It is {value} of {gpu.magic}."},
        {"exact": "[{metric: gpu.magic, states: 'It is {value}.'}]"},
        {"target": "{metric: gpu.magic, source: because}"},
    ],
)
def test_an_unknown_metric_is_refused_where_the_known_ones_are_given(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    _write(tmp_path, HEAD | changed)
    complaint = rf"{next(iter(changed))}: 'gpu\.magic' is none of gpu\.copy_to_kernel"
    with pytest.raises(ContentError, match=complaint):
        load_rules(tmp_path, metrics={"gpu.copy_to_kernel"})
    assert "X9" in load_rules(tmp_path)


@pytest.mark.parametrize(
    "changed", [{"chart": "pie"}, {"exact": "[{metric: a.b, states: c, chart: pie}]"}]
)
def test_an_unknown_chart_is_refused_where_the_known_ones_are_given(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    path = _write(tmp_path, HEAD | changed)
    with pytest.raises(ContentError, match="chart: 'pie' is none of lines, bars") as caught:
        load_rules(tmp_path, charts=("lines", "bars"))
    assert str(caught.value).startswith(f"{path}: ")
    assert "X9" in load_rules(tmp_path)


def test_what_a_plan_needs_is_read(tmp_path: Path) -> None:
    _write(tmp_path, HEAD, name="X1-first.md")
    more = {"cause": "''", "effort": "weeks", "after": "[X1]",
            "target": "{value: 1, source: its own threshold}"}  # fmt: skip
    _write(tmp_path, HEAD | more)
    rule = load_rules(tmp_path)["X9"]
    assert (rule.cause, rule.effort, rule.phase, rule.after) == (
        "",
        "weeks",
        "architecture",
        ("X1",),
    )
    assert (rule.target.value, rule.target.source) == (1.0, "its own threshold")
    assert rule.risk == "Something else breaks."


def test_an_order_of_fixes_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, HEAD | {"after": "[X1]"})
    with pytest.raises(ContentError, match=r"X9-thing\.md: after: there is no rule X1; "):
        load_rules(tmp_path)
    _write(tmp_path, HEAD | {"after": "[X2]"}, name="X1-first.md")
    _write(tmp_path, HEAD | {"after": "[X9]"}, name="X2-second.md")
    with pytest.raises(ContentError, match=r"X1-first\.md: after: leads back"):
        load_rules(tmp_path)


def test_each_rule_on_a_cause_bounds_its_gain_or_says_why_not() -> None:
    for rule in load_rules().values():
        if rule.metric and rule.cause:
            assert bool(rule.estimator) != bool(rule.worth.unbounded), rule.code


def test_rules_of_a_cause_and_of_those_below_it_share_its_gates() -> None:
    ((cause, shared),) = load_gates().items()
    rules = load_rules().values()
    below = [rule for rule in rules if rule.cause == cause or rule.cause.startswith(f"{cause}.")]
    assert len({rule.cause for rule in below}) > 3
    assert [rule.code for rule in below if rule.gates[: len(shared)] != shared] == []


def test_faulty_shared_gates_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "gates.yaml"
    path.write_text("host: [{if: [is queued], then: fired}]")
    with pytest.raises(ContentError, match="fired") as caught:
        load_gates(path)
    assert str(caught.value).startswith(f"{path}: ")
