/*---
title: Timeline
better: neither
definition: >-
  When each GPU stream or CPU thread is busy, and to what share: in 400 equal parts of the run (200 where more than 6
  lines are drawn, 100 of more than 12), of which neighbours on one level (up to 1, 10, 50, 90 and 100 % busy) are one. Where a line is
  idle it has no row.
population: >-
  trace lines by rank: of all GPU streams 16 and of all CPU threads 8, the busiest of each rank first, where samples are
  of elapsed time threads that work (at least 1 % of the work of their process's busiest one) before those that only
  wait; without GPU streams where the program replays CUDA graphs, whose operations are not recorded
needs: [trace]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it, or for the time before it too where the
  profile charges it with more than ten; no thread runs for longer than its CPU time where the
  profile tells it. A sample of elapsed time stands for one punctual distance before it, as in
  time.cpu_ledger: what is before that came late, and neither that nor a wait is busy.
empty: no trace line is ever busy
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: kind, title: 'Kind', unit: text}
  - {name: bin, title: 'First part', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: busy, title: 'Busy', unit: ratio}
---*/
WITH
-- trace_bin has threads of elapsed time busy while they wait or come late: their samples of work tell when they ran.
width AS (
    SELECT CASE WHEN count(*) > 12 THEN 12 WHEN count(*) > 6 THEN 6 ELSE 3 END AS bins FROM drawn_line
),
elapsed AS (
    SELECT line.profile, line.longest / 10 AS distance FROM trace_line AS line
    WHERE line.clock = 'elapsed' AND line.kind = 'CPU thread' AND cpu_event_of() = 'elapsed_time'
),
worked AS (
    SELECT profile, taken AS stop, taken - CASE WHEN distance <= 1.1 * in_time THEN distance ELSE CAST(in_time AS BIGINT) END AS start
    FROM (
        SELECT sample.profile, sample.taken, sample.distance,
            least(coalesce(punctual.distance, 2 * usual.distance), 2 * usual.distance) AS in_time
        FROM drawn_line AS line
        JOIN elapsed ON elapsed.profile = line.profile
        JOIN host_sample AS sample ON sample.profile = line.profile AND sample.distance > 0
        CROSS JOIN (SELECT max(distance) AS distance FROM elapsed) AS usual
        LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
        LEFT JOIN frame ON frame.frame = enclosing.frame
        LEFT JOIN punctual_distance AS punctual ON punctual.profile = sample.profile AND punctual.role = frame.role
        WHERE coalesce(frame.role NOT IN ('waiting', 'gpu wait'), true)
    )
),
slots AS MATERIALIZED (
    SELECT bin // bins AS bin, min(start) AS start, max(stop) AS stop FROM run_bins CROSS JOIN width GROUP BY bin // bins
),
spent AS (
    SELECT bin.profile, bin.bin // bins AS bin, sum(bin.busy) AS busy
    FROM trace_bin AS bin ANTI JOIN elapsed ON elapsed.profile = bin.profile
    CROSS JOIN width
    GROUP BY bin.profile, bin.bin // bins
    UNION ALL
    SELECT worked.profile, slot.bin, sum(least(worked.stop, slot.stop) - greatest(worked.start, slot.start))
    FROM worked JOIN slots AS slot ON slot.start < worked.stop AND slot.stop > worked.start
    GROUP BY worked.profile, slot.bin
),
part AS (
    SELECT line.profile, line.kind, line.name, line.place, slot.bin, slot.start, slot.stop, spent.busy,
        (spent.busy > 0.01 * (slot.stop - slot.start))::INTEGER + (spent.busy > 0.1 * (slot.stop - slot.start))::INTEGER
        + (spent.busy > 0.5 * (slot.stop - slot.start))::INTEGER + (spent.busy > 0.9 * (slot.stop - slot.start))::INTEGER AS level
    FROM drawn_line AS line
    JOIN spent ON spent.profile = line.profile AND spent.busy > 0
    JOIN slots AS slot ON slot.bin = spent.bin
)
SELECT part.name AS line, part.kind, min(part.bin) AS bin,
    (min(part.start) - span.origin) / 1e9 AS start, (max(part.stop) - span.origin) / 1e9 AS stop,
    sum(part.busy) / (max(part.stop) - min(part.start)) AS busy
FROM (
    SELECT *, bin - row_number() OVER (PARTITION BY profile, level ORDER BY bin) AS same FROM part
) AS part
CROSS JOIN (SELECT start AS origin FROM traced_span) AS span
GROUP BY part.profile, part.name, part.place, part.kind, part.level, part.same, span.origin
ORDER BY part.place, bin
