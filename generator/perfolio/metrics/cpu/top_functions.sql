/*---
name: top_functions
title: Functions by CPU cost
better: lower
definition: >-
  Functions in which CPU cost was spent, largest exclusive cost first. Exclusive is spent in the
  function's own code, inlined code of other functions not counted; inclusive holds all that it
  called, recursive calls counted once. Waits charged to Python are how much of exclusive may be waiting that the profile charges to
  Python (see the metric cpu.python_waits), beside what waits by name.
population: >-
  call frames of all entry points and profiles: scope function for exclusive, scope execution of
  the outermost frames for inclusive; the first 50. Code outside of any function counts under
  its file or module
needs: [cpu_event]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
empty: no thread has a CPU cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: inclusive, title: 'Inclusive', unit: "1"}
  - {name: python_waits, title: 'Waits charged to Python, at most', unit: thread-s}
  - {name: exclusive_share, title: 'Exclusive share', unit: ratio}
  - {name: inclusive_share, title: 'Inclusive share', unit: ratio}
---*/
SELECT "function", module, file, line, exclusive, inclusive, waits AS python_waits, exclusive_share, inclusive_share
FROM costliest_functions
WHERE of = 'all'
ORDER BY exclusive DESC, key
LIMIT 50

/*---
name: top_contexts
title: Calling contexts by CPU cost
better: lower
definition: >-
  Call paths whose last function spent the most itself, with the line of it that spent most.
population: >-
  call frames: scope function for exclusive, scope execution for inclusive; the first 30
needs: [cpu_event]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event. The path is shortened: five frames, or three of
  Python and two of native code.
empty: no thread has a CPU cost
columns:
  - {name: context, title: 'Context', unit: id}
  - {name: path, title: 'Call path', unit: text}
  - {name: function, title: 'Function', unit: text}
  - {name: location, title: 'Hottest line', unit: text}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: inclusive, title: 'Inclusive', unit: "1"}
  - {name: exclusive_share, title: 'Exclusive share', unit: ratio}
  - {name: inclusive_share, title: 'Inclusive share', unit: ratio}
---*/
WITH top AS MATERIALIZED (
    SELECT * FROM cpu_frames
    WHERE exclusive > 0
    ORDER BY exclusive DESC, frame
    LIMIT 30
),
hottest_line AS (
    SELECT top.frame, arg_max(coalesce(parse_filename(file.path), '?') || ':' || coalesce(line.line, 0), cost.value) AS location
    FROM top
    JOIN enclosing_frame AS enclosing ON enclosing.frame = top.frame
    JOIN context AS line ON line.id = enclosing.context AND line.lexical_type = 'line'
    JOIN file ON file.id = line.file
    JOIN cost ON cost.context = line.id
    WHERE cost.scope = 'function' AND cost.name = cpu_event_of() AND line.line > 0
    GROUP BY top.frame
)
SELECT top.frame AS context, paths.path, top.name AS "function", hottest_line.location,
    top.exclusive, top.inclusive,
    top.exclusive / total_of(cpu_event_of()) AS exclusive_share,
    top.inclusive / total_of(cpu_event_of()) AS inclusive_share
FROM top
JOIN call_paths((SELECT list(frame) FROM top)) AS paths ON paths.frame = top.frame
LEFT JOIN hottest_line ON hottest_line.frame = top.frame
ORDER BY top.exclusive DESC, top.frame

/*---
name: own_functions
title: Functions of the program, with the libraries they call
better: lower
definition: >-
  Work of each function of the program itself: its own code, and code of libraries that it calls up
  to the next function of the program, so that no cost counts twice. Imports of modules, and
  PyTorch's backward pass and optimizers, are left out. Mostly in is the library's
  function that it calls with the largest part. The share with what came late is of the same with elapsed
  time that came late: of a function that the kernel holds it is the larger one. Waits charged to Python are how much of the work may be
  waiting that the profile charges to Python (see the metric cpu.python_waits). Ahead is by how much of the work the function leads all
  others, whatever of that is waiting: below 0, which function has most is not known.
population: >-
  call frames of all entry points and profiles, scope function; the first 10. Waiting, the runtime of a
  GPU, what MPI does, Python's import of modules, PyTorch's backward pass and optimizers, and elapsed time that came
  late (see the metric cpu.late_share) are left out
needs: [cpu_event]
source: the models frame and is_own
caveat: >-
  What is the program's own is told by paths: not installed, and no well-known library. Work of pool
  threads has no caller in the program. Own code of a function of Python holds a part of the compiled code of
  extensions that it calls, and of elapsed time of the waits in it, which the profile charges to it. In the unit of the run's CPU event.
empty: no function of the program itself has a CPU cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: work, title: 'With libraries', unit: "1"}
  - {name: own, title: 'Own code', unit: "1"}
  - {name: share, title: 'Share of work', unit: ratio}
  - {name: share_with_late, title: 'Share with what came late', unit: ratio}
  - {name: python_waits, title: 'Waits charged to Python, at most', unit: thread-s}
  - {name: ahead, title: 'Ahead of all others, at least', unit: ratio}
  - {name: callee, title: 'Mostly in', unit: text}
---*/
SELECT "function", module, file, line, work, own, share, share_with_late, waits AS python_waits, ahead, callee
FROM own_functions
ORDER BY work DESC, key
LIMIT 10

/*---
name: working_functions
title: Functions that work, by CPU cost
better: lower
definition: >-
  Functions in which CPU cost was spent, largest first; code that waits and the runtime of a GPU with
  what it calls are left out, and so they are of the whole that the share of work refers to, and so is
  elapsed time that came late (see the metric cpu.late_share). Exclusive is
  spent in the function's own code; inclusive holds all that it called, waiting too, recursive calls
  counted once. Called in names the line of the program, or of a package of Python, that calls it, where
  one line has half of its cost or more. Waits charged to Python are how much of exclusive may be waiting that the profile charges
  to Python (see the metric cpu.python_waits); ahead, what the function has beyond all others, whatever of that is waiting.
population: >-
  call frames of all entry points and profiles, scope function for exclusive, scope execution of
  the outermost frames for inclusive; the first 10
needs: [cpu_event]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the CPU cost of waiting. In the unit of the run's CPU event:
  CPU-seconds, thread-seconds or events. Exclusive of a function of Python holds a part of the compiled code of
  extensions that it calls, and of elapsed time of the waits in it, which the profile charges to it.
empty: all CPU cost is waiting
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: exclusive_share, title: 'Share of work', unit: ratio}
  - {name: python_waits, title: 'Waits charged to Python, at most', unit: thread-s}
  - {name: ahead, title: 'Ahead of all others, at least', unit: thread-s}
  - {name: inclusive_share, title: 'Inclusive, of all cost', unit: ratio}
---*/
SELECT "function", module, file, line, called_file, called_line,
    exclusive, exclusive / (SELECT sum(work) FROM work_cost) AS exclusive_share, waits AS python_waits, ahead, inclusive_share
FROM costliest_functions
WHERE of = 'working'
ORDER BY exclusive DESC, key
LIMIT 10

/*---
name: hot_code
title: Code of the program's hottest function
better: neither
definition: >-
  Of the program's own function that has most work with the libraries that it calls: its language, how
  much of its work is in its own code, the library's function that it calls with the largest part, and
  the compiler of native code, as far as names of functions and run-time libraries tell it.
population: >-
  call frames of all entry points and profiles, scope function, as for the metric cpu.own_functions; for
  the compiler the functions of the same load module, and all load modules but those of Python's packages
needs: [cpu_event]
source: >-
  The model own_functions. Names that compilers give to code that they split off: ._omp_fn., .isra.,
  .constprop. and .part. (GCC), .omp_outlined (Clang), .DIR.OMP. (Intel), __nv_ and nvkernel_ (NVIDIA
  HPC); else their libraries (libgomp and libgfortran, libomp, libimf and libiomp5, libnvc and libnvomp)
caveat: >-
  Clang may use the library of another compiler: where no function tells, the library may mislead. Own code of a
  function of Python holds a part of the compiled code of extensions that it calls, which the profile charges to it.
empty: no function of the program itself has a CPU cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: language, title: 'Language', unit: text}
  - {name: compiler, title: 'Compiler', unit: text}
  - {name: own, title: 'Own code', unit: ratio}
  - {name: callee, title: 'Mostly in', unit: text}
---*/
WITH hot AS (
    SELECT key, "function", module, own / work AS own, callee
    FROM own_functions
    ORDER BY work DESC, key
    LIMIT 1
),
sign(compiler, rank, pattern) AS (
    VALUES
        ('GCC', 1, '\._omp_fn\.\d|\.(isra|constprop|part)\.\d'),
        ('Clang', 1, '\.omp_outlined'),
        ('Intel', 1, '\.DIR\.OMP\.'),
        ('NVIDIA HPC', 1, '^(__nv_|nvkernel_)'),
        ('Intel', 2, '/lib(iomp5|imf|svml|intlc|ifcore)[^/]*\.so'),
        ('NVIDIA HPC', 2, '/lib(nvc|nvomp|nvcpumath|acchost)[^/]*\.so'),
        ('Clang', 2, '/libomp[^/]*\.so'),
        ('GCC', 3, '/lib(gomp|gfortran)[^/]*\.so')
),
told AS (
    SELECT sign.compiler, sign.rank
    FROM (
        SELECT DISTINCT name FROM frame WHERE module_path = (SELECT module FROM hot)
    ) AS code
    JOIN sign ON sign.rank = 1 AND regexp_matches(code.name, sign.pattern)
    UNION ALL
    SELECT sign.compiler, sign.rank
    FROM sign JOIN module ON sign.rank > 1 AND regexp_matches('/' || module.path, sign.pattern)
    WHERE NOT regexp_matches(module.path, '/(site|dist)-packages/|/lib/python\d')
)
SELECT short_name(hot."function") AS "function",
    CASE WHEN coalesce(hot.module, python_module()) = python_module() THEN 'Python' ELSE 'native' END AS language,
    CASE WHEN coalesce(hot.module, python_module()) <> python_module()
        THEN coalesce((SELECT compiler FROM told ORDER BY rank, compiler LIMIT 1), 'not known') END AS compiler,
    hot.own, hot.callee
FROM hot
