/*---
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
