"""JSON of rocprofv3 (`rocprofiler-sdk-tool`) to kernels, copies, calls and markers.

Records refer to agents, kernels and names of functions, which stand in lists of the same document:
before the records or after them. So the text is held as a whole, and records are decoded some at a
time. A file of more than `MOST_TEXT` is refused: rocpd and CSV hold the same without that.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from perfolio.common.errors import FormatError
from perfolio.readers.events.recording import NONE, OperationKind
from perfolio.readers.json_stream import ElementStream, UnreadableError
from perfolio.readers.rocm.field_values import (
    choose_copy,
    compute_product,
    count_blocks,
    find_rank,
    find_rank_counts,
    parse_direction,
    parse_handle,
    parse_whole,
    place_copy,
    to_name_text,
)
from perfolio.readers.rocm.recording_builder import GpuPlace, RecordingBuilder, RocmLaunch
from perfolio.readers.text_stream import PIECE, TextStream

MOST_TEXT = 1 << 30
_AGAIN = "record it again, or copy the whole file again"
_MARK = b"\xef\xbb\xbf"
_NOTHING = msgspec.Raw(b"")
_GPU = 2
"""The type of agents that are GPUs."""
_AXES = ("x", "y", "z")


class KernelDispatch(msgspec.Struct, gc=False, frozen=True):
    """How a kernel was launched."""

    agent_id: Any = None
    queue_id: Any = None
    kernel_id: Any = None
    group_segment_size: Any = None
    workgroup_size: Any = None
    grid_size: Any = None


class SdkRecord(msgspec.Struct, gc=False, frozen=True):
    """A kernel, a copy, a call or a marker."""

    kind: Any = None
    operation: Any = None
    thread_id: Any = None
    correlation_id: Any = None
    start_timestamp: Any = None
    end_timestamp: Any = None
    dispatch_info: KernelDispatch | None = None
    src_agent_id: Any = None
    dst_agent_id: Any = None
    bytes: Any = None
    stream_id: Any = None


class SdkRecords(msgspec.Struct, frozen=True):
    """Lists of records by what they are of; each is decoded when it is read."""

    kernel_dispatch: msgspec.Raw = _NOTHING
    memory_copy: msgspec.Raw = _NOTHING
    hip_api: msgspec.Raw = _NOTHING
    hsa_api: msgspec.Raw = _NOTHING
    rccl_api: msgspec.Raw = _NOTHING
    marker_api: msgspec.Raw = _NOTHING
    rocdecode_api: msgspec.Raw = _NOTHING
    rocjpeg_api: msgspec.Raw = _NOTHING


CALLS = ("marker_api", "rccl_api", "rocdecode_api", "rocjpeg_api", "hip_api", "hsa_api")


class KernelSymbol(msgspec.Struct, gc=False, frozen=True):
    """A kernel, as it stands in a code object."""

    kernel_id: Any = None
    kernel_name: Any = None
    formatted_kernel_name: Any = None
    demangled_kernel_name: Any = None
    arch_vgpr_count: Any = None


class SdkAgent(msgspec.Struct, gc=False, frozen=True):
    """A CPU or a GPU."""

    id: Any = None
    type: Any = None
    node_id: Any = None


class SdkTool(msgspec.Struct, frozen=True):
    """What was recorded of one process."""

    metadata: Any = None
    agents: list[SdkAgent] = []
    strings: Any = None
    kernel_symbols: list[KernelSymbol] = []
    buffer_records: SdkRecords = SdkRecords()


class SdkDocument(msgspec.Struct, frozen=True):
    """A whole file."""

    tools: list[SdkTool] | SdkTool = msgspec.field(name="rocprofiler-sdk-tool")


_DOCUMENT = msgspec.json.Decoder(SdkDocument)
_RECORDS = msgspec.json.Decoder(list[SdkRecord])


def read_sdk(text: TextStream, group: str, rank: int | None, facts: RecordingBuilder) -> None:
    """All processes of a file. Raises InputError and FormatError."""
    document = _decode_document(text)
    for number, tool in enumerate(
        document.tools if isinstance(document.tools, list) else [document.tools]
    ):
        process = _add_process(tool, (group, number), rank, facts)
        _SdkReading(text.opened.path, tool, process, facts).read()


def _decode_document(text: TextStream) -> SdkDocument:
    content = text.read_all(MOST_TEXT, hint="record it with --output-format rocpd or csv")
    try:
        return _DOCUMENT.decode(memoryview(content)[content.startswith(_MARK) * len(_MARK) :])
    except (ValueError, RecursionError) as problem:
        what = "it is nested too deeply" if isinstance(problem, RecursionError) else problem
        raise FormatError(
            text.opened.path, 0, f"its text is no recording: {what}", hint=_AGAIN
        ) from problem


def _add_process(
    tool: SdkTool, key: tuple[str, int], rank: int | None, facts: RecordingBuilder
) -> int:
    told = tool.metadata if isinstance(tool.metadata, dict) else {}
    config, node = told.get("config"), told.get("node")
    if isinstance(config, dict) and parse_whole(config.get("mpi_size")) > 0:
        rank = (
            parse_whole(config.get("mpi_rank"))
            if parse_whole(config.get("mpi_rank")) != NONE
            else rank
        )
        facts.recording.sizes.add(parse_whole(config.get("mpi_size")))
    facts.recording.sizes |= find_rank_counts(told.get("environment"))
    found = find_rank(told.get("environment"))
    number = facts.process(key, parse_whole(told.get("pid")), rank if found is None else found)
    facts.commands.append(_read_command(told.get("command")))
    facts.on_host(number, node.get("hostname") if isinstance(node, dict) else None)
    return number


def _read_command(told: object) -> tuple[str, ...]:
    """Words of the command; none where the tool does not list them."""
    words = told if isinstance(told, list) else []
    return tuple(words) if all(isinstance(word, str) for word in words) else ()


class _SdkReading:
    """The records of one process."""

    def __init__(self, path: Path, tool: SdkTool, process: int, facts: RecordingBuilder) -> None:
        self.path = path
        self.records = tool.buffer_records
        self.process = process
        self.facts = facts
        self.agents = {parse_handle(each.id): each for each in tool.agents}
        self.symbols = {parse_whole(each.kernel_id): each for each in tool.kernel_symbols}
        strings = tool.strings if isinstance(tool.strings, dict) else {}
        self.names = strings.get("buffer_records")
        said = strings.get("marker_api")
        self.messages = {
            parse_whole(each.get("key")): each.get("value")
            for each in (said if isinstance(said, list) else [])
            if isinstance(each, dict)
        }

    def read(self) -> None:
        """All of them."""
        for name in CALLS:
            self._calls(name)
        for record in self._of("kernel_dispatch"):
            self._kernel(record)
        for record in self._of("memory_copy"):
            self._copy(record)

    def _of(self, name: str) -> Iterator[SdkRecord]:
        raw = memoryview(getattr(self.records, name))
        if len(raw) <= len(b"null"):
            return
        pieces = (bytes(raw[place : place + PIECE]) for place in range(0, len(raw), PIECE))
        try:
            for some in ElementStream[SdkRecord](pieces, _decode_records).lists():
                yield from some
        except UnreadableError as problem:
            what = f"of its list {name}: {problem}"
            raise FormatError(self.path, problem.offset, what, hint=_AGAIN) from problem

    def _calls(self, name: str) -> None:
        for record in self._of(name):
            if times := self.facts.times(record.start_timestamp, record.end_timestamp):
                correlation = parse_handle(record.correlation_id)
                domain, called = self._names(record)
                if name == "marker_api":
                    called = to_name_text(self.messages.get(correlation)) or called
                named = (domain or name.upper(), called)
                self.facts.call(self.process, record.thread_id, times, named, correlation)

    def _names(self, record: SdkRecord) -> tuple[str, str]:
        """The domain and the name of what a record is of, by their numbers."""
        kind = _find_entry(self.names, record.kind)
        if not isinstance(kind, dict):
            told = (kind, record.operation)
            domain, called = (to_name_text(each) if isinstance(each, str) else "" for each in told)
            return domain, called
        return to_name_text(kind.get("kind")), to_name_text(
            _find_entry(kind.get("operations"), record.operation)
        )

    def _kernel(self, record: SdkRecord) -> None:
        times, info = (
            self.facts.kernel_times(record.start_timestamp, record.end_timestamp),
            record.dispatch_info,
        )
        if times is None or info is None:
            return
        symbol = self.symbols.get(parse_whole(info.kernel_id), KernelSymbol())
        grid, group = _read_sizes(info.grid_size), _read_sizes(info.workgroup_size)
        launch = RocmLaunch(
            parse_handle(record.correlation_id),
            count_blocks(grid, group),
            compute_product(group),
            parse_whole(symbol.arch_vgpr_count),
            parse_whole(info.group_segment_size),
        )
        name = symbol.formatted_kernel_name or symbol.demangled_kernel_name or symbol.kernel_name
        place = self._place(info.agent_id, record)._replace(queue=parse_handle(info.queue_id))
        self.facts.kernel(place, times, name, launch)

    def _copy(self, record: SdkRecord) -> None:
        if not (times := self.facts.times(record.start_timestamp, record.end_timestamp)):
            return
        kind = parse_direction(self._names(record)[1])
        if kind is OperationKind.COPY_OTHER:
            kind = choose_copy(self._is_gpu(record.src_agent_id), self._is_gpu(record.dst_agent_id))
        ends = (self._number(record.src_agent_id), self._number(record.dst_agent_id))
        kind, device = place_copy(kind, *ends)
        place = GpuPlace(self.process, device, stream=parse_handle(record.stream_id))
        self.facts.copy(
            place, times, kind, parse_handle(record.correlation_id), parse_whole(record.bytes)
        )

    def _place(self, agent: Any, record: SdkRecord) -> GpuPlace:
        return GpuPlace(self.process, self._number(agent), stream=parse_handle(record.stream_id))

    def _number(self, agent: Any) -> int:
        known = self.agents.get(parse_handle(agent))
        number = NONE if known is None else parse_whole(known.node_id)
        return number if number != NONE else parse_handle(agent)

    def _is_gpu(self, agent: Any) -> bool | None:
        known = self.agents.get(parse_handle(agent))
        if known is None:
            return None
        return known.type == _GPU or "GPU" in to_name_text(known.type).upper()


def _decode_records(text: bytes) -> list[SdkRecord]:
    try:
        return _RECORDS.decode(text)
    except RecursionError as problem:
        raise ValueError("it is nested too deeply") from problem


def _find_entry(entries: Any, place: Any) -> Any:
    if isinstance(entries, list) and isinstance(place, int) and 0 <= place < len(entries):
        return entries[place]
    return entries.get(str(place)) if isinstance(entries, dict) else place


def _read_sizes(size: Any) -> list[int]:
    return [parse_whole(size.get(axis)) for axis in _AXES] if isinstance(size, dict) else []
