/*---
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
