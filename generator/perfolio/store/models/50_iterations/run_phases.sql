/*---
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
