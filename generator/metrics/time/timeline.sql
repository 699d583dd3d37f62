/*---
title: Timeline
better: neither
definition: >-
  When each GPU stream or CPU thread is busy, and to what share: in 400 equal parts of the run,
  of which neighbours on one level (up to 1, 10, 50, 90 and 100 % busy) are one. Where a line is
  idle it has no row.
population: >-
  trace lines: all GPU streams and CPU threads by busy time, the first 8 of each, where samples are of
  elapsed time threads that work (at least 1 % of the work of their process's busiest one) before those that only
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
-- trace_bin has threads of elapsed time busy while they wait or come late: their samples of work tell when they ran.
WITH idle AS (
    SELECT thread.profile
    FROM trace_line AS line JOIN thread_work AS thread ON thread.profile = line.profile AND NOT thread.works
    WHERE line.clock = 'elapsed'
),
picked AS (
    SELECT line.profile, line.kind
    FROM trace_line_busy AS line
    LEFT JOIN idle ON idle.profile = line.profile
    WHERE line.kind <> 'GPU stream' OR NOT EXISTS (FROM hidden_graph)
    QUALIFY row_number() OVER (PARTITION BY line.kind ORDER BY idle.profile IS NOT NULL, line.busy DESC, line.profile) <= 8 AND line.busy > 0
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
        FROM picked
        JOIN elapsed ON elapsed.profile = picked.profile
        JOIN host_sample AS sample ON sample.profile = picked.profile AND sample.distance > 0
        CROSS JOIN (SELECT max(distance) AS distance FROM elapsed) AS usual
        LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
        LEFT JOIN frame ON frame.frame = enclosing.frame
        LEFT JOIN punctual_distance AS punctual ON punctual.profile = sample.profile AND punctual.role = frame.role
        WHERE coalesce(frame.role NOT IN ('waiting', 'gpu wait'), true)
    )
),
slots AS MATERIALIZED (
    SELECT bin // 3 AS bin, min(start) AS start, max(stop) AS stop FROM run_bins GROUP BY bin // 3
),
spent AS (
    SELECT bin.profile, bin.bin // 3 AS bin, sum(bin.busy) AS busy
    FROM trace_bin AS bin ANTI JOIN elapsed ON elapsed.profile = bin.profile
    GROUP BY bin.profile, bin.bin // 3
    UNION ALL
    SELECT worked.profile, slot.bin, sum(least(worked.stop, slot.stop) - greatest(worked.start, slot.start))
    FROM worked JOIN slots AS slot ON slot.start < worked.stop AND slot.stop > worked.start
    GROUP BY worked.profile, slot.bin
),
part AS (
    SELECT picked.profile, picked.kind, slot.bin, slot.start, slot.stop, spent.busy,
        (spent.busy > 0.01 * (slot.stop - slot.start))::INTEGER + (spent.busy > 0.1 * (slot.stop - slot.start))::INTEGER
        + (spent.busy > 0.5 * (slot.stop - slot.start))::INTEGER + (spent.busy > 0.9 * (slot.stop - slot.start))::INTEGER AS level
    FROM picked
    JOIN spent ON spent.profile = picked.profile AND spent.busy > 0
    JOIN slots AS slot ON slot.bin = spent.bin
)
SELECT any_value(line.name) AS line, part.kind, min(part.bin) AS bin,
    (min(part.start) - span.origin) / 1e9 AS start, (max(part.stop) - span.origin) / 1e9 AS stop,
    sum(part.busy) / (max(part.stop) - min(part.start)) AS busy
FROM (
    SELECT *, bin - row_number() OVER (PARTITION BY profile, level ORDER BY bin) AS same FROM part
) AS part
JOIN line_name AS line ON line.profile = part.profile
CROSS JOIN (SELECT start AS origin FROM traced_span) AS span
GROUP BY part.profile, part.kind, part.level, part.same, span.origin
ORDER BY part.kind DESC, part.profile, bin
