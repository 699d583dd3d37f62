/*---
title: What Nsight Compute's own rules say
better: neither
definition: >-
  Advice of Nsight Compute's rules by kernel and rule, with its own estimate of what could be gained in that kernel: a second opinion. One row for
  each kernel and rule, of the launch with the largest estimate.
population: launches that its rules looked at; advice and warnings, the first 60
needs: [counter_rules]
source: the rules of Nsight Compute, in their own words
caveat: >-
  Its estimates are of one kernel alone and overlap with each other. They were made under its clocks, and are not of the whole run.
empty: its rules looked at the kernels and gave no advice
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: rule, title: 'Rule', unit: text}
  - {name: speedup, title: 'Its estimate', unit: ratio}
  - {name: launches, title: 'Launches', unit: count}
  - {name: words, title: 'In its words', unit: text}
---*/
SELECT any_value(split_part(short_name(kernel.name), '::', -1)) AS kernel, told.rule, max(told.speedup) AS speedup,
    count(DISTINCT told.launch) AS launches,
    left(arg_max(told.text, coalesce(told.speedup, 0)), 300) AS words
FROM counter_rule AS told JOIN counted_kernel AS kernel ON kernel.witness = told.witness AND kernel.launch = told.launch
WHERE told.kind <> 'INF' AND told.text <> ''
GROUP BY kernel.name, told.rule
ORDER BY speedup DESC NULLS LAST, kernel, told.rule
LIMIT 60
