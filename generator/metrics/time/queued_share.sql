/*---
title: Wait of the first GPU operation, share of wall time
unit: ratio
better: neither
definition: >-
  Share of the wall time from the end of the call that launched the first recorded operation of a GPU to its begin. An idle GPU begins
  at once: where this is long, it most likely ran what was launched, and ended, outside of the recording.
population: GPUs whose first operation has a recorded launch; of several the mean
needs: [cpu_trace, gpu_trace, host_call]
source: begin and end of each call and operation
empty: no first operation of a GPU has a recorded launch
---*/
SELECT value FROM queued_share
