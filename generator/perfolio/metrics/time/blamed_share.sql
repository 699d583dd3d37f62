/*---
title: Sampled share of GPU idle time
unit: ratio
better: higher
definition: >-
  Share of the GPU's idle time within steady iterations that samples of launching threads taken in it account
  for, one period each: what the blame rests on.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank. Launching
  threads are CPU threads with a sample that shares at least half of the calling path of a GPU
  operation.
needs: [cpu_trace, gpu_trace, launching]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it. HPCToolkit loses samples, in Python code most
  of all, and takes none of a thread that waits: the rest is one or the other.
---*/
SELECT coalesce(sum(sampled), 0) / nullif(recurring_idle(), 0) AS value
FROM recurring_blame
