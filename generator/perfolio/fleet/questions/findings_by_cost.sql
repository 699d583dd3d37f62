/*---
title: Findings by what they cost at most
about: >-
  The bound of a finding is taken of all GPU-hours of its run: removing its cause saves at most so much. Bounds do not add up, neither over
  findings nor over causes. Bounds of the whole run or of its iterations count; other ones are of smaller parts, and are left out.
population: findings that fired; GPU-hours of those with such a bound
columns:
  - {name: code, title: Finding, unit: text}
  - {name: title, title: What it is, unit: text}
  - {name: severity, title: Highest severity, unit: text}
  - {name: runs, title: Runs, unit: count}
  - {name: bounded_runs, title: Runs with a bound, unit: count}
  - {name: gpu_hours, title: GPU-hours of these runs, unit: GPU-h}
  - {name: at_most, title: Saves at most, unit: GPU-h}
---*/
WITH one AS (
    SELECT finding.*, run.gpu_hours, finding.bound IS NOT NULL AND finding.whole IN ('wall', 'iteration') AS bounded
    FROM finding JOIN run USING (run)
)
SELECT code, min(title) AS title, arg_min(severity, list_position(['critical', 'high', 'medium', 'low', 'info'], severity)) AS severity,
    count(*) AS runs, count(*) FILTER (WHERE bounded) AS bounded_runs, sum(gpu_hours) FILTER (WHERE bounded) AS gpu_hours,
    sum(gpu_hours * least(bound, 1.0)) FILTER (WHERE bounded) AS at_most
FROM one GROUP BY code ORDER BY at_most DESC NULLS LAST, runs DESC, code
