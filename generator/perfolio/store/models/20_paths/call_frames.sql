/*---
name: enclosing_frame
about: >-
  For each context the call frame that it lies in: itself if it was called, else the nearest called context
  around it (loops and lines lie in functions).
columns:
  context: UINTEGER; Calling context [id]
  frame: UINTEGER; The calling context of its frame [id]
---*/
WITH RECURSIVE enclosing AS (
    SELECT id AS context, id AS frame FROM context WHERE relation <> 'lexical'
    UNION ALL
    SELECT context.id, enclosing.frame
    FROM enclosing JOIN context ON context.parent = enclosing.context WHERE context.relation = 'lexical'
)
SELECT context, frame FROM enclosing

/*---
name: backward_waits
about: >-
  Frames in which a thread waits for the backward pass that another thread of its rank runs: PyTorch's call of its autograd
  engine, or a function of Python or a marked range (annotation) around it on a thread that calls the GPU's runtime, where
  another thread that runs steps of the backward pass was in something recorded for at least half of the time in the frame
  itself. By begins and ends; of tools that take samples no row, whose samples tell the wait (main_stretch).
---*/
WITH place AS MATERIALIZED (
    SELECT place.context, place.frame, code.python, regexp_matches(code.name, 'run_backward|autograd::[\w:]*Engine::execute') AS engine,
        regexp_matches(code.name, '^autograd::engine::evaluate_function|\wBackward\d*$') AS pass
    FROM context_code AS place JOIN code ON code.code = place.code
    WHERE place.called AND code.lexical_type = 'function' AND EXISTS (FROM host_stay)
),
backward AS MATERIALIZED (
    SELECT DISTINCT profile FROM host_stay WHERE context IN (SELECT context FROM place WHERE pass)
),
entered AS MATERIALIZED (
    SELECT stay.profile, place.frame, stay.start, stay.start + stay.duration AS stop
    FROM host_stay AS stay JOIN place ON place.context = stay.context
    WHERE EXISTS (FROM backward) AND (
        place.engine OR stay.profile IN (SELECT profile FROM host_call) AND stay.profile NOT IN (FROM backward)
        AND (place.python OR place.context IN (SELECT context FROM host_range WHERE kind = 'annotation')))
),
pair AS (
    SELECT waiting."index" AS profile, other."index" AS other
    FROM profile AS waiting
    JOIN profile AS other ON other."index" <> waiting."index" AND other.node IS NOT DISTINCT FROM waiting.node
        AND other.rank IS NOT DISTINCT FROM waiting.rank
    WHERE waiting."index" IN (SELECT profile FROM entered) AND other."index" IN (FROM backward)
),
covered AS (
    SELECT entered.frame, sum(greatest(least(stay.start + stay.duration, entered.stop) - stay.start, 0)) AS covered
    FROM (
        SELECT pair.profile, stay.start, stay.duration
        FROM host_stay AS stay JOIN pair ON pair.other = stay.profile WHERE stay.context NOT IN (SELECT context FROM place WHERE engine)
    ) AS stay
    ASOF JOIN entered ON entered.profile = stay.profile AND entered.start <= stay.start
    GROUP BY entered.frame
)
SELECT spent.frame
FROM (SELECT frame, sum(stop - start) AS own FROM entered GROUP BY frame) AS spent JOIN covered ON covered.frame = spent.frame
WHERE 2 * covered.covered >= spent.own AND spent.own > 0

/*---
name: frame
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
    VARCHAR; gpu wait (calls that wait for a GPU: gpu_wait, and copies in reading_frames), waiting
    (is_waiting, backward_waits, and what MPI's libraries call up to the program's own code), gpu (the rest of a
    GPU's runtime, and what that calls) or working [text]
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
-- Down the calling paths, from entry points on. The top level of a file runs when Python imports it, also
-- where the profiler lost the frames that do so; what Python was told to run as the program (runpy) is no import.
WITH RECURSIVE called AS MATERIALIZED (
    SELECT inner_one.context AS frame, coalesce(outer_one.frame, 0) AS caller, code.code,
        code.waiting, code.mpi, code.gpu, code.driven, code.own, code.named,
        code.waits_for_gpu OR code.copies AND coalesce(inner_one.context IN (FROM reading_frames)
            OR outer_one.frame IN (FROM reading_frames), false) AS gpu_wait,
        CASE WHEN importing THEN (SELECT min(rank) FROM phase_pattern WHERE phase = 'importing') ELSE code.rank END AS rank,
        CASE WHEN NOT importing THEN code.code END AS told_by
    FROM context_code AS inner_one
    JOIN code ON code.code = inner_one.code
    LEFT JOIN context_code AS outer_one ON outer_one.context = inner_one.parent
    LEFT JOIN context_code AS caller ON caller.context = outer_one.frame
    LEFT JOIN code AS calling ON calling.code = caller.code
    CROSS JOIN LATERAL (SELECT code.imports AND NOT coalesce(calling.runs_program, false) AS importing) AS top_level
    WHERE inner_one.called
),
walk AS (
    SELECT frame, caller, code, waiting, mpi AS below_mpi, gpu AS below_gpu, CASE WHEN gpu_wait THEN frame END AS waits_in,
        CASE WHEN own THEN code END AS owner, CAST(NULL AS UINTEGER) AS callee, rank, told_by
    FROM called WHERE caller = 0
    UNION ALL
    SELECT called.frame, called.caller, called.code, called.waiting, called.mpi OR walk.below_mpi AND NOT called.own,
        walk.below_gpu OR called.gpu, coalesce(walk.waits_in, CASE WHEN called.gpu_wait THEN called.frame END),
        CASE WHEN called.own THEN called.code WHEN NOT called.driven THEN walk.owner END,
        CASE WHEN NOT called.own THEN coalesce(walk.callee, CASE WHEN called.named THEN called.code END) END,
        least(called.rank, walk.rank),
        CASE WHEN called.rank < coalesce(walk.rank, called.rank + 1) THEN called.told_by ELSE walk.told_by END
    FROM walk JOIN called ON called.caller = walk.frame
)
SELECT walk.frame, walk.caller, context.depth, code.entry_point, code.key, code.name, code.lexical_type,
    code.called_file, code.line AS called_line, code."function", code.module_path, code.python,
    CASE WHEN walk.waits_in IS NOT NULL THEN 'gpu wait' WHEN walk.waiting OR backward.frame IS NOT NULL THEN 'waiting'
        WHEN walk.below_gpu THEN 'gpu'
        WHEN walk.below_mpi THEN 'waiting' ELSE 'working' END AS role,
    walk.waits_in, owner.key AS owner, callee.name AS callee, pattern.phase, teller.told_name AS phase_by,
    stub.context IS NOT NULL AS stub
FROM walk
JOIN context ON context.id = walk.frame
JOIN code ON code.code = walk.code
LEFT JOIN code AS owner ON owner.code = walk.owner
LEFT JOIN code AS callee ON callee.code = walk.callee
LEFT JOIN code AS teller ON teller.code = walk.told_by
LEFT JOIN phase_pattern AS pattern ON pattern.rank = walk.rank
LEFT JOIN stub_context AS stub ON stub.context = walk.frame
LEFT JOIN backward_waits AS backward ON backward.frame = walk.frame

/*---
name: frame_cost
about: >-
  Cost of call frames by metric (name), of those by which functions are ranked: the time of GPU operations,
  elapsed time and the run's CPU event. Exclusive is of the frame itself, inclusive with all that it called.
---*/
SELECT name, context AS frame,
    coalesce(sum(value) FILTER (WHERE scope = 'function'), 0) AS exclusive,
    coalesce(sum(value) FILTER (WHERE scope = 'execution'), 0) AS inclusive
FROM cost
WHERE scope IN ('function', 'execution') AND name IN ('gpu_operation_time', 'elapsed_time', cpu_event_of())
    AND context IN (SELECT frame FROM frame)
GROUP BY name, context

/*---
name: around_inlined
about: >-
  Each call frame with the function that its code is compiled into: itself, or where it is inlined the closest
  frame around it that is not.
---*/
WITH RECURSIVE around AS (
    SELECT id AS frame, id AS code FROM context WHERE relation NOT IN ('lexical', 'inlined call')
    UNION ALL
    SELECT inlined.id, around.code
    FROM around
    JOIN frame ON frame.caller = around.frame
    JOIN context AS inlined ON inlined.id = frame.frame AND inlined.relation = 'inlined call'
)
FROM around
