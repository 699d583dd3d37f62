"""The reader on databases whose content is known."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from perfolio.common.errors import FormatError, InputError
from perfolio.readers import model, registry
from perfolio.readers.hpctoolkit import context_scan
from perfolio.readers.hpctoolkit import profile_values as values
from perfolio.readers.hpctoolkit.binary_file import STRING_LIMIT
from perfolio.readers.hpctoolkit.context_scan import LONG
from perfolio.readers.hpctoolkit.format_layouts import CTX_WORDS
from perfolio.readers.model import Source
from perfolio.writers.hpctoolkit import Database, EntryPoint, Function, Metric, Tree, write
from tests.kit.databases import Shape, context_count, write_database


def rows(source: Source, stream: str) -> pa.Table:
    found = source.streams[stream]
    table = pa.Table.from_batches(list(found.batches()), found.schema)
    assert table.num_rows == found.rows
    return table


def test_reads_the_tree_in_full(tmp_path: Path) -> None:
    shape = Shape(depth=3, fan_out=4, names=("a", "b"))
    contexts = registry.read(write_database(tmp_path / "x", shape)).tables["context"].to_pylist()
    assert len(contexts) == context_count(shape)
    by_id = {row["id"]: row for row in contexts}
    assert by_id[1]["parent"] == 0
    assert by_id[1]["entry_point"] == "main thread"
    assert by_id[1]["lexical_type"] == "entry"
    for row in contexts:
        if row["depth"] > 1:
            parent = by_id[row["parent"]]
            assert parent["depth"] == row["depth"] - 1
            assert row["relation"] == "call"
            assert row["function"] == (row["id"] - min_id(by_id, row["depth"])) % 2
    assert sorted(by_id) == list(range(1, len(contexts) + 1))


def test_a_long_block_of_siblings_is_read_like_short_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_database(tmp_path / "x", Shape(depth=3, fan_out=6))
    found = []
    for longest in (1, 5 * 6, LONG):
        monkeypatch.setattr(context_scan, "LONG", longest)
        contexts = registry.read(folder).tables["context"]
        found.append(contexts.sort_by("id"))
    assert found[0].equals(found[2])
    assert found[1].equals(found[2])


@pytest.mark.parametrize("limits", [{}, {"LONG": 1 << 40}, {"LONG": 1 << 40, "FEW": 0}])
@pytest.mark.parametrize(("words", "record"), [(-1, CTX_WORDS), (1, 0), (200, 0)])
def test_records_of_a_block_end_with_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: int,
    record: int,
    limits: dict[str, int],
) -> None:
    """The last record of a block is shorter or longer than what is left of it.

    All ways to read a block, by its length and by how many are open, name the same record.
    """
    for name, value in limits.items():
        monkeypatch.setattr(context_scan, name, value)
    folder = write_database(tmp_path / "x", Shape(depth=1, fan_out=LONG))
    data = (folder / "meta.db").read_bytes()
    begin, size = (int.from_bytes(data[at : at + 8], "little") for at in (0x48, 0x40))
    last = begin + size - 8 * (CTX_WORDS + 1)
    assert data[last + 23] == 1, "words after the first ones"
    patched(folder, "meta.db", last + 23, bytes([1 + words]))
    with pytest.raises(FormatError, match="beyond its siblings' block") as caught:
        registry.read(folder)
    assert f"{last + 8 * record:#x}:" in str(caught.value)


def min_id(by_id: dict[int, dict[str, int]], depth: int) -> int:
    return min(number for number, row in by_id.items() if row["depth"] == depth)


def test_values_add_up_over_scopes_and_profiles(tmp_path: Path) -> None:
    source = registry.read(write_database(tmp_path / "x", Shape(depth=2, fan_out=5, profiles=3)))
    metric = {row["id"]: row for row in source.tables["metric"].to_pylist()}
    values, summary = rows(source, "value").to_pylist(), rows(source, "summary").to_pylist()
    point = sum(v["value"] for v in values if metric[v["metric"]]["scope"] == "point")
    execution = [
        v for v in values if v["context"] == 0 and metric[v["metric"]]["scope"] == "execution"
    ]
    assert [v["profile"] for v in execution] == [1, 2, 3]
    assert sum(v["value"] for v in execution) == point
    whole = [s for s in summary if s["context"] == 0]
    assert [s["value"] for s in whole] == [point]
    assert metric[whole[0]["metric"]] == {
        "id": 65536 + 3,
        "name": "CPUTIME (sec)",
        "measure": "cpu_time",
        "scope": "execution",
        "statistic": "sum",
        "formula": "$$",
    }


@pytest.mark.parametrize(("rows", "contexts"), [(1, 1), (7, 3), (50, 1000)])
def test_values_do_not_depend_on_where_batches_end(
    rows: int, contexts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_database(tmp_path / "x", Shape(depth=2, fan_out=5, profiles=3))
    whole = {k: list(s.batches()) for k, s in registry.read(folder).streams.items()}
    monkeypatch.setattr(model, "BATCH_ROWS", rows)
    monkeypatch.setattr(values, "CONTEXT_ROWS", contexts)
    for name, stream in registry.read(folder).streams.items():
        batches = list(stream.batches())
        assert len(batches) == -(-stream.rows // rows)
        expected = pa.Table.from_batches(whole[name], stream.schema)
        assert pa.Table.from_batches(batches, stream.schema).equals(expected)


def test_identifier_tuples_name_what_a_profile_is(tmp_path: Path) -> None:
    source = registry.read(write_database(tmp_path / "x", Shape(profiles=3)))
    profiles = source.tables["profile"].to_pylist()
    assert [p["index"] for p in profiles] == [1, 2, 3]
    assert profiles[2]["identifier_tuple"] == "NODE 7 RANK 1 THREAD 0"
    assert {p["kind"] for p in profiles} == {"CPU thread"}
    assert [(p["rank"], p["thread"]) for p in profiles] == [(0, 0), (0, 1), (1, 0)]


def test_trace_lines_keep_their_order(tmp_path: Path) -> None:
    source = registry.read(write_database(tmp_path / "x", Shape(profiles=2, points=5)))
    trace = rows(source, "trace")
    assert trace["profile"].to_pylist() == [1] * 5 + [2] * 5
    assert np.diff(trace["time"].to_numpy()[:5].astype(np.int64)).tolist() == [1000] * 4


def test_stored_strides_and_later_minor_versions_are_accepted(tmp_path: Path) -> None:
    plain = registry.read(write_database(tmp_path / "plain", Shape()))
    padded = registry.read(write_database(tmp_path / "padded", Shape(padding=16, minor=9)))
    for name, table in plain.tables.items():
        assert padded.tables[name].equals(table), name
    for name in plain.streams:
        assert rows(padded, name).equals(rows(plain, name)), name
    assert plain.warnings == ()
    assert len(padded.warnings) == 3
    assert "format 4.9 is newer than 4.0" in padded.warnings[0]


@pytest.mark.parametrize("missing", ["trace.db", "profile.db"])
def test_a_database_gives_what_it_has(tmp_path: Path, missing: str) -> None:
    folder = write_database(tmp_path / "x")
    (folder / missing).unlink()
    source = registry.read(folder)
    assert any(missing in warning for warning in source.warnings)
    kept = {"trace.db": {"value", "summary"}, "profile.db": {"trace"}}[missing]
    assert set(source.streams) == kept
    assert source.tables["profile"].num_rows == 2


@pytest.mark.parametrize(
    "name", ["<b>&amp;", "a|b\nc", "{{ 7*7 }}", "'; DROP TABLE run; --", "x" * 100_000, "é\udcff"]
)
def test_any_name_is_data(tmp_path: Path, name: str) -> None:
    source = registry.read(write_database(tmp_path / "x", Shape(names=(name,), title=name)))
    expected = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    assert source.tables["function"]["name"].to_pylist() == [expected]
    assert source.title == expected


def test_a_name_ends_within_the_limit(tmp_path: Path) -> None:
    longest = "n" * (STRING_LIMIT - 1)
    source = registry.read(write_database(tmp_path / "x", Shape(names=(longest,))))
    assert source.tables["function"]["name"].to_pylist() == [longest]
    with pytest.raises(FormatError, match="no end of string within 1,048,576 bytes"):
        registry.read(write_database(tmp_path / "y", Shape(names=(longest + "n",))))


def test_many_references_to_a_long_name_are_bounded(tmp_path: Path) -> None:
    folder = write_database(tmp_path / "x", Shape(names=("n" * 900_000,)))
    assert registry.read(folder).tables["function"].num_rows == 1
    data = bytearray((folder / "meta.db").read_bytes())
    at = int.from_bytes(data[0x88:0x90], "little")
    count = int.from_bytes(data[at + 8 : at + 12], "little")
    assert count == 1
    # One function record, read 20,000 times with a stride of nothing: refused as too small.
    data[at + 8 : at + 12] = (20_000).to_bytes(4, "little")
    data[at + 12 : at + 14] = (0).to_bytes(2, "little")
    (folder / "meta.db").write_bytes(data)
    with pytest.raises(FormatError):
        registry.read(folder)


def patched(folder: Path, name: str, offset: int, data: bytes) -> Path:
    content = bytearray((folder / name).read_bytes())
    content[offset : offset + len(data)] = data
    (folder / name).write_bytes(content)
    return folder


HUGE = (2**64 - 8).to_bytes(8, "little")


@pytest.mark.parametrize(
    ("name", "offset", "data", "says"),
    [
        ("meta.db", 0, b"X", "not a file of an HPCToolkit database"),
        ("meta.db", 10, b"trce", "of kind"),
        ("meta.db", 14, b"\x03", "version 3.0 is not supported"),
        ("meta.db", 0x18, HUGE, "beyond the file"),
        ("meta.db", 0x40, HUGE, "beyond the file"),
        ("profile.db", 0x10, HUGE, "beyond the file"),
        ("trace.db", 0x20, HUGE, "lies outside section"),
        ("trace.db", 0x28, b"\xff\xff\xff\x7f", "lies outside section"),
    ],
)
def test_damage_is_named_with_file_and_offset(
    tmp_path: Path, name: str, offset: int, data: bytes, says: str
) -> None:
    folder = patched(write_database(tmp_path / "x"), name, offset, data)
    with pytest.raises(FormatError, match="at byte 0x") as caught:
        registry.read(folder)
    text = str(caught.value)
    assert says in text
    assert str(folder / name) in text
    assert "\n" not in text


@pytest.mark.parametrize("name", ["meta.db", "profile.db", "trace.db"])
@pytest.mark.parametrize("keep", [0.0, 0.1, 0.5, 0.99])
def test_truncated_files_are_refused(tmp_path: Path, name: str, keep: float) -> None:
    folder = write_database(tmp_path / "x")
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(InputError, match=name):
        registry.read(folder)


@pytest.mark.parametrize("name", ["meta.db", "profile.db", "trace.db", "cct.db"])
def test_what_is_no_file_is_named(name: str, tmp_path: Path) -> None:
    folder = write_database(tmp_path / "x")
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(InputError, match=rf"{name}: is not a regular file"):
        registry.read(folder)
    (folder / name).unlink()
    (folder / name).symlink_to("nowhere")
    with pytest.raises(InputError, match=rf"{name}: cannot be read: .*No such file"):
        registry.read(folder)


def section(folder: Path, index: int) -> int:
    data = (folder / "meta.db").read_bytes()
    return int.from_bytes(data[0x18 + 16 * index : 0x20 + 16 * index], "little")


def test_a_cycle_in_the_tree_is_found(tmp_path: Path) -> None:
    folder = write_database(tmp_path / "x", Shape(depth=3, fan_out=2))
    tree = section(folder, 3) + 16 + 32
    size = 2 * 40
    # The first context becomes a parent of its own block.
    patched(folder, "meta.db", tree, size.to_bytes(8, "little") + tree.to_bytes(8, "little"))
    with pytest.raises(FormatError, match="cycle"):
        registry.read(folder)


@pytest.mark.parametrize(
    ("moved", "longer", "says"),
    [
        (0, 0, ""),
        (0, 8, "outside the context tree"),
        (8, 0, "outside the context tree"),
        (4, 0, "outside the context tree"),
        (0, -4, "outside the context tree"),
        (0, -8, "beyond its siblings' block"),
        (-56, 0, "outside the context tree"),
        (0, 10**6, "outside the context tree"),
    ],
)
def test_children_lie_within_the_tree(tmp_path: Path, moved: int, longer: int, says: str) -> None:
    """The entry point's block moved and made longer; without either it ends where the tree does."""
    folder = write_database(tmp_path / "x", Shape(depth=1, fan_out=3))
    data = (folder / "meta.db").read_bytes()
    begin, size = (int.from_bytes(data[at : at + 8], "little") for at in (0x48, 0x40))
    entry = begin + 16
    block = int.from_bytes(data[entry : entry + 8], "little")
    start = int.from_bytes(data[entry + 8 : entry + 16], "little")
    assert start + block == begin + size, "nothing follows the last block"
    changed = (block + longer).to_bytes(8, "little") + (start + moved).to_bytes(8, "little")
    patched(folder, "meta.db", entry, changed)
    if says:
        with pytest.raises(FormatError, match=says):
            registry.read(folder)
    else:
        assert len(registry.read(folder).tables["context"]) == 4


def test_context_ids_are_unique(tmp_path: Path) -> None:
    folder = write_database(tmp_path / "x", Shape(depth=1, fan_out=2))
    tree = section(folder, 3) + 16 + 32
    patched(folder, "meta.db", tree + 40 + 16, (2).to_bytes(4, "little"))
    with pytest.raises(FormatError, match="context 2 is listed twice"):
        registry.read(folder)


def test_unknown_enumeration_values_are_kept(tmp_path: Path) -> None:
    folder = write_database(tmp_path / "x", Shape(depth=1, fan_out=2))
    tree = section(folder, 3) + 16 + 32
    patched(folder, "meta.db", tree + 0x15, b"\x09\x0b")
    source = registry.read(folder)
    context = {row["id"]: row for row in source.tables["context"].to_pylist()}[2]
    assert (context["relation"], context["lexical_type"]) == ("unknown(9)", "unknown(11)")
    assert any("later format version" in warning for warning in source.warnings)


def test_overlapping_value_blocks_are_refused(tmp_path: Path) -> None:
    folder = write_database(tmp_path / "x", Shape(profiles=2))
    data = (folder / "profile.db").read_bytes()
    first = 0x40 + 48
    patched(folder, "profile.db", first + 48, data[first : first + 32])
    with pytest.raises(FormatError, match="overlap"):
        registry.read(folder)


def test_values_out_of_order_are_refused_while_streaming(tmp_path: Path) -> None:
    folder = write_database(tmp_path / "x", Shape(profiles=1))
    data = (folder / "profile.db").read_bytes()
    index = int.from_bytes(data[0x40 + 48 + 0x18 : 0x40 + 48 + 0x20], "little")
    patched(folder, "profile.db", index + 12 + 4, (30).to_bytes(8, "little"))
    source = registry.read(folder)
    with pytest.raises(FormatError, match="not in order"):
        list(source.streams["value"].batches())


def test_paths_without_a_profile(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        registry.read(tmp_path / "nothing")
    with pytest.raises(InputError, match="no profile found"):
        registry.read(tmp_path)
    folder = write_database(tmp_path / "x")
    (folder / "meta.db").unlink()
    with pytest.raises(InputError, match=r"meta\.db is missing"):
        registry.read(folder)


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("experiment.xml", r"old format 3.*give its folder.*hpcprof of HPCToolkit 2022\.10"),
        ("a-000000-000-a8c0-1-0.hpcrun", r"measurements of hpcrun.*hpcprof"),
    ],
)
def test_what_hpctoolkit_wrote_in_another_form(tmp_path: Path, file: str, says: str) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / file).write_text("")
    for path in (tmp_path / "old", tmp_path / "old" / file):
        with pytest.raises(InputError, match=says):
            registry.read(path)
    for path in (tmp_path / "old", tmp_path):
        with pytest.raises(InputError, match=says):
            registry.find(path)


def test_find_lists_databases_below_a_folder(tmp_path: Path) -> None:
    made = [write_database(tmp_path / name) for name in ("b.d", "a.d", "deep/c.d")]
    shutil.copytree(made[0], tmp_path / "too/deep/for/this.d")
    assert registry.find(tmp_path) == [tmp_path / n for n in ("a.d", "b.d", "deep/c.d")]
    assert registry.find(made[0]) == [made[0]]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("GINST:STL_ANY", "GINS:STL_ANY"),
        ("GINS", "GINS"),
        ("GKER (s)", "GKER (sec)"),
        ("GXCOPY:H2D (b)", "GXCOPY:H2D (B)"),
        ("GKER (sec)", "GKER (sec)"),
        ("GSAMP:PER (cyc)", "GSAMP:PER (cyc)"),
    ],
)
def test_pc_samples_have_one_name(tmp_path: Path, written: str, read: str) -> None:
    source = registry.read(write_database(tmp_path / "x", Shape(metric=written)))
    assert set(source.tables["metric"]["name"].to_pylist()) == {read}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        # NVIDIA's, from HPCToolkit 2025.1 on
        (
            ["GCYCLES", "GCYCLES:ISU", "GCYCLES:STL", "GCYCLES:STL:GMEM", "GSAMP:TOT"],
            ["GINS", "GCYCLES:ISU", "GINS:STL_ANY", "GINS:STL_GMEM", "GSAMP:TOT"],
        ),
        # AMD's, whose stalls are those of one pipeline
        (["GCYCLES", "GCYCLES:STL", "GKER (s)"], ["GCYCLES", "GCYCLES:STL", "GKER (sec)"]),
        # never two metrics of one name
        (["GCYCLES", "GINS", "GSAMP:TOT"], ["GCYCLES", "GINS", "GSAMP:TOT"]),
    ],
)
def test_newer_pc_samples_have_the_older_name_where_they_mean_the_same(
    tmp_path: Path, written: list[str], read: list[str]
) -> None:
    lone = Tree(
        context=np.array([2], np.uint32),
        parent=np.array([1], np.uint32),
        relation=np.array([1], np.uint8),
        lexical_type=np.array([0], np.uint8),
        function=np.array([0], np.int32),
        file=np.array([-1], np.int32),
        line=np.array([0], np.uint32),
        module=np.array([-1], np.int32),
        offset=np.array([0], np.uint64),
    )
    database = Database(
        "made",
        tuple(Metric(name) for name in written),
        (EntryPoint(1),),
        lone,
        (),
        functions=(Function("f"),),
    )
    write(database, tmp_path / "x", ())
    found = registry.read(tmp_path / "x").tables["metric"]["name"].to_pylist()
    assert list(dict.fromkeys(found)) == read


@pytest.mark.parametrize(
    ("written", "read"), [("TODO database description", ""), ("a note", "a note")]
)
def test_a_description_that_says_nothing_is_empty(tmp_path: Path, written: str, read: str) -> None:
    source = registry.read(write_database(tmp_path / "x", Shape(description=written)))
    assert source.description == read
