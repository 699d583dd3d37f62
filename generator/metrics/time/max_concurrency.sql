/*---
title: Largest concurrency
unit: count
better: higher
definition: >-
  The most GPU operations that run at once.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT greatest_level AS value FROM gpu_use WHERE run = $run
