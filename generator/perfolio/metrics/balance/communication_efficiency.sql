/*---
title: Communication efficiency
unit: ratio
better: higher
definition: >-
  Cost outside MPI and outside functions that wait of the rank that has most of it, over the largest
  cost of any rank's main thread: what is left of the run if all ranks waited only for data and never for
  each other. Elapsed time that came late, in which a thread was held up, is outside MPI as well.
population: >-
  the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
  outermost ones at scope execution
needs: [cpu_event, profiles, ranks]
source: POP's communication efficiency, with sampled cost in place of traced time
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
empty: no function of MPI was sampled on the main threads of two ranks or more
---*/
SELECT max(outside) / max(cost) AS value, count(*) AS n
FROM mpi_by_rank
HAVING count(*) > 0
