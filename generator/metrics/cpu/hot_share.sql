/*---
title: Work in one function of the program
unit: ratio
better: neither
definition: >-
  Largest share of the CPU cost of work that one function of the program has, together with the code of
  libraries that it calls, up to the next function of the program. Waiting, the runtime of a GPU and
  Python's import of modules are left out of the function, waiting and the runtime of a GPU of the whole too.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: >-
  The store's macros frame_roles and is_own. The interval is the 95 % Wilson interval, where a trace
  tells the number of samples (cpu_sample_number)
caveat: >-
  What is the program's own is told by paths: not installed, and no well-known library. Work of pool
  threads has no caller in the program and belongs to no function. The interval takes samples as
  independent, so the true uncertainty is somewhat larger.
empty: no function of the program itself has a CPU cost
---*/
SELECT share AS value, binomial_low(share * samples, samples) AS low, binomial_high(share * samples, samples) AS high, samples AS n
FROM (
    SELECT share, cpu_sample_number($run, NULL) * work_of($run) / total_of($run, cpu_event_of($run)) AS samples
    FROM own_functions($run)
    ORDER BY share DESC
    LIMIT 1
)
