"""Texts that attack, and inputs of every format whose names, titles and notes are such texts."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.kit.databases import OPERATIONS, Shape, write_database
from tests.kit.shared import ROOT

FLAG = "PWN"
_RUN = f"top.{FLAG}=1"

PAYLOADS = (
    # Elements whose handlers run by themselves.
    f"<x tabindex=1 autofocus onfocus={_RUN}>",
    f'"><img src=x onerror={_RUN}>',
    f"<svg onload={_RUN}>",
    f"<svg><animate onbegin={_RUN} attributeName=x dur=1s>",
    f"<details open ontoggle={_RUN}>",
    f"<video><source onerror={_RUN}></video>",
    f"<input autofocus onfocus={_RUN}>",
    f"<style>@keyframes p{{}}</style><b style=animation-name:p onanimationstart={_RUN}>",
    # Scripts and pages within the page.
    f"<script>{_RUN}</script>",
    f"</script><script>{_RUN}</script>",
    f"</title></style></textarea></code></td></table><img src=x onerror={_RUN}>",
    f"<iframe srcdoc='<script>{_RUN}</script>'></iframe>",
    f"<iframe src=javascript:{_RUN}></iframe>",
    f"<object data=javascript:{_RUN}></object>",
    f"<meta http-equiv=refresh content='0;url=javascript:{_RUN}'>",
    f"<base href=https://evil.example/><link rel=stylesheet href=//evil.example/{FLAG}.css>",
    # Out of an attribute, and what is decoded twice.
    f"' onmouseover={_RUN} onfocus={_RUN} tabindex=1 autofocus x='",
    f'" onmouseover={_RUN} onfocus={_RUN} tabindex=1 autofocus x="',
    f"&lt;img src=x onerror={_RUN}&gt;",
    f"&amp;lt;img src=x onerror={_RUN}&amp;gt;",
    f"&#60;img src=x onerror={_RUN}&#62;",
    f"\\u003cimg src=x onerror={_RUN}\\u003e",
    # What Markdown and its extensions read.
    f"![x](javascript:{_RUN}) [x](javascript:{_RUN}) {{: onfocus={_RUN} autofocus tabindex=1 }}",
    f"*[GPU]: <img src=x onerror={_RUN}>",
    f"`</code><img src=x onerror={_RUN}>`",
    # Templates and expressions.
    f"{{{{ constructor.constructor('{_RUN}')() }}}} ${{{_RUN}}} {{% print {_RUN} %}}",
    f"'+({_RUN})+'",
    f'"];{_RUN};["',
    f"datum.x'].constructor.constructor('{_RUN}')()//",
    f"\u2028{_RUN}\u2029//",
)


def payload(number: int) -> str:
    """One after the other."""
    return PAYLOADS[number % len(PAYLOADS)]


def poisoned(name: str, number: int) -> str:
    """A name with an attack: before it, after it, or so far behind that it is cut."""
    attack = payload(number)
    padding = "long_name_" * 9 if number % 3 == 1 else ""
    return f"{attack}{name}" if number % 3 == 2 else f"{name} {attack}{padding}"


_KEPT = ("ProfilerStep", "cuda", "cu", "hip", "hsa", "Memcpy", "Memset", "nccl", "MPI_", "[", "__")
"""Names by whose beginnings a reader knows calls, steps and operations of its tool."""
_SPELLED = frozenset({
    "kernel_name", "name", "process name", "host name", "device", "function", "domain",
})  # fmt: skip
"""Columns of CSV that hold names."""


class Names:
    """A name for each name: the same for the same."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def of(self, name: str) -> str:
        """The attack that stands for a name, if that is one that may be any."""
        if not name or name.startswith(_KEPT):
            return name
        return self.known.setdefault(name, poisoned(name, len(self.known)))


def kineto(document: Any) -> Any:
    """A trace of PyTorch's profiler, or of rocprof, with other names."""
    names = Names()
    events = document["traceEvents"] if isinstance(document, dict) else document
    for event in events:
        if event.get("ph") in ("X", "M", "i"):
            _rename(event, names)
    if isinstance(document, dict):
        for device in document.get("deviceProperties", ()):
            device["name"] = names.of(str(device.get("name", "")))
    return document


def _rename(event: dict[str, Any], names: Names) -> None:
    if event["ph"] == "M":
        told = event.get("args", {})
        told |= {key: names.of(v) for key, v in told.items() if isinstance(v, str)}
    elif event.get("cat") not in ("cuda_runtime", "cuda_driver", "Runtime", "Trace", "overhead"):
        event["name"] = names.of(str(event.get("name", "")))


def keyed(document: Any, keys: frozenset[str], names: Names | None = None) -> Any:
    """Any JSON in which these entries hold names."""
    names = names or Names()
    if isinstance(document, list):
        return [keyed(one, keys, names) for one in document]
    if not isinstance(document, dict):
        return document
    return {
        key: names.of(one) if key in keys and isinstance(one, str) else keyed(one, keys, names)
        for key, one in document.items()
    }


def trace(shown: int = 1) -> dict[str, Any]:
    """A trace with every attack as an operator, a kernel, a range and a function of Python."""
    events: list[dict[str, Any]] = []
    for n in range(len(PAYLOADS) * 2 * shown):
        name, start = poisoned("op" if n % 2 else "", n // 2), 10 + 100 * n
        host = {"ph": "X", "pid": 1, "tid": 1}
        linked = {"correlation": n + 1}
        step = {"name": f"ProfilerStep#{n}", "cat": "user_annotation", "ts": start, "dur": 95}
        events += [
            {**host, **step},
            {**host, "name": payload(n), "cat": "python_function", "ts": start + 1, "dur": 90,
             "args": {"Python id": n, "Python parent id": None}},
            {**host, "name": name, "cat": "cpu_op", "ts": start + 3, "dur": 40,
             "args": {"Input Dims": [[2, 2]], "External id": n}},
            {**host, "name": "cudaLaunchKernel", "cat": "cuda_runtime", "ts": start + 5, "dur": 3,
             "args": linked},
            {"ph": "X", "pid": 0, "tid": 7, "name": f"{name}k", "cat": "kernel", "ts": start + 20,
             "dur": 30, "args": {"device": 0, "stream": 7, **linked, "grid": [1, 1, 1],
                                 "block": [32, 1, 1]}},
        ]  # fmt: skip
    devices = [{"id": 0, "name": payload(0), "totalGlobalMem": 80 * 2**30}]
    return {"schemaVersion": 1, "deviceProperties": devices, "traceEvents": events}


def nsys(path: Path) -> None:
    """A report of Nsight Systems, in place."""
    names = Names()
    with sqlite3.connect(path) as base:
        found = base.execute("SELECT id, value FROM StringIds").fetchall()
        told = [(names.of(value), number) for number, value in found]
        base.executemany("UPDATE StringIds SET value = ? WHERE id = ?", told)
        for table, column in (("NVTX_EVENTS", "text"), ("TARGET_INFO_GPU", "name")):
            if base.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
                _rename_column(base, table, column, names)


def _rename_column(base: sqlite3.Connection, table: str, column: str, names: Names) -> None:
    asked = f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL"
    for (value,) in base.execute(asked).fetchall():
        change = f"UPDATE {table} SET {column} = ? WHERE {column} = ?"
        base.execute(change, (names.of(str(value)), value))


def table(text: str) -> str:
    """CSV with other names; what stands before its head stays."""
    names, lines = Names(), text.splitlines()
    first = next((n for n, line in enumerate(lines) if line.count(",") > 2), 0)
    head, *rows = csv.reader(lines[first:])
    named = [n for n, title in enumerate(head) if title.strip().lower() in _SPELLED]
    for row in rows:
        for place in named:
            if place < len(row):
                row[place] = names.of(row[place])
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([head, *rows])
    return "\n".join([*lines[:first], out.getvalue()])


def hpctoolkit(folder: Path, *, streams: int = 0) -> Path:
    """A database with every attack as a function; with streams, of a run on a GPU."""
    names = tuple(poisoned("work", n) for n in range(len(PAYLOADS)))
    operations = tuple(OPERATIONS) + names if streams else names
    shape = Shape(fan_out=4, depth=3, points=40, profiles=2 + streams, streams=streams,
                  names=operations, title=payload(1), description=payload(2))  # fmt: skip
    return write_database(folder, shape)


def described(folder: Path) -> None:
    """A profile.toml and claims of attacks."""
    told = {"title": payload(1), "description": " ".join(PAYLOADS[:6]), "notes": payload(8)}
    (folder / "profile.toml").write_text(_toml(told), encoding="utf-8")
    claims = _toml({"title": payload(9), "source": payload(11)})
    for n in range(len(PAYLOADS)):
        asked = {"key": f"c{n}", "says": payload(n), "metric": "time.wall", "unit": "s"}
        claims += f"\n[[claim]]\n{_toml(asked)}value = {n}.5\nline = {n + 1}\n"
    (folder / "claims.toml").write_text(claims, encoding="utf-8")


def _toml(told: Mapping[str, str]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in told.items())


def load(path: Path) -> Any:
    """JSON of a file, compressed or not."""
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


def subjects(shared: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Poisoned inputs below `folder` by name, one after the other as they are made."""
    for name, make in _makers(shared / "inputs").items():
        place = folder / name
        if not place.is_dir():
            place.mkdir(parents=True)
            make(place)
            described(place)
        yield name, place


def _makers(inputs: Path) -> Mapping[str, Callable[[Path], object]]:
    """By the names of reports: what writes an input into its folder."""
    torch, nsight, rocprof = inputs / "pytorch", inputs / "nsys", inputs / "rocprof"
    ranks = sorted((torch / "multirank").glob("*.gz"))
    calls = sorted(rocprof.glob("v3_doc_*_trace.csv"))
    sampled = frozenset({"function", "file_path", "file_path_short"})
    return {
        "every-attack": lambda into: _json(trace(), into / "trace.json"),
        "pytorch-infer": lambda into: _kineto(into, torch / "h100_qwen_infer.json.gz"),
        "pytorch-memory": lambda into: _kineto(into, torch / "cpu_only_memory.json"),
        "pytorch-amd": lambda into: _kineto(into, torch / "mi300x_graph_decode.json.gz"),
        "pytorch-ranks": lambda into: _kineto(into, *ranks),
        "witnesses": _witnesses,
        "nsys-3060": lambda into: _nsys(into, nsight / "rtx3060_schema3.24.sqlite"),
        "nsys-t4": lambda into: _nsys(into, nsight / "t4_schema3.4_overlap.sqlite"),
        "rocprof-json": lambda into: _kineto(into, rocprof / "v1_results.json"),
        "rocprofv3-csv": lambda into: _table(into, *calls),
        "hpctoolkit-cpu": hpctoolkit,
        "hpctoolkit-gpu": lambda into: hpctoolkit(into, streams=2),
        "caliper": lambda into: _keyed(
            into, inputs / "hatchet/caliper_cpi.json", frozenset({"label"})
        ),
        "pyinstrument": lambda into: _keyed(into, inputs / "hatchet/pyinstrument.json", sampled),
    }


def _witnesses(into: Path) -> None:
    sample = ROOT / "profiles" / "transformer-h100"
    _kineto(into, sample / "trace.json.gz")
    _table(into, sample / "counters.csv", sample / "nvidia-smi.csv")


def _json(document: Any, path: Path) -> None:
    path.write_text(json.dumps(document), encoding="utf-8")


def _kineto(into: Path, *sources: Path) -> None:
    for source in sources:
        _json(kineto(load(source)), into / source.name.removesuffix(".gz"))


def _keyed(into: Path, source: Path, keys: frozenset[str]) -> None:
    _json(keyed(load(source), keys), into / source.name)


def _nsys(into: Path, source: Path) -> None:
    nsys(Path(shutil.copy(source, into / source.name)))


def _table(into: Path, *sources: Path) -> None:
    for source in sources:
        (into / source.name).write_text(table(source.read_text("utf-8")), encoding="utf-8")
