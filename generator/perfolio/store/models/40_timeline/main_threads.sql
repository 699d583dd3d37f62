/*---
about: >-
  The main thread of each process: its lowest-numbered CPU thread; where profiles have no numbers, as without
  profile.db, the one that is sampled below the entry point main thread. Of a rank whose tool tells no threads,
  the rank.
---*/
WITH entered AS (
    SELECT DISTINCT spent.profile
    FROM cpu_time AS spent JOIN context ON context.id = spent.context AND context.entry_point = 'main thread'
)
SELECT thread.process, any_value(thread.rank) AS rank, arg_min(thread.profile, (thread.thread, entered.profile IS NULL, thread.profile)) AS profile
FROM process_thread AS thread LEFT JOIN entered ON entered.profile = thread.profile GROUP BY thread.process
UNION ALL
SELECT (SELECT coalesce(max(process), 0) FROM process_thread) + row_number() OVER (ORDER BY rank, "index"), rank, "index"
FROM profile WHERE kind = 'rank' AND NOT EXISTS (FROM process_thread)
