"""Models of workloads: what they compute, whichever variant computes it. Needs PyTorch."""

from __future__ import annotations

import gzip
import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from perfolio.workloads.catalog import load_workloads
from perfolio.workloads.variant_options import (
    Dlrm,
    ServingOptions,
    TrainingOptions,
    Transformer,
    Workload,
)

pytestmark = pytest.mark.torch

KNOWN = load_workloads()
SMALL = Transformer(vocabulary=64, length=16, width=32, heads=4, layers=2, hidden=48)


def task(sizes: Dlrm | Transformer) -> Any:
    import torch

    from perfolio.workloads.models.training_task import build

    torch.manual_seed(1)
    return build(sizes)


def small(one: Workload) -> Workload:
    """The variant with a batch that a test can afford."""
    sizes = one.model
    if isinstance(sizes, Transformer):
        sizes = msgspec.structs.replace(
            sizes, length=32, layers=1, vocabulary=1_024, width=64, heads=4, hidden=128
        )
    options = msgspec.structs.replace(
        one.options, batch_size=4, workers=min(one.options.workers, 1)
    )
    return msgspec.structs.replace(one, model=sizes, options=options)


def test_dlrm_has_the_parameters_and_operations_of_the_benchmark() -> None:
    from perfolio.workloads.workload_figures import count_model_flops, count_parameters

    one = KNOWN["dlrm"]
    assert isinstance(one.model, Dlrm)
    embedded = sum(one.model.tables) * one.model.bottom[-1]
    assert count_parameters(task(one.model).network) - embedded == 2_468_417
    assert count_model_flops(one) == 29_225_910_272


def test_operations_follow_the_batch_and_not_how_they_are_computed() -> None:
    from perfolio.workloads.workload_figures import count_model_flops

    one = KNOWN["dlrm"]
    half = msgspec.structs.replace(one, options=TrainingOptions(batch_size=1024))
    assert count_model_flops(half) * 2 == count_model_flops(one)
    steps = [name for name in KNOWN if name.startswith("transformer")]
    same = {
        count_model_flops(KNOWN[name])
        for name in steps
        if KNOWN[name].model.length == KNOWN["transformer"].model.length  # type: ignore[union-attr]
        and KNOWN[name].options.batch_size == KNOWN["transformer"].options.batch_size
    }
    assert len(same) == 1


def test_operations_of_a_transformer_are_those_of_its_products() -> None:
    """Two for each product and sum, and twice as many again backward; not behind the tokens."""
    from perfolio.workloads.workload_figures import count_model_flops

    one = Workload("A", "B", SMALL, TrainingOptions(batch_size=3))
    tokens = 3 * SMALL.length
    weights = SMALL.layers * SMALL.width * (4 * SMALL.width + 3 * SMALL.hidden)
    weights += SMALL.width * SMALL.vocabulary
    attention = SMALL.layers * 2 * SMALL.width * SMALL.length
    assert count_model_flops(one) == 3 * 2 * tokens * (weights + attention)


def test_fused_attention_computes_the_same() -> None:
    import torch

    composed, fused = (
        task(msgspec.structs.replace(SMALL, attention=kind)) for kind in ("composed", "fused")
    )
    tokens, _ = composed.draw_batch(torch.Generator().manual_seed(2), 3, "cpu")
    torch.testing.assert_close(composed.network(tokens), fused.network(tokens))


def test_joined_projections_compute_the_same() -> None:
    import torch

    apart, joined = (
        task(msgspec.structs.replace(SMALL, projections=kind)) for kind in ("apart", "joined")
    )
    weights = apart.network.state_dict()
    for name in joined.network.state_dict():
        if name not in weights or weights[name].shape != joined.network.state_dict()[name].shape:
            stem = name.removesuffix("0.weight")
            count = sum(key.startswith(stem) for key in weights)
            weights[name] = torch.cat([weights.pop(f"{stem}{at}.weight") for at in range(count)])
    joined.network.load_state_dict(weights)
    tokens, _ = apart.draw_batch(torch.Generator().manual_seed(2), 3, "cpu")
    torch.testing.assert_close(apart.network(tokens), joined.network(tokens))


def test_a_token_is_scored_by_those_before_it_alone() -> None:
    import torch

    one = task(SMALL)
    tokens, following = one.draw_batch(torch.Generator().manual_seed(2), 1, "cpu")
    assert torch.equal(tokens[:, 1:], following[:, :-1])
    changed = tokens.clone()
    changed[0, -1] = (changed[0, -1] + 1) % SMALL.vocabulary
    torch.testing.assert_close(one.network(tokens)[:, :-1], one.network(changed)[:, :-1])


@pytest.mark.parametrize("name", ["dlrm", "transformer"])
def test_samples_and_batches_are_alike(name: str) -> None:
    import torch

    one = task(KNOWN[name].model)
    drawn = one.draw_batch(torch.Generator().manual_seed(3), 5, "cpu")
    collated = one.collate([one.draw_sample(np.random.default_rng(3)) for _ in range(5)])
    assert [(part.shape, part.dtype) for part in drawn] == [
        (part.shape, part.dtype) for part in collated
    ]
    if name == "dlrm":
        rows = torch.tensor(KNOWN[name].model.tables)[None, :, None]  # type: ignore[union-attr]
        assert ((drawn[1] >= 0) & (drawn[1] < rows)).all()


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, one in KNOWN.items()
        if not (one.options.compiled or one.options.graph or one.options.precision == "tf32")
    ],
)
def test_a_step_changes_the_parameters(name: str) -> None:
    import torch

    from perfolio.workloads.training_step import Trainer

    trainer = Trainer(small(KNOWN[name]), "cpu")
    before = [each.detach().clone() for each in trainer.network.parameters()]
    trainer.step()
    after = list(trainer.network.parameters())
    assert all(torch.isfinite(each).all() for each in after)
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("name", ["dlrm-graph", "dlrm-tf32"])
def test_what_a_processor_has_not_is_refused(name: str) -> None:
    from perfolio.common.errors import UsageError
    from perfolio.workloads.training_step import Trainer

    with pytest.raises(UsageError, match="needs a GPU"):
        Trainer(KNOWN[name], "cpu")


def test_losses_are_the_same_in_each_run() -> None:
    from perfolio.workloads.training_step import Trainer

    def losses() -> list[float]:
        trainer = Trainer(small(KNOWN["dlrm-batches"]), "cpu")
        return [trainer.gradients(next(trainer.batches)).item() for _ in range(2)]

    assert losses() == losses()


def serving(batch: int = 3, load: float = 0.75) -> Workload:
    """A tiny decoder that serves."""
    return Workload(
        "A",
        "B",
        SMALL,
        TrainingOptions(batch_size=batch),
        serving=ServingOptions(prompt=6, answer=4, load=load),
    )


def test_a_token_read_with_the_cache_has_the_scores_of_the_whole_text() -> None:
    """What the cache keeps is what the network computes of a text at once, in a moved row, too."""
    import torch

    from perfolio.workloads.models.cached_decoder import CachedDecoder

    network = task(SMALL).network.eval()
    decoder = CachedDecoder(network, 3, SMALL.heads)
    text = torch.randint(SMALL.vocabulary, (1, 9), generator=torch.Generator().manual_seed(3))
    with torch.inference_mode():
        whole = network(text)[0]
        first = decoder.read_prompt(text[:, :6], 2)
        torch.testing.assert_close(first[0], whole[5])
        decoder.move_row(2, 1)
        for place in range(6, 9):
            tokens, places = torch.zeros(2, dtype=torch.int64), torch.zeros(2, dtype=torch.int64)
            tokens[1], places[1] = text[0, place], place
            torch.testing.assert_close(decoder.read_tokens(tokens, places)[1], whole[place])


def test_a_server_answers_requests_and_never_holds_more_than_its_batch() -> None:
    from perfolio.workloads.serving_step import Server

    server = Server(serving(load=2.0), "cpu")
    for _ in range(60):
        server.step()
        assert 0 < len(server.active) <= 3
        for one in server.active:
            assert 0 < len(one.given) <= one.wanted
            assert one.place < SMALL.length
    assert server.answered >= 10


def test_only_a_decoder_serves_and_graphs_need_a_gpu() -> None:
    from perfolio.common.errors import UsageError
    from perfolio.workloads.serving_step import Server

    with pytest.raises(UsageError, match="only a decoder"):
        Server(KNOWN["dlrm"], "cpu")
    with pytest.raises(UsageError, match="needs a GPU"):
        Server(KNOWN["decoder-serve-graph"], "cpu")


def test_a_server_is_recorded_with_its_steps_and_requests(tmp_path: Path) -> None:
    """The trace names each step's requests; what trains nothing has no rate of training."""
    from perfolio.workloads.workload_run import RecordingRequest, record_workload

    record_workload("decoder-serve", serving(), RecordingRequest(12, 2, "cpu"), tmp_path)
    told = tomllib.loads((tmp_path / "profile.toml").read_text("utf-8"))["workload"]
    assert (told["prompt"], told["answer"], told["batch_size"]) == (6, 4, 3)
    summary = json.loads((tmp_path / "performance_summary.json").read_text("utf-8"))
    assert len(summary["batch_times_s"]) == 12
    assert "model_flops_per_step" not in summary
    trace = gzip.decompress((tmp_path / "trace.json.gz").read_bytes()).decode("utf-8")
    assert "execute_context_1(6)_generation_0(0)" in trace
    assert "_generation_3(3)" in trace
