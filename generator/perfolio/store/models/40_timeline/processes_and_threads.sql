/*---
name: process_thread
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

/*---
name: process
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

/*---
name: main_threads
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

/*---
name: marked_stretch
about: >-
  Steps that the program marks (host_range of kind step) by process, those that overlap or meet as one stretch: from when to when,
  and how much of all of them lies before it (earlier) [ns].
---*/
SELECT process, start, stop, CAST(sum(stop - start) OVER (PARTITION BY process ORDER BY start) AS BIGINT) - (stop - start) AS earlier
FROM (
    SELECT process, min(start) AS start, max(stop) AS stop
    FROM (
        SELECT *, sum(CAST(fresh AS INTEGER)) OVER (PARTITION BY process ORDER BY start, stop ROWS UNBOUNDED PRECEDING) AS place
        FROM (
            SELECT thread.process, step.start, step.start + step.duration AS stop, coalesce(step.start > max(step.start + step.duration) OVER (
                    PARTITION BY thread.process ORDER BY step.start, step.duration ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ), true) AS fresh
            FROM host_range AS step JOIN process_thread AS thread ON thread.profile = step.profile WHERE step.kind = 'step'
        )
    )
    GROUP BY process, place
)
