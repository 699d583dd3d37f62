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
SELECT finding.code, min(finding.title) AS title,
    arg_min(finding.severity, list_position(['critical', 'high', 'medium', 'low', 'info'], finding.severity)) AS severity,
    count(*) AS runs, count(*) FILTER (WHERE finding.bound IS NOT NULL AND finding.whole IN ('wall', 'iteration')) AS bounded_runs,
    sum(run.gpu_hours) AS gpu_hours,
    sum(run.gpu_hours * least(finding.bound, 1.0)) FILTER (WHERE finding.bound IS NOT NULL AND finding.whole IN ('wall', 'iteration')) AS at_most
FROM finding JOIN run USING (run)
GROUP BY finding.code ORDER BY at_most DESC NULLS LAST, runs DESC, finding.code
