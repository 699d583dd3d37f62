/*---
title: GPUs without a share of the work
unit: count
better: neither
definition: >-
  GPUs on which operations ran, but kernels for less than 1 % of their time on the GPU with most of it. No mean over GPUs
  has them.
population: GPU streams with operations in the trace
needs: [gpu_trace]
source: the identifiers of the trace lines, durations of operations
caveat: A process that touches a device, or a library that sets up links, makes a context there and no more.
---*/
SELECT count(*) AS value FROM idle_gpu
