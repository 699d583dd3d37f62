/*---
title: Idle time of the GPU with launched work, share of wall time
unit: ratio
better: neither
definition: >-
  Share of the wall time in which nothing ran on the GPU although its next operation had been launched, in pieces of more than 5 ms. An idle
  GPU begins within microseconds, or where it loads a kernel first, some milliseconds: this one most likely ran what is not in the
  recording.
population: runs of one GPU; operations whose launch was recorded
needs: [cpu_trace, gpu_trace, host_call]
source: begin and end of each call and operation
caveat: >-
  Launched work may also wait for what the host does in a function of a stream, or for another rank or process.
empty: several GPUs were recorded, of which one may wait for another
---*/
SELECT coalesce((SELECT sum(queued) FROM queued_idle), 0) / (stop - start) AS value
FROM cpu_trace_span WHERE gpus() = 1 AND stop > start
