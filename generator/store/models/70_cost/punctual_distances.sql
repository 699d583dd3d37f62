/*---
about: >-
  The punctual distance of a thread's samples in frames of a role, and of any role: the one that one in twenty
  of its distances between samples of elapsed time is below, with their number, 20 or more [ns].
---*/
SELECT profile, CASE grouping(role) WHEN 0 THEN role ELSE 'any' END AS role, count(*) AS samples, quantile_cont(distance, 0.05) AS distance
FROM elapsed_samples
WHERE distance > 0
GROUP BY GROUPING SETS ((profile, role), (profile))
HAVING count(*) >= 20
