/*---
about: >-
  PC samples of calling contexts and of all below them, those of them that were stalled, and how many are
  independent (at_once), each counted as one period of sampling.
---*/
SELECT context,
    sum(value) FILTER (WHERE name = 'GINS') AS samples,
    coalesce(sum(value) FILTER (WHERE name = 'GINS:STL_ANY'), 0) AS stalled,
    samples / at_once(sum(value) FILTER (WHERE name = 'GSAMP:TOT'), sum(value) FILTER (WHERE name = 'GSAMP:EXP'), multiprocessors()) AS independent
FROM cost
WHERE scope = 'execution' AND name IN ('GINS', 'GINS:STL_ANY', 'GSAMP:TOT', 'GSAMP:EXP')
GROUP BY context
