"""Traces of PyTorch's profiler: what is read of them, and what damaged ones end in."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import InputError, PerfolioError
from perfolio.readers import registry
from perfolio.readers.events.exact_numbers import parse_all_nanoseconds, parse_nanoseconds
from perfolio.readers.json_stream import ElementStream, UnreadableError
from perfolio.readers.kineto.trace_events import EventDecoder, KinetoEvent
from perfolio.readers.model import Source
from tests.kit.shared import SHARED

Json = dict[str, Any]


def event(category: str, name: str, start: Any, duration: Any, **args: Any) -> Json:
    """One complete event of the host, or of stream 7 where it has a device."""
    place = {"pid": 0, "tid": 7} if "device" in args else {"pid": 12, "tid": 12}
    times = {"ts": start, "dur": duration}
    return {"ph": "X", "cat": category, "name": name, **place, **times, "args": args}


LAUNCH = event("cuda_runtime", "cudaLaunchKernel", 110.5, 5.25, correlation=9)
KERNEL = event(
    "kernel", "void scale<float>(float*)", 120.001, 10.002, device=0, stream=7, correlation=9,
    grid=[4, 2, 1], block=[64, 2, 1], **{"registers per thread": 32, "shared memory": 1024},
)  # fmt: skip
MUL = {
    "Input Dims": [[2, 3], []],
    "Input type": ["c10::Half", "Scalar"],
    "Concrete Inputs": ["", "False", "0.5", "True", "Truest"],
    "External id": 4,
}
EVENTS = [
    event("user_annotation", "ProfilerStep#1", 100, 100),
    event("cpu_op", "aten::mul", 105.125, 20, **MUL),
    LAUNCH,
    KERNEL,
    event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 140, 3, device=0, stream=7, bytes=64),
]
BASE = 1_711_964_646_000_000_000


def document(events: list[Json], **beside: Any) -> Json:
    return {"schemaVersion": 1, "traceEvents": events, "baseTimeNanoseconds": BASE} | beside


def written(folder: Path, content: bytes | Json, name: str = "trace.json") -> Path:
    path = folder / name
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


def read(folder: Path, content: bytes | Json, name: str = "trace.json") -> Source:
    return registry.read(written(folder, content, name))


def rows(source: Source, table: str) -> list[Json]:
    found: list[Json] = source.tables[table].to_pylist()
    return found


@pytest.mark.parametrize("name", ["trace.json", "trace.json.gz", "t.pt.trace.json.gz"])
def test_an_operation_lies_below_the_call_that_launched_it(tmp_path: Path, name: str) -> None:
    source = read(tmp_path, document(EVENTS), name)
    kernel, copy = rows(source, "gpu_operation")
    assert kernel["start"] == BASE + 120_001
    assert kernel["duration"] == 10_002
    assert (kernel["blocks"], copy["bytes"], copy["pinned"]) == (8, 64, False)
    contexts = {row["id"]: row for row in rows(source, "context")}
    names = [row["name"] for row in rows(source, "function")]
    path, context = [], contexts[kernel["context"]]
    while context["parent"]:
        path.append(names[context["function"]])
        context = contexts[context["parent"]]
    assert path == ["void scale<float>(float*)", "<gpu kernel>", "cudaLaunchKernel", "aten::mul"]
    assert context["entry_point"] == "main thread"
    assert source.tool == "PyTorch profiler"


def test_time_of_a_thread_counts_once(tmp_path: Path) -> None:
    source = read(tmp_path, document(EVENTS))
    stays = [(row["start"] - BASE, row["duration"]) for row in rows(source, "host_stay")]
    assert stays == [(105_125, 5_375), (110_500, 5_250), (115_750, 9_375)]
    (operator,) = [row for row in rows(source, "host_range") if row["kind"] == "operator"]
    assert (operator["name"], operator["shapes"]) == ("aten::mul", "[[2,3],[]]")
    assert operator["types"] == '["c10::Half","Scalar"]'
    assert operator["flags"] == "False,True"


OPEN = event("user_annotation", "epoch", 150, 5_000, finished=False)
"""Had not ended when the recording did: it has the time at which the file was written."""


@pytest.mark.parametrize(
    ("more", "stop"),
    [
        pytest.param([event("Trace", "PyTorch Profiler (0)", 0, 210)], 210, id="window"),
        pytest.param([], 200, id="no window: the last range"),
        pytest.param([event("Trace", "PyTorch Profiler (0)", 0, 9_000)], 5_150, id="never longer"),
        pytest.param([event("Trace", "PyTorch Profiler (0)", 0, 120)], 150, id="never negative"),
    ],
)
def test_what_had_not_ended_ends_with_the_recording(
    tmp_path: Path, more: list[Json], stop: int
) -> None:
    source = read(tmp_path, document([*EVENTS, OPEN, *more]))
    (line,) = [row for row in rows(source, "trace_line") if row["kind"] == "CPU thread"]
    assert line["stop"] == BASE + max(stop, 200) * 1000
    (epoch,) = [row for row in rows(source, "host_range") if row["name"] == "epoch"]
    assert epoch["duration"] == (stop - 150) * 1000
    assert "1 ranges had not ended when the recording did, and end with it" in source.warnings


@pytest.mark.parametrize("times", [(None, 210), ("x", 210), (0, None), (0, -5), (0, 3)], ids=str)
def test_a_window_that_tells_nothing_leaves_the_last_range(
    tmp_path: Path, times: tuple[Any, Any]
) -> None:
    source = read(tmp_path, document([*EVENTS, OPEN, event("Trace", "P", *times)]))
    (epoch,) = [row for row in rows(source, "host_range") if row["name"] == "epoch"]
    assert epoch["duration"] == (200 - 150) * 1000
    assert not [note for note in source.warnings if "duration" in note]


def test_a_correlation_of_0_names_no_launch(tmp_path: Path) -> None:
    call = event("cuda_runtime", "cudaLaunchKernel", 110, 5, correlation=0)
    kernel = event("kernel", "k", 120, 10, device=0, stream=7, correlation=0)
    source = read(tmp_path, document([*EVENTS[:2], call, kernel]))
    (operation,) = rows(source, "gpu_operation")
    assert operation["call"] is None


def test_a_name_that_is_a_list_is_text(tmp_path: Path) -> None:
    source = read(tmp_path, document([*EVENTS, {**EVENTS[1], "name": ["a", 1]}]))
    assert "['a', 1]" in {row["name"] for row in rows(source, "host_range")}


def test_a_step_that_had_not_ended_is_no_step(tmp_path: Path) -> None:
    more = event("user_annotation", "ProfilerStep#2", 205, 5_000, finished="false")
    source = read(tmp_path, document([*EVENTS, more, event("Trace", "P", 0, 210)]))
    ranges = {row["name"]: row["kind"] for row in rows(source, "host_range")}
    assert ranges["ProfilerStep#1"] == "step"
    assert "step" not in [kind for name, kind in ranges.items() if name != "ProfilerStep#1"]


def test_a_compiled_graph_is_told_by_the_begin_of_its_digest(tmp_path: Path) -> None:
    name = "## Call CompiledFxGraph f4v2yhf2sz7lkl75pmbjkckuclzevac2uny6iguocryt5bl2gmmt ##"
    source = read(tmp_path, document([event("user_annotation", name, 0, 5)]))
    names = {row["name"] for row in rows(source, "function")}
    assert "Call CompiledFxGraph f4v2yhf2" in names
    assert name not in names


def test_what_all_devices_have_is_told(tmp_path: Path) -> None:
    one = {"name": "NVIDIA X", "totalGlobalMem": 4096}
    source = read(tmp_path, document(EVENTS, deviceProperties=[one, one]))
    assert (source.device, source.device_memory) == ("NVIDIA X", 4096)
    other = {"name": "NVIDIA X", "totalGlobalMem": 8192}
    source = read(tmp_path, document(EVENTS, deviceProperties=[one, other]))
    assert (source.device, source.device_memory) == ("", 0)


def test_a_range_that_reaches_beyond_the_one_around_it_is_cut(tmp_path: Path) -> None:
    events = [event("cpu_op", "outer", 0, 10), event("cpu_op", "inner", 5, 20)]
    source = read(tmp_path, document(events))
    stays = [(row["start"] - BASE, row["duration"]) for row in rows(source, "host_stay")]
    assert stays == [(0, 5_000), (5_000, 5_000)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4458676416788.066", 4_458_676_416_788_066),
        ("1606911006433205", 1_606_911_006_433_205_000),
        ("0.1", 100), ("-1.5", -1500), ("1e3", 1_000_000), ("1.0005", 1000), ("1.00051", 1001),
    ],
)  # fmt: skip
def test_decimal_text_is_exact(text: str, expected: int) -> None:
    (found,) = EventDecoder().decode(f'[{{"ts": {text}}}]'.encode())
    assert parse_nanoseconds(found.ts) == expected
    assert parse_all_nanoseconds([found.ts] * 2).tolist() == [expected] * 2


@given(
    st.lists(
        st.decimals(-(4 * 10**15), 4 * 10**15, places=3)
        | st.integers(0, 4 * 10**15)
        | st.floats(0, 1)
    )
)
def test_many_times_are_those_of_each(numbers: list[Any]) -> None:
    text = ",".join(f'{{"ts": {number}}}' for number in numbers)
    texts = [found.ts for found in EventDecoder().decode(f"[{text}]".encode())]
    assert parse_all_nanoseconds(texts).tolist() == [*map(parse_nanoseconds, texts)]


@pytest.mark.parametrize("text", ["4611686018427387904", "99999999999999999999", '"1,2"', "[1, 2]"])
def test_what_is_no_time_is_none_among_others(text: str) -> None:
    events = EventDecoder().decode(f'[{{"ts": 1}}, {{"ts": {text}}}]'.encode())
    with pytest.raises(ValueError, match="no time"):
        parse_all_nanoseconds([found.ts for found in events])


def test_threads_that_are_equal_but_not_written_alike_are_several(tmp_path: Path) -> None:
    numbers = (1, 1.0, "1", True, None)
    events = [event("cpu_op", "aten::mul", 100, 20) | {"pid": each} for each in numbers]
    odd = [event("cpu_op", "", 100, 0) | {"cat": [1]}, event("cpu_op", "", 100, 0) | {"pid": {}}]
    assert len(rows(read(tmp_path, document([*events, *odd])), "profile")) == len(numbers)


def test_versions_of_2020_are_a_list_with_other_categories(tmp_path: Path) -> None:
    events = [
        event("Operator", "aten::add", 100, 50),
        {**event("Runtime", "cudaLaunchKernel", 110, 5, correlation=3), "tid": "3340707648"},
        {**event("Kernel", "k", 130, 5, device=0, stream=7, correlation=3), "tid": "stream 7"},
    ]
    source = read(tmp_path, json.dumps(events).encode())
    assert [row["operation"] for row in rows(source, "gpu_operation")] == ["kernel"]
    assert rows(source, "gpu_operation")[0]["start"] == 130_000
    assert len(rows(source, "host_call")) == 1


def test_functions_of_python_without_a_thread_are_the_main_threads(tmp_path: Path) -> None:
    python = event("python_function", "/app/train.py(12): step", 90, 60)
    source = read(tmp_path, document([*EVENTS, {**python, "pid": 0, "tid": 0}]))
    (function,) = [row for row in rows(source, "function") if row["name"] == "step"]
    assert function["line"] == 12
    (host,) = [row for row in rows(source, "profile") if row["kind"] == "CPU thread"]
    assert {row["profile"] for row in rows(source, "host_stay")} == {host["index"]}


def test_each_call_of_a_function_of_python_is_kept_with_its_times(tmp_path: Path) -> None:
    """Two calls in a row without a pause, and one within: as pieces, these would be one."""
    python = [
        event("python_function", "/app/train.py(12): step", 10, 30),
        event("python_function", "/app/model.py(3): call", 12, 8),
        event("python_function", "/app/model.py(3): call", 20, 8),
    ]
    source = read(tmp_path, document([*EVENTS, *python]))
    base = min(row["start"] for row in rows(source, "host_function"))
    contexts = {row["id"]: row for row in rows(source, "context")}
    names = {row["id"]: row["name"] for row in rows(source, "function")}
    found = [
        (names[contexts[row["context"]]["function"]], row["start"] - base, row["duration"])
        for row in rows(source, "host_function")
    ]
    assert sorted(found) == [("call", 2000, 8000), ("call", 10000, 8000), ("step", 0, 30000)]
    assert {row["kind"] for row in rows(source, "host_function")} == {"python"}
    step, call, again = sorted(rows(source, "host_function"), key=lambda row: row["start"])
    assert call["depth"] == again["depth"] == step["depth"] + 1


def test_a_trace_has_the_threads_that_did_something(tmp_path: Path) -> None:
    source = read(tmp_path, document(EVENTS))
    assert [row["kind"] for row in rows(source, "profile")] == ["CPU thread", "GPU stream"]


def test_bytes_of_a_direction_without_a_copy_are_0(tmp_path: Path) -> None:
    measures = {row["measure"] for row in rows(read(tmp_path, document(EVENTS)), "metric")}
    assert {"copy_bytes:H2D", "copy_bytes:D2D"} <= measures
    without = rows(read(tmp_path, document(EVENTS[:-1])), "metric")
    assert not any(row["measure"].startswith("copy_bytes") for row in without)


def test_a_copy_from_one_gpu_to_another_has_a_direction_of_its_own(tmp_path: Path) -> None:
    name = "Memcpy PtoP (Device -> Device)"
    copy = event("gpu_memcpy", name, 200, 5, device=0, stream=7, correlation=9, bytes=8)
    source = read(tmp_path, document([*EVENTS, copy]))
    assert rows(source, "gpu_operation")[-1]["operation"] == "copy P2P"


def ranks(folder: Path, numbers: tuple[int, ...], size: int | None) -> Path:
    for number in numbers:
        info = {"rank": number} | ({"world_size": size} if size else {})
        beside = {"distributedInfo": info}
        text = json.dumps({**beside, **document(EVENTS)}).encode()
        (folder / f"trace_{number}.json").write_bytes(text)
    return folder


def test_a_folder_of_ranks_is_one_run(tmp_path: Path) -> None:
    source = registry.read(ranks(tmp_path, (0, 2), 4))
    assert {row["rank"] for row in rows(source, "profile")} == {0, 2}
    assert source.ranks == 4
    assert len(rows(source, "gpu_operation")) == 4
    assert [str(file.path.name) for file in source.files] == ["trace_0.json", "trace_2.json"]
    assert any("2 of 4 ranks are here: 1, 3 are missing" in note for note in source.warnings)


def test_traces_of_one_rank_are_runs_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(json.dumps(document(EVENTS)).encode())
    (tmp_path / "b.json").write_bytes(json.dumps(document(EVENTS)).encode())
    assert registry.find(tmp_path) == [tmp_path / "a.json", tmp_path / "b.json"]


def test_cycles_of_ranks_are_a_run_each(tmp_path: Path) -> None:
    for rank, step in ((0, 10), (1, 10), (0, 110), (1, 110)):
        began = {**LAUNCH, "cat": "user_annotation", "name": f"ProfilerStep#{step}"}
        info = {"distributedInfo": {"rank": rank, "world_size": 2}}
        written(tmp_path, document([began, *EVENTS], **info), f"host{rank}_{step}.json")
    found = registry.find(tmp_path)
    assert [path.name for path in found] == ["host0_10.json", "host0_110.json"]
    again = pickle.loads(pickle.dumps(found[1]))
    source = registry.read(again)
    assert [file.path.name for file in source.files] == ["host0_110.json", "host1_110.json"]
    assert source.title == f"{tmp_path.name}, step 110"
    assert len(registry.read(tmp_path / "host0_110.json").files) == 1


def test_ranks_of_unequally_many_traces_are_not_put_together(tmp_path: Path) -> None:
    for rank, name in ((0, "a"), (0, "b"), (1, "c")):
        written(tmp_path, document(EVENTS, distributedInfo={"rank": rank}), f"{name}.json")
    assert len(registry.find(tmp_path)) == 3


@pytest.mark.parametrize("size", [7, 1 << 20])
def test_backslashes_that_escape_nothing_stand_for_themselves(tmp_path: Path, size: int) -> None:
    functions = [
        event("python_function", f"torch/_ops{number}.py(12): call", 10 + number, 1)
        for number in range(3)
    ]
    text = json.dumps(document([*EVENTS, *functions])).replace("torch/_", "torch\\_")
    elements = ElementStream[KinetoEvent](pieces_of(text.encode(), size), EventDecoder().decode)
    names = [str(one.name) for found in elements.lists() for one in found]
    assert next(name for name in names if "_ops" in name) == r"torch\_ops0.py(12): call"
    source = read(tmp_path, text.encode())
    assert "torch/_ops2.py" in rows(source, "file")[-1].values()
    assert any("backslashes" in note for note in source.warnings)


def test_what_was_written_up_to_an_abort_is_read(tmp_path: Path) -> None:
    whole = json.dumps(document(EVENTS)).encode()
    end = whole.index(b'"gpu_memcpy"') + 20
    source = read(tmp_path, whole[:end])
    assert [row["operation"] for row in rows(source, "gpu_operation")] == ["kernel"]
    (note,) = [each for each in source.warnings if "last whole event" in each]
    assert "the file ends within its list of events" in note


def test_a_cut_gzip_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "trace.json.gz"
    packed = gzip.compress(json.dumps(document(EVENTS * 400)).encode(), 0)
    path.write_bytes(packed[: len(packed) // 2])
    source = registry.read(path)
    assert 0 < len(rows(source, "gpu_operation")) < 800
    assert any("the compressed file ends early" in note for note in source.warnings)


REFUSED: dict[str, tuple[bytes, str]] = {
    "no list": (b'{"schemaVersion": 1, "traceEvents": 5}', "there is no list of events"),
    "NaN": (b'{"traceEvents": [{"ph": "X", "cat": "kernel", "ts": NaN}]}', "at byte"),
    "text for a time": (
        b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": "now", "dur": 1}]}',
        "no time in microseconds",
    ),
    "no time": (b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k"}]}', "no time"),
    "beyond 64 bits": (
        b'{"traceEvents": [{"ph": "X", "cat": "kernel", "ts": 9223372036854775808, "dur": 1}]}',
        "no time",
    ),
    "numbers for events": (b'{"traceEvents": [1, 2, 3]}', "at byte"),
    "deep": (b'{"traceEvents": [' + b'{"args": ' * 5000 + b"1" + b"}" * 5000 + b"]}", "at byte"),
    "nothing": (b'{"traceEvents": []}', "holds no operator"),
    "other JSON": (
        b'{"traceEvents": [{"ph": "X", "cat": "other", "ts": 1, "dur": 2}]}',
        "holds no",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, case: str) -> None:
    content, expected = REFUSED[case]
    with pytest.raises(InputError) as raised:
        read(tmp_path, content)
    assert expected in str(raised.value)
    assert str(tmp_path / "trace.json") in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.slow
def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unpacks to more than"):
        read(tmp_path, b'{"traceEvents": [' + b" " * (1 << 26), "trace.json.gz")


def pieces_of(text: bytes, size: int) -> Iterator[bytes]:
    return (text[at : at + size] for at in range(0, len(text), size))


STRINGS = st.text(alphabet='{}[],:"\\ab é\n', max_size=12)
VALUES = st.recursive(
    st.none() | st.integers(-9, 9) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.fixed_dictionaries({"name": STRINGS, "args": VALUES}), max_size=12),
    st.integers(1, 60),
    st.sampled_from([None, 1]),
    st.dictionaries(st.sampled_from(["a", "traceEventz", "b"]), VALUES, max_size=3),
)
def test_elements_are_the_same_however_the_text_comes_in_pieces(
    events: list[Json], size: int, indent: int | None, beside: Json
) -> None:
    text = json.dumps({**beside, "traceEvents": events, "last": beside}, indent=indent).encode()
    elements = ElementStream[Any](pieces_of(text, size), json.loads)
    found = [one for some in elements.lists() for one in some]
    assert found == events
    assert elements.is_closed
    assert elements.beside() == {**beside, "traceEvents": None, "last": beside}


@given(
    st.lists(st.fixed_dictionaries({"name": STRINGS, "args": VALUES}), min_size=1, max_size=6),
    st.data(),
)
def test_what_is_cut_gives_all_whole_elements(events: list[Json], data: st.DataObject) -> None:
    text = json.dumps({"traceEvents": events}).encode()
    start = text.index(b"[") + 1
    cut = data.draw(st.integers(start, len(text)))
    elements = ElementStream[Any](pieces_of(text[:cut], 30), json.loads)
    found = [one for some in elements.lists() for one in some]
    assert found == events[: len(found)]
    whole = len(json.dumps(events[: len(found) + 1])) - 1
    assert len(found) == len(events) or cut < start - 1 + whole


SMALL = ("mi250_minitoy.json.gz", "old_2022_kernel_cat.json.gz", "a100_triton.json.gz")
"""Real traces that are read in some milliseconds."""


@cache
def originals() -> tuple[bytes, ...]:
    """Texts of traces: a made one, and real ones where they are present."""
    folder = SHARED / "inputs" / "pytorch"
    real = [gzip.decompress((folder / name).read_bytes()) for name in SMALL if folder.is_dir()]
    return (json.dumps(document(EVENTS, distributedInfo={"rank": 0})).encode(), *real)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A trace with one to four places changed or cut."""
    text = draw(st.sampled_from(originals()))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        new = draw(st.binary(max_size=12) | st.sampled_from(TROUBLE))
        text = text[:place] + new + text[place + draw(st.integers(0, 30)) :]
    return text


TROUBLE = (b"NaN", b"1e999", b'"', b"\\", b"9223372036854775808", b"null", b"-", b"[[[[", b"}}}}")


@settings(
    max_examples=2000 if "CI" in os.environ else 60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(damaged(), st.booleans())
def test_a_damaged_trace_is_read_or_refused(tmp_path: Path, text: bytes, packed: bool) -> None:
    path = tmp_path / ("trace.json.gz" if packed else "trace.json")
    path.write_bytes(gzip.compress(text) if packed else text or b" ")
    with contextlib.suppress(PerfolioError):
        assert registry.read(path).tables["profile"].num_rows


def test_an_element_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfolio.readers.json_stream.MOST_BESIDE", 1000)
    text = b'{"traceEvents": [{"name": "' + b"x" * 5000
    elements = ElementStream[KinetoEvent](pieces_of(text, 100), EventDecoder().decode)
    with pytest.raises(UnreadableError, match="longer than any"):
        list(elements.lists())


SYNC = {"device": 0, "context": 1}
RECORDED = [
    *EVENTS,
    event("kernel", "other", 130, 2, device=0, stream=20, correlation=19),
    event("cuda_runtime", "cudaEventRecord", 121, 1, correlation=11),
    event("cuda_runtime", "cudaStreamWaitEvent", 122, 1, correlation=12),
    event("cuda_runtime", "cudaStreamSynchronize", 123, 9, correlation=13),
    event("cuda_runtime", "cudaDeviceSynchronize", 133, 9, correlation=14),
    event("cuda_event", "cudaEvent", 121, 0, **SYNC, stream=7, correlation=11, event_id=3),
    event(
        "cuda_sync", "Stream Wait Event", 122, 1, **SYNC, stream=20, correlation=12,
        wait_on_stream=7, wait_on_cuda_event_id=3, wait_on_cuda_event_record_corr_id=11,
    ),
    event("cuda_sync", "Stream Sync", 123, 9, **SYNC, stream=21, correlation=13),
    event("cuda_sync", "Context Sync", 133, 9, **SYNC, stream=4294967295, correlation=14),
    event(
        "cuda_sync", "Event Sync", 133, 9, **SYNC, stream=-1, correlation=99,
        wait_on_stream=-1, wait_on_cuda_event_id=4, wait_on_cuda_event_record_corr_id=-1,
    ),
]  # fmt: skip


def test_waits_name_their_streams_and_events(tmp_path: Path) -> None:
    """A stream that did nothing has its number and no profile; what is not said is NULL."""
    source = read(tmp_path, document(RECORDED))
    calls = {row["id"]: row["name"] for row in rows(source, "host_call")} | {None: ""}
    streams = {row["index"]: row["gpu_stream"] for row in rows(source, "profile")} | {None: None}
    told = {
        (calls[row["call"]], row["kind"]): (
            streams[row["profile"]], row["stream"], row["event"],
            calls[row["record"]], streams[row["source"]], row["source_stream"],
        )
        for row in rows(source, "stream_wait")
    }  # fmt: skip
    assert told == {
        ("cudaEventRecord", "record"): (7, 7, 3, "", None, None),
        ("cudaStreamWaitEvent", "stream"): (20, 20, 3, "cudaEventRecord", 7, 7),
        ("cudaStreamSynchronize", "host"): (None, 21, None, "", None, None),
        ("cudaDeviceSynchronize", "host"): (None, None, None, "", None, None),
        ("", "host"): (None, None, 4, "", None, None),
    }
    assert {row["index"] for row in rows(source, "profile") if row["gpu_stream"] == 21} == set()


@pytest.mark.parametrize("odd", [-5, 1 << 70, "x", 1.5, None, [1], True])
def test_numbers_of_streams_that_are_none_are_not_recorded(tmp_path: Path, odd: Any) -> None:
    wait = event(
        "cuda_sync", "Stream Wait Event", 122, 1, **SYNC, stream=odd, correlation=odd,
        wait_on_stream=odd, wait_on_cuda_event_id=odd, wait_on_cuda_event_record_corr_id=odd,
    )  # fmt: skip
    (row,) = rows(read(tmp_path, document([*EVENTS, wait])), "stream_wait")
    assert set(row.values()) - {"host"} == {None}


def test_a_trace_without_waits_has_none(tmp_path: Path) -> None:
    assert rows(read(tmp_path, document(EVENTS)), "stream_wait") == []


def test_a_collective_has_the_number_of_its_group(tmp_path: Path) -> None:
    said = {"Collective name": "allreduce", "Process Group Name": "1", "Group size": 2}
    kernels = [
        event("kernel", "ncclKernel", 150 + 10 * n, 5, device=0, stream=7, **said, **beside)
        for n, beside in enumerate(({"Seq": 7}, {"Seq": 8}, {}, {"Seq": -1}))
    ]
    told = rows(read(tmp_path, document([*EVENTS, *kernels])), "collective")
    assert [row["sequence"] for row in told] == [7, 8, None, None]
    assert {row["group"] for row in told} == {"1"}


def test_waits_of_ranks_name_the_calls_of_their_own_rank(tmp_path: Path) -> None:
    for rank in (0, 1):
        world = {"distributedInfo": {"rank": rank, "world_size": 2}}
        written(tmp_path, document(RECORDED, **world), f"rank{rank}.json")
    source = registry.read(tmp_path)
    owner = {row["id"]: row["profile"] for row in rows(source, "host_call")}
    ranks = {row["index"]: row["rank"] for row in rows(source, "profile")}
    pairs = [
        (ranks[owner[row["call"]]], ranks[owner[row["record"]]], ranks[row["source"]])
        for row in rows(source, "stream_wait")
        if row["kind"] == "stream"
    ]
    assert pairs == [(0, 0, 0), (1, 1, 1)]
