/*---
about: >-
  Begins of iterations, five at least: by the marker function of profile.toml if there is one, else by periodic
  structure.
---*/
SELECT CAST(row_number() OVER (ORDER BY start) AS INTEGER) AS iteration, start,
    (SELECT max(start + duration) FROM gpu_operation WHERE profile = busiest_stream()) AS last
FROM (
    SELECT start FROM marked_starts WHERE iteration_marker() IS NOT NULL
    UNION ALL
    SELECT start FROM periodic_starts WHERE iteration_marker() IS NULL
)
QUALIFY count(*) OVER () >= 5
