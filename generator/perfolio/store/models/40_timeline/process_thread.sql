/*---
about: >-
  The process of each CPU thread. A rank is one process; without a rank it is the one that the tool names, or the run
  where it names none; unless two profiles of that are of the same thread: then several processes ran, one after another or
  with nothing that tells them apart. Processes are numbered by rank, and as they began; the name has the number where a
  rank does not tell it.
---*/
-- Each lowest-numbered thread is a process. Where all of them have as many threads, the k-th one with a number is of the
-- k-th process; else a thread is of the last process that had begun.
WITH thread AS (
    SELECT profile."index" AS profile, node, rank, profile.thread AS number, coalesce(profile.thread, 0) AS thread, line.start, line.stop,
        family, CASE WHEN profile.thread IS NULL THEN 1 ELSE row_number() OVER (same ORDER BY line.start, profile."index") END AS turn,
        count(*) OVER same AS turns, min(coalesce(profile.thread, 0)) OVER (PARTITION BY family) AS lowest
    FROM (
        SELECT *, (coalesce(node, 0), coalesce(rank + 1, 0), CASE WHEN rank IS NULL THEN coalesce(process + 1, 0) ELSE 0 END) AS family FROM profile
    ) AS profile
    LEFT JOIN trace_line AS line ON line.profile = profile."index" WHERE profile.kind = 'CPU thread'
    WINDOW same AS (PARTITION BY family, profile.thread)
),
begun AS (
    SELECT family, turn, any_value(turns) AS turns, min(start) AS start, count(*) OVER (PARTITION BY any_value(rank)) AS processes,
        row_number() OVER (ORDER BY any_value(rank), min(start), any_value(node), turn) AS process
    FROM thread WHERE thread = lowest GROUP BY family, turn
)
SELECT profile, process, concat_ws(' ', 'rank ' || rank, CASE WHEN processes > 1 THEN 'process ' || process END,
    coalesce('thread ' || number, 'profile ' || profile)) AS name, node, rank, thread, start, stop
FROM (
    SELECT thread.*, first.processes,
        CASE WHEN thread.turns = begun.turns THEN begun.process ELSE coalesce(earlier.process, first.process) END AS process
    FROM thread
    JOIN begun AS first ON first.family = thread.family AND first.turn = 1
    LEFT JOIN begun ON begun.family = thread.family AND begun.turn = thread.turn
    ASOF LEFT JOIN (FROM begun WHERE start IS NOT NULL) AS earlier ON earlier.family = thread.family AND earlier.start <= thread.start
)
