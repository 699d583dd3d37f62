"""How long a collective takes: the usual models of latency and bandwidth.

Ring and tree: Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations
in MPICH (2005); factors of the operations: nccl-tests, PERFORMANCE.md. A hierarchy reduces within
nodes first, so that each link between them carries the share of one rank.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from perfolio.common.errors import UsageError
from perfolio.prediction.model import PredictedFigure, PredictedTable, Prediction

_ROUNDS = {"all_reduce": 2.0, "all_gather": 1.0, "reduce_scatter": 1.0}
OPERATIONS = tuple(_ROUNDS)


@dataclass(frozen=True)
class CollectiveRequest:
    """What is asked."""

    operation: str
    bytes: float
    """Of the whole message: of an all-gather, what each rank has in the end."""
    ranks: int
    bandwidth: float
    """Of a rank's link in one direction, between nodes where there are several [B/s]."""
    latency: float = 5e-6
    """Of a step [s]."""
    node: int = 0
    """Ranks of a node; 0 for one level."""
    node_bandwidth: float = 0.0
    """Of a rank's link within a node, in one direction [B/s]."""


def predict(asked: CollectiveRequest) -> Prediction:
    """Time by each model, the shortest one named. Raises UsageError where nodes do not fit."""
    if asked.node and (asked.ranks % asked.node or not asked.node_bandwidth):
        raise UsageError(
            "--ranks-per-node divides --ranks, and needs --node-bandwidth",
            hint="as in --ranks 64 --ranks-per-node 8 --node-bandwidth 450e9",
        )
    found = {"ring": estimate_ring(asked, asked.ranks, asked.bandwidth, asked.bytes)}
    if asked.operation == "all_reduce":
        found["tree"] = estimate_tree(asked)
    if asked.node > 1 and asked.ranks > asked.node:
        found["hierarchy"] = estimate_hierarchy(asked)
    best = min(found, key=lambda name: found[name])
    factor = _ROUNDS[asked.operation] * (asked.ranks - 1) / asked.ranks
    return Prediction(
        title=f"Time of {asked.operation.replace('_', '-')}",
        answer=f"The {best} is the fastest of these.",
        figures=[
            PredictedFigure("Time", found[best], "s"),
            PredictedFigure("Bus bandwidth", factor * asked.bytes / found[best], "B/s"),
        ],
        formulas=[
            (f"ring = {_ROUNDS[asked.operation]:g} (n-1)/n × bytes / bandwidth + "
            f"{_ROUNDS[asked.operation]:g} (n-1) × latency"),
            *(["tree = 2 × bytes / bandwidth + 2 log2(n) × latency"] if "tree" in found else []),
            *(
                ["hierarchy = ring within nodes + ring of bytes / ranks-per-node between them"]
                if "hierarchy" in found
                else []
            ),
        ],
        assumptions=[
            ("Bandwidth is that of one rank's link in one direction: NVLink's 900 GB/s of an H100 "
            "are 450 each way."),
            "Nothing else uses the links, all ranks come at once, and no switch reduces.",
        ],
        tables=[
            PredictedTable("By model", ("Model", "Time"),
                  [(name, PredictedFigure("", time, "s")) for name, time in found.items()])
        ],
    )  # fmt: skip


def estimate_ring(asked: CollectiveRequest, ranks: int, bandwidth: float, size: float) -> float:
    """Each rank passes a share on, one to the next [s]."""
    rounds = _ROUNDS[asked.operation]
    return rounds * (ranks - 1) / ranks * size / bandwidth + rounds * (ranks - 1) * asked.latency


def estimate_tree(asked: CollectiveRequest) -> float:
    """Up a tree and down again, in pieces that follow each other [s]."""
    return 2.0 * asked.bytes / asked.bandwidth + 2.0 * math.log2(asked.ranks) * asked.latency


def estimate_hierarchy(asked: CollectiveRequest) -> float:
    """Within the nodes, then between them, of what one rank has by then [s]."""
    within = estimate_ring(asked, asked.node, asked.node_bandwidth, asked.bytes)
    nodes = asked.ranks // asked.node
    return within + estimate_ring(asked, nodes, asked.bandwidth, asked.bytes / asked.node)
