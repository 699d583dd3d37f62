/*---
about: >-
  PC samples per moment of sampling, the mean over samples: by as much are independent samples of a run fewer
  (Kish, Survey Sampling, 1965: clusters that agree within themselves).
value: true
---*/
SELECT coalesce(sum(taken * at_once(taken, expected, multiprocessors())) / nullif(sum(taken), 0), 1.0)
FROM (
    SELECT sum(value) FILTER (WHERE name = 'samples_taken') AS taken, sum(value) FILTER (WHERE name = 'samples_expected') AS expected
    FROM cost WHERE scope = 'point' AND name IN ('samples_taken', 'samples_expected') GROUP BY context
)
WHERE taken > 0
