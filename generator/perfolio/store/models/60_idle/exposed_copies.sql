/*---
name: copy_waits
about: >-
  Times in which a copy runs on a GPU and the next kernel may wait for it: there is one, and it starts no sooner than the
  copy ends. Each moment once; where kernels of a GPU do not all run in one stream, all time with a copy and no
  kernel before the last kernel's start. apart tells whether kernels run in one stream and the copy in another; free is the end of the gap
  right after it, of up to 50 us, and ready the begin of the gap right before it, of up to 100 us, unless that
  is the gap after another copy [ns].
---*/
-- A copy that still runs when a kernel starts does not hold that kernel up. Where kernels run in one stream only, so
-- that they start in order, kernels can have waited for a copy from the end of the last kernel before its end.
WITH lane AS MATERIALIZED (
    SELECT stream.device, stream.profile, kernels.profile IS NOT NULL AS computes,
        count(kernels.profile) OVER (PARTITION BY stream.device) = 1 AS ordered
    FROM gpu_stream AS stream
    LEFT JOIN (SELECT DISTINCT profile FROM gpu_operation WHERE operation = 'kernel') AS kernels ON kernels.profile = stream.profile
),
copy AS (
    SELECT lane.device, NOT lane.computes AS apart, ran.start + ran.duration AS stop, greatest(ran.start, coalesce(kernel.stop, ran.start)) AS start
    FROM gpu_operation AS ran
    JOIN lane ON lane.profile = ran.profile AND lane.ordered
    ASOF LEFT JOIN (
        SELECT device, start, stop FROM gpu_level WHERE kernels > 0 AND device IN (SELECT device FROM lane WHERE ordered)
    ) AS kernel ON kernel.device = lane.device AND kernel.start < ran.start + ran.duration
    WHERE ran.operation LIKE 'copy%'
),
piece AS (
    SELECT device, apart, stop,
        greatest(start, max(stop) OVER (PARTITION BY device ORDER BY start, stop, apart ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS start
    FROM copy WHERE stop > start
    UNION ALL
    SELECT device, false, stop, start
    FROM gpu_level WHERE copies > 0 AND kernels = 0 AND device NOT IN (SELECT device FROM lane WHERE ordered)
),
last_kernel AS (
    SELECT stream.device, max(ran.start) AS start
    FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile WHERE ran.operation = 'kernel' GROUP BY stream.device
),
freed AS (
    SELECT piece.device, piece.apart, piece.start, piece.stop,
        CASE WHEN gap.stop - gap.start <= 5e4 THEN gap.stop ELSE piece.stop END AS free
    FROM piece
    JOIN last_kernel ON last_kernel.device = piece.device AND last_kernel.start >= piece.stop
    LEFT JOIN gpu_gap AS gap ON gap.device = piece.device AND gap.start = piece.stop WHERE piece.stop > piece.start
)
SELECT freed.device, freed.apart, freed.start, freed.stop, freed.free,
    CASE WHEN gap.stop - gap.start <= 1e5 AND coalesce(lag(freed.free) OVER (PARTITION BY freed.device ORDER BY freed.start), 0) < freed.start
        THEN gap.start ELSE freed.start END AS ready
FROM freed LEFT JOIN gpu_gap AS gap ON gap.device = freed.device AND gap.stop = freed.start

/*---
name: copy_waits_in_parts
about: >-
  Sums of copy_waits in each of gpu_parts, the mean over GPUs: the copies, the gaps right after them and
  right before them, those of less than 32 us among each, and the copies in streams without kernels [ns].
---*/
WITH held AS (
    SELECT part.part, wait.apart,
        greatest(0, least(wait.stop, part.stop) - greatest(wait.start, part.start)) AS copy,
        greatest(0, least(wait.free, part.stop) - greatest(wait.stop, part.start)) AS gap,
        greatest(0, least(wait.start, part.stop) - greatest(wait.ready, part.start)) AS lead,
        CASE WHEN wait.stop >= part.start AND wait.free <= part.stop THEN wait.free - wait.stop END AS whole_gap,
        CASE WHEN wait.ready >= part.start AND wait.start <= part.stop THEN wait.start - wait.ready END AS whole_lead
    FROM gpu_parts AS part
    JOIN copy_waits AS wait ON wait.device = part.device AND wait.ready < part.stop AND wait.free > part.start
)
SELECT part.place, part.part, part.length,
    coalesce(sum(held.copy), 0) / gpus() AS copy,
    coalesce(sum(held.gap), 0) / gpus() AS gap,
    coalesce(sum(held.whole_gap) FILTER (WHERE held.whole_gap < pow(10, 4.5)), 0) / gpus() AS brief,
    coalesce(sum(held.lead), 0) / gpus() AS lead,
    coalesce(sum(held.whole_lead) FILTER (WHERE held.whole_lead < pow(10, 4.5)), 0) / gpus() AS brief_lead,
    coalesce(sum(held.copy) FILTER (WHERE held.apart), 0) / gpus() AS apart
FROM (SELECT DISTINCT place, part, length FROM gpu_parts) AS part LEFT JOIN held ON held.part = part.part
GROUP BY part.place, part.part, part.length

/*---
name: alone_in_parts
about: >-
  How long copies ran on a GPU beside no kernel, and kernels beside no copy, in each of gpu_parts, the mean
  over GPUs [ns].
---*/
SELECT part.part, any_value(part.length) AS length,
    coalesce(sum(least(level.stop, part.stop) - greatest(level.start, part.start)) FILTER (WHERE level.kernels = 0), 0)
        / gpus() AS copy,
    coalesce(sum(least(level.stop, part.stop) - greatest(level.start, part.start)) FILTER (WHERE level.copies = 0), 0)
        / gpus() AS kernel
FROM gpu_parts AS part
LEFT JOIN gpu_level AS level
    ON level.device = part.device AND level.start < part.stop AND level.stop > part.start
    AND (level.kernels > 0) <> (level.copies > 0)
GROUP BY part.part
