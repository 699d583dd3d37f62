/*---
about: >-
  The first operation of the first iteration on each GPU: on that of the busiest stream its begin
  (iteration_starts), on another one its first operation in a context that begins iterations there, as no wait
  for each other brings GPUs together before the first iteration; that of the busiest stream where it has none
  before the second iteration [ns].
---*/
WITH begin AS MATERIALIZED (SELECT start, iteration FROM iteration_starts),
bound AS (
    SELECT min(start) AS start, min(start) FILTER (WHERE iteration = 2) AS next FROM begin HAVING count(*) > 0
),
own AS (
    SELECT stream.device, min(ran.start) AS start
    FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile CROSS JOIN bound
    WHERE ran.start < bound.next AND (stream.device <> busiest_device() OR ran.start = bound.start)
        AND ran.context IN (
            SELECT context FROM gpu_operation WHERE profile = busiest_stream() AND start IN (SELECT start FROM begin)
        )
    GROUP BY stream.device
)
SELECT gpu.device, coalesce(own.start, bound.start) AS start
FROM gpu_device AS gpu CROSS JOIN bound LEFT JOIN own ON own.device = gpu.device
