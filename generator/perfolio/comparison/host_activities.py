"""What a thread of the host does, in a few words, by where it is.

In:  a calling path. Out: the activity, by which idle time is told and runs are compared.
"""

from __future__ import annotations

import re

from perfolio.comparison.frame_paths import FramePath

NOTHING = "nothing recorded"
LAUNCHES = "launches"
COPIES = "starts copies"
ALLOCATES = "allocates memory of the GPU"
WAITS_FOR_GPU = "waits for the GPU"
WAITS = "waits for other threads"
WAITS_FOR_INPUT = "waits for input"
COMPILES = "compiles"
RUNTIME = "calls the GPU's runtime"
OTHER = "other code"
CALLS = frozenset({LAUNCHES, COPIES, ALLOCATES, RUNTIME})
"""Activities that are calls, told apart by what they are made for."""
_PHASES = {
    "data": "loads input",
    "transfer": "moves input",
    "forward": "forward pass",
    "backward": "backward pass",
    "optimizer": "optimizer",
    "importing": "imports modules",
    "initialisation": "initialises the GPU",
}
_CALLS = (
    (re.compile(r"launch", re.IGNORECASE), LAUNCHES),
    (re.compile(r"mem(cpy|set)|copy|fill", re.IGNORECASE), COPIES),
    (re.compile(r"malloc|free|alloc|memcreate|memmap", re.IGNORECASE), ALLOCATES),
)
_COMPILES = re.compile(r"_dynamo|_inductor|compile_fx|compile_inner|triton.*compile", re.IGNORECASE)


def name_activity(path: FramePath) -> str:
    """What a thread does there."""
    if path.is_entry:
        return NOTHING
    if path.role == "gpu wait":
        return WAITS_FOR_GPU
    if path.role == "gpu":
        return next((name for sign, name in _CALLS if sign.search(path.innermost)), RUNTIME)
    if path.role == "waiting":
        return WAITS_FOR_INPUT if path.phase == "data" else WAITS
    if any(_COMPILES.search(name) for name in path.names):
        return COMPILES
    return _PHASES.get(path.phase, OTHER)
