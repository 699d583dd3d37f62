/*---
about: >-
  When each GPU begins the first iteration: GPUs meet in the iterations that follow, and not before; no row
  where no iterations were found.
when: gpu_operation
columns:
  device: "INTEGER; The GPU: see gpu_stream.device [id]"
  start: >-
    BIGINT; Begin since the epoch: the first operation on it in a context that begins iterations, or where the
    host began before, see first_iteration_begin; that of the busiest stream where there is none before
    the second iteration [ns]
---*/
SELECT operation.device, coalesce(begun.start, operation.start) AS start
FROM first_operations AS operation LEFT JOIN first_iteration_begin AS begun ON begun.device = operation.device
