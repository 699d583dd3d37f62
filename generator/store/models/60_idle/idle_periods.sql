/*---
about: >-
  What a gap belongs to that begins from a moment on [ns], the first one without a begin: start-up, each
  iteration by its mark (warm-up, steady, outlier, last), the end; all is between in a run without iterations.
---*/
SELECT CAST(NULL AS BIGINT) AS start, CASE WHEN EXISTS (FROM iteration) THEN 'start-up' ELSE 'between' END AS period
UNION ALL
SELECT start, CASE mark WHEN '' THEN 'steady' WHEN 'incomplete' THEN 'last' ELSE mark END FROM iteration
UNION ALL
SELECT max(stop), 'end' FROM iteration HAVING count(*) > 0
