"""Names of kernels with the class of work that each does, as their authors name them.

The names are of libraries and frameworks; the classes are those of the glossary.
"""

from __future__ import annotations

COLLECTIVES = {
    "NCCL": (
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
        "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
        "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "ncclSymDevKernel_AllReduce_RSxLD_AGxST_sum_bf16(ncclSymDevArgs)",
        "ncclSymkDevKernel_AllReduce_AGxLL_R_sum_bf16(ncclSymkDevWorkArgs4K)",
    ),
    "RCCL": ("ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)",),
    "MSCCL": (
        "mscclKernel_Sum_half_Simple_LL(ncclDevComm*, mscclAlgo*, mscclWork*)",
        "void mscclpp::allreduceRingKernel<float>(float*, float*, unsigned long)",
    ),
    "NVSHMEM": (
        "void nvshmemi_transfer_rma_allreduce_kernel<float>(float*, float*, int)",
        "void nvshmemi_alltoall_on_stream_kernel<int>(int, int*, int const*, unsigned long)",
    ),
    "DeepEP": (
        "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*, int*, long*)",
        "void deep_ep::internode_ll::combine<true, 7168, 9, 8>(void*, void*, int*, void*)",
    ),
    "PyTorch": (
        "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(void*)",
        "void (anonymous namespace)::one_shot_all_reduce_kernel<c10::BFloat16, 16, 8>(void**)",
        "void (anonymous namespace)::two_shot_all_reduce_kernel_inplace<c10::BFloat16, 8>(int)",
        "void (anonymous namespace)::multimem_all_gather_kernel<16>(char*, unsigned int**)",
    ),
    "vLLM": (
        "void quickreduce::allreduce_prototype_twoshot<AllReduceTwoshot<__half, 8>, __half>(int)",
        "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, int, int)",
    ),
    "SGLang": ("void sglang::cross_device_reduce_2stage<__half, 4>(sglang::RankData*, int, int)",),
    "aiter": ("void aiter::cross_device_reduce_2stage<hip_bfloat16, 8>(aiter::RankData*, int)",),
    "TensorRT-LLM": (
        "void tensorrt_llm::kernels::twoShotAllReduceKernel<__nv_bfloat16, 8, true, false>(int)",
        "void tensorrt_llm::kernels::oneShotAllReduceKernel<__half, 4, true>(int)",
    ),
    "Transformer Engine": ("userbuffers_fp16_sum_inplace_gpu_rr_rs_oop(int, int, int)",),
    "FlashInfer": (
        "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<8>(int)",
    ),
}
"""Kernels of communication by library."""

KERNELS = {
    "product": (
        "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x32",
        "ampere_sgemm_128x64_tn",
        "Cijk_Alik_Bljk_BBS_BH_MT128x128x32",
        "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_128x128>(Params)",
    ),
    "attention": (
        "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128>>(Params)",
        "fmha_cutlassF_bf16_aligned_64x128_rf_sm80(AttentionKernel::Params)",
    ),
    "element-wise": (
        "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int)",
        "void at::native::unrolled_elementwise_kernel<at::native::MulFunctor<float>>(int)",
    ),
    "reduction": ("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(R)",),
    "normalisation": (
        "void at::native::vectorized_layer_norm_kernel<float, float>(int, float)",
        "void (anonymous namespace)::softmax_warp_forward<float, float, float, 8>(float*)",
    ),
    "optimizer": (
        "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor>()",
    ),
    "fused": ("triton_poi_fused_add_relu_3", "triton_red_fused__to_copy_add_mean_0"),
    "cast or copy": (
        "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 2>(int)",
    ),
    "other": ("spin(int)", "void march<double>(double*, long)"),
}
"""Kernels of work by class."""

MOVING = frozenset({"element-wise", "reduction", "normalisation", "cast or copy"})
"""Classes of memory-bound kernels."""

_MEETINGS = ("allreduce", "allgather", "reducescatter", "alltoall", "crossdevicereduce", "msccl")
_OF_COLLECTIVES = frozenset(name for names in COLLECTIVES.values() for name in names)
_CLASS = {name: kind for kind, names in KERNELS.items() for name in names}


def is_communication(name: str) -> bool:
    """Whether a kernel communicates."""
    return name in _OF_COLLECTIVES


def meets(name: str) -> bool:
    """Whether a kernel tells that each rank needs something of every other one."""
    words = name.lower().replace("_", "")
    return is_communication(name) and any(word in words for word in _MEETINGS)


def class_of(name: str) -> str:
    """The class of a kernel's work."""
    return "collective" if is_communication(name) else _CLASS[name]
