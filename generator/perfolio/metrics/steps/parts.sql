/*---
title: What the main thread does in a step, mean of all
better: lower
definition: >-
  Time per step by what the main thread is in: input data and the optimizer by the phase of the program; of the rest
  operators of attention that no kernel of its own does, with what reorders values for it, products of matrices and
  convolutions, other operators; and no operator at all. Each moment is in one part, so that they add up to how long the main thread is in
  a step on average. That is no length of an iteration (steps.typical), which also lasts until the GPU has ended.
population: steps of main threads, complete ones that are no warm-up; the mean over steps
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  As recorded: the profiler makes short operators, and what lies between them, longer than they are.
empty: no main thread marked a step
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Mean per step', unit: s}
  - {name: share, title: 'Share', unit: ratio}
---*/
WITH step AS (SELECT count(*) AS steps, sum(stop - start) AS whole FROM host_step)
SELECT CASE part WHEN 'input' THEN 'input data' WHEN 'optimizer' THEN 'optimizer'
        WHEN 'attention' THEN 'attention by single operators' WHEN 'products' THEN 'products and convolutions'
        WHEN 'between' THEN 'in no operator' ELSE part END AS part,
    sum("time") / step.steps / 1e9 AS "time", sum("time") / step.whole AS share
FROM host_step_part CROSS JOIN step WHERE step.whole > 0
GROUP BY host_step_part.part, step.steps, step.whole HAVING sum("time") > 0 ORDER BY share DESC, part
