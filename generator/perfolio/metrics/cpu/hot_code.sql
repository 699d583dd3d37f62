/*---
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
