/*---
name: roof_ceiling
about: >-
  Rates that bound a kernel: of memory [B/s] and of each precision's units [FLOP/s], nominal of the hardware table, measured of
  profile.toml, and the one that bounds: nominal, as a measured one is of a single program, else measured. `unit` is memory, vector or tensor.
---*/
WITH nominal AS (
    SELECT unnest([
        {name: 'memory', unit: 'memory', key: 'memory', value: memory_bandwidth},
        {name: 'FP64', unit: 'vector', key: 'fp64_vector', value: fp64_flops},
        {name: 'FP32', unit: 'vector', key: 'fp32', value: fp32_flops},
        {name: 'FP64 tensor', unit: 'tensor', key: 'fp64', value: fp64_tensor_flops},
        {name: 'TF32', unit: 'tensor', key: 'tf32', value: tf32_flops},
        {name: 'BF16 and FP16', unit: 'tensor', key: 'bf16', value: fp16_flops},
        {name: 'FP8', unit: 'tensor', key: 'fp8', value: fp8_flops}
    ], recursive := true)
    FROM hardware JOIN run ON run.hardware = hardware.name
)
SELECT nominal.name, nominal.unit, nominal.value AS nominal, given.value AS measured, coalesce(nominal.value, given.value) AS rate
FROM nominal
LEFT JOIN (
    SELECT CASE key WHEN 'ceiling.fp16' THEN 'bf16' ELSE split_part(key, '.', 2) END AS key, max(TRY_CAST(value AS DOUBLE)) AS value
    FROM setting WHERE key LIKE 'ceiling.%' GROUP BY ALL
) AS given ON given.key = nominal.key
WHERE coalesce(given.value, nominal.value) > 0

/*---
name: counted_launch
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

/*---
name: kernel_roof
about: >-
  Kernels of equal name and number of blocks with what a launch does on average, and the least time in which the device's
  ceilings allow it: the longest of its bytes over memory's rate and of each unit's operations over that unit's rate. `seconds` is
  the mean time of a launch in the trace, where a kernel of that name and grid ran there, else that under the profiler [s].
  `alike`: the bytes of its launches differ by less than a tenth, so that they are those of one kernel.
---*/
WITH named AS MATERIALIZED (
    SELECT context, split_part(short_name(name), '::', -1) AS short FROM context_name
    WHERE EXISTS (FROM counted_launch) AND context IN (SELECT context FROM gpu_operation WHERE operation = 'kernel' AND blocks IS NOT NULL)
),
traced AS (
    SELECT named.short, ran.blocks, count(*) AS launches, avg(ran.duration) / 1e9 AS mean
    FROM gpu_operation AS ran JOIN named ON named.context = ran.context WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL GROUP BY ALL
),
mean AS (
    SELECT short, blocks, any_value(name ORDER BY launch) AS kernel, count(*) AS counted, avg(seconds) AS replayed, avg(flop) AS flop,
        avg(dram) AS dram, coalesce(max(dram) <= 1.1 * min(dram), false) AS alike,
        avg(l2) AS l2, avg(l1) AS l1, avg(occupancy) AS occupancy, avg(v64) AS v64, avg(v32) AS v32, avg(v16) AS v16,
        avg(t64) AS t64, avg(t32) AS t32, avg(t16) AS t16, avg(t8) AS t8
    FROM counted_launch GROUP BY ALL
),
placed AS (
    SELECT mean.*, traced.launches, coalesce(traced.mean, mean.replayed) AS seconds, traced.mean IS NOT NULL AS is_traced
    FROM mean LEFT JOIN traced ON traced.short = mean.short AND traced.blocks = mean.blocks
),
used AS (
    SELECT short, blocks, unnest(['memory', 'FP64', 'FP32', 'FP64 tensor', 'TF32', 'BF16 and FP16', 'FP8']) AS name,
        unnest([dram, v64, v32, t64, t32, t16, t8]) AS work
    FROM mean
),
bound AS (
    SELECT used.short, used.blocks, max(used.work / ceiling.rate) AS least, arg_max(ceiling.name, used.work / ceiling.rate) AS meets,
        max(used.work / ceiling.rate) FILTER (ceiling.unit = 'memory') AS least_memory,
        max(used.work / ceiling.rate) FILTER (ceiling.unit <> 'memory') AS least_arithmetic,
        arg_max(ceiling.name, used.work / ceiling.rate) FILTER (ceiling.unit <> 'memory') AS precision,
        arg_max(ceiling.rate, used.work / ceiling.rate) FILTER (ceiling.unit <> 'memory') AS peak
    FROM used JOIN roof_ceiling AS ceiling ON ceiling.name = used.name
    WHERE used.work > 0 GROUP BY ALL
)
SELECT placed.kernel, placed.short, placed.blocks, placed.counted, placed.launches, placed.is_traced, placed.seconds, placed.replayed,
    placed.flop, placed.dram, placed.alike, placed.l2, placed.l1, placed.occupancy,
    placed.flop / nullif(placed.dram, 0) AS intensity, placed.flop / nullif(placed.seconds, 0) AS rate,
    placed.dram / nullif(placed.seconds, 0) AS bandwidth,
    bound.precision, bound.peak, bound.meets, bound.least, bound.least / nullif(placed.seconds, 0) AS share,
    CASE WHEN placed.flop IS NULL OR placed.dram IS NULL THEN NULL
        WHEN coalesce(bound.least_memory, 0) >= coalesce(bound.least_arithmetic, 0) THEN 'memory' ELSE 'arithmetic' END AS side
FROM placed LEFT JOIN bound ON bound.short = placed.short AND bound.blocks IS NOT DISTINCT FROM placed.blocks
