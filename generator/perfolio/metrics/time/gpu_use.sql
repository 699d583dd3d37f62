/*---
defaults:
  unit: s
  better: lower
  population: >-
    GPU operations of all streams over the wall time; of several GPUs the mean
  needs: [gpu_trace]
  source: traces
---*/

/*---
name: copy_busy
title: Copy busy time
definition: >-
  Time in which at least one copy runs on a GPU: the union of their intervals.
population: >-
  copies of all streams; of several GPUs the mean
---*/
SELECT copy_busy / 1e9 AS value FROM gpu_use

/*---
name: copy_wait_share
title: Waits for copies, share of wall time
unit: ratio
definition: >-
  Share of the wall time in which a copy runs on a GPU, no kernel does, and the next kernel may wait for the copy: it
  starts no sooner than the copy ends. Where kernels of a GPU run in several streams, every copy beside no kernel counts.
needs: [cpu_trace, gpu_trace]
caveat: >-
  Which operation waits for which is not recorded: an upper bound.
---*/
SELECT wait.copy / nullif(span.stop - span.start, 0) AS value
FROM cpu_trace_span AS span
JOIN copy_waits_in_parts AS wait ON wait.part = 'run'

/*---
name: exposed_copy
title: Exposed copy time
definition: >-
  Time in which a copy runs on a GPU and no kernel does on the same one.
population: >-
  GPU operations of all streams; of several GPUs the mean
---*/
SELECT (copy_busy - overlap) / 1e9 AS value FROM gpu_use

/*---
name: exposed_copy_share
title: Exposed copies, share of wall time
unit: ratio
definition: >-
  Share of the wall time in which a copy runs on a GPU and no kernel does on the same one.
needs: [cpu_trace, gpu_trace]
---*/
SELECT (gpu_use.copy_busy - gpu_use.overlap) / nullif(span.stop - span.start, 0) AS value
FROM gpu_use JOIN cpu_trace_span AS span ON true

/*---
name: gpu_busy
title: GPU busy time
better: neither
definition: >-
  Time in which at least one kernel, copy or other operation runs on any stream of a GPU: the
  union of their intervals, overlaps counted once. Durations that the tool recorded wrongly
  (after an idle of exactly 1 ns) are replaced by the median of the same calling context.
population: >-
  GPU operations of all streams; of several GPUs the mean
---*/
SELECT busy / 1e9 AS value FROM gpu_use

/*---
name: gpu_idle_share
title: GPU idle share of wall time
unit: ratio
definition: >-
  Share of the wall time in which no operation runs on a GPU: one minus the utilisation.
needs: [cpu_trace, gpu_trace]
---*/
SELECT 1 - gpu_use.busy / nullif(span.stop - span.start, 0) AS value
FROM gpu_use JOIN cpu_trace_span AS span ON true

/*---
name: gpu_operations
title: GPU operations in the trace
unit: count
better: neither
definition: >-
  Kernels, copies and other operations that GPU streams ran.
population: >-
  trace points of GPU streams that are not idle and whose end is known
---*/
SELECT count(*) AS value FROM gpu_operation HAVING count(*) > 0

/*---
name: gpu_raw
title: GPU operation time as recorded
better: neither
definition: >-
  Sum of the durations of GPU operations as recorded, wrong ones included.
population: >-
  GPU operations of all streams
caveat: >-
  Holds the tool's wrong durations; the time of GPU operations with these repaired is the one to use.
---*/
SELECT sum(raw_duration) / 1e9 AS value FROM gpu_operation

/*---
name: gpu_repaired_total
title: GPU operation time, repaired
definition: >-
  Sum of the durations of GPU operations. Durations that the tool recorded wrongly (after an
  idle of exactly 1 ns) are replaced by the median of the same calling context.
population: >-
  GPU operations of all streams
---*/
SELECT sum(duration) / 1e9 AS value FROM gpu_operation

/*---
name: gpu_span
title: GPU span
definition: >-
  From the begin of a GPU's first operation to the end of its last one.
population: >-
  GPU operations of all streams; of several GPUs the mean
---*/
SELECT sum(stop - start) / count(*) / 1e9 AS value FROM gpu_device HAVING count(*) > 0

/*---
name: gpu_utilisation
title: GPU utilisation of wall time
unit: ratio
better: higher
definition: >-
  Share of the wall time in which at least one kernel, copy or other operation runs on any
  stream of a GPU.
needs: [cpu_trace, gpu_trace]
caveat: >-
  Says that something ran, not how much of the GPU it used.
---*/
SELECT gpu_use.busy / nullif(span.stop - span.start, 0) AS value
FROM gpu_use JOIN cpu_trace_span AS span ON true

/*---
name: idle_imbalance
title: Idle time of the GPU that has most of it, over the mean
unit: x
definition: >-
  Idle time of the GPU that is idle longest, over the mean of all GPUs. Means over GPUs bound what a run can
  gain only where GPUs are alike: where one decides for all, more can be saved.
population: >-
  steady iterations, or where none were found the time from the first operation of any GPU to the last one
caveat: >-
  A GPU that waits in a collective operation for another one counts as busy.
empty: there is one GPU, or none is ever idle
---*/
SELECT max(idle) / (sum(idle) / gpus()) AS value
FROM steady_idle
HAVING gpus() > 1 AND sum(idle) > 0

/*---
name: kernel_busy
title: Kernel busy time
better: neither
definition: >-
  Time in which at least one kernel runs on a GPU: the union of their intervals.
population: >-
  kernels of all streams; of several GPUs the mean
---*/
SELECT kernel_busy / 1e9 AS value FROM gpu_use

/*---
name: max_concurrency
title: Largest concurrency
unit: count
better: higher
definition: >-
  The most operations that run at once on a GPU.
population: >-
  GPU operations of all streams; any GPU
---*/
SELECT greatest_level AS value FROM gpu_use

/*---
name: mean_concurrency
title: Mean concurrency
unit: x
better: higher
definition: >-
  Operations that run at once on a GPU, on average over the time in which any does.
population: >-
  GPU operations of all streams and GPUs
---*/
SELECT work / nullif(busy, 0) AS value FROM gpu_use

/*---
name: overlap
title: Overlap of copies and kernels
better: higher
definition: >-
  Time in which a copy and a kernel run at once on a GPU.
population: >-
  GPU operations of all streams; of several GPUs the mean
---*/
SELECT overlap / 1e9 AS value FROM gpu_use

/*---
name: overlap_share
title: Overlapped share of copies
unit: ratio
better: higher
definition: >-
  Share of the copy busy time in which a kernel runs on the same GPU as well.
population: >-
  GPU operations of all streams and GPUs
empty: the trace holds no copy
---*/
SELECT overlap / nullif(copy_busy, 0) AS value FROM gpu_use

/*---
name: recorded_utilisation
title: GPU utilisation of the time without waiting work
unit: ratio
better: higher
definition: >-
  Share of the wall time in which any operation runs on the GPU, without the idle time of time.queued_share in the whole.
population: runs of one GPU
needs: [cpu_trace, gpu_trace, host_call]
source: begin and end of each call and operation
empty: several GPUs were recorded, of which one may wait for another
---*/
SELECT busy / nullif(stop - start - coalesce((SELECT sum(queued) FROM queued_idle), 0), 0) AS value
FROM gpu_use CROSS JOIN cpu_trace_span WHERE gpus() = 1

/*---
name: repaired
title: Repaired GPU operations
unit: count
definition: >-
  GPU operations whose recorded durations are wrong and were replaced. Of samples, those after an idle of exactly 1 ns get
  the median of the same calling context, or of the same kind where there is none; of events, those that last into the next
  one of their stream end where that begins.
population: >-
  GPU operations of all streams
---*/
SELECT count(*) AS value FROM gpu_operation WHERE repaired

/*---
name: span_utilisation
title: GPU utilisation of the GPU span
unit: ratio
better: higher
definition: >-
  Share of the time from the first operation of a GPU to the end of its last one in which at
  least one kernel, copy or other operation runs on any of its streams.
population: >-
  GPU operations of all streams over the spans of all GPUs
---*/
SELECT busy / nullif(span, 0) AS value FROM gpu_use

/*---
name: stream_balance
title: Load balance of GPU streams
unit: ratio
better: higher
definition: >-
  Mean busy time of GPU streams over that of the busiest one.
population: >-
  GPU streams with at least one operation, of GPUs that take part (run.gpus); one stream alone has no balance
source: >-
  POP's load balance: mean over maximum
empty: the GPU has only one stream with operations
---*/
SELECT avg(busy) / nullif(max(busy), 0) AS value
FROM (SELECT sum(duration) AS busy FROM gpu_operation WHERE profile IN (SELECT profile FROM gpu_stream) GROUP BY profile)
HAVING count(*) > 1
