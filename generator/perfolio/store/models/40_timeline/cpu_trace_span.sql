/*---
about: >-
  From the first moment of any trace line to the last one, for runs with a CPU trace: the wall time [ns].
---*/
SELECT min(start) AS start, max(stop) AS stop FROM trace_line HAVING bool_or(kind = 'CPU thread' AND active > 0)
