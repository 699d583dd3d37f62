"""Small recordings of several tools, from the few lines that a case has of them.

In:  `files` of a case: what each holds. Out: the files, and the path that a report is made of.

A text stands as it is, and a mapping without `events` is JSON. A trace has keys of its own, the
time at which it `begins`, its `gpus`, and `events`: a list of `[category, name, time, duration,
fields]`, of events as they are (`{ph: M, ...}`), and of repetitions `{times, adds, events}`. Each
repetition adds to the fields named: to the time (`ts`), a launch's number (`correlation`), the
number that a name ends in (`"#"`). `usual` are fields that all events of a category have besides;
with `backslashes: single` those of names stand as they are. Lists of JSON have repetitions
`{times, adds, items}`, which add to paths (`a.b`). A database has `tables`, each with its `columns`
and `rows`; repetitions of rows add to columns.
"""

from __future__ import annotations

import copy
import gzip
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_HEAD = {"schemaVersion": 1, "traceName": "trace.json"}
_GPU = {
    "computeMajor": 8, "computeMinor": 0, "numSms": 108, "warpSize": 32,
    "maxThreadsPerMultiprocessor": 2048,
}  # fmt: skip
_LIMITS = {
    "totalGlobalMem": 85_000_000_000, "maxThreadsPerBlock": 1024, "regsPerMultiprocessor": 65_536,
    "sharedMemPerBlock": 49_152, "sharedMemPerMultiprocessor": 167_936,
}  # fmt: skip
_GPUS: dict[str, dict[str, Any]] = {
    "A100": {"name": "NVIDIA A100-SXM4-80GB", **_GPU, **_LIMITS},
    "H100": {"name": "NVIDIA H100 80GB HBM3", **_GPU, **_LIMITS, "numSms": 132},
}
_ON_HOST = {"pid": 100, "tid": 100}
_ON_GPU = {"pid": 0, "tid": 7, "device": 0, "stream": 7, "context": 1}
_USUAL: dict[str, dict[str, Any]] = {
    "cpu_op": _ON_HOST,
    "cuda_runtime": _ON_HOST,
    "python_function": _ON_HOST,
    "user_annotation": _ON_HOST,
    "gpu_memcpy": _ON_GPU,
    "gpu_memset": _ON_GPU,
    "kernel": _ON_GPU,
}
_NUMBER = re.compile(r"(?<=#)\d+$")
Usual = Mapping[str, Mapping[str, Any]]
Added = Mapping[str, float]


def write_files(files: Mapping[str, Any], folder: Path) -> Path:
    """The path of the file, or of the folder where there are several."""
    folder.mkdir()
    for name, content in files.items():
        if "tables" in content:
            write_database(content["tables"], folder / name)
            continue
        data = _as_text(content).encode()
        (folder / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    return folder / next(iter(files)) if len(files) == 1 else folder


def _as_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if "events" not in content:
        return json.dumps(_repeat_items(content))
    text = json.dumps(make_trace(content))
    return text.replace(r"\\", "\\") if content.get("backslashes") == "single" else text


def _repeat_items(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _repeat_items(each) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    return [
        item
        for each in value
        for item in (_list_items(each) if _is_repetition(each) else [_repeat_items(each)])
    ]


def _is_repetition(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"times", "adds", "items"}


def _list_items(repetition: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for turn in range(repetition["times"]):
        for item in copy.deepcopy(repetition["items"]):
            for path, step in repetition["adds"].items():
                *parents, key = path.split(".")
                holder = item
                for parent in parents:
                    holder = holder[parent]
                holder[key] += turn * step
            yield item


def make_trace(content: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of a trace."""
    own = ("backslashes", "begins", "events", "gpus", "usual")
    head = {key: value for key, value in content.items() if key not in own}
    if "gpus" in content:
        gpus = [_make_gpu(number, gpu) for number, gpu in enumerate(content["gpus"])]
        head = _HEAD | {"deviceProperties": gpus} | head
    usual = {**_USUAL, **content.get("usual", {})}
    added = {"ts": content.get("begins", 0)}
    return {**head, "traceEvents": list(_list_events(content["events"], usual, added))}


def _make_gpu(number: int, gpu: str | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(gpu, str):
        return {"id": number, **_GPUS[gpu]}
    return {"id": number, **_GPU, **gpu}


def _list_events(events: list[Any], usual: Usual, added: Added) -> Iterator[dict[str, Any]]:
    for event in events:
        if isinstance(event, list):
            yield _make_event(event, usual, added)
        elif "times" in event:
            for turn in range(event["times"]):
                more = {key: turn * step for key, step in event["adds"].items()}
                sums = {key: added.get(key, 0) + more.get(key, 0) for key in {*added, *more}}
                yield from _list_events(event["events"], usual, sums)
        else:
            yield event


def _make_event(event: list[Any], usual: Usual, added: Added) -> dict[str, Any]:
    category, name, begin, duration, *rest = event
    fields = {**usual[category], **(rest[0] if rest else {})}
    fields = {key: _add(value, added.get(key, 0)) for key, value in fields.items()}
    place = {key: fields.pop(key) for key in ("pid", "tid")}
    name = _NUMBER.sub(lambda found: str(int(found[0]) + int(added.get("#", 0))), name)
    known = {} if category == "none" else {"cat": category}
    times = {"ts": begin + added["ts"], "dur": duration}
    return {"ph": "X", **known, "name": name, **place, **times, "args": fields}


def _add(value: Any, step: float) -> Any:
    if not step or value is None:
        return value
    return str(int(value) + int(step)) if isinstance(value, str) else value + step


def write_database(tables: Mapping[str, Any], path: Path) -> None:
    """A database of SQLite with these tables."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    for name, table in tables.items():
        connection.execute(f"CREATE TABLE {name}({', '.join(table['columns'])})")
        columns = [column.split()[0] for column in table["columns"]]
        marks = ", ".join("?" * len(columns))
        rows = _list_rows(table["rows"], columns)
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
    connection.commit()
    connection.close()


def _list_rows(rows: list[Any], columns: list[str]) -> Iterator[list[Any]]:
    for row in rows:
        if isinstance(row, list):
            yield row
        else:
            assert set(row["adds"]) <= set(columns)
            steps = [row["adds"].get(column, 0) for column in columns]
            for turn in range(row["times"]):
                for one in row["rows"]:
                    yield [
                        cell + turn * step if step else cell
                        for cell, step in zip(one, steps, strict=True)
                    ]
