"""The page docs/reference/methodology.md: worked numbers of a course text, audited.

In:  docs/examples/methodology-claims.toml. Out: Markdown: which figures are right, and for those
     that are wrong what they should be, by the arithmetic that the claims file gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from perfolio.audit.claim_verdicts import is_equal
from perfolio.audit.claims import load_claims
from perfolio.audit.expression import evaluate
from perfolio.audit.model import Claim, Claims
from perfolio.common.errors import ContentError
from perfolio.common.units import quantity
from perfolio.metrics.catalog import load_catalog
from perfolio.prediction.formatting import format_duration
from reference.markdown import page, table

CLAIMS = Path(__file__).resolve().parents[2] / "docs" / "examples" / "methodology-claims.toml"
_LONG = 3600.0
"""From here on a time is told in hours or days [s]."""
WHY: Mapping[str, str] = MappingProxyType(
    {
        "above_peak": "The arithmetic is right. More than 110 % of a peak says that the example "
        "counts operations or GPUs wrong.",
        "realistic_step": "8.5 s would be 82 %, beyond every published run of our table.",
        "excellent": "Published utilisation is 21 to 56 %; 80 % is no target.",
        "good_h100": "Llama 3.1 405B reached 38 to 43 %.",
        "flops_profiler": "Giga is not tera.",
        "attention_intensity": "Its ideal forward pass has about half the sequence's length, in "
        "16 bits: arithmetic bounds it.",
        "token_16": "Of the decode phase alone; reading the prompt is bound by arithmetic.",
        "checkpoint": "140 GB are the weights alone.",
        "nvlink": "450 GB/s are those of one direction.",
    }
)
"""What there is to know of a claim, by its key."""
_HEAD = (
    "A methodology for the performance of accelerators is taught with worked numbers. Here they "
    "are computed again. The [claims](../examples/methodology-claims.toml) are a file for "
    "`perfolio audit`, as [any report's figures](../how-to/audit.md) can be:"
)
_COMMAND = "```console\n$ perfolio audit docs/examples/methodology-claims.toml run.duckdb\n```"
_WORDS = (
    "## What no figure shows\n"
    "\n"
    "- **Hardware FLOP utilisation** adds what is computed again, and not communication.\n"
    "- **Utilisation by nvidia-smi** is the share of time with at least one kernel. It says "
    "nothing of how many multiprocessors work.\n"
    "- **DCGM's fields** are 1001 for the engine, 1002 for multiprocessors, 1003 for "
    "occupancy, 1004 for tensor cores and 1005 for memory. The text's list is off by one from"
    " 1001 on.\n"
    "- **`dcgmi profile --enable`** does not exist; `--pause` and `--resume` do. DCGM pauses "
    "while Nsight Systems or Nsight Compute profile.\n"
    "- **`torch.distributed.distributed_c10d._profile()`** does not exist. A trace of the "
    "profiler has the collectives.\n"
    "- **`NCCL_DEBUG=INFO`** prints no time per operation.\n"
    "- **BF16** needs no gradient scaler; FP16 does.\n"
    "- **Sparse peaks** are twice the dense ones and hold for matrices with half of their "
    "entries zero: dividing by one halves the utilisation.\n"
    "- **Factors of steps** on one whole do not multiply: each step works on what the last "
    "one left.\n"
    "\n"
    "## The method on your run\n"
    "\n"
    "Its five classes of bottleneck, with their symptoms as checks, are below the root causes"
    " of a report. Its steps are the page *Workflow*, with what was done and the next "
    "command.\n"
)


def load(path: Path = CLAIMS) -> Claims:
    """The claims file of a checkout. ContentError where there is none."""
    if not path.is_file():
        raise ContentError(f"{path}: there is no such file")
    return load_claims(path.read_text(encoding="utf-8"), load_catalog(), str(path))


def methodology_page() -> str:
    """The whole page."""
    claims = load()
    told = [(claim, computed(claim)) for claim in claims.claims]
    right = [each for each in told if is_equal(*each, claims.tolerance)]
    wrong = [each for each in told if each not in right]
    return page(
        [
            "# A methodology, audited",
            _HEAD,
            _COMMAND,
            f"Of {len(told)} figures {len(right)} are right, within {claims.tolerance:.0%}.",
            "## Wrong",
            table(("What", "The text says", "It should be", "Because"), _rows(wrong)),
            "## Right",
            table(("What", "The text says", "Computed", "Beware"), _rows(right)),
            _WORDS,
        ]
    )


def computed(claim: Claim) -> float:
    """What the arithmetic of a claim gives, in base units. ContentError where it reads a metric."""
    found = evaluate(claim.quantity, lambda _: None)
    if found is None:
        raise ContentError(f"claim {claim.key}: {claim.quantity!r} is no number")
    return found


def _rows(told: list[tuple[Claim, float]]) -> Iterator[tuple[str, ...]]:
    for claim, value in told:
        yield (
            claim.says,
            _told(claim.value, claim.unit),
            _told(value, claim.unit),
            WHY.get(claim.key, ""),
        )


def _told(value: float, unit: str) -> str:
    return format_duration(value) if unit == "s" and value >= _LONG else quantity(value, unit)
