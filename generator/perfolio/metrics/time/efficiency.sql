/*---
title: Efficiencies
better: higher
definition: >-
  Load balance (mean over maximum of busy time), orchestration efficiency (maximum of busy time
  over wall time) and their product, for CPU threads, ranks and GPU streams. One alone has no balance.
population: >-
  trace lines that are ever busy, of CPU threads those that work (at least 1 % of the work of their
  rank's busiest one) where the profile tells it; a rank is as busy as its CPU threads together, over the most
  that its threads could run; without GPU streams where the program replays CUDA graphs, whose operations
  are not recorded
needs: [cpu_trace]
source: POP's multiplicative efficiencies
caveat: >-
  Of CPU threads nothing is said where no sample shows one running for 5 % of the wall time or more in which they
  may have run: the part in which CPU clocks ran where that is told (time.nothing_runs_clocked), else all of it. Nor
  where main threads' clocks ran for longer without a sample than samples show them running (time.main_thread). A
  thread is busy for its CPU time where that was recorded, as traces lack samples. Of threads sampled by elapsed time
  nothing is said: they have samples while they wait, too.
empty: >-
  no GPU stream is ever busy, nor any thread that was sampled by CPU time, or CPU threads may have run while no sample shows one
columns:
  - {name: scope, title: 'Of', unit: text}
  - {name: load_balance, title: 'Load balance', unit: ratio}
  - {name: orchestration, title: 'Orchestration', unit: ratio}
  - {name: product, title: 'Product', unit: ratio}
---*/
WITH line AS (
    SELECT busy.profile, busy.kind, coalesce(thread.running, busy.busy) AS busy, profile.rank, coalesce(worker.works, false) AS works
    FROM trace_line_busy AS busy
    LEFT JOIN thread_running AS thread ON thread.profile = busy.profile
    LEFT JOIN thread_work AS worker ON worker.profile = busy.profile
    JOIN profile ON profile."index" = busy.profile
    JOIN trace_line ON trace_line.profile = busy.profile
        AND (trace_line.kind = 'GPU stream' OR trace_line.clock = 'running')
    WHERE coalesce(thread.running, busy.busy) > 0 AND (trace_line.kind = 'GPU stream' OR samples_tell_running())
),
part AS (
    SELECT 1 AS position, 'threads' AS scope, busy FROM line WHERE kind = 'CPU thread' AND (works OR NOT EXISTS (SELECT 1 FROM line WHERE works))
    UNION ALL
    SELECT 2, 'ranks', avg(busy) FROM line WHERE kind = 'CPU thread' AND rank IS NOT NULL GROUP BY rank
    UNION ALL
    SELECT 3, 'streams', busy FROM line WHERE kind = 'GPU stream' AND NOT EXISTS (FROM hidden_work)
)
SELECT scope, CASE WHEN count(*) > 1 THEN avg(busy) / max(busy) END AS load_balance,
    max(busy) / any_value(span.stop - span.start) AS orchestration,
    CASE WHEN count(*) > 1 THEN avg(busy) / any_value(span.stop - span.start) END AS product
FROM part
CROSS JOIN (SELECT start, stop FROM cpu_trace_span) AS span
GROUP BY position, scope
ORDER BY position
