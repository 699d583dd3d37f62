/*---
name: gpu_streams
title: GPU streams by busy time
better: higher
definition: >-
  Time in which operations of each stream run, overlaps counted once, as share of the wall time
  and of the span of its GPU, and their number; for each GPU the same of all its streams together. Streams of GPUs that take
  no part (run.idle_gpus) come last, and have no span.
population: >-
  GPU operations; the first 100 rows, the busiest GPUs and streams first
needs: [gpu_trace]
source: traces
caveat: >-
  Streams that overlap add up to more than their GPU. GPUs are told apart by rank and, where a process
  has several, by the number of the GPU context that HPCToolkit records: it is no number of a device. Without a CPU
  trace the wall time is not measured.
columns:
  - {name: gpu, title: 'GPU', unit: text}
  - {name: stream, title: 'Stream', unit: text}
  - {name: busy, title: 'Busy', unit: s}
  - {name: utilisation, title: 'Share of the wall time', unit: ratio}
  - {name: span_utilisation, title: 'Share of the GPU span', unit: ratio}
  - {name: operations, title: 'Operations', unit: count}
---*/
WITH stream AS MATERIALIZED (
    SELECT ran.profile, ran.device, ran.operations,
        CASE WHEN (SELECT count(DISTINCT node) FROM profile) > 1 THEN coalesce('node ' || profile.node || ' ', '') ELSE '' END
        || line.gpu AS gpu,
        coalesce('stream ' || profile.gpu_stream, profile.identifier_tuple) AS stream
    FROM (
        SELECT profile, device, operations FROM gpu_stream
        UNION ALL
        SELECT profile, NULL, count(*) FROM gpu_operation WHERE profile NOT IN (SELECT profile FROM gpu_stream) GROUP BY profile
    ) AS ran
    JOIN profile ON profile."index" = ran.profile
    JOIN line_name AS line ON line.profile = ran.profile
),
worked AS MATERIALIZED (
    -- Operations of a stream follow one another, but for repaired ones that became longer.
    SELECT profile, sum(duration) AS work, bool_or(repaired AND duration > raw_duration) AS longer
    FROM gpu_operation
    GROUP BY profile
),
swept AS (
    SELECT profile, sum(greatest(stop - greatest(start, coalesce(before, start)), 0)) AS busy
    FROM (
        SELECT ran.profile, ran.start, ran.start + ran.duration AS stop,
            max(ran.start + ran.duration) OVER (
                PARTITION BY ran.profile ORDER BY ran.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS before
        FROM gpu_operation AS ran JOIN worked ON worked.profile = ran.profile AND worked.longer
    )
    GROUP BY profile
),
used AS MATERIALIZED (
    SELECT device, sum(stop - start) FILTER (WHERE kernels + copies + others > 0) AS busy
    FROM gpu_level
    GROUP BY device
),
line AS (
    SELECT stream.device, stream.gpu, stream.stream, coalesce(swept.busy, worked.work) AS busy, stream.operations
    FROM stream
    JOIN worked ON worked.profile = stream.profile
    LEFT JOIN swept ON swept.profile = stream.profile
    UNION ALL
    SELECT stream.device, any_value(stream.gpu), 'all streams', coalesce(any_value(used.busy), 0), sum(stream.operations)
    FROM stream LEFT JOIN used ON used.device = stream.device
    WHERE stream.device IS NOT NULL GROUP BY stream.device
)
SELECT line.gpu || if(line.device IS NULL, ' (takes no part)', '') AS gpu, line.stream, line.busy / 1e9 AS busy,
    line.busy / (SELECT nullif(stop - start, 0) FROM cpu_trace_span) AS utilisation,
    line.busy / nullif(gpu.stop - gpu.start, 0) AS span_utilisation, line.operations
FROM line
LEFT JOIN gpu_device AS gpu ON gpu.device = line.device
ORDER BY line.device IS NULL, max(line.busy) OVER (PARTITION BY line.device) DESC, line.gpu, line.stream <> 'all streams', line.busy DESC, line.stream
LIMIT 100

/*---
name: gpu_spread
title: GPUs that are busy most and least
better: neither
definition: >-
  Of GPUs that take part in the run (run.gpus), the one that is busy for most of the time and the one that is for least of it:
  any operation runs on any of its streams.
population: >-
  steady iterations, or where none were found the time from the first operation of any GPU to the last one
needs: [gpu_trace]
source: traces
caveat: A GPU that waits in a collective operation for another one counts as busy.
empty: one GPU takes part
columns:
  - {name: most_gpu, title: 'Busiest GPU', unit: text}
  - {name: most, title: 'Busy', unit: ratio}
  - {name: least_gpu, title: 'Least busy GPU', unit: text}
  - {name: least, title: 'Busy', unit: ratio}
  - {name: spread, title: 'Difference', unit: ratio}
---*/
WITH used AS (
    SELECT steady.device, 1 - steady.idle / nullif(steady.length, 0) AS busy FROM steady_idle AS steady
),
named AS (
    SELECT stream.device, any_value(CASE WHEN (SELECT count(DISTINCT node) FROM profile) > 1
        THEN coalesce('node ' || profile.node || ' ', '') ELSE '' END || line.gpu) AS gpu
    FROM gpu_stream AS stream
    JOIN profile ON profile."index" = stream.profile
    JOIN line_name AS line ON line.profile = stream.profile
    GROUP BY stream.device
)
SELECT first(gpu ORDER BY busy DESC, device) AS most_gpu, max(busy) AS most,
    first(gpu ORDER BY busy, device) AS least_gpu, min(busy) AS least, max(busy) - min(busy) AS spread
FROM used JOIN named USING (device)
HAVING count(*) > 1

/*---
name: concurrency
title: GPU operations at once
better: neither
definition: >-
  Time within the span of a GPU by the number of its operations that run at once; 0 is idle.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
columns:
  - {name: streams, title: 'Operations at once', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the GPU span', unit: ratio}
---*/
SELECT kernels + copies + others AS streams, sum(stop - start) / gpus() / 1e9 AS "time", sum(stop - start) / sum(sum(stop - start)) OVER () AS share
FROM gpu_level
GROUP BY streams
ORDER BY streams

/*---
name: operations
title: GPU operations by kind
better: neither
definition: >-
  Number and duration of GPU operations in the trace, by kind. Durations that the tool recorded
  wrongly (after an idle of exactly 1 ns) are replaced by the median of the same calling
  context.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: traces
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: count, title: 'Count', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: median, title: 'Median', unit: s}
  - {name: longest, title: 'Longest', unit: s}
---*/
SELECT operation, count(*) AS "count", sum(duration) / 1e9 AS "time", sum(duration) / sum(sum(duration)) OVER () AS share,
    median(duration) / 1e9 AS median, max(duration) / 1e9 AS longest
FROM gpu_operation
GROUP BY operation
ORDER BY sum(duration) DESC, operation
