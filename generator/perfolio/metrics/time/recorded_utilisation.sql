/*---
title: GPU utilisation of the time without waiting work
unit: ratio
better: higher
definition: >-
  Share of the wall time in which any operation runs on the GPU, without the idle time of time.queued_share in the whole.
population: runs of one GPU
needs: [cpu_trace, gpu_trace, host_call]
source: begin and end of each call and operation
empty: several GPUs were recorded, of which one may wait for another
---*/
SELECT busy / nullif(stop - start - coalesce((SELECT sum(queued) FROM queued_idle), 0), 0) AS value
FROM gpu_use CROSS JOIN cpu_trace_span WHERE gpus() = 1
