/*---
title: MPI by rank
better: lower
definition: >-
  CPU cost of each rank's main thread, the part of it inside calls of MPI, which is
  communication and waiting for other ranks, the part that waits elsewhere, as for the rank's
  own threads, and elapsed time that came late, as the samples tell it and without their error, so that it is no bound (see the
  metric cpu.late_share); the rest is computing, as in the metric balance.working_threads. The rank with the least cost in MPI is first: it is the one
  that the others wait for.
population: >-
  the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
  outermost ones at scope execution; the first 1,000 ranks
needs: [cpu_event, profiles, ranks]
source: events of the CPU
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
empty: no function of MPI was sampled on the main threads of two ranks or more
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: time, title: 'Main thread', unit: "1"}
  - {name: computing, title: 'Computing', unit: "1"}
  - {name: mpi, title: 'In MPI', unit: "1"}
  - {name: waiting, title: 'Waiting elsewhere', unit: "1"}
  - {name: late, title: 'Came late', unit: "1"}
  - {name: share, title: 'Share in MPI', unit: ratio}
---*/
SELECT rank, cost AS "time", computing, mpi, waiting,
    CASE WHEN cpu_event_of() = 'elapsed_time' AND EXISTS (FROM trace_line WHERE clock = 'elapsed' AND kind = 'CPU thread')
        THEN late END AS late, mpi / cost AS share
FROM mpi_by_rank
ORDER BY mpi, rank
LIMIT 1000
