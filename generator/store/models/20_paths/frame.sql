/*---
about: >-
  Call frames: contexts that were called (functions, entry points, top-level code, unknown code) with the frame
  that called them. Scope function summed over frames is the total; equal keys are the same code.
columns:
  frame: UINTEGER; Its calling context [id]
  caller: UINTEGER; The frame that called it; 0 for entry points [id]
  depth: INTEGER; Distance from context 0; entry points have 1 [count]
  entry_point: "VARCHAR; Entry point that it is below: see table context [text]"
  key: >-
    VARCHAR; The same for the same code: functions of one name, module, file and line, top-level code of one
    file, unknown code of one module [text]
  name: VARCHAR; What was called, in words, at most 2,000 characters [text]
  lexical_type: VARCHAR; entry, function, line (top-level code), instruction (unknown code), or unknown(n) [text]
  called_file: VARCHAR?; File of the context itself, as top-level code has it [text]
  called_line: UINTEGER?; Line of the context itself [1]
  function: INTEGER?; Function [id]
  module_path: VARCHAR?; Load module; <logical python> of Python [text]
  python: BOOLEAN; Whether it is Python
  role: >-
    VARCHAR; gpu wait (calls that wait for a GPU: is_gpu_wait, and copies in reading_frames), waiting
    (is_waiting, and what MPI's libraries call up to the program's own code), gpu (the rest of a GPU's runtime,
    and what that calls) or working [text]
  waits_in: UINTEGER?; The outermost frame that waits for a GPU [id]
  owner: >-
    VARCHAR?; Key of the program's own function (is_own) that it belongs to or was called by, through code that
    is not its own; NULL where there is none, Python imports a module, MPI is called, or PyTorch runs a backward
    pass or an optimizer, which the program only starts [text]
  callee: VARCHAR?; The first function that the owner called on the way [text]
  phase: >-
    VARCHAR?; Phase of the program in which it runs, by phase_pattern and the functions on its calling path;
    NULL where nothing tells [text]
  phase_by: VARCHAR?; The outermost function that tells the phase [text]
  stub: >-
    BOOLEAN; Whether it is a host stub of a kernel: a function that compilers put in the place of a launch,
    __device_stub_ or one with the kernel's own name. Its lines are those of the kernel's definition, not of the
    launch
---*/
-- Down the calling paths, from entry points on. Paths of files may be relative, so each gets the /
-- before its first folder that patterns of phases ask for. Without a copy to or from a GPU, what PyTorch
-- calls to move or convert a tensor copies to none; without a module of a GPU's runtime or driver, what it
-- asks for a device is asked of a build for CPUs. The top level of a file runs when Python imports it, also
-- where the profiler lost the frames that do so; what Python was told to run as the program (runpy) is no import.
WITH RECURSIVE same AS (
    SELECT id, min(id) OVER (PARTITION BY name, module, file, line) AS first
    FROM "function"
),
called AS (
    SELECT named.context AS frame,
        coalesce(enclosing.frame, 0) AS caller,
        named.depth,
        named.entry_point,
        CASE named.lexical_type
            WHEN 'entry' THEN 'entry ' || named.entry_point
            WHEN 'function' THEN 'function ' || coalesce(same.first, -1)
            WHEN 'line' THEN 'file ' || coalesce(named.file_path, '')
            ELSE 'module ' || coalesce(named.module_path, '')
        END AS key,
        left(CASE named.lexical_type
            WHEN 'line' THEN 'top level of ' || coalesce(parse_filename(named.file_path), 'an unknown file')
            WHEN 'instruction' THEN 'unknown code in ' || coalesce(parse_filename(named.module_path), 'an unknown module')
            ELSE regexp_replace(named.name, '^<unknown procedure> 0x', '0x')
        END, 2000) AS name,
        named.lexical_type,
        named.file_path AS called_file,
        named.line AS called_line,
        named."function",
        CASE WHEN named.lexical_type = 'line' AND named.file_path LIKE '%.py' THEN python_module() ELSE named.module_path END AS module_path,
        coalesce(file.path, named.file_path) AS file
    FROM context_name AS named
    LEFT JOIN same ON same.id = named."function"
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = named.parent
    LEFT JOIN "function" AS defined ON defined.id = named."function"
    LEFT JOIN file ON file.id = defined.file
    WHERE named.relation <> 'lexical'
),
code AS (
    SELECT key, min(regexp_replace(name, ' \[[^\]]*\]$', '')) AS name, coalesce(min(file), '') AS file
    FROM called
    GROUP BY key
),
told AS (
    SELECT code.key, any_value(code.name) AS name, min(pattern.rank) AS rank
    FROM code
    JOIN phase_pattern AS pattern ON code.name GLOB pattern."function" AND '/' || code.file GLOB coalesce(pattern.file, '*')
    WHERE (NOT pattern.copies OR EXISTS (SELECT 1 FROM gpu_context WHERE operation LIKE 'copy%'))
        AND (pattern.phase <> 'initialisation' OR pattern.file IS NULL OR EXISTS (SELECT 1 FROM module WHERE is_gpu_runtime(path)))
    GROUP BY code.key
),
-- What compilers put in the place of a launch: up from kernels through the GPU's runtime, functions
-- that are called __device_stub_ or have the kernel's own name.
kernel AS (
    SELECT placeholder.context, placeholder.parent AS launcher, regexp_extract(plain_name(kernel.function_name), '\w+$') AS bare
    FROM context_name AS placeholder
    LEFT JOIN context_name AS kernel ON kernel.parent = placeholder.context AND regexp_matches(plain_name(kernel.function_name), '\w+$')
    WHERE placeholder.function_name = '<gpu kernel>'
),
above AS (
    SELECT launcher AS context FROM kernel
    UNION
    SELECT context.parent FROM above JOIN context ON context.id = above.context
),
passed AS MATERIALIZED (
    SELECT named.context, named.parent, named.relation, regexp_extract(plain_name(named.function_name), '\w+$') AS bare,
        coalesce(named.function_name LIKE '\_\_device\_stub\_%' ESCAPE '\', false) AS generated,
        named.relation = 'lexical' OR gpu_runtime(named.name, named.module_path) AS through
    FROM above JOIN context_name AS named ON named.context = above.context
),
launching AS (
    SELECT launcher AS context, bare AS kernel FROM kernel
    UNION
    SELECT passed.parent, launching.kernel FROM launching JOIN passed ON passed.context = launching.context WHERE passed.through
),
stub AS (
    SELECT DISTINCT passed.context
    FROM launching JOIN passed ON passed.context = launching.context
    WHERE passed.relation <> 'lexical' AND (passed.generated OR passed.bare = launching.kernel)
),
frame AS MATERIALIZED (
    SELECT called.*, coalesce(called.module_path = python_module(), false) AS python, stub.context IS NOT NULL AS stub,
        is_waiting(called.module_path, called.name) AS waiting,
        is_mpi_library(called.module_path) AS mpi,
        is_gpu_runtime(called.module_path) AS gpu,
        gpu_runtime(called.name, called.module_path)
            AND (is_gpu_wait(called.name) OR regexp_matches(called.name, '^(hpcrun_)?(cuda|cu|hip)Memcpy') AND reading.frame IS NOT NULL) AS gpu_wait,
        coalesce(regexp_matches(called.file, '^<frozen importlib|(^|/)torch/(autograd|optim)/|(^|/)torch/_tensor\.py$'), false)
            OR regexp_matches(called.name, '^(hpcrun_)?P?MPI_[A-Z]') AS driven,
        called.lexical_type <> 'entry' AND is_own(called.file, called.module_path) AS own,
        called.lexical_type NOT IN ('entry', 'instruction') AND called.name NOT LIKE '0x%' AND called.name NOT LIKE '<%'
            AND NOT is_waiting(called.module_path, called.name) AS named,
        CASE WHEN importing THEN (SELECT min(rank) FROM phase_pattern WHERE phase = 'importing') ELSE told.rank END AS rank,
        CASE WHEN NOT importing THEN told.name END AS told_by
    FROM called
    LEFT JOIN called AS outer_one ON outer_one.frame = called.caller
    CROSS JOIN LATERAL (
        SELECT called.lexical_type = 'line' AND coalesce(called.module_path = python_module(), false)
            AND NOT is_own(called.file, called.module_path)
            AND NOT coalesce(regexp_matches(outer_one.name, '^_run_(module_)?(code|as_main)'), false) AS importing
    ) AS top_level
    LEFT JOIN reading_frames AS reading ON reading.frame = called.caller
    LEFT JOIN told ON told.key = called.key
    LEFT JOIN stub ON stub.context = called.frame
),
walk AS (
    SELECT frame, waiting, mpi AS below_mpi, gpu AS below_gpu, CASE WHEN gpu_wait THEN frame END AS waits_in, CASE WHEN own THEN key END AS owner,
        CAST(NULL AS VARCHAR) AS callee, rank, told_by
    FROM frame WHERE caller = 0
    UNION ALL
    SELECT frame.frame, frame.waiting, frame.mpi OR walk.below_mpi AND NOT frame.own, walk.below_gpu OR frame.gpu, coalesce(walk.waits_in, CASE WHEN frame.gpu_wait THEN frame.frame END),
        CASE WHEN frame.own THEN frame.key WHEN NOT frame.driven THEN walk.owner END,
        CASE WHEN NOT frame.own THEN coalesce(walk.callee, CASE WHEN frame.named THEN frame.name END) END,
        least(frame.rank, walk.rank), CASE WHEN frame.rank < coalesce(walk.rank, frame.rank + 1) THEN frame.told_by ELSE walk.told_by END
    FROM walk JOIN frame ON frame.caller = walk.frame
)
SELECT frame.frame, frame.caller, frame.depth, frame.entry_point, frame.key, frame.name, frame.lexical_type,
    frame.called_file, frame.called_line, frame."function", frame.module_path, frame.python,
    CASE WHEN walk.waits_in IS NOT NULL THEN 'gpu wait' WHEN walk.waiting THEN 'waiting' WHEN walk.below_gpu THEN 'gpu'
        WHEN walk.below_mpi THEN 'waiting' ELSE 'working' END,
    walk.waits_in, walk.owner, walk.callee, pattern.phase, walk.told_by, frame.stub
FROM walk
JOIN frame ON frame.frame = walk.frame
LEFT JOIN phase_pattern AS pattern ON pattern.rank = walk.rank
