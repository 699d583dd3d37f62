/*---
about: >-
  Times without any operation on a GPU: before the first one, between operations, after the last one [ns].
---*/
SELECT device, 'between' AS period, start, stop, short FROM gpu_gap
UNION ALL
SELECT gpu.device, 'before', traced_span.start, gpu.start, false
FROM gpu_device AS gpu JOIN traced_span ON traced_span.start < gpu.start
UNION ALL
SELECT gpu.device, 'after', gpu.stop, traced_span.stop, false FROM gpu_device AS gpu JOIN traced_span ON traced_span.stop > gpu.stop
