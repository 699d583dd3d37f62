"""Formulas are arithmetic over names, and nothing else.

Also: Claims.toml: read whole, or refused with the claim and the reason.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.audit import formats
from perfolio.audit.claim_verdicts import is_equal
from perfolio.audit.claims import load_claims, parse_unit
from perfolio.audit.expression import evaluate, list_divisions, list_names, parse_formula
from perfolio.audit.formats import load_renderer
from perfolio.cli.commands import audit as command
from perfolio.common.errors import UsageError
from perfolio.prediction.collective_time import CollectiveRequest, estimate_ring
from perfolio.prediction.device_peaks import find_device, read_stored_rows
from perfolio.prediction.token_decoding import DecodeRequest
from perfolio.prediction.training_memory import MemoryRequest, compute_states
from perfolio.prediction.training_time import (
    TrainingRequest,
    compare_published_runs,
    find_published_range,
)
from reference.methodology import WHY, computed, load, methodology_page
from tests.pages.support import HOSTILE, claims

VALUES = {"a": 6.0, "b": 3.0, "gpu.launches": 100.0, "zero": 0.0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a / b", 2.0),
        ("a / (a + b)", 2 / 3),
        ("-a + 2 * b - 1", -1.0),
        ("gpu.launches * 0.000005", 5e-4),
        ("a / zero", None),
        ("a / unknown", None),
    ],
)
def test_values(text: str, value: float | None) -> None:
    found = evaluate(text, VALUES.get)
    assert found == (pytest.approx(value) if value is not None else None)


COLUMNS = {"t.share": (0.5, 0.25), "t.none": ()}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sum(t.share) * 100", 75.0),
        ("count(t.share)", 2.0),
        ("first(t.share) - min(t.share, 0.1)", 0.4),
        ("max(t.share, a / b)", 2.0),
        ("round(a / 4)", 2.0),
        ("sum(t.none)", None),
        ("sum(unknown)", None),
    ],
)
def test_functions_of_columns(text: str, value: float | None) -> None:
    found = evaluate(text, VALUES.get, COLUMNS.get)
    assert found == (pytest.approx(value) if value is not None else None)
    assert list_names(text, functions=True)
    with pytest.raises(UsageError):
        evaluate(text, VALUES.get)


@pytest.mark.parametrize(
    "text", ["open(a)", "sum()", "sum(a=1)", "sum(*a)", "a.sum(b)", "sum(a)(b)"]
)
def test_no_other_function_is_called(text: str) -> None:
    with pytest.raises(UsageError):
        evaluate(text, VALUES.get, COLUMNS.get)


@pytest.mark.parametrize(
    "text",
    ["", "a +", "a ** 9", "f(a)", "a[0]", "'text'", "a if b else c", "True", "lambda: a", "a < b",
     "a; b", "__import__('os')", "(a).b.c()", "1j", "a\0", "(" * 400, "-" * 5_000 + "a",
     "a" * 501, "{a}", "a or b", "*a", "a := 1", "a.b[0].c", "f'{a}'"],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_formula(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    try:
        parse_formula(text)
    except UsageError:
        return
    evaluate(text, VALUES.get)


def test_names_and_divisions() -> None:
    assert list_names("a / (b.c + a)") == ["a", "b.c"]
    assert list_names("") == []
    assert list(list_divisions("a * b / (c + 2)")) == [(["a", "b"], ["c"])]


METRICS = ("gpu.launches", "gpu.kernel_time")
CLAIM = '[[claim]]\nkey = "one"\nmetric = "gpu.launches"\nvalue = 5\nunit = "count"\n'


def claim(*lines: str) -> str:
    return "\n".join(["[[claim]]", *lines, ""])


def test_a_claim_is_read_in_base_units() -> None:
    text = claim('metric = "gpu.kernel_time"', "value = 2.5", 'unit = "ms"', "rounding = 0.1")
    (one,) = load_claims(text, METRICS).claims
    assert (one.value, one.rounding) == pytest.approx((2.5e-3, 1e-4))
    assert one.unit == "s"
    assert (one.key, one.says, one.kind) == ("claim_1", "claim_1", "value")


@pytest.mark.parametrize(
    ("text", "unit", "scale"),
    [("%", "ratio", 0.01), ("MB/s", "B/s", 1e6), ("KB", "B", 1e3), ("us", "s", 1e-6),
     ("CPU-s", "CPU-s", 1.0), ("GB", "B", 1e9), ("x", "x", 1.0), ("TFLOP/s", "FLOP/s", 1e12)],
)  # fmt: skip
def test_units(text: str, unit: str, scale: float) -> None:
    assert parse_unit(text) == (unit, scale)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "1 to 1000 tables"),
        ("claim = 3", "1 to 1000 tables"),
        ("[[claim", "cannot be read"),
        ("more = 1\n" + CLAIM, "knows no 'more'"),
        (CLAIM + "more = 1", "claim one: a claim knows no 'more'"),
        (CLAIM + CLAIM, "two claims have the key 'one'"),
        (CLAIM + "speedup = 2", "claim one: name one of metric"),
        ("tolerance = 2\n" + CLAIM, "tolerance must be 0 to 0.5"),
        (CLAIM.replace("5", "nan"), "claim one: value must be 0 to"),
        (CLAIM.replace("5", "-1"), "claim one: value must be 0 to"),
        (CLAIM.replace("5", "true"), "claim one: value must be a number"),
        (CLAIM.replace("count", "parsecs"), "claim one: unknown unit 'parsecs'"),
        (CLAIM.replace("gpu.launches", "gpu.lunches"), "claim one: unknown name 'gpu.lunches'"),
        (CLAIM.replace('"one"', '"link"'), "claim link: a key has"),
        (CLAIM + 'formula = "two / 3"', "claim one: unknown name 'two'"),
        (CLAIM + 'formula = "os.system(1)"', "is no formula"),
        (CLAIM + 'formula = "one + 1"', "claim one: its formula leads back to itself"),
        (CLAIM + 'link = "PCIe 9.0 x16"', "claim one: unknown link"),
        (CLAIM.replace("value = 5\n", ""), "claim one: lacks value"),
        (claim("speedup = 3", 'affects = "gpu.lunches"'), "unknown name 'gpu.lunches'"),
    ],
)
def test_what_is_faulty_is_named(text: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_claims(text, METRICS, "c.toml")
    assert str(caught.value).startswith("c.toml: ")
    assert says in str(caught.value)


@given(st.text(max_size=80))
def test_any_text_is_claims_or_refused(text: str) -> None:
    for whole in (text, f"{CLAIM}\nsays = {text}", f'{CLAIM}\nformula = "{text}"'):
        try:
            load_claims(whole, METRICS)
        except UsageError as problem:
            assert "\n" not in str(problem)  # noqa: PT017 - any text may also be valid


NAMES = st.one_of(st.sampled_from([name[:3_000] for name in HOSTILE]), st.text(max_size=60))


def test_the_command_offers_all_formats() -> None:
    assert list(command.FORMATS) == formats.list_formats()


@pytest.mark.parametrize("form", formats.list_formats())
@given(name=NAMES)
def test_any_name_is_printed(form: str, name: str) -> None:
    found = claims() | {"title": name, "source": name}
    for claim in found["claims"]:
        claim |= {"says": name, "reasons": [name]}
    text = load_renderer(form)(found, "a-run")
    text.encode("utf-8")
    assert all(c in "\n\u200b" or c.isprintable() for c in text)
    if form == "markdown":
        assert "<" not in text
        assert len(text.split("\n")) == 12


def test_text_says_claim_truth_ratio_and_reason() -> None:
    text = load_renderer("text")(claims(), "a-run")
    assert "held against run a-run (tolerance 5 %)" in text
    assert "Kernel launches (report.md:12): off by a factor\n" in text
    assert "    claimed 145,100, measured 7,400 (19.6 times too much)\n" in text
    assert "    claimed 10×, no bound known\n" in text
    assert "    It is 4.4 % off.\n" in text


def test_markdown_is_a_table() -> None:
    text = load_renderer("markdown")(claims(), "a-run")
    row = "| 12 | Kernel launches | 145,100 | 7,400 (19.6 times too much) | off by a factor |"
    assert row in text


def test_json_is_the_entry_of_the_document() -> None:
    document = json.loads(load_renderer("json")(claims(), "a-run"))
    assert document.pop("schema") == "perfolio-audit/1"
    assert document.pop("run") == "a-run"
    assert document == claims()


CLAIMS = {claim.key: claim for claim in load().claims}
H100 = find_device("h100-sxm5")
TRAINING = TrainingRequest(70e9, 2e12, 2048, H100, 0.5)
STEP = TrainingRequest(70e9, 4 * 4096, 1, H100, 0.4)
LINKS = CollectiveRequest("all_reduce", 140e9, 64, 50e9, latency=0.0)
WRONG = {"realistic_step", "excellent", "good_h100", "flops_profiler", "attention_intensity",
         "checkpoint", "nvlink"}  # fmt: skip


def _h100() -> float:
    return max(
        float(row["mfu"]) for row in read_stored_rows("published.csv") if row["device"] == "H100"
    )


def _llama() -> float:
    return next(each.implied for each in compare_published_runs() if each.model == "Llama 2 70B")


PREDICTED = {
    "ridge": H100.peak("bf16") / H100.bandwidth,
    "step_flop": STEP.flop,
    "above_peak": STEP.seconds(1.0) / 2.5,
    "realistic_step": STEP.seconds(0.4),
    "excellent": find_published_range()[1],
    "good_h100": _h100(),
    "flops_profiler": 783e9 / H100.peak("bf16"),
    "token_16": DecodeRequest(70e9, H100).step(1),
    "token_4": DecodeRequest(70e9, H100, bits=4).step(1),
    "training_time": TRAINING.seconds(0.5),
    "ring_50": estimate_ring(LINKS, 64, 50e9, 140e9),
    "ring_200": estimate_ring(replace(LINKS, bandwidth=200e9), 64, 200e9, 140e9),
    "checkpoint": sum(compute_states(MemoryRequest(70e9)).values()) - 140e9,
}


@pytest.mark.parametrize("key", PREDICTED)
def test_a_claims_arithmetic_is_what_predict_gives(key: str) -> None:
    assert computed(CLAIMS[key]) == pytest.approx(PREDICTED[key], rel=1e-9)


def test_the_published_training_of_llama_is_near_what_its_hours_imply() -> None:
    assert computed(CLAIMS["llama_a100"]) == pytest.approx(_llama(), rel=0.02)


def test_known_errors_are_found_and_nothing_else() -> None:
    tolerance = load().tolerance
    found = {key for key, one in CLAIMS.items() if not is_equal(one, computed(one), tolerance)}
    assert found == WRONG
    assert found <= set(WHY) <= set(CLAIMS)


def test_the_page_says_what_wrong_figures_should_be() -> None:
    page = methodology_page()
    wrong, _, right = page.partition("## Right")
    for value in ("17.39 s", "56.3 %", "0.08 %", "980.0 GB", "2,048 FLOP/B", "900.0 GB/s"):
        assert value in wrong
    for value in ("419,430 tokens/s", "295 FLOP/B", "41.79 ms", "10.45 ms", "5.51 s", "1.38 s",
                  "90.0 %", "75.0 %", "62.5 %"):  # fmt: skip
        assert value in right
