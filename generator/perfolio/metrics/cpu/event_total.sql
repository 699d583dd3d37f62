/*---
title: CPU cost
unit: "1"
better: lower
definition: >-
  Total of the event by which CPU cost is ranked in this run: CPU time, else elapsed thread
  time, else cycles, else the largest event. The metric cpu.event names it and its unit.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [cpu_event]
source: events of the CPU
---*/
SELECT value FROM cpu_event
