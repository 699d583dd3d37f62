/*---
title: GPU-operation time by kind
better: neither
definition: >-
  Time and number of GPU operations by kind; the kinds add up to the time of all GPU operations.
  The count is empty where it was not recorded.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GPUOP (sec)]
source: HPCToolkit's GPU metrics
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
WITH kind(position, operation, timed, counted) AS (
    VALUES
        (1, 'kernels', 'GKER (sec)', 'GKER:COUNT'), (2, 'copies', 'GXCOPY (sec)', 'GXCOPY:COUNT'),
        (3, 'implicit copies', 'GICOPY (sec)', ''), (4, 'memsets', 'GMSET (sec)', 'GMSET:COUNT'),
        (5, 'synchronisation', 'GSYNC (sec)', 'GSYNC:COUNT'), (6, 'allocation', 'GMEM (sec)', 'GMEM:COUNT')
),
part AS (
    SELECT position, operation, spent.value AS "time", nullif(counts.value, 0) AS "count"
    FROM kind
    JOIN total AS spent ON spent.run = $run AND spent.name = kind.timed
    LEFT JOIN total AS counts ON counts.run = $run AND counts.name = kind.counted
    UNION ALL
    SELECT 7, 'other', total_of($run, 'GPUOP (sec)') - coalesce(sum(spent.value), 0), NULL
    FROM kind
    JOIN total AS spent ON spent.run = $run AND spent.name = kind.timed
)
SELECT operation, "time", "time" / total_of($run, 'GPUOP (sec)') AS share, "count"
FROM part
WHERE total_of($run, 'GPUOP (sec)') > 0 AND "time" > 1e-9 * total_of($run, 'GPUOP (sec)')
ORDER BY "time" DESC, position
