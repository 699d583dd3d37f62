/*---
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
