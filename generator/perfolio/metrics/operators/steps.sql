/*---
title: What the host is in marked steps for
better: lower
definition: >-
  Ranges that the program or its profiler marks as steps, by rank: how many, and how long the host was in the first one and in
  typical ones. In a run with GPU operations an iteration lasts until these have ended, too: see time.iteration_median.
population: all marked steps; the median and the range are of complete ones that are no warm-up
needs: [steps]
source: begin and end of each step
empty: no step was marked
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: steps, title: 'Steps', unit: count}
  - {name: first, title: 'Host in the first', unit: s}
  - {name: median, title: 'Host''s median', unit: s}
  - {name: least, title: 'Shortest', unit: s}
  - {name: most, title: 'Longest', unit: s}
---*/
WITH typical AS (
    SELECT profile.rank, median(step.stop - step.start) / 1e9 AS median, min(step.stop - step.start) / 1e9 AS least,
        max(step.stop - step.start) / 1e9 AS most
    FROM typical_step AS step JOIN profile ON profile."index" = step.profile GROUP BY profile.rank
),
marked AS (
    SELECT profile.rank, count(*) AS steps, arg_min(ranged.duration, [ranged.start, ranged.id]) / 1e9 AS first
    FROM host_range AS ranged JOIN profile ON profile."index" = ranged.profile WHERE ranged.kind = 'step' GROUP BY profile.rank
)
SELECT marked.rank, marked.steps, marked.first, typical.median, typical.least, typical.most
FROM marked LEFT JOIN typical ON typical.rank IS NOT DISTINCT FROM marked.rank ORDER BY marked.rank NULLS FIRST
