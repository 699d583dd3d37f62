"""Arrays that many structures name were read once for each: 50 kB took 20 s and 300 MB."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from perfolio.common.errors import FormatError
from perfolio.readers import registry
from tests.kit import crafted
from tests.kit.limits import measured


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (crafted.shared_scopes, r"arrays of \{PSI\} overlap"),
        (crafted.shared_tuple, "strings add up to far more than the file"),
        (crafted.overlapping_texts, "strings add up to far more than the file"),
    ],
)
def test_it_is_refused_at_once(
    make: Callable[[Path, int], None], says: str, tmp_path: Path
) -> None:
    database = crafted.crafted(make, tmp_path / "x", 250_000)
    seconds, memory = measured(database)
    assert seconds < 1
    assert memory < 60_000_000
    with pytest.raises(FormatError, match=says):
        registry.read(database)


def test_identifier_tuples_may_be_shared_but_not_overlap(tmp_path: Path) -> None:
    crafted.meta(tmp_path / "meta.db")
    crafted.profiles(tmp_path / "profile.db", 3, identifiers=2)
    table = registry.read(tmp_path).tables["profile"]
    assert table["identifier_tuple"].to_pylist() == ["main 7 main 7"] * 3
    data = bytearray((tmp_path / "profile.db").read_bytes())
    first = int.from_bytes(data[24:32], "little") + 16
    shared = int.from_bytes(data[first + 48 + 32 : first + 48 + 40], "little")
    data[first + 48 + 32 : first + 48 + 40] = (shared + 16).to_bytes(8, "little")
    (tmp_path / "profile.db").write_bytes(data)
    with pytest.raises(FormatError, match=r"overlap|beyond"):
        registry.read(tmp_path)


def _anonymous(folder: Path, count: int) -> Path:
    """Functions that are named after a module whose path has 60,000 characters."""
    module = b"/opt/" + b"m" * 60_000
    crafted.meta(folder / "meta.db", functions=crafted.anonymous(count), module=module)
    return folder


@pytest.mark.parametrize("count", [320, 4000])
def test_a_module_of_many_functions_without_names_is_bounded(count: int, tmp_path: Path) -> None:
    """Found while mending: each got a name of its own from its module's, however long."""
    with pytest.raises(FormatError, match="strings add up"):
        registry.read(_anonymous(tmp_path, count))


def test_names_within_the_bound_are_read(tmp_path: Path) -> None:
    """Of 250, 15 MB: within the 16 MiB, beyond 8 bytes for each of the file; 320 have 19 MB."""
    table = registry.read(_anonymous(tmp_path, 250)).tables["function"]
    assert table.num_rows == 250
