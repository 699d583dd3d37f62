/*---
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
