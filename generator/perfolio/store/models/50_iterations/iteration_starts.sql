/*---
about: >-
  Begins of iterations, and the end of the last one: by the marker function of profile.toml if there is one, else by
  the steps that the program marks (step_starts), also if it is one, else by periodic structure; but for steps, five at least, and no
  more than 20,000: what begins more often is a kernel or a copy. ends tells
  whether the end of the last one is known [ns].
---*/
WITH found AS (
    SELECT start FROM marked_starts WHERE iteration_marker() IS NOT NULL
    UNION ALL
    SELECT start FROM periodic_starts WHERE iteration_marker() IS NULL AND NOT EXISTS (FROM step_starts)
),
chosen AS (
    SELECT start, (SELECT max(start + duration) FROM gpu_operation WHERE profile = busiest_stream()) AS last, false AS ends
    FROM found QUALIFY count(*) OVER () BETWEEN 5 AND 20000
    UNION ALL
    SELECT start, last, true FROM step_starts WHERE iteration_marker() IS NULL
)
SELECT CAST(row_number() OVER (ORDER BY start) AS INTEGER) AS iteration, start, last, ends FROM chosen
