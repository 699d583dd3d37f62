/*---
title: Waits charged to Python, at most
unit: thread-s
better: neither
definition: >-
  How much of the work of Python's functions may be waiting: the time of samples that wait right below a function
  of Python, in code to which the profile charges nothing. The profile charges it to the function of Python that calls the code.
population: >-
  samples of all CPU threads; call frames of Python's functions, scope function; no more than they have of work
needs: [elapsed_time, cpu_event, profiles, cpu_trace]
source: the model hidden_waits and its table cpu_cost
caveat: >-
  Known by name only, as for the waiting of main threads. Which of several functions of Python that one function calls
  has the waits is not known: each may have them all.
empty: the profile has CPU time, in which waiting that sleeps has no cost
---*/
SELECT least(coalesce((SELECT sum(spent ORDER BY profile, caller) FROM hidden_waits), 0), coalesce(sum(waits ORDER BY frame), 0)) AS value
FROM cpu_frames
HAVING cpu_event_of() = 'elapsed_time'
