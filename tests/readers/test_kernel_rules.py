from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfolio.readers.kernel_rules import COLLECTIVE, find_meeting, load_kernel_rules
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.queries import rows_of


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


WORK = """
attention: void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t>>(P)
attention: void cutlass::device_kernel<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwd<2>>>(P)
attention: void cutlass::device_kernel<flat::kernel::FlatKernelDeltaRule<flat::collective::F>>(P)
attention: fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128PersistentContext
attention: void flashinfer::BatchPrefillWithPagedKVCacheKernel<flashinfer::KernelTraits<1>>(P)
attention: void flashinfer::PersistentVariableLengthMergeStatesKernel<8u, 16u, 8u, 4u, float>(P)
attention: void vllm::merge_attn_states_kernel<unsigned short, 128u>(unsigned short*)
attention: _fwd_grouped_kernel_stage1
attention: _fwd_kernel_stage2
attention: _fwd_kernel
attention: _bwd_preprocess_do_o_dot
attention: bwd_kernel_fuse
attention: bwd_kernel_dk_dv.kd
attention: kernel_unified_attention_2d
attention: reduce_segments
attention: kn_mla_reduce_v1_ps(MlaReduceKernelV1Params)
attention: void deep_gemm::sm90_fp8_paged_mqa_logits<1u, 64u, 128u>(unsigned int)
attention: chunk_gated_delta_rule_fwd_kernel_h_blockdim64
attention: triton_tem_fused_flex_attention_0
cast or copy: void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, unsigned char>(P)
cast or copy: void vllm::concat_and_cache_mla_kernel<__nv_bfloat16>(__nv_bfloat16 const*)
cast or copy: void flashinfer::AppendPagedKVCacheKernel<128u, 8u, __nv_bfloat16, int>(P)
cast or copy: void (anonymous namespace)::store_kvcache<2048l, 4, false, long>(StoreKVCacheParams)
cast or copy: void tensorrt_llm::kernels::quantize_with_block_size<flashinfer::Layout>(int)
cast or copy: void vllm::scaled_fp8_quant_kernel_strided<c10::BFloat16, c10::Float8_e4m3fn>(P)
cast or copy: void fbgemm_gpu::_compute_FP8_quantize_cuda_kernel(int)
cast or copy: void deep_gemm::transpose_fp32<512u, 64u, 56u, 57u>(float const*, float*)
cast or copy: void transformer_engine::(anonymous namespace)::cast_transpose_general_kernel<16>(P)
cast or copy: void at::native::im2col_kernel<float>(long, float const*)
cast or copy: void at::native::elementwise_kernel<4, at::native::direct_copy_kernel_cuda()>(int)
collective: void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(P)
collective: void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<8>(P)
element-wise: void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16, &silu>(__nv_bfloat16*)
element-wise: void tensorrt_llm::kernels::cutlass_kernels::doActivationKernel<cutlass::half_t>(P)
element-wise: void flashinfer::BatchQKApplyRotaryPosIdsCosSinCacheKernel<false, 128u, 8u>(P)
element-wise: void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*)
element-wise: void rope_neox<true, false, float, __half>(float const*)
element-wise: void aiter::operator_bcast_big_tile_kernel<__hip_bfloat16, 256, aiter::MulOp>(P)
fused: triton_poi_fused__scaled_dot_product_flash_attention_cat_transpose_view_10
fused: triton_red_fused_all_reduce_mean_3
fused: triton__0d1d2d3d
fused: input_reduce_fusion_92
fused: loop_add_fusion
indexing: void moe::dev::finalize::finalizeKernelVecLoad<KernelParams<cutlass::bfloat16_t, 4>>(P)
indexing: void moe::dev::routing::routingIndicesHistogramKernel<KernelParams<__nv_bfloat16>>(P)
indexing: void vllm::moe::moe_align_block_size_kernel<int>(int const*, int*)
indexing: void vllm::moe::topkGatingSoftmax<8, 128, 4, 16, 32, int, __nv_bfloat16>(P)
indexing: void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u, float, int>(float*)
indexing: void at::cuda::detail::prepare_grouped_gemm_data<cutlass::bfloat16_t>(P)
indexing: void cub::DeviceRadixSortHistogramKernel<Policy800, false, long, int>(int*, long const*)
indexing: _finalize_matmul_scatter_bf16
indexing: create_flashinfer_kv_indices_triton
indexing: smxx::decode::get_mla_metadata_kernel(GetDecodeSchedMetaParams)
indexing: write_req_to_token_pool_triton
indexing: void fbgemm_gpu::split_embedding_codegen_forward_unweighted_kernel(int)
indexing: void fbgemm_gpu::permute_2D_data_kernel<long>(int)
indexing: void fbgemm_gpu::permute_pooled_embs_kernel(int)
indexing: void (anonymous namespace)::compute_grad_weight<float, float, long>(long const*)
normalisation: void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>(__nv_bfloat16*)
normalisation: std::enable_if<(8>0)&&f<T>::exists, void>::type vllm::fused_add_rms_norm_kernel<8>(T)
normalisation: void flashinfer::trtllm_allreduce::reduce_fusion::rms_norm_kernel<true>(P)
normalisation: void ck_tile::kentry<1, ck_tile::Rmsnorm2dFwd<ck_tile::Pipeline<float>>>(P)
normalisation: void at::native::(anonymous namespace)::cuComputeGradInput<float, float, false>(P)
normalisation: void (anonymous namespace)::RowwiseMomentsCUDAKernel<float, float>(long)
optimizer: void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>>(long)
pooling: void at::native::(anonymous namespace)::max_pool_forward_nchw<float>(int)
product: void cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1(Params)
product: void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_64x64_32x6_nn>(P)
product: void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<collective::Mma>>(P)
product: bgemm_kernel(float*)
product: fbgemm_gpu::f8f8bf16_rowwise_gemm(float*)
product: bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_TN_schedP2x1x2x3_clmp_swiGlu_sm100f
product: _matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1_swiglu
product: fused_moe_kernel
product: aiter::fmoe_bf16_pertokenFp8_g1u1_vs_silu_1tg_ps_32x512
product: void marlin_moe_wna16::Marlin<__nv_bfloat16, 1125899906909960l, 256, 1, 8>(int4 const*)
product: void mul_mat_q<(ggml_type)12, 128, false>(char const*)
product: void flashinfer::trtllm_dsv3_router_gemm::router_gemm_kernel<__nv_bfloat16, float, 128>(P)
product: void at::native::(anonymous namespace)::conv_depthwise2d_forward_kernel<3, float, int>(P)
product: gemm_fusion_dot_3
product: triton_tem_fused_mm_1
reduction: void at::native::reduce_kernel<512, 1, ReduceOp<float, WelfordOps<float, int>>>(R)
reduction: void multi_tensor_apply_kernel<TensorListMetadata<1>, L2NormFunctor<float>, float*>(long)
reduction: void vllm::moe::moe_sum_kernel<c10::BFloat16, 4>(c10::BFloat16*)
other: at::cuda::(anonymous namespace)::spin_kernel(long)
normalisation: _gemma_rms_layernorm_forward
optimizer: void tensorflow::functor::ApplyAdamKernel<float>(int)
other: computeProperties
other: quantumStateEvolve(double2*)
other: computeNeighborhood(float4*)
other: monte_carlo_sampling(float*)
other: upsampling_bilinear(float*)
other: raycast_kernel(float*)
other: prelude_kernel(int)
other: finalizeKernel(double*)
other: group_projection(float*)
other: fft_radix4_fwd_kernel(float2*)
"""
"""Kernels of libraries by what they do, as told by readers who had not seen the table."""


@pytest.mark.parametrize("line", WORK.strip().splitlines())
def test_the_class_is_what_a_kernel_does(line: str) -> None:
    """Namespaces and types tell whose a kernel is and what it works on: not what it does."""
    work, _, name = line.partition(": ")
    found = [rule.work for rule in load_kernel_rules() if re.search(rule.pattern, name)]
    assert [*found, "other"][0] == work


def test_stores_and_readers_find_the_same_class(tmp_path: Path) -> None:
    names = [line.partition(": ")[2] for line in WORK.strip().splitlines()]
    path = tmp_path / "store.duckdb"
    ingest([], path)
    with open_store(path) as store:
        sql = "SELECT kernel_rule(name) FROM (SELECT unnest($names) AS name)"
        by_store = [rank for (rank,) in rows_of(store, sql, names=names)]
    by_reader = [
        next((rule.rank for rule in load_kernel_rules() if re.search(rule.pattern, name)), None)
        for name in names
    ]
    assert by_store == by_reader


def test_what_writes_keys_and_values_is_a_copy_that_steps_of_an_engine_know(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.duckdb"
    ingest([], path)
    names = [line.partition(": ")[2] for line in WORK.strip().splitlines()]
    sql = """
        SELECT name, class FROM (SELECT unnest($names) AS name)
        LEFT JOIN kernel_pattern AS rule ON rule.rank = kernel_rule(name)
        WHERE EXISTS (FROM operator_pattern AS known WHERE known.kind = 'cache'
            AND regexp_matches(name, known.pattern))"""
    with open_store(path) as store:
        found = dict(rows_of(store, sql, names=names))
    assert set(found.values()) == {"cast or copy"}
    assert len(found) == 4


def test_only_collectives_say_how_ranks_meet() -> None:
    rules = load_kernel_rules()
    assert [rule.rank for rule in rules] == sorted(rule.rank for rule in rules)
    assert all(rule.work == COLLECTIVE for rule in rules if rule.meeting)


def test_a_long_name_takes_no_longer_than_its_begin() -> None:
    assert find_meeting("deep_ep::" * 100_000) == ""
    assert find_meeting("x" * 5_000 + "ncclKernel_AllReduce") == ""
