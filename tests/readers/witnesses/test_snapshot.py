"""PyTorch's memory snapshots: what is read, what is refused, and in how much memory."""
# ruff: noqa: E501 - bytes of other files are long

from __future__ import annotations

import collections
import datetime as dt
import io
import os
import pickle
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import InputError
from perfolio.readers import text_stream
from perfolio.readers.run_files import read_run
from perfolio.readers.witnesses.model import TABLES
from perfolio.readers.witnesses.snapshot import pickle_machine
from tests.readers.witnesses.samples import witness
from tests.readers.witnesses.snapshots import (
    LIBRARY,
    MODEL,
    TRAIN,
    dumped,
    event,
    segment,
    two_devices,
)

TIME = 1_700_000_000_000_000_000
SITES = {"linear": 0, "forward": 2, "step": 3}


def allocations(found: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in found.columns["allocation"].to_pylist()]


def named(found: Any) -> dict[Any, str]:
    return {row[0]: row[1] for row in found.rows["allocation_site"]}


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_allocations_with_their_release(tmp_path: Path, protocol: int) -> None:
    found = witness(tmp_path, dumped(two_devices(), protocol), "s.pickle")
    sites = named(found)
    rows = [(*row[:6], sites.get(row[6])) for row in allocations(found)]
    assert rows == [
        (0, None, 0, None, TIME, 50, None),
        (0, 1, None, TIME + 10_000, None, 300, "forward"),
        (0, 2, 3, TIME + 20_000, TIME + 30_000, 700, "step"),
        (0, None, None, None, None, 1000, "linear"),
    ], "released and never allocated; held; released; held since before the recording"
    assert found.rows["reserved_change"] == [(1, 0, TIME + 35_000, 2048)]
    ((*failed, site),) = found.rows["out_of_memory"]
    assert failed == [1, 1, TIME + 40_000, 5000, 1000]
    assert sites[site] == "step"
    assert found.notes == [
        "requests that no memory was left for: 1",
        "events that are not read: defragment",
    ]


def frame(name: str, file: str) -> dict[str, Any]:
    return {"name": name, "filename": file, "line": 1}


CALL = frame("_call_impl", "/x/site-packages/torch/nn/modules/module.py")
OPTIMIZER = frame("step", "/x/site-packages/torch/optim/adamw.py")
CLOSURE = frame("closure", "/home/me/train.py")


@pytest.mark.parametrize(
    ("stack", "origin"),
    [
        ([LIBRARY, MODEL, CALL, TRAIN], "forward"),
        ([MODEL, CALL, TRAIN], "forward"),
        ([TRAIN], "program"),
        ([frame("convert", CALL["filename"]), TRAIN], "module"),
        ([frame("__init__", "/x/torch/nn/modules/linear.py"), MODEL, TRAIN], "module"),
        ([frame("normal_", "/x/torch/nn/init.py"), TRAIN], "module"),
        ([frame("_init_group", "C:\\x\\torch\\optim\\adam.py"), OPTIMIZER, TRAIN], "optimizer"),
        ([MODEL, CALL, CLOSURE, OPTIMIZER, TRAIN], "forward"),
        ([frame("_make_grads", "/x/torch/autograd/__init__.py"), TRAIN], "backward"),
        ([frame("backward", "/x/torch/_tensor.py"), CLOSURE, OPTIMIZER], "backward"),
        ([frame("torch::autograd::Engine::thread_main(int)", "??")], "backward"),
        ([frame("backward", "/home/me/op.py"), frame("apply", "/x/torch/autograd/function.py")],
         "backward"),
    ],
)  # fmt: skip
def test_a_stack_tells_what_code_asked(tmp_path: Path, stack: list[Any], origin: str) -> None:
    events = [event("alloc", 0, 8, 0, stack), event("alloc", 64, 8, 1, []),
              event("free_requested", 64, 8, 2, stack)]  # fmt: skip
    told = {"segments": [], "device_traces": [events]}
    found = witness(tmp_path, dumped(told), "s.pickle")
    assert [row[7:] for row in allocations(found)] == [(origin, None), (None, origin)]


def test_segments_and_blocks(tmp_path: Path) -> None:
    found = witness(tmp_path, dumped(two_devices()), "s.pkl")
    assert found.rows["memory_segment"] == [
        (0, 0, "large", 0, 4096), (1, 1, "expandable", 0, 2048),
    ]  # fmt: skip
    sites = named(found)
    assert [(*row[:-1], sites.get(row[-1])) for row in found.rows["memory_block"]] == [
        (0, 0, 1024, 1000, "active_allocated", "linear"),
        (0, 0, 512, 300, "active_allocated", "forward"),
        (0, 0, 2560, 0, "inactive", None),
        (1, 1, 2048, 0, "inactive", None),
    ]


def test_the_innermost_frame_of_the_program_counts(tmp_path: Path) -> None:
    found = witness(tmp_path, dumped(two_devices()), "s.pickle")
    assert ("forward", "/home/me/model.py", 12) in [
        row[1:] for row in found.rows["allocation_site"]
    ]


@pytest.mark.parametrize("events", [1, 999, 1000, 1001, 2001])
@pytest.mark.parametrize("devices", [1, 3])
def test_lists_that_pickle_writes_in_parts(tmp_path: Path, events: int, devices: int) -> None:
    traces = [
        [event("alloc", 512 * n, 1, n, [MODEL]) for n in range(events)] for _ in range(devices)
    ]
    traces[-1:] = [[], traces[-1]]  # a device without events
    snapshot = {"segments": [], "device_traces": traces}
    found = witness(tmp_path, dumped(snapshot), "s.pickle")
    told = collections.Counter((row[0], row[1]) for row in allocations(found))
    expected = [n for n, trace in enumerate(traces) if trace]
    assert told == {(device, n): 1 for device in expected for n in range(events)}


def test_a_long_stack_is_one_line(tmp_path: Path) -> None:
    deep = [LIBRARY] * 1500 + [TRAIN] + [MODEL] * 1500
    snapshot = {"segments": [], "device_traces": [[event("alloc", 0, 8, 0, deep)]]}
    found = witness(tmp_path, dumped(snapshot), "s.pickle")
    assert allocations(found)[0][6] in (row[0] for row in found.rows["allocation_site"])


def test_blocks_of_older_releases_have_a_history(tmp_path: Path) -> None:
    old = {
        "size": 512,
        "state": "active_allocated",
        "history": [{"addr": 1, "real_size": 400, "frames": [MODEL]}],
    }
    found = witness(
        tmp_path, dumped({"segments": [segment(0, 0, 512, [old])], "device_traces": []}), "s.pickle"
    )
    assert found.rows["memory_block"] == [(0, 0, 512, 400, "active_allocated", 0)]
    assert "no event" in found.notes[0]


class Call:
    """What an unpickler would call."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self.function, self.arguments


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "value",
    [Call(os.system, "touch {}"), collections.OrderedDict(a=1), dt.date(2026, 1, 1),
     {1, 2}, frozenset(), b"bytes", bytearray(b"x"), 1j, len, Path("x")],
)  # fmt: skip
def test_all_that_is_no_plain_value_is_refused(tmp_path: Path, value: Any, protocol: int) -> None:
    mark = tmp_path / "called"
    if isinstance(value, Call):
        value.arguments = (f"touch {mark}",)
    with pytest.raises(InputError, match=r"s\.pickle: byte [\d,]+: (is refused: \w+ would|opcode)"):
        witness(tmp_path, dumped({"segments": [value]}, protocol), "s.pickle")
    assert not mark.exists()


@pytest.mark.parametrize(
    "code",
    [
        b"cos\nsystem\n",
        b"\x93",
        b"R",
        b"\x81",
        b"\x92",
        b"b",
        b"i",
        b"o",
        b"\x82\x01",
        b"P1\n",
        b"Q",
    ],
)
def test_each_opcode_that_calls_is_refused(tmp_path: Path, code: bytes) -> None:
    data = b"\x80\x04}(\x8c\x08segments]" + code + b"u."
    with pytest.raises(InputError, match="is refused"):
        witness(tmp_path, data, "s.pickle")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"]u.", "a mark|ends early"), (b"]s.", "entries without"), (b"K\x01K\x02a.", "items without"),
        (b"j\xff\xff\xff\xff.", "ends early"), (b"r\xff\xff\xff\xff.", "never numbered"),
        (b"X\xff\xff\xff\x7f", "longer than any"), (b"\x8bp\x00\x00\x00", "integer of 112 bytes"),
        (b"(" * 2000, "nested more deeply"), (b"K\x01K\x02.", "belong to nothing"),
        (b"K\x01", "ends early"), (b"}K\x01K\x02s.", "key is no text"), (b"\x80\x09.", "protocol 9"),
        (b"I1\n.", "opcode 0x49"),
    ],
)  # fmt: skip
def test_damage_ends_in_a_line_with_the_byte(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=rf"s\.pickle: byte [\d,]+: .*({said})"):
        witness(tmp_path, b"\x80\x04\x8c\x08segments" + data, "s.pickle")


@pytest.mark.parametrize(
    ("repeated", "said"),
    [(b"N", "none is used"), (b"N\x85", "objects that are no events"), (b"N\x94", "numbered|none is used"),
     (b"](K\x01K\x02e", "objects that are no events"), (b"\x8c\x01a", "objects that are no events|of text"),
     (b"}\x8c\x01a]s", "objects that are no events|of text")],
)  # fmt: skip
def test_files_that_are_made_to_fill_memory_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repeated: bytes, said: str
) -> None:
    for name in ("MOST_KEPT", "MOST_STACK", "MOST_MEMO", "MOST_OF_TEXTS"):
        monkeypatch.setattr(pickle_machine, name, 1000)
    monkeypatch.setattr(text_stream, "PIECE", 1 << 12)
    data = b"\x80\x04\x8c\x08segments" + repeated * 5000 + b"."
    with pytest.raises(InputError, match=said):
        witness(tmp_path, data, "s.pickle")


def test_other_pickles_are_no_snapshot(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a pickle, and no memory snapshot"):
        witness(tmp_path, dumped(["segments"]), "s.pickle")


@given(st.integers(0, 5000), st.binary(max_size=6), st.integers(0, 20), st.sampled_from([2, 4]))
def test_any_damage_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, place: int, put: bytes, length: int, protocol: int
) -> None:
    data = dumped(two_devices(), protocol)
    at = 30 + place % (len(data) - 30)
    try:
        found = witness(
            tmp_path_factory.getbasetemp(), data[:at] + put + data[at + length :], "s.pickle"
        )
    except InputError:
        return
    for table, rows in found.rows.items():
        assert all(len(row) == len(TABLES[table]) - 1 for row in rows)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_events(tmp_path: Path) -> None:
    """Python's unpickler needs some 700 B for an event of this file, and this reader 60."""
    count = 10_000
    stacks = [[LIBRARY] * 10 + [{**TRAIN, "line": n}] for n in range(50)]
    trace = [event("alloc", 512 * n, n, n, list(stacks[n % 50])) for n in range(count)]
    data = dumped({"segments": [], "device_traces": [trace]})
    del trace
    witness(tmp_path, dumped(two_devices()), "first.pickle")  # what it imports stays
    tracemalloc.start()
    found = witness(tmp_path, data, "s.pickle")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.columns["allocation"].num_rows == count
    assert peak < len(data) + 250 * count


def test_a_run_of_a_snapshot_alone(tmp_path: Path) -> None:
    (tmp_path / "s.pickle").write_bytes(dumped(two_devices()))
    source, _ = read_run(tmp_path)
    assert source.tables["allocation"].num_rows == 4
    assert set(source.tables["allocation"]["witness"].to_pylist()) == {1}


@pytest.mark.slow
def test_what_pytorch_writes(tmp_path: Path) -> None:
    """Needs a GPU as well as PyTorch, so that the marker of tests that need PyTorch alone is not on it."""
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU whose memory a snapshot could show")
    torch.cuda.memory._record_memory_history()
    held = torch.empty(1 << 20, device="cuda")
    torch.cuda.memory._dump_snapshot(str(tmp_path / "s.pickle"))
    found = witness(tmp_path, (tmp_path / "s.pickle").read_bytes(), "s.pickle")
    assert held.nbytes in [row[5] for row in allocations(found)]
    assert Path(__file__).name in {Path(str(row[2])).name for row in found.rows["allocation_site"]}


def test_python_reads_the_same_file() -> None:
    """What the tests write is a pickle that Python reads: the shape is not made up here alone."""
    assert pickle.Unpickler(io.BytesIO(dumped(two_devices()))).load() == two_devices()
