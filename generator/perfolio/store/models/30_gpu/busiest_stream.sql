/*---
about: >-
  The GPU stream of a run with the most operations.
value: true
---*/
SELECT profile FROM gpu_stream ORDER BY operations DESC, profile LIMIT 1
