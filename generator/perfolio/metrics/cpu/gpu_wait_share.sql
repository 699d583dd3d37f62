/*---
title: CPU cost of waiting for a GPU
unit: ratio
better: lower
definition: >-
  Share of CPU cost below calls that return only when a GPU has done something: synchronisation, and
  copies to the host where the calling code copies nothing else.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event, gpu_operations]
source: >-
  Names of functions of CUDA, HIP, Level Zero and OpenCL (the model gpu_wait), and what the GPU did
  for the caller (reading_frames). The interval is the 95 % Wilson interval, where a trace tells the
  number of samples (thread_samples)
caveat: >-
  With CPUTIME only waiting that spins has a cost. A copy to memory that is not pinned moves data as well.
empty: no thread has a CPU cost
---*/
SELECT value, low, high, n FROM role_share WHERE role = 'gpu wait'
