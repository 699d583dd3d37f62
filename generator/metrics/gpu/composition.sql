/*---
title: GPU-operation time by kind
better: neither
definition: >-
  Time and number of GPU operations by kind; the kinds add up to the time of all GPU operations.
  The count is of the trace where the profile counts none, and empty where neither tells.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GPUOP (sec)]
source: HPCToolkit's GPU metrics, and its traces for what these do not count
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
        (1, 'kernels', 'GKER (sec)', 'GKER:COUNT', 'kernel'), (2, 'copies', 'GXCOPY (sec)', 'GXCOPY:COUNT', 'copy%'),
        (3, 'implicit copies', 'GICOPY (sec)', '', ''), (4, 'memsets', 'GMSET (sec)', 'GMSET:COUNT', 'memset'),
        (5, 'synchronisation', 'GSYNC (sec)', 'GSYNC:COUNT', 'synchronisation'), (6, 'allocation', 'GMEM (sec)', 'GMEM:COUNT', 'allocation')
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
    SELECT 7, 'other', total_of('GPUOP (sec)') - coalesce(sum(spent.value), 0), NULL
    FROM kind
    JOIN total AS spent ON spent.name = kind.timed
)
SELECT operation, "time", "time" / total_of('GPUOP (sec)') AS share, "count"
FROM part
WHERE total_of('GPUOP (sec)') > 0 AND "time" > 1e-9 * total_of('GPUOP (sec)')
ORDER BY "time" DESC, position
