/*---
title: First launches that load code, share of the run
unit: ratio
better: lower
definition: >-
  Time of the calls that launch a kernel for the first time and so load its code, as a share of the time of the run:
  counted where they take most of the time of all launches.
population: calls of the run that launch kernels
needs: [trace]
source: the table plausibility
empty: the run has no length
---*/
SELECT coalesce((SELECT sum("time") FROM plausibility WHERE what = 'first_launches'), 0) / nullif(stop - start, 0) AS value
FROM traced_span
