"""One flipped bit of profile.db took away all costs, and the ingest said OK."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import PerfolioError
from tests.regressions.support import Bytes, damaged, get, infos, put, stored


def no_summary(files: Bytes) -> None:
    files["profile.db"][infos(files["profile.db"])[0] + 40] ^= 1


def two_summaries(files: Bytes) -> None:
    files["profile.db"][infos(files["profile.db"])[2] + 40] ^= 1


def other_formula(files: Bytes) -> None:
    files["meta.db"][files["meta.db"].index(b"\0$$\0") + 2] ^= 1


def other_scope(files: Bytes) -> None:
    files["meta.db"][files["meta.db"].index(b"point\0") + 4] ^= 1


def one_formula(files: Bytes) -> None:
    """The sum at scope point alone has another formula."""
    meta = files["meta.db"]
    metrics = get(meta, 0x10 + 2 * 16 + 8)
    summaries = get(meta, get(meta, metrics) + 16)
    put(meta, summaries + 8, meta.index(b"point\0"))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (no_summary, "the first profile, and no other, must be the summary"),
        (two_summaries, "the first profile, and no other, must be the summary"),
        (other_formula, "profiles have costs of .* and meta.db lists no sum of them"),
        (other_scope, "a propagation scope of type 1 is named"),
        (one_formula, "at scope point, and meta.db lists no sum of them"),
    ],
)
def test_it_is_refused(damage: object, says: str, tmp_path: Path) -> None:
    assert callable(damage)
    database = damaged(tmp_path, damage)
    with pytest.raises(PerfolioError, match=says):
        stored(database, tmp_path / "s.duckdb")
