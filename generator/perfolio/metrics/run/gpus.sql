/*---
title: GPUs
unit: count
better: neither
definition: >-
  GPUs that take part in the run, told apart by node, rank and GPU context: kernels ran there for at least 1 % of their time
  on the GPU with most of it. Without any kernel, the same of all operations.
population: GPU streams with operations in the trace; others are in run.idle_gpus
needs: [gpu_trace]
source: the identifiers of the trace lines
caveat: Two ranks that share a GPU count as two.
---*/
SELECT gpus() AS value
