/*---
title: Largest concurrency
unit: count
better: higher
definition: >-
  The most operations that run at once on a GPU.
population: >-
  GPU operations of all streams; any GPU
needs: [gpu_trace]
source: traces
---*/
SELECT greatest_level AS value FROM gpu_use
