"""Calling contexts for speedscope (https://www.speedscope.app): a flame graph for each measure.

Each context is a stack with what arises there itself as its weight, so that the widths of a level
add up to the total. Host time and GPU time are profiles of their own: they are not of one clock.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfolio import __version__
from perfolio.common.errors import UsageError
from perfolio.exporters.call_tree import CallTree, read_call_tree

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
MOST_STEPS = 20_000_000
"""Frames of all stacks together."""
_TIMES = {"cpu_time": "CPU time", "elapsed_time": "elapsed time", "gpu_operation_time": "GPU time"}


def make_speedscope(store: Path, run: str | None) -> dict[str, Any]:
    """The document of a run. Raises UsageError where nothing in it has a cost."""
    tree = read_call_tree(store, run)
    measures = [each for each in (tree.host, "gpu_operation_time") if tree.totals.get(each, 0) > 0]
    if not measures:
        raise UsageError(f"the run {tree.run} has no cost of threads or GPUs")
    stacks = _ContextStacks(tree)
    profiles = [stacks.profile(measure) for measure in measures]
    return {
        "$schema": SCHEMA,
        "name": tree.title,
        "exporter": f"perfolio {__version__}",
        "activeProfileIndex": 0,
        "shared": {"frames": stacks.frames},
        "profiles": profiles,
    }


class _ContextStacks:
    """Stacks of contexts, as numbers of frames."""

    def __init__(self, tree: CallTree) -> None:
        self.tree = tree
        self.frames: list[dict[str, Any]] = []
        self._numbers: dict[tuple[str, str, int], int] = {}
        self._steps = 0
        self.about = {each.context: each for each in tree.nodes}

    def profile(self, measure: str) -> dict[str, Any]:
        """Each context with a cost of its own, those of one caller beside each other."""
        own = {
            each.context: each.value
            for each in self.tree.amounts
            if each.measure == measure and each.scope == "own" and each.value > 0
        }
        order = [each.context for each in self.tree.nodes if each.context in own]
        stacks = sorted((self._stack(context), own[context]) for context in order)
        weights = [weight for _, weight in stacks]
        return {
            "type": "sampled",
            "name": f"{_TIMES.get(measure, measure)}, summed over {_name_workers(measure)}",
            "unit": "seconds" if measure in _TIMES else "none",
            "startValue": 0,
            "endValue": sum(weights),
            "samples": [stack for stack, _ in stacks],
            "weights": weights,
        }

    def _stack(self, context: int) -> list[int]:
        """Frames from the entry point inwards."""
        stack = []
        while context in self.about:
            each = self.about[context]
            stack.append(self._frame(each.name, each.file, each.line))
            context = each.parent
        self._steps += len(stack)
        if self._steps > MOST_STEPS:
            raise UsageError(f"the run {self.tree.run} has too many and deep calling contexts")
        return stack[::-1]

    def _frame(self, name: str, file: str, line: int) -> int:
        key = (name, file, line)
        if key not in self._numbers:
            self._numbers[key] = len(self.frames)
            self.frames.append(
                {"name": name} | ({"file": file} if file else {}) | ({"line": line} if line else {})
            )
        return self._numbers[key]


def _name_workers(measure: str) -> str:
    return "operations" if measure.startswith("gpu_") else "threads"
