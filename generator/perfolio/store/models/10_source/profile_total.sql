/*---
about: >-
  The total of each metric per profile: context 0 at scope execution.
---*/
SELECT value.profile, metric.measure AS name, value.value
FROM value JOIN metric ON metric.id = value.metric WHERE value.context = 0 AND metric.scope = 'execution'
