/*---
about: >-
  Number of GPUs of a run on which operations ran: what sums over GPUs are divided by for their mean.
value: true
---*/
SELECT count(DISTINCT device) FROM gpu_stream
