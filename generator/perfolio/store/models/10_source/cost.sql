/*---
about: >-
  Cost per calling context, summed over profiles. Sum scope point only; execution is inclusive, lex_aware and
  function are exclusive.
---*/
SELECT summary.context, metric.measure AS name, metric.scope, summary.value
FROM summary JOIN metric ON metric.id = summary.metric WHERE metric.statistic = 'sum' AND metric.formula = '$$'
