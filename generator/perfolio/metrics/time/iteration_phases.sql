/*---
title: Phases of an iteration
better: neither
definition: >-
  The mean duration of a steady iteration by phase of the program. The time in which GPU
  operations run belongs to the phase that launched them, that of copies from and to the host
  to the transfer; the time in which the GPU is idle belongs to the phase in which launching
  threads were sampled meanwhile, gaps shared by the samples taken in them or in gaps of like
  length, or to the profiler where they lie in its own calls. Of gaps shorter than the period of samples, where
  fewer than 100 were taken in them, a gap belongs to the phase of the operation that ends it, and samples share
  what ends with one whose path tells no phase. Each moment counts once, shared by the
  operations that run at once. What a
  function on the calling path tells of the phase is in the table
  phase_pattern of the store.
population: >-
  complete iterations that are no warm-up; operations of all streams, of several GPUs the mean
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions of PyTorch, TensorFlow and their companions
caveat: >-
  Told by names of functions. Where the profiler lost frames of a calling path, its time counts
  as other. Gaps without any sample, in them or in gaps of like length, are not told, nor are
  those that end with an operation whose path tells no phase where fewer than 20 samples do.
empty: no function on the calling paths tells a phase
columns:
  - {name: phase, title: 'Phase', unit: text}
  - {name: time, title: 'Mean per iteration', unit: s}
  - {name: share, title: 'Share of the iteration', unit: ratio}
  - {name: gpu_busy, title: 'GPU busy', unit: s}
  - {name: gpu_idle, title: 'GPU idle', unit: s}
---*/
SELECT phase, (gpu_busy + gpu_idle) / iterations / 1e9 AS "time", (gpu_busy + gpu_idle) / length AS share,
    gpu_busy / iterations / 1e9 AS gpu_busy, gpu_idle / iterations / 1e9 AS gpu_idle
FROM iteration_parts
WHERE gpu_busy + gpu_idle > 0.5
ORDER BY list_position(['data', 'transfer', 'forward', 'backward', 'optimizer', 'profiler', 'other', 'not told'], phase)
