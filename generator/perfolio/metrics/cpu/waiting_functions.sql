/*---
name: waiting_functions
title: Functions that wait, by CPU cost
better: lower
definition: >-
  Functions of parallel runtimes and calls that wait in which CPU cost was spent, largest first.
  Exclusive is spent in the function's own code. Called in names the line of the program, or
  of a package of Python, that calls it, where one line has half of its cost or more.
population: >-
  call frames of all entry points and profiles, scope function; the first 10
needs: [cpu_event]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the CPU cost of waiting. In the unit of the run's CPU event:
  CPU-seconds, thread-seconds or events.
empty: no cost was spent in functions that wait; by CPU time, waiting that sleeps has none
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: exclusive_share, title: 'Share of all cost', unit: ratio}
---*/
SELECT "function", module, file, line, called_file, called_line, exclusive, exclusive_share
FROM costliest_functions
WHERE of = 'waiting'
ORDER BY exclusive DESC, key
LIMIT 10

/*---
name: main_waiting_functions
title: Functions in which main threads wait
better: lower
definition: >-
  Functions of parallel runtimes and calls that wait in which main threads spent elapsed time, largest first.
  Called in names the line of the program, or of a package of Python, that calls it,
  where one line has half of its time or more.
population: >-
  the lowest-numbered CPU thread of each process; call frames,
  scope function; the first 10
needs: [elapsed_time, cpu_event, profiles]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no function waits on a main thread, or the profile has CPU time, in which waiting that sleeps has no cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: time, title: 'Elapsed on main threads', unit: thread-s}
  - {name: share, title: 'Share of their time', unit: ratio}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
---*/
WITH main AS (
    FROM main_threads
),
spent AS (
    SELECT frames.key, frames.frame, frames.name, frames.module_path, roles.role, sum(value.value) AS amount
    FROM value
    JOIN main ON main.profile = value.profile
    JOIN metric ON metric.id = value.metric
    JOIN frame AS frames ON frames.frame = value.context
    JOIN frame AS roles ON roles.frame = value.context
    WHERE metric.measure = 'elapsed_time' AND metric.scope = 'function'
    GROUP BY ALL
),
waiting AS (
    SELECT key, frame, amount, name, module_path FROM spent WHERE cpu_event_of() = 'elapsed_time' AND role = 'waiting' AND amount > 0
),
top AS (
    SELECT key, any_value(name) AS "function", any_value(module_path) AS module, sum(amount) AS "time",
        sum(amount) / (SELECT sum(amount) FROM spent) AS share
    FROM waiting
    GROUP BY key
    ORDER BY "time" DESC, key
    LIMIT 10
),
place AS (
    FROM calling_lines((
        SELECT list({'key': waiting.key, 'frame': waiting.frame, 'cost': waiting.amount, 'whole': top."time"})
        FROM waiting JOIN top ON top.key = waiting.key
    ))
)
SELECT top."function", top.module, top."time", top.share, place.file AS called_file, place.line AS called_line
FROM top
LEFT JOIN place ON place.key = top.key
ORDER BY top."time" DESC, top.key

/*---
name: gpu_waits
title: Calls that wait for a GPU
better: lower
definition: >-
  Calls of the GPU's runtime that return only when a GPU has done something, by the line of the program, or
  of a package of Python, that makes them: their CPU cost with all that they call, largest first. Where packages of
  Python lie in between, in which of their functions: the innermost one, one of PyTorch's optimisers before others. Where
  operators are recorded, the outermost one around the call.
population: call frames of all entry points and profiles, scope function; the first 10
needs: [cpu_event, gpu_operations]
source: the models gpu_wait and reading_frames
caveat: >-
  In the unit of the run's CPU event. With CPUTIME only waiting that spins has a cost.
empty: no sample lies in a call that waits for a GPU
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
  - {name: within, title: 'Within', unit: text}
  - {name: within_file, title: 'File of what it is within', unit: text}
  - {name: operator, title: 'Operator', unit: text}
  - {name: cost, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share of all cost', unit: ratio}
  - {name: of_waits, title: 'Share of these calls', unit: ratio}
---*/
WITH RECURSIVE spent AS MATERIALIZED (
    SELECT waits_in, sum(exclusive) AS cost
    FROM cpu_frames
    WHERE role = 'gpu wait' AND exclusive > 0
    GROUP BY waits_in
),
package AS MATERIALIZED (
    SELECT frame.frame, frame.caller, short_name(frame.name) AS name, source_path(file.path) AS file, frame.python,
        frame.python AND NOT is_own(file.path, frame.module_path) AS installed
    FROM frame
    LEFT JOIN "function" AS defined ON defined.id = frame."function"
    LEFT JOIN file ON file.id = defined.file
),
around AS (
    SELECT spent.waits_in, package.caller AS frame, 1 AS steps
    FROM spent JOIN package ON package.frame = spent.waits_in
    UNION ALL
    SELECT around.waits_in, package.caller, around.steps + 1
    FROM around JOIN package ON package.frame = around.frame
    WHERE package.installed OR NOT package.python
),
within AS (
    SELECT around.waits_in,
        arg_min(
            {'name': package.name, 'file': package.file}, (NOT contains(package.file, 'torch/optim/'), around.steps)
        ) AS nearest
    FROM around JOIN package ON package.frame = around.frame
    WHERE package.installed AND package.file IS NOT NULL
    GROUP BY around.waits_in
),
operator AS (
    SELECT around.waits_in, arg_max(package.name, around.steps) AS name
    FROM around JOIN package ON package.frame = around.frame
    WHERE around.frame IN (SELECT context FROM host_range WHERE kind = 'operator')
    GROUP BY around.waits_in
)
SELECT short_name(frames.name) AS "function", place.file AS called_file, place.line AS called_line,
    nearest.name || ' (' || parse_filename(nearest.file) || ')' AS within, nearest.file AS within_file, operator.name AS operator,
    sum(spent.cost) AS cost, sum(spent.cost) / total_of(cpu_event_of()) AS share,
    sum(spent.cost) / (SELECT sum(cost) FROM spent) AS of_waits
FROM spent
JOIN frame AS frames ON frames.frame = spent.waits_in
LEFT JOIN source_place AS place ON place.context = spent.waits_in
LEFT JOIN within ON within.waits_in = spent.waits_in
LEFT JOIN operator ON operator.waits_in = spent.waits_in
GROUP BY ALL
ORDER BY cost DESC, "function", called_file, called_line, within, operator
LIMIT 10

/*---
name: helpers_waiting
title: Functions in which helper threads wait
better: neither
definition: >-
  Functions of parallel runtimes and calls that wait in which threads other than main ones spent elapsed
  time, largest first, with the library that calls them, which most often made the threads.
population: >-
  all CPU threads but the lowest-numbered one of each process;
  call frames, scope function; the first 10
needs: [elapsed_time, cpu_event, profiles]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no helper thread waits, or the profile has CPU time, in which waiting that sleeps has no cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Called by', unit: text}
  - {name: time, title: 'Elapsed on helper threads', unit: thread-s}
  - {name: share, title: 'Share of this waiting', unit: ratio}
  - {name: threads, title: 'Threads', unit: count}
---*/
SELECT "function", caller AS module, sum(cost) AS "time", sum(cost) / sum(sum(cost)) OVER () AS share, count(DISTINCT profile) AS threads
FROM helpers_waiting
WHERE cpu_event_of() = 'elapsed_time'
GROUP BY "function", caller
ORDER BY "time" DESC, "function", caller
LIMIT 10

/*---
name: late_functions
title: Functions whose samples came late
better: lower
definition: >-
  Functions that work in which samples of elapsed time came late (see the metric cpu.late_share), largest
  first, with their share of the work of all functions that have samples, and both together. Where a function has far more of what came
  late than of the work, the kernel may hold its calls, or threads lose their core in them where cores
  are short; where both are alike, threads had no core, or it was the profiler. Where one distance between samples is
  most of it, nothing of the kind follows.
population: >-
  call frames of CPU threads, scope function, waiting and the runtime of a GPU left out; the first 10. What the profile charges
  to functions without a sample, as to all those of Python, is in no share of work: nothing tells whether it came late
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: measure elapsed_time and traces; the model work_cost
caveat: >-
  The sum of what came late is a lower bound, as cpu.late_share is: the error of the sum is taken off each function in
  the same proportion. Shares of work leave out what came late without that error, so that the two are not all of the time.
empty: no sample came late, or the profile has CPU time
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: late, title: 'Came late', unit: thread-s}
  - {name: late_share, title: 'Share of what came late', unit: ratio}
  - {name: longest, title: 'Longest distance of samples', unit: s}
  - {name: work_share, title: 'Share of work that has samples', unit: ratio}
  - {name: over_work, title: 'The former over the latter', unit: x}
  - {name: time, title: 'Work and what came late', unit: thread-s}
  - {name: share, title: 'Share of time outside waits', unit: ratio}
---*/
WITH sampled AS (
    SELECT around.code, max(sample.longest) / 1e9 AS longest
    FROM sampled_frame AS sample JOIN around_inlined AS around ON around.frame = sample.frame GROUP BY around.code
)
SELECT any_value(frames.name) AS "function", any_value(frames.module_path) AS module,
    sum(spent.late) AS late,
    sum(spent.late) / nullif(sum(sum(spent.late)) OVER (), 0) AS late_share,
    max(sampled.longest) AS longest,
    coalesce(sum(spent.work) FILTER (WHERE sampled.code IS NOT NULL), 0)
        / sum(sum(spent.work) FILTER (WHERE sampled.code IS NOT NULL)) OVER () AS work_share,
    CASE WHEN 2 * max(sampled.longest) <= sum(spent.late)
        THEN sum(spent.late) / sum(sum(spent.late)) OVER () / nullif(work_share, 0) END AS over_work,
    sum(spent.spent) AS "time", sum(spent.spent) / sum(sum(spent.spent)) OVER () AS share
FROM work_cost AS spent
JOIN frame AS frames ON frames.frame = spent.frame
LEFT JOIN around_inlined AS around ON around.frame = spent.frame
LEFT JOIN sampled ON sampled.code = around.code
WHERE cpu_event_of() = 'elapsed_time'
GROUP BY spent.key
QUALIFY sum(spent.late) > 0
ORDER BY late DESC, spent.key
LIMIT 10
