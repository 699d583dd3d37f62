/*---
title: Where the time of a step goes
better: lower
definition: >-
  The time of a step on the clock of the GPU, by kind of step and part, each moment in one: kernels of attention, products, communication,
  writing keys and values, choosing tokens (all after the last product) and others, told by their names, and copies with memsets, where what
  runs at once shares the time by durations; and idle time in which the host is in a step of the engine, or between steps. The parts add up
  to the mean step.
population: complete steps that are no warm-up; the GPU of the busiest stream; the mean over steps
needs: [serving, gpu_trace, iterations]
source: begin and end of GPU operations and of steps; names of kernels
empty: no step serves requests
columns:
  - {name: kind, title: 'Kind', unit: text}
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Mean per step', unit: s}
  - {name: share, title: 'Share of the steps', unit: ratio}
---*/
SELECT kind, CASE part WHEN 'in step' THEN 'GPU idle, host in a step' WHEN 'between' THEN 'GPU idle, host between steps'
        WHEN 'cache' THEN 'writing keys and values' WHEN 'sampling' THEN 'choosing tokens' WHEN 'copies' THEN 'copies and memsets' ELSE part END AS part,
    ns / steps / 1e9 AS "time", ns / nullif(whole, 0) AS share
FROM served_part WHERE ns > 0 ORDER BY whole DESC, kind, ns DESC, part
