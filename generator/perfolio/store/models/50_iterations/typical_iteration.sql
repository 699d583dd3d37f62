/*---
about: >-
  The steady iteration whose duration is closest to iteration_length; no row where there is none [ns].
---*/
SELECT own.iteration, own.start, own.start + own.duration AS stop
FROM steady_iterations AS own CROSS JOIN iteration_length AS usual
ORDER BY abs(own.duration - usual.length), own.iteration LIMIT 1
