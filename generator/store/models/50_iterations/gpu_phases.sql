/*---
about: >-
  When run_phases begin and end on each GPU: with its own first iteration those that do so with the first one
  [ns].
---*/
SELECT phase.phase, gpu.device,
    CASE WHEN phase.start = first.start THEN gpu.start ELSE phase.start END AS start,
    CASE WHEN phase.stop = first.start THEN gpu.start ELSE phase.stop END AS stop
FROM run_phases AS phase
CROSS JOIN (SELECT coalesce((SELECT min(start) FROM iteration), (SELECT start FROM gpu_span)) AS start) AS first
CROSS JOIN begins_on_gpus(first.start) AS gpu
