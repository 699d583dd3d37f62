/*---
title: Kernel time that was counted
unit: ratio
better: higher
definition: >-
  Share of the traced kernels' time in kernels whose name and number of blocks were also counted by a profiler of kernels.
population: kernels of the trace
needs: [counters, gpu_trace]
source: traces, and counters of Nsight Compute or rocprofiler-compute
caveat: Kernels of equal name and grid may differ in their arguments.
---*/
SELECT coalesce(sum(ran.duration) FILTER (WHERE counted.short IS NOT NULL), 0) / nullif(sum(ran.duration), 0) AS value, count(*) AS n
FROM gpu_operation AS ran
JOIN context_name ON context_name.context = ran.context
LEFT JOIN (SELECT DISTINCT short, blocks FROM kernel_roof) AS counted
    ON counted.short = split_part(short_name(context_name.name), '::', -1) AND counted.blocks = ran.blocks
WHERE ran.operation = 'kernel'
HAVING sum(ran.duration) > 0
