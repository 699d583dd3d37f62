/*---
title: "FILL IN: what a reader sees, $metric"
better: neither
definition: "FILL IN: one to three sentences that someone who knows the field can check."
population: "FILL IN: over which profiles, contexts and scope it counts"
needs: [kernel_launches]
source: "FILL IN: where the formula comes from"
empty: "FILL IN: the query gives no row yet. Say why it gives none on some runs, or remove this line"
columns:
  - {name: measure, title: "FILL IN: Measure", unit: text}
  - {name: launches, title: "FILL IN: Launches", unit: count}
---*/
SELECT name AS measure, value AS launches
FROM total
WHERE name = 'kernel_launches' AND false
ORDER BY launches DESC, measure
