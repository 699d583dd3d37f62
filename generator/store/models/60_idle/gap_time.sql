/*---
about: >-
  Time in gaps, the mean over GPUs; NULL without one [ns].
value: true
---*/
SELECT sum(duration) / gpus() FROM gpu_gap
