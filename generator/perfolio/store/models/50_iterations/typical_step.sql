/*---
about: >-
  Steps that the program marks (host_range of kind step) and that are iterations of which statistics are made, from begin to end on the
  host: those of steady_iterations by their number on each rank, where these are the marked steps. Else, as of iterations, all but the
  first ones of a thread that are longer than its median by usual_spread [ns].
---*/
WITH step AS (
    SELECT step.profile, step.start, step.start + step.duration AS stop,
        dense_rank() OVER (PARTITION BY profile.node, profile.rank ORDER BY step.start) AS number
    FROM host_range AS step JOIN profile ON profile."index" = step.profile WHERE step.kind = 'step'
),
rated AS (
    SELECT step.*, step.stop - step.start > usual.most AS long FROM step
    JOIN (SELECT profile, median(stop - start) + usual_spread(stop - start) AS most FROM step GROUP BY profile) AS usual
        ON usual.profile = step.profile
)
SELECT profile, start, stop FROM rated
QUALIFY CASE WHEN iteration_marker() IS NULL AND EXISTS (FROM step_starts) THEN number IN (SELECT iteration FROM steady_iterations)
    ELSE NOT bool_and(long) OVER (PARTITION BY profile ORDER BY start ROWS UNBOUNDED PRECEDING) END
