/*---
title: GPU initialisation of a run without GPU work, share of wall time
unit: ratio
better: lower
definition: >-
  Share of the wall time in which a thread initialises the GPU (time.gpu_initialisation), of a
  run that does no work on a GPU as far as it was measured. A run does where a GPU operation was
  recorded, or a sample was taken in a function of CUDA or HIP that launches a kernel or a graph,
  copies, sets memory or waits for the device.
population: >-
  all CPU threads and the whole run; threads at once count once
needs: [cpu_trace]
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Calls that are short may have no sample: few operations on a GPU would not be seen without
  recording them.
empty: the run works on a GPU
---*/
WITH worked AS (
    SELECT EXISTS (SELECT 1 FROM gpu_context)
        OR EXISTS (SELECT 1 FROM gpu_span)
        OR EXISTS (
            SELECT 1 FROM "function"
            WHERE regexp_matches(name, '^(cu|cuda|hip)(Module|Graph|Ext)?(Launch|Memcpy|Memset|StreamSync|StreamWait|EventSync|DeviceSync|CtxSync)')
        ) AS on_gpu
)
SELECT coalesce((SELECT sum(stop - start) FROM gpu_start), 0) / nullif(span.stop - span.start, 0) AS value
FROM cpu_trace_span AS span CROSS JOIN worked
WHERE NOT worked.on_gpu
