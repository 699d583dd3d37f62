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


def predict(request: CollectiveRequest) -> Prediction:
    """Time by each model, the shortest one named. Raises UsageError where nodes do not fit."""
    if request.node and (request.ranks % request.node or not request.node_bandwidth):
        raise UsageError(
            "--ranks-per-node divides --ranks, and needs --node-bandwidth",
            hint="as in --ranks 64 --ranks-per-node 8 --node-bandwidth 450e9",
        )
    estimates = {"ring": estimate_ring(request, request.ranks, request.bandwidth, request.bytes)}
    if request.operation == "all_reduce":
        estimates["tree"] = estimate_tree(request)
    if request.node > 1 and request.ranks > request.node:
        estimates["hierarchy"] = estimate_hierarchy(request)
    best = min(estimates, key=lambda name: estimates[name])
    factor = _ROUNDS[request.operation] * (request.ranks - 1) / request.ranks
    return Prediction(
        title=f"Time of {request.operation.replace('_', '-')}",
        answer=f"The {best} is the fastest of these.",
        figures=[
            PredictedFigure("Time", estimates[best], "s"),
            PredictedFigure("Bus bandwidth", factor * request.bytes / estimates[best], "B/s"),
        ],
        formulas=[
            (f"ring = {_ROUNDS[request.operation]:g} (n-1)/n × bytes / bandwidth + "
            f"{_ROUNDS[request.operation]:g} (n-1) × latency"),
            *(
                ["tree = 2 × bytes / bandwidth + 2 log2(n) × latency"]
                if "tree" in estimates
                else []
            ),
            *(
                ["hierarchy = ring within nodes + ring of bytes / ranks-per-node between them"]
                if "hierarchy" in estimates
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
                  [(name, PredictedFigure("", time, "s")) for name, time in estimates.items()])
        ],
    )  # fmt: skip


def estimate_ring(request: CollectiveRequest, ranks: int, bandwidth: float, size: float) -> float:
    """Each rank passes a share on, one to the next [s]."""
    rounds = _ROUNDS[request.operation]
    return rounds * (ranks - 1) / ranks * size / bandwidth + rounds * (ranks - 1) * request.latency


def estimate_tree(request: CollectiveRequest) -> float:
    """Up a tree and down again, in pieces that follow each other [s]."""
    return (
        2.0 * request.bytes / request.bandwidth + 2.0 * math.log2(request.ranks) * request.latency
    )


def estimate_hierarchy(request: CollectiveRequest) -> float:
    """Within the nodes, then between them, of what one rank has by then [s]."""
    within = estimate_ring(request, request.node, request.node_bandwidth, request.bytes)
    nodes = request.ranks // request.node
    return within + estimate_ring(request, nodes, request.bandwidth, request.bytes / request.node)
