/*---
title: Imbalance of computation over ranks
unit: x
better: lower
definition: >-
  Largest cost of a rank's main thread outside MPI and outside functions that wait, over the mean
  over ranks: 1 is perfect balance. Elapsed time that came late is left out (see the metric
  cpu.late_share). Unlike the imbalance of all CPU cost, waiting does not hide it.
population: >-
  the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
  outermost ones at scope execution
needs: [cpu_event, profiles, ranks]
source: the inverse of POP's load balance
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
empty: no function of MPI was sampled on the main threads of two ranks or more, or nothing outside of them
---*/
SELECT max(computing) / nullif(avg(computing), 0) AS value, count(*) AS n
FROM mpi_by_rank
HAVING count(*) > 0
