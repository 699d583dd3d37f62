/*---
about: >-
  When run_phases begin and end on each GPU: with its own first iteration those that do so with the first
  one [ns].
---*/
SELECT phase.phase, gpu.device, CASE phase.start WHEN gpu.mean THEN gpu.start ELSE phase.start END AS start,
    CASE phase.stop WHEN gpu.mean THEN gpu.start ELSE phase.stop END AS stop
FROM run_phases AS phase CROSS JOIN begins_on_gpus AS gpu
