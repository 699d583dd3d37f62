/*---
about: >-
  Launches with what was counted of them: time under the profiler [s], bytes of device memory and of the L2 and L1 caches [B],
  operations of the vector units (v) and of tensor cores (t) by precision [FLOP]; NULL is not counted. Of several files that of which
  the most launches have operations, so that no launch counts twice.
when: counted_kernel
---*/
-- Hopper's counters of half precision count packed pairs: Nsight Compute's own roofline takes 2 and 4 operations for each.
WITH counter AS (
    SELECT witness, launch,
        max(value) FILTER (metric IN ('gpu__time_duration.sum', 'seconds')) AS seconds,
        max(value) FILTER (metric = 'smsp__cycles_elapsed.avg') AS cycles,
        max(value) FILTER (metric = 'dram__bytes.sum') AS moved,
        sum(value) FILTER (metric IN ('dram__bytes_read.sum', 'dram__bytes_write.sum')) AS read_written,
        sum(value) FILTER (metric IN ('dram__bytes_op_read.sum', 'dram__bytes_op_write.sum')) AS op_read_written,
        max(value) FILTER (metric = 'dram__bytes.sum.per_second') AS per_second,
        sum(value) FILTER (metric IN ('bytes_read', 'bytes_written')) AS fabric,
        max(value) FILTER (metric IN ('lts__t_bytes.sum', 'bytes_l2')) AS l2,
        max(value) FILTER (metric IN ('l1tex__t_bytes.sum', 'bytes_l1')) AS l1,
        max(value) FILTER (metric = 'sm__throughput.avg.pct_of_peak_sustained_elapsed') AS compute_busy,
        max(value) FILTER (metric = 'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed') AS memory_busy,
        max(value) FILTER (metric = 'sm__warps_active.avg.pct_of_peak_sustained_active') AS occupancy,
        max(value) FILTER (metric IN ('sm__ops_path_tensor_src_fp64.sum', 'flop_fp64_matrix')) AS t64,
        max(value) FILTER (metric IN ('sm__ops_path_tensor_src_tf32_dst_fp32.sum', 'flop_fp32_matrix')) AS t32,
        max(value) FILTER (metric IN ('sm__ops_path_tensor_src_bf16_dst_fp32.sum', 'flop_fp16_matrix')) AS tb16,
        max(value) FILTER (metric = 'sm__ops_path_tensor_src_fp16.sum') AS th16,
        max(value) FILTER (metric IN ('sm__ops_path_tensor_src_fp8_sparsity_off.sum', 'flop_fp8_matrix')) AS t8,
        max(value) FILTER (regexp_matches(metric, '^sm__(inst_executed_)?pipe_tensor') AND NOT regexp_matches(metric, 'min')) AS tensor_used
    FROM kernel_counter GROUP BY witness, launch
),
executed AS (
    SELECT witness, launch, regexp_extract(metric, '_op_([dfh](?:add|mul|fma))_pred_on[.]sum', 1) AS op,
        max(value) FILTER (metric NOT LIKE '%per_cycle%') AS counted, max(value) FILTER (metric LIKE '%per_cycle_elapsed') AS per_cycle
    FROM kernel_counter
    WHERE regexp_matches(metric, '^smsp__sass_thread_inst_executed_op_[dfh](add|mul|fma)_pred_on[.]sum([.]per_cycle_elapsed)?$')
    GROUP BY ALL
),
vector AS (
    SELECT executed.witness, executed.launch,
        sum(coalesce(counted, per_cycle * cycles) * if(op = 'dfma', 2, 1)) FILTER (op LIKE 'd%') AS v64,
        sum(coalesce(counted, per_cycle * cycles) * if(op = 'ffma', 2, 1)) FILTER (op LIKE 'f%') AS v32,
        sum(coalesce(counted, per_cycle * cycles) * if(op = 'hfma', 4, 2)) FILTER (op LIKE 'h%') AS v16
    FROM executed JOIN counter USING (witness, launch) GROUP BY ALL
    UNION ALL   -- of AMD: the reader made operations of waves
    SELECT witness, launch, max(value) FILTER (metric = 'flop_fp64') AS v64, max(value) FILTER (metric = 'flop_fp32') AS v32,
        max(value) FILTER (metric = 'flop_fp16') AS v16
    FROM kernel_counter WHERE metric IN ('flop_fp64', 'flop_fp32', 'flop_fp16') GROUP BY ALL
)
SELECT kernel.witness, kernel.launch, kernel.name, split_part(short_name(kernel.name), '::', -1) AS short, kernel.blocks, kernel.threads,
    counter.seconds,
    coalesce(counter.moved, counter.read_written, counter.op_read_written, counter.fabric, counter.per_second * counter.seconds) AS dram,
    counter.l2, counter.l1, counter.compute_busy, counter.memory_busy, counter.occupancy,
    vector.v64, vector.v32, vector.v16, counter.t64, counter.t32,
    CASE WHEN tb16 IS NOT NULL OR th16 IS NOT NULL THEN coalesce(tb16, 0) + coalesce(th16, 0) END AS t16, counter.t8,
    CASE WHEN vector.v32 IS NOT NULL AND (tb16 IS NOT NULL OR th16 IS NOT NULL OR tensor_used = 0 OR kernel.compute_capability < 7)
        THEN coalesce(v64, 0) + v32 + coalesce(v16, 0) + coalesce(t64, 0) + coalesce(t32, 0) + coalesce(tb16, 0) + coalesce(th16, 0) + coalesce(t8, 0)
    END AS flop
FROM counted_kernel AS kernel
LEFT JOIN counter ON counter.witness = kernel.witness AND counter.launch = kernel.launch
LEFT JOIN vector ON vector.witness = kernel.witness AND vector.launch = kernel.launch
WHERE kernel.witness = (
    SELECT each.witness FROM counted_kernel AS each LEFT JOIN vector ON vector.witness = each.witness AND vector.launch = each.launch
    GROUP BY each.witness ORDER BY count(vector.v32) DESC, count(*) DESC, each.witness LIMIT 1
)
