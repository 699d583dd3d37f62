/*---
about: >-
  The main threads of a run: the lowest-numbered CPU thread of each rank, or of the run where there are no
  ranks; where profiles have no numbers, as without profile.db, the one that is sampled below the entry point
  main thread.
---*/
WITH entered AS (
    SELECT DISTINCT spent.profile
    FROM cpu_time AS spent JOIN context ON context.id = spent.context AND context.entry_point = 'main thread'
)
SELECT rank, arg_min("index", (coalesce(thread, 0), entered.profile IS NULL, "index")) AS profile
FROM profile LEFT JOIN entered ON entered.profile = profile."index" WHERE kind = 'CPU thread' GROUP BY rank
