/*---
about: >-
  How long copies ran on a GPU beside no kernel, and kernels beside no copy, between two moments, the first one
  as of begins_on_gpus, the mean over GPUs [ns].
given: [first, last]
---*/
SELECT coalesce(sum(part) FILTER (WHERE kernels = 0), 0) / gpus() AS copy, coalesce(sum(part) FILTER (WHERE copies = 0), 0) / gpus() AS kernel
FROM (
    SELECT level.kernels, level.copies, least(level.stop, last) - greatest(level.start, begin.start) AS part
    FROM gpu_level AS level
    JOIN begins_on_gpus(first) AS begin ON begin.device = level.device
    WHERE (level.kernels > 0) <> (level.copies > 0) AND level.start < last AND level.stop > begin.start
)
