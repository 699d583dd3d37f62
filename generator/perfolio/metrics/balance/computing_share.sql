/*---
title: Computing, share of main threads
unit: ratio
better: higher
definition: >-
  Cost of main threads outside MPI and outside functions that wait, without elapsed time that came late, over all their cost.
population: >-
  the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
  outermost ones at scope execution
needs: [cpu_event, profiles, ranks]
source: the model mpi_by_rank
empty: no function of MPI was sampled on the main threads of two ranks or more
---*/
SELECT sum(computing) / nullif(sum(cost), 0) AS value, count(*) AS n
FROM mpi_by_rank
HAVING count(*) > 0
