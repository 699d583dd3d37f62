/*---
title: GPU idle time with one host function, in iterations
unit: s
better: lower
definition: >-
  Idle time between GPU operations during which launching threads ran the function with the most of
  it, or what it calls, as far as it lies in steady iterations.
population: >-
  gaps in complete iterations that are no warm-up; gaps are shared by the samples of launching
  threads taken in them, short ones by those in all gaps of like length
needs: [cpu_trace, gpu_trace, launching, iterations]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it.
empty: no launching thread was sampled while the GPU was idle
---*/
WITH steady AS (
    FROM functions_on_paths($run, (
        SELECT list({'frame': frame, 'spent': spent})
        FROM (
            SELECT enclosing.frame, sum(blame.duration) AS spent
            FROM blame JOIN enclosing_frames($run) AS enclosing ON enclosing.context = blame.context
            WHERE blame.run = $run AND blame.steady
            GROUP BY enclosing.frame
        )
    ))
)
SELECT coalesce(max(steady.inclusive), 0) / 1e9 AS value
FROM blame_focus($run) AS focus
LEFT JOIN steady
    ON steady.name = focus.name AND steady.file IS NOT DISTINCT FROM focus.file AND steady.line IS NOT DISTINCT FROM focus.line
WHERE focus.position = 1
HAVING count(*) > 0
