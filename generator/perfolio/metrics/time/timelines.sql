/*---
name: timeline
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

/*---
name: drawn_operations
title: Operations of the timeline
better: neither
definition: >-
  What ran on a GPU stream, or what a CPU thread was in, exactly, by name. Of a CPU thread it is the program's own function that works there,
  itself or in code of others that it called, or else the function that waits or calls the GPU; what follows without a break in the same
  function is one row.
population: >-
  trace lines of the timeline: of the iteration closest to the median the 600 longest operations and the 300 longest times
  in one function in it; of the run the 200 longest operations and the 300 longest times in one function, and the
  operations before and after each of the longest gaps
needs: [trace]
source: traces
caveat: >-
  By samples, a time in one function is one in which no sample says anything else.
empty: no trace line is ever busy
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: operation, title: 'Operation', unit: text}
  - {name: name, title: 'Name', unit: text}
---*/
WITH typical AS MATERIALIZED (
    FROM typical_iteration
),
ran AS (
    SELECT operation.profile, operation.start, operation.duration, operation.operation, operation.context,
        coalesce(operation.start >= typical.start AND operation.start < typical.stop, false) AS inside
    FROM gpu_operation AS operation LEFT JOIN typical ON true
    WHERE operation.duration > 0 AND operation.profile IN (SELECT profile FROM drawn_line WHERE kind = 'GPU stream')
),
gap AS MATERIALIZED (
    SELECT stream.profile, gap.start, gap.stop
    FROM (SELECT device, start, stop FROM steady_gaps ORDER BY duration DESC, start LIMIT 20) AS gap
    JOIN gpu_stream AS stream ON stream.device = gap.device
),
operation AS (
    (FROM ran WHERE inside ORDER BY duration DESC, start, profile LIMIT 600)
    UNION
    (FROM ran ORDER BY duration DESC, start, profile LIMIT 200)
    UNION
    SELECT ran.* FROM ran SEMI JOIN gap ON gap.profile = ran.profile AND gap.start = ran.start + ran.duration
    UNION
    SELECT ran.* FROM ran SEMI JOIN gap ON gap.profile = ran.profile AND gap.stop = ran.start
),
-- A run can have millions of samples. Their names are numbers until the few that are drawn are known, and only windows hold them all.
word AS MATERIALIZED (
    SELECT held.context, coalesce(CASE frame.role WHEN 'working' THEN own.name END, frame.name) AS called,
        CAST(dense_rank() OVER (ORDER BY called) AS INTEGER) AS word
    FROM (SELECT DISTINCT context FROM cpu_interval) AS held
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = held.context
    LEFT JOIN frame ON frame.frame = enclosing.frame
    LEFT JOIN (SELECT key, min(name) AS name FROM frame GROUP BY key) AS own ON own.key = frame.owner
),
-- Windows without a partition or an order of their own take the rows as they come.
stay AS NOT MATERIALIZED (
    SELECT profile, start, stop, word, longest, CASE WHEN lag(profile) OVER () = profile THEN lag(word) OVER () END AS before,
        CASE WHEN lag(profile) OVER () = profile THEN lag(stop) OVER () END AS ended
    FROM (
        SELECT held.profile, held.start, held.stop, word.word, coalesce(line.longest, 0) AS longest
        FROM cpu_interval AS held JOIN word ON word.context = held.context JOIN trace_line AS line ON line.profile = held.profile
        WHERE held.stop > held.start AND held.profile IN (SELECT profile FROM drawn_line WHERE kind <> 'GPU stream')
        ORDER BY held.profile, held.start, held.stop
    )
),
-- What follows in another function, or after a break, begins a row of the timeline, and ends the one before.
function AS NOT MATERIALIZED (
    SELECT profile, start, word, lead(ended) OVER () AS stop
    FROM stay
    WHERE ended IS NULL OR word IS DISTINCT FROM before OR start - ended > longest / 4
),
place AS (
    SELECT unnest(list_distinct(list_concat(coalesce(inside, []), longest)), recursive := true)
    FROM (
        SELECT max(told, 300) AS longest, max(told, 300) FILTER (told.stop > typical.start AND told.start < typical.stop) AS inside
        FROM (
            SELECT {duration: coalesce(function.stop, last.stop) - start, sooner: -start, lower: -profile, start: start, profile: profile, word: word,
                stop: coalesce(function.stop, last.stop)} AS told
            FROM function JOIN (SELECT profile, max(stop) AS stop FROM cpu_interval GROUP BY profile) AS last USING (profile)
        )
        LEFT JOIN typical ON true
    )
),
drawn AS (
    SELECT operation.profile, operation.start, operation.duration, operation.operation, ran.words AS name
    FROM operation LEFT JOIN gpu_context AS ran ON ran.context = operation.context
    UNION ALL
    SELECT profile, start, duration, 'CPU', called FROM place JOIN (SELECT DISTINCT word, called FROM word) AS named USING (word)
)
SELECT line.name AS line, (drawn.start - span.start) / 1e9 AS start, drawn.duration / 1e9 AS duration, drawn.operation,
    left(drawn.name, 120) AS name
FROM drawn JOIN drawn_line AS line ON line.profile = drawn.profile JOIN traced_span AS span ON true
ORDER BY line.place, start, duration DESC

/*---
name: busy_bins
title: GPU occupancy over time
better: higher
definition: >-
  Share of each of 240 equal parts of the run in which any operation, a kernel or a copy runs
  on a GPU.
population: >-
  all streams, of several GPUs the mean; the wall time, or the GPU span where there is no CPU
  trace
needs: [gpu_trace]
source: traces
columns:
  - {name: bin, title: 'Bin', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: busy, title: 'Busy', unit: ratio}
  - {name: kernel, title: 'Kernels', unit: ratio}
  - {name: copy, title: 'Copies', unit: ratio}
---*/
SELECT bin, (start - origin) / 1e9 AS start, (stop - origin) / 1e9 AS stop,
    busy / (stop - start) AS busy, kernel / (stop - start) AS kernel, copy / (stop - start) AS copy
FROM gpu_bins
CROSS JOIN (SELECT start AS origin FROM traced_span)
WHERE whole = 'run'
ORDER BY bin

/*---
name: cpu_running_bins
title: CPU threads seen over time
better: neither
definition: >-
  CPU threads that are seen, on average, in each of 240 equal parts of the run. By samples of CPU
  time these are those that run, by samples of elapsed time those that wait, too.
population: >-
  CPU trace lines of all profiles; the wall time
needs: [cpu_trace]
source: traces
caveat: >-
  By samples of CPU time, a sample stands for one period of it: the median distance of two
  samples, or the thread's CPU time over its samples where the profile tells it and that is less; and for
  the time before it where the profile charges it with more than ten periods. So no thread runs for longer than its CPU
  time. By samples of elapsed time, a thread counts to
  the next point, for ten times that distance at most, and also while it waits.
columns:
  - {name: bin, title: 'Bin', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: running, title: 'Threads', unit: threads}
---*/
WITH running AS (
    SELECT bin // 5 AS bin, sum(busy) AS busy FROM trace_bin WHERE kind = 'CPU thread' GROUP BY bin // 5
)
SELECT slot.bin, (slot.start - span.start) / 1e9 AS start, (slot.stop - span.start) / 1e9 AS stop,
    coalesce(running.busy, 0) / (slot.stop - slot.start) AS running
FROM (SELECT bin // 5 AS bin, min(start) AS start, max(stop) AS stop FROM run_bins GROUP BY bin // 5) AS slot
CROSS JOIN (SELECT start FROM traced_span) AS span
LEFT JOIN running ON running.bin = slot.bin
ORDER BY slot.bin

/*---
name: bursts
title: Bursts of work
better: neither
definition: >-
  When each GPU stream or CPU thread works, between its longest pauses: from the end of one to the begin of the next, exactly,
  with the time in which something ran and how many operations, or times in one function, there were.
population: >-
  the trace lines of the timeline, each between its at most 300 longest pauses, at most 1,200 of all lines together, and
  those in which one of the longest gaps of its GPU lies
needs: [trace]
source: traces
caveat: >-
  A pause of a CPU thread begins where the time ends for which its last sample stands.
empty: no trace line is ever busy
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: busy, title: 'Running', unit: s}
  - {name: operations, title: 'Operations', unit: count}
---*/
WITH
-- Lines lie one behind the other, so that one sort and one maximum tell how far each has come: windows without a partition or an order
-- of their own take the rows as they come.
ran AS (
    SELECT profile, start, start + duration AS stop
    FROM gpu_operation
    WHERE duration > 0 AND profile IN (SELECT profile FROM drawn_line WHERE kind = 'GPU stream')
    UNION ALL
    SELECT profile, start, stop
    FROM cpu_interval
    WHERE stop > start AND profile IN (SELECT profile FROM drawn_line WHERE kind <> 'GPU stream')
),
line AS MATERIALIZED (
    SELECT profile, name, place, before AS first, before - start AS shift
    FROM (
        SELECT line.profile, line.name, line.place, span.start,
            coalesce(sum(span.stop::HUGEINT - span.start + 1) OVER earlier, 0) AS before
        FROM drawn_line AS line
        JOIN (SELECT profile, min(start) AS start, max(stop) AS stop FROM ran GROUP BY profile) AS span
            ON span.profile = line.profile
        WINDOW earlier AS (ORDER BY line.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
),
upto AS (
    SELECT place, start, stop, lag(reached) OVER () AS last
    FROM (
        SELECT place, start, stop, max(stop) OVER (ROWS UNBOUNDED PRECEDING) AS reached
        FROM (
            SELECT line.place, ran.start + line.shift AS start, ran.stop + line.shift AS stop
            FROM ran JOIN line ON line.profile = ran.profile
            ORDER BY start
        )
    )
),
busy AS MATERIALIZED (   -- without a pause
    SELECT min(place) AS place, min(start) AS start, max(stop) AS stop, max(last) FILTER (WHERE start > last) AS last,
        CAST(sum(stop - start) AS BIGINT) AS busy, count(*) AS operations
    FROM (SELECT *, count(*) FILTER (WHERE start > last) OVER (ROWS UNBOUNDED PRECEDING) AS number FROM upto)
    GROUP BY number
),
gap AS MATERIALIZED (SELECT device, start, stop FROM steady_gaps ORDER BY duration DESC, start LIMIT 20),
pause AS MATERIALIZED (
    (
        SELECT busy.start
        FROM busy JOIN line ON line.place = busy.place WHERE busy.last >= line.first
        QUALIFY row_number() OVER (PARTITION BY busy.place ORDER BY busy.start - busy.last DESC, busy.start)
            <= least(300, 1200 // nullif((SELECT count(*) FROM drawn_line), 0))
    )
    UNION
    SELECT busy.start
    FROM busy
    JOIN line ON line.place = busy.place
    JOIN gpu_stream AS stream ON stream.profile = line.profile
    JOIN gap ON gap.device = stream.device AND gap.start + line.shift >= busy.last AND gap.stop + line.shift <= busy.start
    WHERE busy.last >= line.first
),
burst AS (
    SELECT busy.place, min(busy.start) AS start, max(busy.stop) AS stop, sum(busy.busy) AS busy, CAST(sum(busy.operations) AS BIGINT) AS operations
    FROM busy ASOF LEFT JOIN pause ON pause.start <= busy.start
    GROUP BY busy.place, pause.start
)
SELECT line.name AS line, (burst.start - line.shift - span.start) / 1e9 AS start, (burst.stop - burst.start) / 1e9 AS duration,
    least(burst.busy, burst.stop - burst.start) / 1e9 AS busy, burst.operations
FROM burst JOIN line ON line.place = burst.place CROSS JOIN traced_span AS span
ORDER BY line.place, start
