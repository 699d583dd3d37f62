"""One step of serving: a prompt is read, or each request under way gets a token more.

In:  a workload that serves, and a device. Out: a `Server`, whose `step` does what a server's engine
     does: take requests that arrived, compute, choose tokens, and note what is answered.

Steps are marked as vLLM marks its own, with requests and tokens of prompts and of answers. Requests
arrive at random, by a fixed seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import torch

from perfolio.common.errors import UsageError
from perfolio.workloads.models.cached_decoder import CachedDecoder
from perfolio.workloads.models.training_task import build
from perfolio.workloads.training_step import SEED
from perfolio.workloads.variant_options import Transformer, Workload

_TYPES = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16}
_WARM = 3
"""Steps before a graph is recorded, as PyTorch's manual asks for."""
_BUSY = 0.6
"""Requests under way at the start, as a share of the most."""


@dataclass
class Request:
    """One request: its prompt, how many tokens it gets, and those that it got."""

    prompt: list[int]
    wanted: int
    given: list[int] = field(default_factory=list)

    @property
    def place(self) -> int:
        """Where the next token stands in its text."""
        return len(self.prompt) + len(self.given) - 1


class Server:
    """A decoder that answers requests; seeds are fixed."""

    def __init__(self, workload: Workload, device: str) -> None:
        if not isinstance(workload.model, Transformer) or workload.serving is None:
            raise UsageError("only a decoder can serve", hint="perfolio workload list")
        if device == "cpu" and workload.options.graph:
            raise UsageError("a CUDA graph needs a GPU", hint="choose another variant")
        self.options, self.serving, self.device = workload.options, workload.serving, device
        self.sizes = workload.model
        torch.manual_seed(SEED)
        self.network = build(workload.model).network.to(device, _TYPES[self.options.precision])
        most = max((self.options.batch_size, *_choose_sizes(workload)))
        self.decoder = CachedDecoder(self.network.eval(), most, workload.model.heads)
        self.random = random.Random(SEED)  # noqa: S311 - a schedule, no secret
        self.waiting: list[Request] = []
        self.active: list[Request] = []
        self.answered = 0
        self.graphs = self._record_graphs(_choose_sizes(workload)) if self.options.graph else {}
        self._fill_rows()

    def step(self) -> None:
        """Read the prompt of a request that waits, or give each request under way a token."""
        if self.random.random() < self._arrivals():
            self.waiting.append(self._draw_request())
        with torch.inference_mode():
            if self.waiting and len(self.active) < self.options.batch_size:
                self._admit_request(self.waiting.pop(0))
            elif self.active:
                self._extend_answers()

    def finish(self) -> None:
        """Wait until the device has done what was asked of it."""
        if self.device == "cuda":
            torch.cuda.synchronize()

    def _arrivals(self) -> float:
        """Requests that arrive in a step, on average."""
        return self.serving.load * self.options.batch_size / self.serving.answer

    def _draw_request(self) -> Request:
        prompt = [self.random.randrange(self.sizes.vocabulary) for _ in range(self.serving.prompt)]
        least = max(1, self.serving.answer // 2)
        return Request(prompt, self.random.randint(least, self.serving.answer + least))

    def _fill_rows(self) -> None:
        with torch.inference_mode():
            for _ in range(max(1, int(_BUSY * self.options.batch_size))):
                request = self._draw_request()
                request.wanted = self.random.randint(2, request.wanted + 1)
                self._admit_request(request)

    def _admit_request(self, request: Request) -> None:
        length = len(request.prompt)
        with torch.profiler.record_function(f"execute_context_1({length})_generation_0(0)"):
            tokens = torch.tensor([request.prompt], device=self.device)
            scores = self.decoder.read_prompt(tokens, len(self.active))
            request.given += _choose_tokens(scores)
        self.active.append(request)

    def _extend_answers(self) -> None:
        number = len(self.active)
        name = f"execute_context_0(0)_generation_{number}({number})"
        with torch.profiler.record_function(name):
            tokens = [each.given[-1] for each in self.active]
            places = [each.place for each in self.active]
            if self.graphs:
                scores = self._replay_graph(tokens, places)
            else:
                scores = self.decoder.read_tokens(
                    torch.tensor(tokens, device=self.device),
                    torch.tensor(places, device=self.device),
                )
            chosen = _choose_tokens(scores[:number])
        for request, token in zip(self.active, chosen, strict=True):
            request.given.append(token)
        self._release_rows()

    def _release_rows(self) -> None:
        """Let requests go that are answered; the last one under way takes over the row."""
        for row in reversed(range(len(self.active))):
            if len(self.active[row].given) >= self.active[row].wanted:
                self.answered += 1
                last = len(self.active) - 1
                if row != last:
                    self.decoder.move_row(last, row)
                    self.active[row] = self.active[last]
                self.active.pop()

    def _record_graphs(self, sizes: tuple[int, ...]) -> dict[int, tuple[Any, Any, Any, Any]]:
        """For each size a graph, its tokens, their places and the scores."""
        found = {}
        with torch.inference_mode():
            for size in sizes:
                tokens = torch.zeros(size, dtype=torch.int64, device=self.device)
                places = torch.zeros_like(tokens)
                for _ in range(_WARM):
                    self.decoder.read_tokens(tokens, places)
                torch.cuda.synchronize()
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    scores = self.decoder.read_tokens(tokens, places)
                found[size] = graph, tokens, places, scores
        return found

    def _replay_graph(self, tokens: list[int], places: list[int]) -> Any:
        size = min(each for each in self.graphs if each >= len(tokens))
        graph, own_tokens, own_places, scores = self.graphs[size]
        for target, numbers in ((own_tokens, tokens), (own_places, places)):
            target[: len(numbers)].copy_(torch.tensor(numbers).pin_memory(), non_blocking=True)
        graph.replay()
        return scores


def _choose_sizes(workload: Workload) -> tuple[int, ...]:
    """Sizes of graphs up to the first that holds all requests at once."""
    most = workload.options.batch_size
    sizes = sorted(workload.serving.sizes) if workload.serving else []
    fitting = [size for size in sizes if size >= most]
    below = [size for size in sizes if size < most]
    return (*below, fitting[0] if fitting else most)


def _choose_tokens(scores: Any) -> list[int]:
    """A token of each row, drawn by its scores (rows × vocabulary); the host waits for them."""
    shares = scores.float().softmax(dim=-1)
    chosen: list[int] = torch.multinomial(shares, 1)[:, 0].tolist()
    return chosen
