/*---
about: >-
  The true total of each metric of a run: context 0 at scope execution. A metric without a row is 0 or was not
  collected: see collected.
---*/
SELECT metric.measure AS name, summary.value
FROM metric JOIN summary ON summary.metric = metric.id
WHERE metric.scope = 'execution' AND metric.statistic = 'sum' AND metric.formula = '$$' AND summary.context = 0
