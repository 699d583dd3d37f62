/*---
about: >-
  The GPU of a run with the busiest_stream.
value: true
---*/
SELECT device FROM gpu_stream WHERE profile = busiest_stream()
