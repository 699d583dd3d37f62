/*---
title: Overlapped share of copies
unit: ratio
better: higher
definition: >-
  Share of the copy busy time in which a kernel runs on the same GPU as well.
population: >-
  GPU operations of all streams and GPUs
needs: [gpu_trace]
source: traces
empty: the trace holds no copy
---*/
SELECT overlap / nullif(copy_busy, 0) AS value FROM gpu_use
