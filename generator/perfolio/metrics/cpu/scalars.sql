/*---
defaults:
  unit: ratio
  better: lower
  population: call frames of all entry points and profiles, scope function
  needs: [elapsed_time, cpu_event, profiles]
  source: names of libraries and functions, listed in the model is_waiting
---*/

/*---
name: cores_in_use
title: Cores in use by threads that work, at most
unit: cores
better: neither
definition: >-
  Average number of cores on which threads that work ran, at most: each of their samples stands for no more running than
  one punctual distance, the one that one in twenty of the thread's samples is below, but no more than a tenth
  above the one that one in a hundred of the run's is below, over the length of the run.
population: >-
  trace points of CPU threads that work (at least 1 % of the work of their process's busiest one), in work and in waits; of
  threads with at least 20 of them
needs: [elapsed_time, cpu_event, profiles, cpu_trace]
source: >-
  traces. A timer of elapsed time, set again after each sample, interrupts a thread that runs at once, so
  that between two samples it runs for one period at most
caveat: >-
  The profiler's own handler, which takes a core after each sample, is not in it, nor is a period whose sample the profiler
  dropped, as it does where that hits its own code. A sleeping thread is sampled, too, and counts as running.
empty: no thread that works has 20 samples, or the profile has CPU time
---*/
SELECT sum(punctual.samples * punctual.distance) / any_value(nullif(span.stop - span.start, 0)) AS value
FROM punctual_distance AS punctual
JOIN thread_work AS thread ON thread.profile = punctual.profile AND thread.works
JOIN cpu_trace_span AS span ON true
WHERE punctual.role = 'any'
HAVING count(*) > 0

/*---
name: engaged_time
title: Elapsed thread time without waits of helpers
unit: thread-s
definition: >-
  Elapsed time of all threads less that in which threads other than main ones wait: helpers that
  have nothing to do sleep, which costs nothing and lengthens no run.
population: >-
  all calling contexts of all entry points and profiles, without call frames of helper threads that
  wait (see the metric cpu.helpers_waiting)
source: measure elapsed_time; the model helpers_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no thread has elapsed time, or the profile has CPU time, in which waiting that sleeps has no cost
---*/
SELECT total_of('elapsed_time') - coalesce((SELECT sum(cost) FROM helpers_waiting), 0) AS value
WHERE cpu_event_of() = 'elapsed_time' AND total_of('elapsed_time') > 0

/*---
name: event_total
title: CPU cost
unit: "1"
definition: >-
  Total of the event by which CPU cost is ranked in this run: CPU time, else elapsed thread
  time, else cycles, else the largest event. The metric cpu.event names it and its unit.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [cpu_event]
source: events of the CPU
---*/
SELECT value FROM cpu_event

/*---
name: gpu_wait_share
title: CPU cost of waiting for a GPU
definition: >-
  Share of CPU cost below calls that return only when a GPU has done something: synchronisation, and
  copies to the host where the calling code copies nothing else.
needs: [cpu_event, gpu_operations]
source: >-
  Names of functions of CUDA, HIP, Level Zero and OpenCL (the model gpu_wait), and what the GPU did
  for the caller (reading_frames). The interval is the 95 % Wilson interval, where a trace tells the
  number of samples (thread_samples)
caveat: >-
  With CPUTIME only waiting that spins has a cost. A copy to memory that is not pinned moves data as well.
empty: no thread has a CPU cost
---*/
SELECT value, low, high, n FROM role_share WHERE role = 'gpu wait'

/*---
name: held_up
title: Time in which code that works is held up, at most on the clock
unit: s
definition: >-
  Wall time that would be gone at most if no sample of code that works came late. A late one may stand for no work at
  all, so all of its distance from the one before it counts: no more than the time that these distances of all
  threads cover together, and no more than what the thread with most samples in time leaves of the wall time.
population: >-
  trace points of CPU threads that work (at least 1 % of the work of their process's busiest one). A sample is late
  beyond 1.1 times the distance that one in twenty of its thread's samples of work is below (that distance is no more than
  a tenth above the one that one in a hundred of the run's is below), and with fewer than 20,
  as wherever that is less, beyond twice the median distance of all samples
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: >-
  traces; Amdahl's law for the union of time over threads. The run's longest chain of things that wait
  for one another still takes its parts that are on time
caveat: >-
  A thread that is held up and goes on before its next sample is due is not seen.
empty: no sample came late, or the profile has CPU time, which passes only while a thread runs
---*/
WITH thread AS (
    SELECT works.profile, coalesce(least(1.1 * punctual.distance, 2 * usual.distance), 2 * usual.distance) AS in_time
    FROM thread_work AS works
    CROSS JOIN (
        SELECT max(longest) / 10 AS distance FROM trace_line WHERE clock = 'elapsed' AND kind = 'CPU thread'
    ) AS usual
    LEFT JOIN punctual_distance AS punctual ON punctual.profile = works.profile AND punctual.role = 'working'
    WHERE works.works AND EXISTS (FROM sampled_frame)
),
late AS MATERIALIZED (
    SELECT point.profile, point.taken - point.distance AS begun, point.taken, point.distance
    FROM host_sample AS point
    JOIN thread ON thread.profile = point.profile AND point.distance > thread.in_time
    WHERE point.context IN (
        SELECT enclosing.context
        FROM enclosing_frame AS enclosing
        JOIN frame ON frame.frame = enclosing.frame AND frame.role = 'working'
    )
),
held AS (
    SELECT sum(greatest(taken - greatest(begun, coalesce(latest, begun)), 0)) / 1e9 AS together
    FROM (
        SELECT *, max(taken) OVER (ORDER BY begun, taken ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
        FROM late
    )
),
busiest AS (
    SELECT max(sampled.distance - coalesce(held.distance, 0)) / 1e9 AS works
    FROM (
        SELECT sample.profile, sum(sample.distance) AS distance
        FROM sampled_frame AS sample
        JOIN thread ON thread.profile = sample.profile
        JOIN frame ON frame.frame = sample.frame AND frame.role = 'working'
        GROUP BY sample.profile
    ) AS sampled
    LEFT JOIN (SELECT profile, sum(distance) AS distance FROM late GROUP BY profile) AS held ON held.profile = sampled.profile
)
SELECT least(held.together, (span.stop - span.start) / 1e9 - coalesce(busiest.works, 0)) AS value
FROM held
CROSS JOIN busiest
JOIN cpu_trace_span AS span ON true
WHERE held.together > 0

/*---
name: helpers_waiting_share
title: Waiting of helper threads
better: neither
definition: >-
  Elapsed time that threads other than main ones spent in libraries of parallel runtimes (OpenMP, MPI
  and its transports) and in calls that wait, as a share of the elapsed time of all threads.
population: >-
  all CPU threads but the lowest-numbered one of each process;
  call frames, scope function
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: the profile has CPU time, in which waiting that sleeps has no cost
---*/
SELECT coalesce(sum(cost), 0) / total_of('elapsed_time') AS value
FROM helpers_waiting
HAVING cpu_event_of() = 'elapsed_time' AND total_of('elapsed_time') > 0

/*---
name: hot_share
title: Work in one function of the program
better: neither
definition: >-
  Largest share of the CPU cost of work that one function of the program has, together with the code of
  libraries that it calls, up to the next function of the program. Waiting, the runtime of a GPU,
  elapsed time that came late (see the metric cpu.late_share), what MPI does, Python's import of modules and
  PyTorch's backward pass and optimizers are left out of the function, the first three of the whole too.
needs: [cpu_event]
source: >-
  The models frame, work_cost and is_own. The interval is the 95 % Wilson interval, where a trace, or the
  period of an event of perf, tells the number of samples (cost_samples); it reaches to that of the share
  with what came late, as the function may itself have kept its thread in the kernel, and not all that
  came late is known. Where the profile charges waits to Python (see the metric cpu.python_waits), it
  reaches from the share without those that the function may have, of work without them, up to the share
  of work without those that others may have
caveat: >-
  What is the program's own is told by paths: not installed, and no well-known library. Work of pool
  threads has no caller in the program and belongs to no function. The interval takes samples as
  independent.
empty: no function of the program itself has a CPU cost
---*/
SELECT share AS value, binomial_low(least_share * samples, samples) AS low, binomial_high(most_share * samples, samples) AS high, samples AS n,
    CASE WHEN ahead IS NOT NULL THEN '95 % interval, widened by waits charged to Python'
        || CASE WHEN share_with_late <> share THEN ' and by what came late:' ELSE ':' END
        WHEN share_with_late <> share THEN '95 % interval, widened by what came late:' END AS "interval"
FROM (
    SELECT share, share_with_late, least_share, most_share, ahead, cost_samples() * work_of() / total_of(cpu_event_of()) AS samples
    FROM own_functions
    ORDER BY share DESC, key
    LIMIT 1
)

/*---
name: initialisation_share
title: CPU cost of initialising a GPU
definition: >-
  Share of CPU cost that was spent below functions that initialise a GPU, such as cuInit,
  cudaGetDeviceCount or _lazy_init. The functions are in the table phase_pattern of the store. Where there is a
  trace, calling paths of cudaMalloc and hipMalloc count that the metric time.gpu_initialisation counts.
needs: [cpu_event]
source: names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
empty: no thread has a CPU cost
---*/
SELECT coalesce(sum(exclusive) FILTER (WHERE phase = 'initialisation' OR frame IN (SELECT frame FROM gpu_start)), 0) / sum(exclusive) AS value
FROM cpu_frames
HAVING sum(exclusive) > 0

/*---
name: late_share
title: Work that came late
definition: >-
  Share of the elapsed time of code that works, waiting left out, in which the thread was not running it,
  at least: what its samples stand for beyond one punctual distance each. A timer of elapsed time
  interrupts a thread that runs, and wakes one that sleeps; a sample that comes late ends a time in
  which the thread had no core or was held by the kernel or the profiler.
population: >-
  call frames of CPU threads that work (at least 1 % of the work of their process's busiest one), scope
  function. The punctual distance of a thread is the one that one in twenty of its samples of such code is
  below, but no more than a tenth above the one that one in a hundred of the run's is below; with fewer than
  20 samples it is twice the median one of all, and so where that tells more
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: >-
  measure elapsed_time, which leaves the time of the profiler's own handler out, and its traces; the
  model late_cost, less 1.96 standard errors of the mean distance, which takes samples as independent; without each
  thread's latest sample, where that tells more
caveat: >-
  A thread that has no core, one within a long call of the kernel (a page fault, a disk), and one whose
  last sample the profiler is still at work on, are seen alike, and so are one whose signal the kernel delivers late, and one
  whose sample before the profiler dropped, as it does where that hits its own code. Else a lower bound: a thread that
  loses its core and has it again before a sample is due is not seen, nor is lateness that is charged to a function
  without samples of its own in the trace, as many a function of Python.
empty: the profile has CPU time, which passes only while a thread runs
---*/
SELECT sum(least(coalesce(late.late, 0), value.value)) / sum(value.value) AS value
FROM thread_work AS thread
JOIN metric ON metric.measure = 'elapsed_time' AND metric.scope = 'function' AND metric.statistic IS NULL
JOIN value ON value.profile = thread.profile AND value.metric = metric.id
JOIN frame AS roles ON roles.frame = value.context AND roles.role = 'working'
LEFT JOIN late_cost AS late ON late.profile = value.profile AND late.frame = value.context
WHERE thread.works AND cpu_event_of() = 'elapsed_time'
HAVING sum(value.value) > 0

/*---
name: late_waits
title: Waits that came late
definition: >-
  Share of the elapsed time within waiting code, of threads that work, by which samples came late, at least: what
  they stand for beyond one punctual distance each. A thread that spins is interrupted at once, and
  one that sleeps is woken; a sample that comes late ends a time in which the thread was due and had no core.
population: >-
  call frames that wait of CPU threads that work (at least 1 % of the work of their process's busiest one), scope function;
  one of them with at least 20 samples there. The punctual distance of a thread is the one that one in twenty of them is
  below, but no more than a tenth above the one that one in a hundred of the run's is below.
  Nothing is late of what has no samples, or of a thread with fewer
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: >-
  measure elapsed_time, which leaves the time of the profiler's own handler out, and its traces; the
  models punctual_distance and around_inlined, as the profile charges an inlined function and the trace
  samples the one around it; less 1.96 standard errors of the mean distance of samples that time is
  charged to, which takes them as independent
caveat: >-
  A kernel that delivers signals late to threads that run looks the same: then involuntary context switches are few.
  A thread that loses its core and has it again before a sample is due is not seen.
empty: the profile has CPU time, or no thread that works has 20 samples in waiting code
---*/
WITH waiting AS MATERIALIZED (
    SELECT value.profile, around.code, sum(value.value) AS spent
    FROM value
    JOIN metric ON metric.id = value.metric AND metric.measure = 'elapsed_time'
        AND metric.scope = 'function' AND metric.statistic IS NULL
    JOIN frame ON frame.frame = value.context AND frame.role = 'waiting'
    JOIN around_inlined AS around ON around.frame = frame.frame
    WHERE value.profile IN (SELECT profile FROM thread_work WHERE works)
    GROUP BY value.profile, around.code
),
sample AS MATERIALIZED (
    SELECT sample.profile, around.code, sample.samples, sample.later, sample.distance, sample.squares
    FROM sampled_frame AS sample
    JOIN frame ON frame.frame = sample.frame AND frame.role = 'waiting'
    JOIN around_inlined AS around ON around.frame = sample.frame
    JOIN waiting ON waiting.profile = sample.profile AND waiting.code = around.code
),
told AS (
    SELECT sampled.profile, sampled.code, sampled.samples, punctual.distance / 1e9 AS punctual, spread.variance
    FROM (SELECT profile, code, sum(samples) AS samples FROM sample GROUP BY profile, code) AS sampled
    JOIN (
        SELECT profile, variance_of(sum(later), sum(distance), sum(squares)) AS variance
        FROM sample
        GROUP BY profile
        HAVING sum(later) > 0
    ) AS spread ON spread.profile = sampled.profile
    JOIN punctual_distance AS punctual ON punctual.profile = sampled.profile AND punctual.role = 'waiting'
),
lateness AS (
    SELECT sum(told.samples * told.punctual) AS punctual,
        sum(waiting.spent) FILTER (WHERE told.profile IS NOT NULL) - 1.96 * sqrt(sum(told.samples * told.variance)) AS sampled,
        coalesce(sum(waiting.spent) FILTER (WHERE told.profile IS NULL), 0) AS others
    FROM waiting
    LEFT JOIN told ON told.profile = waiting.profile AND told.code = waiting.code
)
SELECT greatest(sampled - punctual, 0) / greatest(sampled + others, punctual) AS value
FROM lateness
WHERE punctual > 0 AND sampled IS NOT NULL AND cpu_event_of() = 'elapsed_time'

/*---
name: main_spinning_share
title: Spinning of main threads
definition: >-
  Share of the CPU time of main threads that was spent in libraries of parallel runtimes (OpenMP, MPI
  and its transports), in what MPI's libraries call, and in calls that wait.
population: >-
  the lowest-numbered CPU thread of each process; call frames,
  scope function
needs: [cpu_time, cpu_event, profiles]
source: names of libraries and functions, listed in the models is_waiting and frame
caveat: >-
  Known by name only, as for the CPU cost of waiting for threads. Waiting that sleeps has no CPU time.
empty: no main thread has CPU time, or another event ranks the run's cost
---*/
SELECT coalesce(sum(value.value) FILTER (WHERE roles.role = 'waiting'), 0) / sum(value.value) AS value
FROM value
JOIN main_threads AS main ON main.profile = value.profile
JOIN metric ON metric.id = value.metric
JOIN frame AS roles ON roles.frame = value.context
WHERE metric.measure = 'cpu_time' AND metric.scope = 'function' AND cpu_event_of() = 'cpu_time'
HAVING sum(value.value) > 0

/*---
name: main_threads_time
title: Elapsed time of main threads
unit: thread-s
definition: >-
  Elapsed time of main threads, running or waiting, summed over ranks: about the length of the run
  times the number of ranks.
population: >-
  the lowest-numbered CPU thread of each process; context 0 at
  scope execution
source: measure elapsed_time
empty: no main thread has elapsed time
---*/
SELECT sum(total.value) AS value
FROM main_threads AS main
JOIN profile_total AS total ON total.profile = main.profile AND total.name = 'elapsed_time'
HAVING sum(total.value) > 0

/*---
name: main_waiting_share
title: Waiting of main threads
definition: >-
  Share of the elapsed time that samples of main threads carry that was spent in libraries of parallel runtimes
  (OpenMP, MPI and its transports), in what MPI's libraries call, and in calls that wait. Helper threads, which wait most of
  the time by design, do not count.
population: >-
  the lowest-numbered CPU thread of each process; call frames,
  scope function
source: >-
  Names of libraries and functions, listed in the model is_waiting. The interval is the 95 % Wilson
  interval, where a trace tells the number of samples (thread_samples). It reaches to that of the
  share with waits that Python calls and the profile charges to Python: the time of samples, as far as
  Python's functions have so much, that wait in functions without a cost right below one of Python
  (hidden_waits)
caveat: >-
  Known by name only: waiting in a runtime that the list lacks is not counted, and work that a
  runtime does itself, such as moving messages, is.
empty: the profile has CPU time, in which waiting that sleeps has no cost
---*/
WITH main AS (
    FROM main_threads
),
spent AS (
    SELECT value.context, sum(value.value) AS cost
    FROM value
    JOIN main ON main.profile = value.profile
    JOIN metric ON metric.id = value.metric
    WHERE metric.measure = 'elapsed_time' AND metric.scope = 'function'
    GROUP BY value.context
),
hidden AS (
    SELECT sum(spent) AS spent FROM hidden_waits JOIN main USING (profile)
)
SELECT value, binomial_low(value * n, n) AS low, binomial_high((value + more) * n, n) AS high, n,
    CASE WHEN more > 0 THEN '95 % interval, widened by waits charged to Python:' END AS "interval"
FROM (
    SELECT coalesce(sum(cost) FILTER (WHERE frame.role = 'waiting'), 0) / sum(cost) AS value,
        least(
            coalesce((SELECT spent FROM hidden), 0),
            coalesce(sum(cost) FILTER (WHERE frame.role = 'working' AND frame.module_path = python_module()), 0)
        ) / sum(cost) AS more,
        (
            SELECT equal_samples(sum(total), sum(squares))
            FROM thread_samples
            WHERE profile IN (SELECT profile FROM main)
        ) AS n
    FROM spent
    JOIN frame ON frame.frame = spent.context
    WHERE cpu_event_of() = 'elapsed_time'
    HAVING sum(cost) > 0
)

/*---
name: python_waits
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

/*---
name: thread_time
title: Elapsed thread time
unit: thread-s
definition: >-
  Elapsed time of all threads, running or waiting, summed over threads. A thread that sleeps for
  the whole run counts in full, so this is never wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [elapsed_time]
source: measure elapsed_time
---*/
SELECT total_of('elapsed_time') AS value

/*---
name: thread_time_charged
title: Elapsed time that was charged to code
better: higher
definition: >-
  Elapsed time of a thread by its samples over the time from its first to its last trace point:
  the lowest one of the threads that span a tenth of the run at least. The rest was charged to no
  function: samples were lost, or the profiler worked itself.
population: CPU threads with elapsed time and a trace line
needs: [elapsed_time, profiles, cpu_trace, host_samples]
source: measure elapsed_time and traces
empty: no thread spans a tenth of the run
---*/
SELECT min(least(recorded.value * 1e9 / (line.stop - line.start), 1)) AS value
FROM trace_line AS line
JOIN profile_total AS recorded
    ON recorded.profile = line.profile AND recorded.name = 'elapsed_time'
WHERE line.kind = 'CPU thread' AND line.stop > line.start
    AND line.stop - line.start >= 0.1 * (SELECT max(stop) - min(start) FROM trace_line)

/*---
name: time
title: CPU time
unit: CPU-s
definition: >-
  Time that threads spent running on a CPU, summed over all threads of all processes. It is
  CPU-seconds: with n busy threads it grows n times as fast as wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [cpu_time]
source: measure cpu_time
---*/
SELECT total_of('cpu_time') AS value

/*---
name: waiting_share
title: CPU cost of waiting for threads
definition: >-
  Share of CPU cost that was spent in libraries of parallel runtimes (OpenMP, MPI and its
  transports), in what MPI's libraries call, and in calls that wait (futex, poll, sleep, join, yield and the like). Such code
  waits or organises work. Waiting for a GPU is another metric, cpu.gpu_wait_share. With CPUTIME only waiting that
  spins has a cost, with REALTIME all of it.
needs: [cpu_event]
source: >-
  Names of libraries and functions, listed in the models is_waiting and frame. The interval is the 95 %
  Wilson interval, where a trace, or the period of an event of perf, tells the number of samples
  (cost_samples)
caveat: >-
  Known by name only: waiting in a runtime that the list lacks is not counted, and work that a
  runtime does itself, such as moving messages, is.
empty: no thread has a CPU cost
---*/
SELECT value, low, high, n FROM role_share WHERE role = 'waiting'

/*---
name: waiting_together
title: Time in which all threads wait at once, lower bound
definition: >-
  Lower bound of the share of the elapsed time that samples of main threads carry in which no thread of their rank does
  anything but wait: what is left of it when the time that all threads of the rank do not wait is taken
  off, as if they never did so at once.
population: all CPU threads of each process; call frames, scope function
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: the profile has CPU time, in which waiting that sleeps has no cost, or adds up the threads of a rank
---*/
WITH main AS (
    FROM main_threads WHERE profile IN (SELECT profile FROM process_thread)
),
spent AS (
    SELECT thread.process, sum(value.value) AS active
    FROM value
    JOIN metric ON metric.id = value.metric
    JOIN process_thread AS thread ON thread.profile = value.profile
    JOIN frame AS roles ON roles.frame = value.context AND roles.role NOT IN ('waiting', 'gpu wait')
    WHERE metric.measure = 'elapsed_time' AND metric.scope = 'function'
    GROUP BY thread.process
)
SELECT sum(greatest(total.value - coalesce(spent.active, 0), 0)) / sum(total.value) AS value
FROM main
JOIN profile_total AS total ON total.profile = main.profile AND total.name = 'elapsed_time'
LEFT JOIN spent ON spent.process = main.process
WHERE cpu_event_of() = 'elapsed_time' AND total.value > 0
HAVING sum(total.value) > 0

/*---
name: work
title: CPU cost of work
unit: "1"
definition: >-
  CPU cost without code that waits or runs a parallel runtime, without what MPI's libraries call, and without the runtime of a GPU
  and what it calls: what the program and its libraries compute, with elapsed time that came late (see the
  metric cpu.late_share). In the unit of the run's CPU event.
needs: [cpu_event]
source: names of libraries and functions, listed in the models is_waiting and is_gpu_runtime
caveat: >-
  Known by name only: waiting in a runtime that the list lacks counts as work.
empty: no code that works has a CPU cost
---*/
SELECT value FROM (SELECT work_of() AS value) WHERE value > 0
