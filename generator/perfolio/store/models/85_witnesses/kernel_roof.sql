/*---
about: >-
  Kernels of equal name and number of blocks with what a launch does on average, and the least time in which the device's
  ceilings allow it: the longest of its bytes over memory's rate and of each unit's operations over that unit's rate. `seconds` is
  the mean time of a launch in the trace, where a kernel of that name and grid ran there, else that under the profiler [s].
  `alike`: the bytes of its launches differ by less than a tenth, so that they are those of one kernel.
---*/
WITH traced AS (
    SELECT split_part(short_name(context_name.name), '::', -1) AS short, ran.blocks, count(*) AS launches, avg(ran.duration) / 1e9 AS mean
    FROM gpu_operation AS ran JOIN context_name ON context_name.context = ran.context
    WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL
    GROUP BY ALL
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
    WHERE used.work > 0
    GROUP BY ALL
)
SELECT placed.kernel, placed.short, placed.blocks, placed.counted, placed.launches, placed.is_traced, placed.seconds, placed.replayed,
    placed.flop, placed.dram, placed.alike, placed.l2, placed.l1, placed.occupancy,
    placed.flop / nullif(placed.dram, 0) AS intensity, placed.flop / nullif(placed.seconds, 0) AS rate,
    placed.dram / nullif(placed.seconds, 0) AS bandwidth,
    bound.precision, bound.peak, bound.meets, bound.least, bound.least / nullif(placed.seconds, 0) AS share,
    CASE WHEN placed.flop IS NULL OR placed.dram IS NULL THEN NULL
        WHEN coalesce(bound.least_memory, 0) >= coalesce(bound.least_arithmetic, 0) THEN 'memory' ELSE 'arithmetic' END AS side
FROM placed LEFT JOIN bound ON bound.short = placed.short AND bound.blocks IS NOT DISTINCT FROM placed.blocks
