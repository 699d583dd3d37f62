/*---
about: >-
  Number of GPUs that take part in a run (gpu_stream): what sums over GPUs are divided by for their mean.
value: true
---*/
SELECT count(DISTINCT device) FROM gpu_stream
