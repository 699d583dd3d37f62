/*---
name: overview
title: CPU cost by entry point
better: lower
definition: >-
  CPU cost below each entry point: the main thread, threads that the application made, and
  threads of which the start is unknown.
population: entry points, scope execution; they add up to the run's total
needs: [cpu_event]
source: costs by scope
empty: no thread has a CPU cost
columns:
  - {name: part, title: 'Entry point', unit: text}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: unit, title: 'Unit', unit: text}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT context.entry_point AS part, sum(cost.value) AS "time", any_value(cpu_event.unit) AS unit,
    sum(cost.value) / any_value(cpu_event.value) AS share
FROM context
JOIN cpu_event ON true
JOIN cost ON cost.context = context.id AND cost.name = cpu_event.name
WHERE context.parent = 0 AND cost.scope = 'execution'
GROUP BY context.entry_point
ORDER BY "time" DESC, part

/*---
name: event
title: CPU event
better: neither
definition: >-
  The event by which CPU cost is ranked in this run, and its total: CPU time, else elapsed
  thread time, else cycles, else the largest event. Events of perf that are clocks count nanoseconds of
  CPU time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [cpu_event]
source: events of the CPU; perf_event_open(2) of the clocks cpu-clock and task-clock
columns:
  - {name: event, title: 'Event', unit: text}
  - {name: unit, title: 'Unit', unit: text}
  - {name: total, title: 'Total', unit: "1"}
  - {name: threads, title: 'Threads with a cost', unit: count}
  - {name: seconds, title: 'As time', unit: CPU-s}
---*/
SELECT (SELECT any_value(metric.name) FROM metric WHERE metric.measure = cpu_event.name) AS event, unit, value AS total,
    (SELECT count(*) FROM profile_total WHERE name = cpu_event.name AND value > 0) AS threads,
    CASE WHEN is_clock(name) THEN value / 1e9 END AS seconds
FROM cpu_event
