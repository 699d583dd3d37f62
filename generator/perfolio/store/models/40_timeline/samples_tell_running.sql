/*---
about: >-
  Whether samples of CPU time tell how long threads ran: not where they may have run for a twentieth of the run
  or more in which no sample shows one running: the part in which CPU clocks ran where that is told
  (idle_time.clocked), else all of it; nor where those of main threads ran for longer without a sample than with
  (main_stretch.dropped).
value: true
---*/
SELECT coalesce((
        SELECT sum(coalesce(idle.clocked, idle.duration)) < 0.05 * any_value(span.stop - span.start)
        FROM idle_time AS idle JOIN cpu_trace_span AS span ON true
    ), true) AND coalesce((
        SELECT sum(greatest(dropped, 0)) < sum(running)
        FROM (SELECT sum(dropped) AS dropped, sum(running) AS running FROM main_stretch GROUP BY part)
    ), true) AS value
