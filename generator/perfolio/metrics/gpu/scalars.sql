/*---
defaults:
  unit: ratio
  better: lower
  population: >-
    all calling contexts of all entry points and profiles: context 0 at scope execution; without
    profile.db, the GPU operations of the trace
  needs: [gpu_trace, iterations]
  source: >-
    names of kernels and functions of PyTorch, in the store's table fusable_pattern
---*/

/*---
name: allocation_share
title: Allocating GPU memory, share of wall time
definition: >-
  Time that one host thread allocated and freed GPU memory, as a share of wall time: the thread
  with the most of it.
population: profiles of host threads, context 0 at scope execution; wall time from the trace
needs: [allocation_time, gpu_operation_time, profiles, cpu_trace]
source: measure allocation_time and traces
empty: the trace has no length
---*/
SELECT (SELECT coalesce(max(profile_total.value), 0) FROM profile_total WHERE name = 'allocation_time')
    / nullif((stop - start) / 1e9, 0) AS value
FROM cpu_trace_span

/*---
name: allocation_time
title: GPU allocation time
unit: s
definition: >-
  Sum of the durations of allocating and freeing GPU memory, summed over all operations, streams
  and devices.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [allocation_time]
source: measure allocation_time
---*/
SELECT total_of('allocation_time') AS value

/*---
name: busy_at_most
title: GPU busy, at most
better: higher
definition: >-
  GPU-operation time divided by the traced wall time, or, where that is not known, by the least time
  that the run can have taken: the busiest thread's. 1 at most. The share of this time in which a GPU
  executed operations cannot be larger. It is a bound and not a utilisation.
population: >-
  all GPU operations of all profiles, also of several GPUs together, against the traced wall time,
  else the busiest CPU thread
needs: [gpu_operation_time, cpu_event]
source: the union of busy intervals is no longer than their sum, and the run no shorter than a thread
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx or in graphs, which is common on
  compute capability 9 and newer: the bound holds for the operations that it recorded.
empty: neither CPUTIME nor REALTIME was recorded beside the GPU operations
---*/
SELECT least(1.0, total.value / nullif(run.seconds, 0)) AS value
FROM total
CROSS JOIN (
    SELECT coalesce((SELECT (stop - start) / 1e9 FROM cpu_trace_span), least_run_time()) AS seconds
) AS run
WHERE total.name = 'gpu_operation_time' AND run.seconds IS NOT NULL

/*---
name: copy_share
title: Copy share of GPU-operation time
definition: >-
  Time of explicit copies over the time of all GPU operations. A share of GPU-operation time,
  not of wall time.
needs: [copies, gpu_operations]
source: copy_time / gpu_operation_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, an
  upper bound.
empty: the profile records no GPU operation
---*/
SELECT gpu_time('copy_time', 'copy%') / nullif(gpu_time('gpu_operation_time', '%'), 0) AS value

/*---
name: copy_time
title: Copy time
unit: s
definition: >-
  Sum of the durations of explicit copies to, from and on the GPU, summed over all operations,
  streams and devices.
needs: [copies]
source: measure copy_time; without costs, traces
---*/
SELECT gpu_time('copy_time', 'copy%') AS value

/*---
name: copy_to_kernel
title: Copy time per kernel time
unit: "1"
definition: >-
  Time of explicit copies over time of kernels. Above 1, the GPU spends longer copying than
  computing; it says nothing about what the run waits for.
needs: [copies, kernels, every_kernel]
source: copy_time / kernel_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, an
  upper bound.
empty: the profile records no kernel time
---*/
SELECT gpu_time('copy_time', 'copy%') / nullif(gpu_time('kernel_time', 'kernel'), 0) AS value

/*---
name: fp32_gemm_share
title: Matrix products in plain FP32, share of kernel time
better: neither
definition: >-
  Share of kernel time in kernels whose names say that they multiply FP32 matrices without tensor
  cores: sgemm, or simt kernels of CUTLASS and cuBLAS.
population: calling contexts of kernels at scope point, by kernel name
needs: [kernel_time]
source: names of kernels in cuBLAS and CUTLASS, listed in the macro
caveat: >-
  Known by name only: products in kernels with other names are not counted. HPCToolkit does not
  see kernels launched by cuLaunchKernelEx, as most library kernels are from compute capability 9 on.
empty: the profile records no kernel
---*/
SELECT coalesce(sum("time") FILTER (
        WHERE multiplies_plain_fp32(kernel)
    ), 0) / sum("time") AS value
FROM kernel_context
HAVING sum("time") > 0

/*---
name: fusable_gaps
title: Gaps within chains that one call would replace
unit: s
definition: >-
  Time between the kernels of chains that fused implementations replace by one call, from the end of a
  kernel to the start of the next one of its chain.
population: kernels of steady iterations, on all streams, of several GPUs the mean
caveat: >-
  A gap in one stream costs nothing while another one works.
---*/
SELECT coalesce(sum(gap), 0) / gpus() / 1e9 AS value FROM fusable_kernels

/*---
name: fusable_share
title: Kernel time that one call would replace
definition: >-
  Share of the kernel time of steady iterations in chains of kernels that fused implementations
  replace by one call, known by names: attention made of single kernels, and steps of Adam, AdamW
  or SGD that PyTorch makes of many.
population: kernels of steady iterations, on all streams
caveat: >-
  Known by names, which others than PyTorch's own operators do not have: a lower bound. A fused
  kernel takes time as well.
---*/
SELECT (SELECT coalesce(sum(duration), 0) FROM fusable_kernels) / nullif(sum(ran.duration), 0) AS value
FROM gpu_operation AS ran
ASOF JOIN steady_iterations AS steady ON steady.start <= ran.start
WHERE ran.operation = 'kernel' AND ran.start < steady.start + steady.duration

/*---
name: fusable_time
title: Time of kernels that one call would replace
unit: s
definition: >-
  Time of kernels in chains that fused implementations replace by one call, known by names:
  attention made of single kernels, and steps of Adam, AdamW or SGD that PyTorch makes of many.
population: kernels of steady iterations, on all streams, of several GPUs the mean
caveat: >-
  Known by names, which others than PyTorch's own operators do not have: a lower bound. A fused
  kernel takes time as well.
---*/
SELECT coalesce(sum(duration), 0) / gpus() / 1e9 AS value FROM fusable_kernels

/*---
name: implicit_copy_share
title: Unified-memory copies, share of GPU-operation time
definition: >-
  Share of GPU-operation time in which the driver moved pages of unified memory by itself.
population: all calling contexts of all entry points and profiles, context 0 at scope execution
needs: [implicit_copy_time, gpu_operation_time]
source: implicit_copy_time / gpu_operation_time
caveat: >-
  HPCToolkit gives a lower bound, as it records such copies only where the vendor's tracing reports them as
  operations, and page faults within a kernel count as the kernel's own time.
empty: no GPU operation was recorded
---*/
SELECT total_of('implicit_copy_time') / nullif(total_of('gpu_operation_time'), 0) AS value

/*---
name: kernel_share
title: Kernel share of GPU-operation time
better: higher
definition: >-
  Time of kernels over the time of all GPU operations. A share of GPU-operation time, not of
  wall time.
needs: [kernels, gpu_operations, copies]
source: kernel_time / gpu_operation_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: the profile records no GPU operation
---*/
SELECT gpu_time('kernel_time', 'kernel') / nullif(gpu_time('gpu_operation_time', '%'), 0) AS value

/*---
name: kernel_time
title: Kernel time
unit: s
definition: >-
  Sum of the durations of kernels on the GPU, summed over all operations, streams and devices.
needs: [kernels]
source: measure kernel_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
---*/
SELECT gpu_time('kernel_time', 'kernel') AS value

/*---
name: launches
title: Kernel launches
unit: count
definition: Number of kernel launches that were measured.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; where the
  profile counts nothing, the GPU operations of the trace
needs: [launches]
source: measure kernel_launches, or its traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: >-
  the profile has kernel time and counts no launches: the count was not recorded
---*/
SELECT gpu_count('kernel_launches', 'kernel_time', 'kernel') AS value

/*---
name: mean_kernel_time
title: Mean kernel time
unit: s
better: higher
definition: >-
  Kernel time over the number of launches. Short kernels leave the GPU waiting for launches.
needs: [kernels, launches, every_kernel]
source: kernel_time / kernel_launches; without costs, traces
caveat: >-
  A mean over all kernels; their durations usually differ by orders of magnitude: see
  the table of kernels. On compute capability 9 and newer it covers those that HPCToolkit sees.
empty: the profile counts no kernel launches
---*/
SELECT gpu_time('kernel_time', 'kernel') / nullif(gpu_count('kernel_launches', 'kernel_time', 'kernel'), 0) AS value

/*---
name: memset_share
title: Memset share of GPU-operation time
definition: >-
  Time of memsets over the time of all GPU operations. A share of GPU-operation time, not of
  wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [memset_time, gpu_operation_time]
source: memset_time / gpu_operation_time
empty: the profile records no GPU operation
---*/
SELECT total_of('memset_time') / nullif(total_of('gpu_operation_time'), 0) AS value

/*---
name: memset_time
title: Memset time
unit: s
definition: >-
  Sum of the durations of memsets on the GPU, summed over all operations, streams and devices.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [memset_time]
source: measure memset_time
caveat: HPCToolkit does not convert the kind of a memset; device memsets can be lost.
---*/
SELECT total_of('memset_time') AS value

/*---
name: moving_share
title: Memory-bound kernels, share of an iteration
definition: >-
  Share of steady iterations in element-wise kernels, casts and copies on the device, norms, softmax and reductions, by their names. Kernels
  that run at the same time share it by their durations. Kernels that a compiler fused, updates of parameters and indexing are left out.
population: kernels of steady iterations, of several GPUs the mean
source: names of kernels, in the store's table kernel_pattern
caveat: Known by names only, so that kernels of other names may do the same. A fused kernel takes time as well.
empty: no kernel ran in a steady iteration
---*/
SELECT coalesce(sum(of_iteration) FILTER (WHERE moves), 0) AS value FROM kernel_class_steady HAVING count(*) > 0

/*---
name: moving_time
title: Time of memory-bound kernels
unit: s
definition: >-
  Time in steady iterations of element-wise kernels, casts and copies on the device, norms, softmax and reductions, by their names. Kernels
  that run at the same time share it by their durations.
population: kernels of steady iterations, of several GPUs the mean
source: names of kernels, in the store's table kernel_pattern
caveat: Known by names only, so that kernels of other names may do the same. A fused kernel takes time as well.
empty: no kernel ran in a steady iteration
---*/
SELECT coalesce(sum(ns) FILTER (WHERE moves), 0) / 1e9 AS value FROM kernel_class_steady HAVING count(*) > 0

/*---
name: operation_time
title: GPU-operation time
unit: s
definition: >-
  Sum of the durations of all GPU operations (kernels, copies, memsets and the rest), summed
  over all operations, streams and devices. It already contains kernels and copies; operations
  that overlap count each, so it can exceed wall time.
needs: [gpu_operations]
source: measure gpu_operation_time; without costs, traces
---*/
SELECT gpu_time('gpu_operation_time', '%') AS value

/*---
name: product_share
title: Kernel time in library products
better: neither
definition: >-
  Share of kernel time in kernels that are a matrix product, convolution or attention of a library, by their names.
population: calling contexts of kernels with a name, at scope point, by kernel name
needs: [kernel_time]
source: names of kernels in cuBLAS, cuDNN, CUTLASS, FlashAttention and rocBLAS; the store's table kernel_pattern
caveat: >-
  Known by name only. HPCToolkit does not see kernels launched by cuLaunchKernelEx, as most library
  kernels are from compute capability 9 on.
empty: the profile records no kernel with a name
---*/
SELECT coalesce(sum("time") FILTER (WHERE kind.kind = 'library product'), 0) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE named

/*---
name: sync_share
title: Waiting for the GPU at least, share of wall time
definition: >-
  Time that one host thread waited for the GPU, at least, as a share of wall time: the thread with the
  most of it. The larger of what HPCToolkit counts in synchronisation calls and what samples show in calls
  that wait for a GPU: synchronisation, and copies to the host where the calling code copies nothing else.
population: profiles of host threads, context 0 at scope execution; wall time and samples from the trace
needs: [gpu_operations, cpu_trace]
source: measure synchronisation_time and traces; the models gpu_wait and reading_frames
caveat: >-
  HPCToolkit gives a lower bound, as it records no synchronisation on NVIDIA devices, and samples of CPU time see only
  a wait that spins.
empty: the trace has no length
---*/
SELECT greatest((
    SELECT coalesce(max(profile_total.value), 0) FROM profile_total WHERE name = 'synchronisation_time'
) / nullif((span.stop - span.start) / 1e9, 0), coalesce((
    SELECT max(spent)
    FROM (
        SELECT sum(cpu_time.duration) AS spent
        FROM cpu_time
        JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
        JOIN frame AS roles ON roles.frame = enclosing.frame AND roles.role = 'gpu wait'
        GROUP BY cpu_time.profile
    )
) / nullif(span.stop - span.start, 0), 0)) AS value
FROM cpu_trace_span AS span

/*---
name: sync_time
title: GPU synchronisation time
unit: s
definition: >-
  Sum of the times that host threads waited in GPU synchronisation calls, summed over threads.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [synchronisation_time]
source: measure synchronisation_time
---*/
SELECT total_of('synchronisation_time') AS value

/*---
name: unclassified_share
title: Kernel time without a class
definition: >-
  Share of kernel time in kernels whose class neither their name nor an attribute tells (gpu.classified): they count as other, and what is
  said of classes holds of the rest.
population: calling contexts of kernels at scope point
needs: [kernel_time]
source: gpu.classified
empty: the profile records no kernel
---*/
SELECT coalesce(sum(ran."time") FILTER (WHERE kind.told IS NULL), 0) / nullif(sum(ran."time"), 0) AS value
FROM kernel_context AS ran JOIN kernel_class AS kind ON kind.context = ran.context

/*---
name: unnamed_share
title: Share of kernel time without a name
definition: >-
  Kernel time of kernels whose name the profile does not hold, over all kernel time. Those that
  one function launches are one row of the table of kernels, whether they are one kernel or many.
population: calling contexts of kernels at scope point
needs: [kernel_time]
source: measure kernel_time and the function <gpu kernel>, which stands where no name is known
empty: the profile records no kernel time
---*/
SELECT coalesce(sum("time") FILTER (WHERE NOT named), 0) / nullif(sum("time"), 0) AS value
FROM kernel_context
