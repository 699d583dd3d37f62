/*---
title: GPUs
unit: count
better: neither
definition: GPUs on which operations ran, told apart by node, rank and GPU context.
population: GPU streams with at least one operation in the trace
needs: [gpu_trace]
source: the identifiers of the trace lines
caveat: Two ranks that share a GPU count as two.
---*/
SELECT gpus() AS value
