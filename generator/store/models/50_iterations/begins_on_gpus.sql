/*---
about: >-
  When what begins at a moment begins on each GPU: then, and on each with its own first iteration
  (first_iteration) what begins with that [ns].
given: [moment]
---*/
SELECT gpu.device,
    CASE WHEN own.start IS NOT NULL AND moment = (SELECT min(start) FROM iteration) THEN own.start ELSE moment END AS start
FROM gpu_device AS gpu
LEFT JOIN first_iteration AS own ON own.device = gpu.device
