/*---
title: GPU busy time
unit: s
better: neither
definition: >-
  Time in which at least one kernel, copy or other operation runs on any stream of a GPU: the
  union of their intervals, overlaps counted once. Durations that the tool recorded wrongly
  (after an idle of exactly 1 ns) are replaced by the median of the same calling context.
population: >-
  GPU operations of all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
---*/
SELECT busy / 1e9 AS value FROM gpu_use
