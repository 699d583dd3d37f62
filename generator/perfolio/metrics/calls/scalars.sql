/*---
defaults:
  unit: ratio
  better: lower
  population: kernels with a recorded launch; no kernels of graphs
  needs: [host_call]
  source: begin and end of each call
  empty: no kernel has a recorded launch
---*/

/*---
name: allocation_share
title: Allocating and freeing GPU memory, share of the run
definition: >-
  Time that one host thread was in calls that allocate or free memory of a GPU after start-up, as a share of the time of the
  run: the thread with the most of it. Calls that lie within another one count once.
population: >-
  calls that begin after the first GPU operation, and in or after the first iteration where iterations were found; those
  before belong to start-up, and the first of them makes the GPU's context
needs: [host_call, gpu_trace]
caveat: Allocations that a framework serves from its own pool call nothing, and cost no time here.
empty: the run has no length
---*/
SELECT coalesce((SELECT max(spent) FROM runtime_time WHERE kind = 'allocation'), 0) / nullif(stop - start, 0) AS value
FROM traced_span

/*---
name: host_wait_share
title: Gaps in which the next launch had not begun
definition: >-
  Of the time in gaps between operations of a GPU, the share before the host began the call that launches the operation
  which ends the gap. In it the GPU waited for the host; in the rest for the launch itself or for another operation.
population: gaps that end with an operation whose call was recorded, on all GPUs
needs: [host_call, gpu_trace]
source: begin and end of each call and operation; the distinction is Holistic Trace Analysis's
empty: no gap ends with an operation whose call was recorded
---*/
SELECT sum(least(greatest(ended.called - gap.start, 0), gap.stop - gap.start)) / nullif(sum(gap.stop - gap.start), 0) AS value,
    count(*) AS n
FROM gpu_gap AS gap
JOIN (
    SELECT stream.device, ran.start, min(call.start) AS called
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN host_call AS call ON call.id = ran.call
    GROUP BY ALL
) AS ended ON ended.device = gap.device AND ended.start = gap.stop
HAVING count(*) > 0

/*---
name: launch_bound_share
title: Kernels shorter than the call that launched them
definition: Of the kernels that a call of their own launched, the share that ran for less time than the call took.
needs: [host_call, kernels]
source: begin and end of each call and kernel; the comparison is Holistic Trace Analysis's
---*/
SELECT avg(CAST(duration < calling AS INTEGER)) AS value, count(*) AS n FROM kernel_launch HAVING count(*) > 0

/*---
name: launch_delay
title: Launch delay
unit: s
definition: >-
  Time from the end of the call that launches a kernel to the kernel's begin, the median over kernels: how far the
  host runs ahead of the GPU, or what a launch takes where the GPU waits. 0 where the kernel begins before the call ends.
needs: [host_call, kernels]
source: begin and end of each call and kernel
---*/
SELECT median(greatest(start - called - calling, 0)) / 1e9 AS value, count(*) AS n FROM kernel_launch HAVING count(*) > 0

/*---
name: launching_idle_share
title: Launching while the GPU is idle, share of time
definition: >-
  Time in which a thread is in a call that launches a kernel and the kernel's GPU runs nothing, over the time from the
  first to the last operation, the mean over GPUs. Each moment of a GPU counts once, whatever number of threads launch.
population: launches of kernels, those of graphs left out; from the first operation of a GPU to its last one
needs: [host_call, kernels]
source: begin and end of each call and operation
---*/
WITH idle AS (
    SELECT device, start, stop, sum(stop - start) OVER (PARTITION BY device ORDER BY start) - (stop - start) AS before FROM gpu_gap
),
call AS (
    SELECT device, called AS start, called + calling AS stop, max(called + calling) OVER (
        PARTITION BY device ORDER BY called, calling ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reached
    FROM kernel_launch
),
-- How long a GPU had been idle in all by a moment follows from the last gap before it.
edge AS (
    SELECT device, unnest([greatest(start, coalesce(reached, start)), stop]) AS moment, unnest([-1, 1]) AS sign
    FROM call WHERE stop > coalesce(reached, start)
)
SELECT coalesce(sum(edge.sign * (idle.before + least(edge.moment, idle.stop) - idle.start)), 0) / gpus()
    / any_value(span.stop - span.start) AS value
FROM gpu_span AS span
LEFT JOIN (edge ASOF LEFT JOIN idle ON idle.device = edge.device AND idle.start <= edge.moment) ON true
WHERE EXISTS (FROM kernel_launch)
HAVING any_value(span.stop - span.start) > 0

/*---
name: slow_share
title: Slow launches and copies, share of their calls
definition: Of the calls that launch a kernel or copy, the share that takes more than 50 µs.
population: calls of all threads that launch a kernel, or start a copy without waiting for it
source: begin and end of each call; 50 µs is the limit of Holistic Trace Analysis
empty: no such call was recorded
---*/
SELECT avg(CAST(duration > 50000 AS INTEGER)) AS value, count(*) AS n
FROM host_call
WHERE regexp_matches(name, '(?i)launch') AND NOT regexp_matches(name, '(?i)graph|host')
    OR regexp_matches(name, '(?i)^(cuda|cu|hip)Mem(cpy|set)') AND name ILIKE '%async%'
HAVING count(*) > 0

/*---
name: slow_time_share
title: Slow launches and copies, share of the run
definition: >-
  Time that one host thread was in calls that launch a kernel or start a copy and take more than 50 µs each, as a share of the
  time of the run: the thread with the most of it. Calls that lie within another one count once.
population: calls of all threads that launch a kernel, or start a copy without waiting for it
source: begin and end of each call; 50 µs is the limit of Holistic Trace Analysis
caveat: What such a call waited for is not recorded. The first launch of a kernel loads its code.
empty: no such call was recorded
---*/
WITH call AS (
    SELECT profile, start, start + duration AS stop
    FROM host_call
    WHERE regexp_matches(name, '(?i)launch') AND NOT regexp_matches(name, '(?i)graph|host')
        OR regexp_matches(name, '(?i)^(cuda|cu|hip)Mem(cpy|set)') AND name ILIKE '%async%'
),
slow AS (
    SELECT profile, stop - start AS spent
    FROM call WHERE stop - start > 50000
    QUALIFY start >= coalesce(max(stop) OVER (
        PARTITION BY profile ORDER BY start, stop DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), start)
)
SELECT coalesce((SELECT max(spent) FROM (SELECT sum(spent) AS spent FROM slow GROUP BY profile)), 0)
    / nullif(any_value(span.stop - span.start), 0) AS value, count(*) AS n
FROM call CROSS JOIN traced_span AS span HAVING count(*) > 0

/*---
name: step_wait_share
title: Waiting for the GPU in steps
definition: >-
  As calls.wait_share, but of steps that the program marks: the time that one host thread was in calls that wait for a GPU within
  the steps of its process, as a share of all time of these.
population: calls within marked steps
source: begin and end of each call and of each step
caveat: >-
  What a script waits for before and after its steps is how it was measured, and no part of this.
empty: no step is marked in a process whose calls were recorded
---*/
SELECT coalesce(max(waited.in_steps / waited.steps), 0) AS value
FROM (SELECT process, sum(stop - start) AS steps FROM marked_stretch GROUP BY process) AS marked
LEFT JOIN process_thread AS thread ON thread.process = marked.process
LEFT JOIN (FROM runtime_time WHERE kind = 'wait' AND steps > 0) AS waited ON waited.profile = thread.profile
HAVING sum(marked.steps) > 0

/*---
name: synchronous_share
title: Synchronous copies and memsets, share of time
definition: >-
  Time in which the operation of a call that copies or sets memory and returns only when that is done runs on a GPU while
  the call lasts, over the time of the run; each moment once, whatever number of threads. Of a call without a recorded
  operation all its time counts. Before its operation runs, such a call waits for earlier work of the GPU.
population: calls of all threads by the names of functions, such as cudaMemcpy without Async
source: >-
  begin and end of each call and of what it launched; the calls are those of Nsight Systems (cuda_memcpy_sync,
  cuda_memset_sync)
caveat: An asynchronous call from or to pageable memory may copy while it lasts, too; it is not in it.
empty: no time of the run is known
---*/
WITH call AS (
    SELECT "from", until, max(until) OVER (ORDER BY "from", until ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM blocking_calls WHERE copies AND until > "from"
)
SELECT coalesce((SELECT sum(greatest(until - greatest("from", coalesce(reached, "from")), 0)) FROM call), 0)
    / nullif(span.stop - span.start, 0) AS value
FROM traced_span AS span WHERE span.stop > span.start

/*---
name: wait_share
title: Waiting for the GPU, share of the run
definition: >-
  Time that one host thread was in calls that wait for a GPU, as a share of the time of the run: the thread with the most
  of it, each moment once. Such are calls that synchronise, calls of a synchronous copy whose own copy goes to the host,
  and calls of an asynchronous one whose own copy goes to pageable memory of the host; where the memory is not recorded,
  those that return only when that copy has ended.
population: all calls that were recorded
empty: the run has no length
---*/
SELECT coalesce((SELECT max(spent) FROM runtime_time WHERE kind = 'wait'), 0) / nullif(stop - start, 0) AS value FROM traced_span
