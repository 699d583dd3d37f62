"""Memory snapshots of the shape that torch.cuda.memory._dump_snapshot writes, by plain pickle."""

from __future__ import annotations

import pickle
from typing import Any

LIBRARY = {"name": "linear", "filename": "/x/site-packages/torch/nn/functional.py", "line": 9}
NATIVE = {"name": "at::empty", "filename": "??", "line": 0}
MODEL = {"name": "forward", "filename": "/home/me/model.py", "line": 12}
TRAIN = {"name": "step", "filename": "/home/me/train.py", "line": 40}
BASE = 0x7F0000000000


def event(action: str, address: int, size: int, time: int, frames: list[Any]) -> dict[str, Any]:
    """One of `device_traces`."""
    return {"action": action, "addr": BASE + address, "size": size, "stream": 0,
            "time_us": 1_700_000_000_000_000 + time, "frames": frames}  # fmt: skip


def block(size: int, requested: int, state: str, frames: list[Any], **more: Any) -> dict[str, Any]:
    """One of a segment."""
    return {"size": size, "requested_size": requested, "state": state, "frames": frames, **more}


def segment(device: int, address: int, size: int, blocks: list[Any], **more: Any) -> dict[str, Any]:
    """One of `segments`."""
    return {"device": device, "address": BASE + address, "total_size": size, "stream": 0,
            "segment_type": "large", "is_expandable": False, "blocks": blocks, **more}  # fmt: skip


def two_devices() -> dict[str, Any]:
    """Device 1 ran out of memory; device 0 held a block before anybody recorded."""
    model, train = [NATIVE, LIBRARY, MODEL, TRAIN], [LIBRARY, TRAIN]
    failed = event("oom", 0, 5000, 40, train)
    failed["device_free"] = failed.pop("addr") - BASE + 1000
    return {
        "segments": [
            segment(0, 0, 4096, [
                block(1024, 1000, "active_allocated", [LIBRARY]),
                block(512, 300, "active_allocated", model),
                block(2560, 0, "inactive", []),
            ]),
            segment(1, 65536, 2048, [block(2048, 0, "inactive", [])], is_expandable=True),
        ],
        "device_traces": [
            [
                event("free_requested", 9999, 50, 0, train),
                event("alloc", 1024, 300, 10, model),
                event("alloc", 2048, 700, 20, train),
                event("free_requested", 2048, 700, 30, train),
                event("free_completed", 2048, 700, 31, train),
                event("defragment", 0, 0, 32, []),
            ],
            [event("segment_alloc", 65536, 2048, 35, model), failed],
        ],
        "allocator_settings": {"expandable_segments": False, "max_split_size": -1, "factor": 0.5},
        "external_annotations": (1, None, True, (2, 3), ()),
    }  # fmt: skip


def dumped(snapshot: object, protocol: int = 4) -> bytes:
    """As torch writes it."""
    return pickle.dumps(snapshot, protocol)
