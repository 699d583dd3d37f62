"""claims.toml: read whole, or refused with the claim and the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.audit.claims import load_claims, parse_unit
from perfolio.common.errors import UsageError

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
