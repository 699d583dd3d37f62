/*---
about: >-
  One row per trace line that has points.
when: trace
columns:
  profile: INTEGER; Profile, index in table profile [id]
  kind: VARCHAR; CPU thread or GPU stream [text]
  points: BIGINT; Trace points [count]
  start: BIGINT; First point since the epoch [ns]
  stop: BIGINT; Last point since the epoch [ns]
  active: BIGINT; Points that are not idle [count]
  longest: >-
    BIGINT?; CPU threads: time after a sample from which on the thread is taken to wait. By the running clock
    one period: the median distance of two samples of the run. By the elapsed clock ten times that. Never more
    than the thread's CPU time, where that was recorded, without what long samples have of it, over its samples
    [ns]
  clock: >-
    VARCHAR?; CPU threads: running where samples are taken by CPU time or cycles, elapsed where they are taken
    by elapsed time, also of a thread that waits [text]
  launching: >-
    BOOLEAN; Whether it is a CPU thread that launches GPU operations: one of its samples shares at least half of
    the calling path of a GPU operation
---*/
SELECT line.profile, line.kind, line.points, line.start, line.stop, line.active,
    CASE WHEN line.clock = 'running' AND long.more > 0 AND recorded.value IS NOT NULL
        THEN least(line.longest, CAST(floor(greatest(recorded.value * 1e9 - long.more, 0) / line.active) AS BIGINT))
        ELSE line.longest END AS longest,
    line.clock, line.launching
FROM recorded_line AS line
LEFT JOIN (SELECT profile, sum(sample - start) AS more FROM long_sample GROUP BY profile) AS long ON long.profile = line.profile
LEFT JOIN profile_total AS recorded ON recorded.profile = line.profile AND recorded.name = 'cpu_time'
