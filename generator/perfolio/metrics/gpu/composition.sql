/*---
title: GPU-operation time by kind
better: neither
definition: >-
  Time and number of GPU operations by kind; the kinds add up to the time of all GPU operations.
  The count is of the trace where the profile counts none, and empty where neither tells.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [gpu_operation_time]
source: measures of GPU operations, and traces for what these do not count
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: the profile records no GPU operation
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: count, title: 'Count', unit: count}
---*/
WITH kind(position, operation, timed, counted, traced) AS (
    VALUES
        (1, 'kernels', 'kernel_time', 'kernel_launches', 'kernel'), (2, 'copies', 'copy_time', 'copy_count', 'copy%'),
        (3, 'implicit copies', 'implicit_copy_time', '', 'migration'), (4, 'memsets', 'memset_time', 'memset_count', 'memset'),
        (5, 'synchronisation', 'synchronisation_time', 'synchronisation_count', 'synchronisation'),
        (6, 'allocation', 'allocation_time', 'allocation_count', 'allocation')
),
ran AS MATERIALIZED (
    SELECT operation, count(*) AS "count" FROM gpu_operation GROUP BY operation
),
part AS (
    SELECT position, operation, spent.value AS "time",
        coalesce(nullif(counts.value, 0), (
            SELECT sum(ran."count") FROM ran WHERE ran.operation LIKE kind.traced
        )) AS "count"
    FROM kind
    JOIN total AS spent ON spent.name = kind.timed
    LEFT JOIN total AS counts ON counts.name = kind.counted
    UNION ALL
    SELECT 7, 'other', total_of('gpu_operation_time') - coalesce(sum(spent.value), 0), NULL
    FROM kind
    JOIN total AS spent ON spent.name = kind.timed
)
SELECT operation, "time", "time" / total_of('gpu_operation_time') AS share, "count"
FROM part
WHERE total_of('gpu_operation_time') > 0 AND "time" > 1e-9 * total_of('gpu_operation_time')
ORDER BY "time" DESC, position
