/*---
title: Distance between kernels
unit: s
better: lower
definition: >-
  Median time from the end of a kernel to the begin of the next one, over pairs of kernels that
  follow each other on one stream with no other operation between them.
population: >-
  kernels of all streams; one that begins before the end of the one before counts as 0
needs: [gpu_trace]
source: traces
caveat: >-
  What the host does between two launches counts as well, and so does the profiler: PC sampling
  runs kernels one after another and keeps them apart.
empty: no two kernels follow each other on a stream
---*/
SELECT median(greatest(distance, 0)) / 1e9 AS value, nullif(count(*), 0) AS n
FROM (
    SELECT operation, lead(operation) OVER line AS after, lead(start) OVER line - start - duration AS distance
    FROM gpu_operation
    WINDOW line AS (PARTITION BY profile ORDER BY start, duration)
)
WHERE operation = 'kernel' AND after = 'kernel'
