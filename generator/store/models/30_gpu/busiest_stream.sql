/*---
about: >-
  The GPU stream of a run with the most operations.
value: true
---*/
SELECT profile FROM gpu_operation GROUP BY profile ORDER BY count(*) DESC, profile LIMIT 1
