/*---
title: Steps that the program marks
better: lower
definition: >-
  Ranges that the program or its profiler marks as steps, by rank: how many, how long the first one and a typical one
  took on the host, and the range over all. Work that a step launched on a GPU may end later.
population: all marked steps; the median and the range leave out the first one of each rank where there are three or more
needs: [steps]
source: begin and end of each step
empty: no step was marked
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: steps, title: 'Steps', unit: count}
  - {name: first, title: 'First', unit: s}
  - {name: median, title: 'Median', unit: s}
  - {name: least, title: 'Shortest', unit: s}
  - {name: most, title: 'Longest', unit: s}
---*/
WITH step AS (
    SELECT profile.rank, ranged.duration / 1e9 AS duration, row_number() OVER own AS number, count(*) OVER (PARTITION BY profile.rank) AS steps
    FROM host_range AS ranged JOIN profile ON profile."index" = ranged.profile
    WHERE ranged.kind = 'step'
    WINDOW own AS (PARTITION BY profile.rank ORDER BY ranged.start, ranged.id)
),
typical AS (SELECT * FROM step WHERE steps < 3 OR number > 1)
SELECT step.rank, any_value(step.steps) AS steps, any_value(step.duration) FILTER (WHERE step.number = 1) AS first,
    any_value(own.median) AS median, any_value(own.least) AS least, any_value(own.most) AS most
FROM step
JOIN (
    SELECT rank, median(duration) AS median, min(duration) AS least, max(duration) AS most FROM typical GROUP BY rank
) AS own ON own.rank IS NOT DISTINCT FROM step.rank
GROUP BY step.rank ORDER BY step.rank NULLS FIRST
