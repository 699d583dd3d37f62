/*---
about: >-
  Times without any operation on a GPU: before the first one, between operations, after the last one [ns].
---*/
SELECT device, 'between' AS period, start, stop FROM gpu_level WHERE kernels + copies + others = 0
UNION ALL
SELECT gpu.device, 'before', traced_span.start, gpu.start
FROM gpu_device AS gpu JOIN traced_span ON traced_span.start < gpu.start
UNION ALL
SELECT gpu.device, 'after', gpu.stop, traced_span.stop
FROM gpu_device AS gpu JOIN traced_span ON traced_span.stop > gpu.stop
