/*---
title: GPU operations at once
better: neither
definition: >-
  Time within the span of a GPU by the number of its operations that run at once; 0 is idle.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
columns:
  - {name: streams, title: 'Operations at once', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the GPU span', unit: ratio}
---*/
SELECT kernels + copies + others AS streams, sum(stop - start) / gpus() / 1e9 AS "time", sum(stop - start) / sum(sum(stop - start)) OVER () AS share
FROM gpu_level
GROUP BY streams
ORDER BY streams
