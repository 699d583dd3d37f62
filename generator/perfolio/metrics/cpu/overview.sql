/*---
title: CPU cost by entry point
better: lower
definition: >-
  CPU cost below each entry point: the main thread, threads that the application made, and
  threads of which the start is unknown.
population: entry points, scope execution; they add up to the run's total
needs: [cpu_event]
source: costs by scope
empty: no thread has a CPU cost
columns:
  - {name: part, title: 'Entry point', unit: text}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: unit, title: 'Unit', unit: text}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT context.entry_point AS part, sum(cost.value) AS "time", any_value(cpu_event.unit) AS unit,
    sum(cost.value) / any_value(cpu_event.value) AS share
FROM context
JOIN cpu_event ON true
JOIN cost ON cost.context = context.id AND cost.name = cpu_event.name
WHERE context.parent = 0 AND cost.scope = 'execution'
GROUP BY context.entry_point
ORDER BY "time" DESC, part
