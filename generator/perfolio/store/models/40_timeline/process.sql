/*---
about: >-
  Processes with CPU threads: from the first trace point of one of its threads to the last one [ns], and how many
  threads it has. alone: no other process of the run, on any host, lives at any time of it; NULL without a trace.
---*/
SELECT *, CASE WHEN start IS NOT NULL THEN coalesce(start > max(stop) OVER (line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true)
    AND coalesce(stop < lead(start) OVER line, true) END AS alone
FROM (
    SELECT process, any_value(node) AS node, any_value(rank) AS rank, min(start) AS start, max(stop) AS stop, count(*) AS threads
    FROM process_thread GROUP BY process
) WINDOW line AS (ORDER BY start, process)
