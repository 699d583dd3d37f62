/*---
title: Waiting for the slowest rank
unit: ratio
better: lower
definition: >-
  Mean over ranks of the cost in MPI beyond that of the rank with the least, as a share of the
  largest cost of any rank's main thread. The rank that spends least in MPI is the one that the others wait for.
population: >-
  the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
  outermost ones at scope execution
needs: [cpu_event, profiles, ranks]
source: the straggler wait of TraceLens (duration - minimum over ranks), over the whole run
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
empty: no function of MPI was sampled on the main threads of two ranks or more
---*/
SELECT (avg(mpi) - min(mpi)) / max(cost) AS value, count(*) AS n
FROM mpi_by_rank($run)
HAVING count(*) > 0
