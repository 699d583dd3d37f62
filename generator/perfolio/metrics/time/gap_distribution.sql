/*---
title: Gaps by length
better: lower
definition: >-
  Number and total time of gaps between operations of a GPU by length, in steps of half a decade. Start-up,
  warm-up and the end of the run are not in it.
population: >-
  steady iterations, or the GPU span where none were found; all streams, of several GPUs the
  sum
needs: [gpu_trace]
source: traces
empty: the GPU is never idle in this time
columns:
  - {name: from, title: 'From', unit: s}
  - {name: to, title: 'To', unit: s}
  - {name: count, title: 'Gaps', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of gap time', unit: ratio}
---*/
WITH class AS (
    SELECT floor(2 * log10(duration)) AS half_decade, count(*) AS "count", sum(duration) AS spent
    FROM steady_gaps
    GROUP BY half_decade
)
SELECT pow(10, half_decade / 2) / 1e9 AS "from", pow(10, (half_decade + 1) / 2) / 1e9 AS "to", "count",
    spent / 1e9 AS "time", spent / sum(spent) OVER () AS share
FROM class
ORDER BY half_decade
