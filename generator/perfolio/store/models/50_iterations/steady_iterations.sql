/*---
name: steady_iterations
about: >-
  Iterations that statistics are made of: complete ones that are no warm-up [ns].
---*/
SELECT iteration, start, stop - start AS duration, gpu_busy, longest_gap, kind FROM iteration WHERE mark NOT IN ('warm-up', 'incomplete')

/*---
name: usual_iterations
about: >-
  Steady iterations that are alike, of which medians and spreads are made: all, or of a server those of the kind of which there are most,
  as steps that read prompts and steps that give requests a token do other work [ns].
---*/
FROM steady_iterations WHERE kind = (SELECT kind FROM steady_iterations GROUP BY kind ORDER BY count(*) DESC, kind LIMIT 1)

/*---
name: steady_bounds
about: >-
  From the first to the last of the steady iterations, and their number; one row, whose times are NULL where
  there are none [ns].
---*/
SELECT min(start) AS start, max(start + duration) AS stop, count(*) AS iterations FROM steady_iterations

/*---
name: steady_span
about: >-
  What idle times are judged by: from the first to the last of the steady iterations, or the GPU span of a run
  without any [ns].
---*/
SELECT coalesce(steady.start, gpu_span.start) AS start, coalesce(steady.stop, gpu_span.stop) AS stop
FROM gpu_span CROSS JOIN steady_bounds AS steady

/*---
name: iteration_length
about: >-
  How long an iteration of the program lasts, the one length that a report gives it: the median of usual_iterations, or in a run
  without GPU operations of the steps that main threads mark (host_step); n is how many these are. No row without any [ns].
---*/
SELECT median(duration) AS length, count(*) AS n
FROM (SELECT duration FROM usual_iterations UNION ALL SELECT stop - start FROM host_step WHERE NOT EXISTS (FROM gpu_operation))
HAVING count(*) > 0

/*---
name: typical_iteration
about: >-
  The usual iteration whose duration is closest to iteration_length; no row where there is none [ns].
---*/
SELECT own.iteration, own.start, own.start + own.duration AS stop
FROM usual_iterations AS own CROSS JOIN iteration_length AS usual
ORDER BY abs(own.duration - usual.length), own.iteration LIMIT 1
