/*---
about: >-
  When each GPU begins the first iteration (start), and the moment that stands for it in the run, the mean
  over GPUs (mean): what begins there begins on a GPU with its own; both NULL in a run without iterations
  [ns].
---*/
SELECT gpu.device, whole.mean, coalesce(own.start, whole.mean) AS start
FROM gpu_device AS gpu CROSS JOIN (SELECT min(start) AS mean FROM iteration) AS whole
LEFT JOIN first_iteration AS own ON own.device = gpu.device
