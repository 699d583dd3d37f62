/*---
name: $name
title: "FILL IN: what a reader sees, $metric"
unit: count
better: neither
definition: "FILL IN: one to three sentences that someone who knows the field can check."
population: "FILL IN: over which profiles, contexts and scope it counts"
needs: [kernel_launches]
source: "FILL IN: where the formula comes from"
caveat: null
empty: "FILL IN: the query gives no value yet. Say why it gives none on some runs, or remove this line"
---*/
SELECT CAST(NULL AS DOUBLE) AS value
FROM total
WHERE name = 'kernel_launches'
