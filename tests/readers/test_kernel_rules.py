from __future__ import annotations

import re

import pytest

from perfolio.readers.kernel_rules import COLLECTIVE, find_meeting, load_kernel_rules


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "allreduce"),
        ("ncclKernel_ReduceScatter_RING_LL_Sum_float(ncclWorkElem)", "reducescatter"),
        ("mscclKernel_Sum_half_Simple_false", "mscclkernel"),
        ("void vllm::cross_device_reduce_1stage<float, 8>(vllm::RankData*)", "crossdevicereduce"),
        (
            "void deep_ep::internode_ll::dispatch<true, 7168>(void*)",
            "deepep::internodell::dispatch",
        ),
        ("void two_shot_all_reduce_kernel<float>(int)", "allreduce"),
        ("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", ""),
        ("ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", ""),
        ("void deep_ep::layout::get_dispatch_layout<256, 32>(long const*)", ""),
        ("void block_all_reduce<float, 256>(float*)", ""),
        ("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(R)", ""),
    ],
)
def test_ranks_meet_in_collectives_of_the_one_table(name: str, operation: str) -> None:
    assert find_meeting(name) == operation


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("void cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1(Params)", "product"),
        ("bgemm_kernel(float*)", "product"),
        ("fbgemm_gpu::f8f8bf16_rowwise_gemm(float*)", "product"),
        ("void fbgemm_gpu::split_embedding_codegen_forward_unweighted_kernel(int)", "indexing"),
        ("void fbgemm_gpu::permute_2D_data_kernel<long>(int)", "indexing"),
        ("void fbgemm_gpu::permute_pooled_embs_kernel(int)", "indexing"),
        ("void fbgemm_gpu::_compute_FP8_quantize_cuda_kernel(int)", "other"),
    ],
)
def test_the_namespace_of_a_library_is_no_product(name: str, work: str) -> None:
    rules = sorted(load_kernel_rules(), key=lambda rule: rule.rank)
    found = [rule.work for rule in rules if re.search(rule.pattern, name.lower())]
    assert [*found, "other"][0] == work


def test_only_collectives_say_how_ranks_meet() -> None:
    rules = load_kernel_rules()
    assert [rule.rank for rule in rules] == sorted(rule.rank for rule in rules)
    assert all(rule.work == COLLECTIVE for rule in rules if rule.meeting)


def test_a_long_name_takes_no_longer_than_its_begin() -> None:
    assert find_meeting("deep_ep::" * 100_000) == ""
    assert find_meeting("x" * 5_000 + "ncclKernel_AllReduce") == ""
