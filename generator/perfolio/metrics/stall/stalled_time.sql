/*---
title: Stalled share of kernel time
unit: ratio
better: lower
definition: >-
  The share of stalled samples of each kernel, weighted by the kernel's time. A kernel that leaves
  multiprocessors empty gives few samples for its time, so that the share of all samples says less of it.
population: >-
  kernels with PC samples, by name: their calling contexts, samples at scope execution (they do
  not nest), times at scope point
needs: [kernel_time, pc_samples, stalled_samples]
source: sum over kernels of (time × stalled_samples / pc_samples), over the time of these kernels
caveat: >-
  The samples of a kernel are taken as alike on all multiprocessors. Kernels without samples are left out.
empty: no kernel with a time has PC samples
---*/
WITH kernel AS (
    SELECT kernel_contexts.kernel, sum(kernel_contexts."time") AS "time",
        sum(sampled.stalled) / nullif(sum(sampled.samples), 0) AS stalled
    FROM kernel_context AS kernel_contexts
    LEFT JOIN sampled_contexts AS sampled ON sampled.context = kernel_contexts.context
    GROUP BY kernel_contexts.kernel
)
SELECT sum("time" * stalled) / nullif(sum("time") FILTER (WHERE stalled IS NOT NULL), 0) AS value
FROM kernel
