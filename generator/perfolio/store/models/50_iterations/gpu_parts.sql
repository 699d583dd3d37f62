/*---
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
