/*---
about: >-
  Start-up, warm-up, steady state and tail of a run, without those of no length; together they are the traced
  span. What begins or ends with the first iteration does so at the mean over GPUs of its begin [ns].
---*/
WITH core AS (
    SELECT coalesce(min(iteration.start), any_value(gpu_span.start)) AS first,
        CASE WHEN count(iteration.start) > 0 THEN coalesce(min(iteration.start) FILTER (WHERE iteration.mark <> 'warm-up'), max(iteration.stop))
            ELSE any_value(gpu_span.start) END AS warm,
        coalesce(max(iteration.stop), any_value(gpu_span.stop)) AS last
    FROM gpu_span LEFT JOIN iteration ON true
)
SELECT phase, start, stop, stop - start AS duration
FROM (
    SELECT unnest([
        {'phase': 'start-up', 'start': traced_span.start, 'stop': core.first},
        {'phase': 'warm-up', 'start': core.first, 'stop': core.warm},
        {'phase': 'steady state', 'start': core.warm, 'stop': core.last},
        {'phase': 'tail', 'start': core.last, 'stop': traced_span.stop}
    ], recursive := true)
    FROM core JOIN traced_span ON true
)
WHERE stop > start
