/*---
name: earlier_work
about: >-
  What GPUs were doing when the recording began: operations whose launch is not recorded, before the first one whose launch is, as
  long as the GPU was busy for half of the time since the begin of the run; no row of a GPU that was idle then. By GPU, to the
  end of the last of them [ns].
---*/
WITH unlaunched AS (
    SELECT stream.device, ran.start, ran.start + ran.duration AS stop
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN (
        SELECT stream.device, min(ran.start) AS start
        FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile WHERE ran.call IS NOT NULL GROUP BY stream.device
    ) AS first ON first.device = stream.device AND ran.start < first.start
    WHERE ran.call IS NULL
),
reached AS (
    SELECT *, max(stop) OVER (PARTITION BY device ORDER BY start, stop ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM unlaunched
),
busy AS (
    SELECT *, sum(greatest(stop - greatest(start, coalesce(before, start)), 0)) OVER (
            PARTITION BY device ORDER BY start, stop ROWS UNBOUNDED PRECEDING
        ) AS busy
    FROM reached
)
SELECT busy.device, max(busy.stop) AS stop
FROM busy CROSS JOIN traced_span AS span WHERE 2 * busy.busy >= busy.stop - span.start AND busy.stop > span.start GROUP BY busy.device

/*---
name: run_phases
about: >-
  Earlier work, start-up, warm-up, steady state and tail of a run, without those of no length; together they are the traced
  span. Earlier work is what GPUs were doing when the recording began (earlier_work; the mean over GPUs), and no start-up. What
  begins or ends with the first iteration does so at the mean over GPUs of its begin [ns].
---*/
WITH earlier AS (
    SELECT any_value(span.start) + CAST(avg(coalesce(earlier.stop - span.start, 0)) AS BIGINT) AS stop
    FROM gpu_device AS gpu CROSS JOIN traced_span AS span LEFT JOIN earlier_work AS earlier ON earlier.device = gpu.device
),
core AS (
    SELECT coalesce(min(iteration.start), any_value(gpu_span.start)) AS first,
        CASE WHEN count(iteration.start) > 0 THEN coalesce(min(iteration.start) FILTER (WHERE iteration.mark <> 'warm-up'), max(iteration.stop))
            ELSE any_value(gpu_span.start) END AS warm,
        coalesce(max(iteration.stop), any_value(gpu_span.stop)) AS last
    FROM gpu_span LEFT JOIN iteration ON true
)
SELECT phase, start, stop, stop - start AS duration
FROM (
    SELECT unnest([
        {'phase': 'earlier work', 'start': traced_span.start, 'stop': least(earlier.stop, core.first)},
        {'phase': 'start-up', 'start': greatest(traced_span.start, least(earlier.stop, core.first)), 'stop': core.first},
        {'phase': 'warm-up', 'start': core.first, 'stop': core.warm},
        {'phase': 'steady state', 'start': core.warm, 'stop': core.last},
        {'phase': 'tail', 'start': core.last, 'stop': traced_span.stop}
    ], recursive := true)
    FROM core JOIN traced_span ON true CROSS JOIN earlier
)
WHERE stop > start

/*---
name: gpu_phases
about: >-
  When run_phases begin and end on each GPU: with its own first iteration those that do so with the first
  one [ns].
---*/
SELECT phase.phase, gpu.device, CASE phase.start WHEN gpu.mean THEN gpu.start ELSE phase.start END AS start,
    CASE phase.stop WHEN gpu.mean THEN gpu.start ELSE phase.stop END AS stop
FROM run_phases AS phase CROSS JOIN begins_on_gpus AS gpu

/*---
name: gpu_parts
about: >-
  Parts of a run on each GPU, steady iterations, all iterations, warm-up and the whole run, in that order
  (place): from when to when; length is that of the part. What begins with the first iteration begins with
  the GPU's own (begins_on_gpus) [ns].
---*/
SELECT part.place, part.part, gpu.device, part.stop - part.start AS length,
    CASE part.start WHEN gpu.mean THEN gpu.start ELSE part.start END AS start, part.stop
FROM (
    SELECT 1 AS place, 'steady iterations' AS part, start, stop FROM steady_bounds WHERE iterations > 0
    UNION ALL
    SELECT 2, 'iterations', min(start), max(stop) FROM iteration HAVING count(*) > 0
    UNION ALL
    SELECT 3, 'warm-up', min(start), max(stop) FROM iteration WHERE mark = 'warm-up' HAVING count(*) > 0
    UNION ALL
    SELECT 4, 'run', start, stop FROM gpu_span
) AS part
CROSS JOIN begins_on_gpus AS gpu

/*---
name: gpu_bins
about: >-
  How long any operation, a kernel and a copy ran on a GPU, the mean over GPUs, in equal parts, numbered
  from 0: 240 of the run and 30 of its steady_span (whole is run or steady). None of a time of fewer
  nanoseconds [ns].
---*/
WITH bounds AS (
    SELECT 'run' AS whole, 240 AS number, traced_span.start, traced_span.stop FROM traced_span CROSS JOIN steady_span
    UNION ALL
    SELECT 'steady', 30, start, stop FROM steady_span
),
slot AS MATERIALIZED (
    SELECT whole, CAST(bin AS INTEGER) AS bin,
        start + CAST((stop - start)::HUGEINT * bin // number AS BIGINT) AS start,
        start + CAST((stop - start)::HUGEINT * (bin + 1) // number AS BIGINT) AS stop
    FROM bounds CROSS JOIN range(240) AS bins(bin) WHERE bin < number AND stop - start >= number
),
part AS (
    SELECT whole, greatest(level.start, bounds.start) AS start, least(level.stop, bounds.stop) AS stop,
        level.kernels > 0 AS kernel, level.copies > 0 AS copy,
        bin_of(greatest(level.start - bounds.start, 0), bounds.stop - bounds.start, number) AS first_bin,
        bin_of(least(level.stop, bounds.stop) - 1 - bounds.start, bounds.stop - bounds.start, number) AS last_bin
    FROM gpu_level AS level
    JOIN bounds ON level.start < bounds.stop AND level.stop > bounds.start AND bounds.stop - bounds.start >= number
    WHERE level.kernels + level.copies + level.others > 0
),
used AS (
    SELECT whole, first_bin AS bin, kernel, copy, sum(stop - start) AS amount FROM part WHERE first_bin = last_bin GROUP BY ALL
    UNION ALL
    SELECT slot.whole, slot.bin, part.kernel, part.copy, sum(least(part.stop, slot.stop) - greatest(part.start, slot.start))
    FROM (SELECT *, unnest(range(first_bin, last_bin + 1)) AS bin FROM part WHERE first_bin < last_bin) AS part
    JOIN slot ON slot.whole = part.whole AND slot.bin = part.bin
    GROUP BY ALL
)
SELECT slot.whole, slot.bin, slot.start, slot.stop,
    coalesce(sum(used.amount), 0) / gpus() AS busy,
    coalesce(sum(used.amount) FILTER (WHERE used.kernel), 0) / gpus() AS kernel,
    coalesce(sum(used.amount) FILTER (WHERE used.copy), 0) / gpus() AS copy
FROM slot LEFT JOIN used ON used.whole = slot.whole AND used.bin = slot.bin GROUP BY slot.whole, slot.bin, slot.start, slot.stop

/*---
name: contexts_outside_iterations
about: >-
  Calling contexts of GPU operations of which none runs between the begin of the first iteration on its GPU and
  the end of the last complete one; no row for a run without iterations.
---*/
SELECT operation.context FROM gpu_operation AS operation
JOIN gpu_stream AS stream ON stream.profile = operation.profile
JOIN first_iteration AS first ON first.device = stream.device
CROSS JOIN (SELECT coalesce(max(stop) FILTER (WHERE mark <> 'incomplete'), max(stop)) AS stop FROM iteration) AS span
GROUP BY operation.context
HAVING NOT bool_or(operation.start + operation.duration > first.start AND operation.start < span.stop)
