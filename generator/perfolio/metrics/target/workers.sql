/*---
title: Preparing ahead, and how many workers it takes
better: neither
definition: >-
  Time of an iteration in which input is prepared and the GPU waits (the phase data where it is
  known and more than 5 %, by the mean; else the longest gap, by the median), all other time of it,
  and the number of workers that prepare as fast as the rest consumes: their quotient, rounded up.
  With 8 workers an iteration takes an eighth of preparing, or the rest where that is longer.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, unsampled]
source: >-
  a pipeline of two stages: workers prepare different batches at once, each on a core of its own
caveat: >-
  The rest is measured with the profiler on, which lengthens it: without one, more workers are
  needed. What prepares in the function must be able to run elsewhere.
empty: the GPU never waits in a steady iteration
columns:
  - {name: prepare, title: 'Preparing', unit: s}
  - {name: rest, title: 'All else', unit: s}
  - {name: workers, title: 'Workers that keep up', unit: count}
  - {name: with_eight, title: 'Iteration with 8 workers', unit: s}
  - {name: gain_eight, title: 'Times faster with 8', unit: x}
---*/
WITH gap AS (
    SELECT median(own.longest_gap) / 1e9 AS prepare, any_value(usual.length) / 1e9 AS whole
    FROM steady_iterations AS own CROSS JOIN iteration_length AS usual
),
data AS (
    SELECT sum(gpu_idle) FILTER (WHERE phase = 'data') / any_value(length) AS share FROM iteration_parts
),
part AS (
    SELECT CASE WHEN data.share > 0.05 THEN data.share * gap.whole ELSE gap.prepare END AS prepare, gap.whole
    FROM gap LEFT JOIN data ON true
)
SELECT prepare, whole - prepare AS rest, ceil(prepare / (whole - prepare)) AS workers,
    greatest(prepare / 8, whole - prepare) AS with_eight, whole / greatest(prepare / 8, whole - prepare) AS gain_eight
FROM part
WHERE prepare > 0 AND whole > prepare
