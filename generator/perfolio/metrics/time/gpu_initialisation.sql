/*---
title: GPU initialisation
unit: s
better: lower
definition: >-
  Time in which a thread initialises a GPU: up to each sample whose calling path has a
  function that does so, such as cuInit, cudaGetDeviceCount or _lazy_init, from the thread's
  sample before. The functions are in the table phase_pattern of the store; those of PyTorch count only where a module
  of a GPU's runtime or driver was sampled. Calls of cudaMalloc and hipMalloc
  count where they take more than 0.1 s in all: the first one makes the context.
population: >-
  threads that launch GPU operations, from the first trace point to the first GPU operation; all
  CPU threads and the whole run where no GPU operation was recorded. Threads at once count once, those of several
  ranks, too: it is the time in which any rank does so. The means over ranks are in time.start_up_work and
  time.main_thread
needs: [cpu_trace]
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Of a thread that is within the driver, waiting or working, no samples of CPU time are taken, so
  that the time between two samples is told by the later one. The profiler's own start-up within the driver
  counts as well.
empty: no sample of a thread that launches GPU operations
---*/
SELECT coalesce(sum(stop - start), 0) / 1e9 AS value
FROM gpu_start
HAVING (SELECT count(*) FROM gpu_span) = 0
    OR (SELECT count(*) FROM trace_line WHERE launching) > 0
