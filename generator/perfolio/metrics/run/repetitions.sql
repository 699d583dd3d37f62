/*---
title: Repetitions
better: neither
definition: >-
  How long processes took of which each one ran alone: repetitions of one program, one after another, where they ran the
  same. Their median, the shortest and the longest one, and the standard deviation over the mean.
population: processes of the run, from the first trace point of one of their threads to the last one
needs: [cpu_trace]
source: traces; the model process
caveat: HPCToolkit does not record what each process was asked to do.
empty: fewer than three processes ran, or several at a time
columns:
  - {name: processes, title: 'Processes', unit: count}
  - {name: median, title: 'Median', unit: s}
  - {name: shortest, title: 'Shortest', unit: s}
  - {name: longest, title: 'Longest', unit: s}
  - {name: variation, title: 'Variation', unit: ratio}
---*/
SELECT count(*) AS processes, median(stop - start) / 1e9 AS median, min(stop - start) / 1e9 AS shortest,
    max(stop - start) / 1e9 AS longest, stddev_samp(stop - start) / avg(stop - start) AS variation
FROM process
HAVING count(*) > 2 AND bool_and(alone)
