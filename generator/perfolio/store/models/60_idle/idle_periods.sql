/*---
about: >-
  What a gap belongs to that begins from a moment on [ns], the first one without a begin: earlier work and start-up as in run_phases, each
  iteration by its mark (warm-up, steady, outlier, last), the end; all is between in a run without iterations.
---*/
WITH early AS MATERIALIZED (
    SELECT bool_or(phase = 'earlier work') AS works, min(start) FILTER (WHERE phase = 'start-up') AS start
    FROM run_phases WHERE EXISTS (FROM iteration)
)
SELECT CAST(NULL AS BIGINT) AS start,
    CASE WHEN NOT EXISTS (FROM iteration) THEN 'between' WHEN works THEN 'earlier work' ELSE 'start-up' END AS period FROM early
UNION ALL
SELECT start, 'start-up' FROM early WHERE works AND start IS NOT NULL
UNION ALL
SELECT start, CASE mark WHEN '' THEN 'steady' WHEN 'incomplete' THEN 'last' ELSE mark END FROM iteration
UNION ALL
SELECT max(stop), 'end' FROM iteration HAVING count(*) > 0
