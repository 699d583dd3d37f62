/*---
name: context_code
about: >-
  Each context with the place of code that it is in (see code), the frame around it (enclosing_frame), and whether it
  was called.
held: true
---*/
WITH place AS (
    SELECT relation <> 'lexical' AS called, lexical_type, entry_point, "function", file, line, module,
        CASE lexical_type WHEN 'instruction' THEN "offset" END AS "offset", min(id) AS code
    FROM context GROUP BY ALL
)
SELECT context.id AS context, context.parent, enclosing.frame, place.code, place.called
FROM context JOIN place ON place.called = (context.relation <> 'lexical')
    AND place.lexical_type = context.lexical_type
    AND place.entry_point = context.entry_point
    AND place."function" IS NOT DISTINCT FROM context."function"
    AND place.file IS NOT DISTINCT FROM context.file
    AND place.line IS NOT DISTINCT FROM context.line
    AND place.module IS NOT DISTINCT FROM context.module
    AND place."offset" IS NOT DISTINCT FROM CASE context.lexical_type WHEN 'instruction' THEN context."offset" END
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = context.id

/*---
name: code
about: >-
  Each distinct place of code that contexts are in, with its names and what they tell: see tables frame and
  source_place. There are a few thousand, whatever the number of contexts; code is the first context in it [id].
held: true
---*/
-- Paths of files may be relative, so each gets the / before its first folder that patterns of phases ask for.
-- Without a copy to or from a GPU, what PyTorch calls to move or convert a tensor copies to none; without a module
-- of a GPU's runtime or driver, what it asks for a device is asked of a build for CPUs.
WITH same AS (
    SELECT id, min(id) OVER (PARTITION BY name, module, file, line) AS first FROM "function"
),
named AS (
    SELECT first.code, first.called, named.*, defined.line AS defined_line, file.path AS defined_path, same.first
    FROM (SELECT code, any_value(called) AS called FROM context_code GROUP BY code) AS first
    JOIN context_name AS named ON named.context = first.code
    LEFT JOIN "function" AS defined ON defined.id = named."function"
    LEFT JOIN file ON file.id = defined.file
    LEFT JOIN same ON same.id = named."function"
),
described AS (
    SELECT code, called, entry_point, lexical_type, "function", line, file_path AS called_file, module_path AS module,
        CASE lexical_type
            WHEN 'entry' THEN 'entry ' || entry_point
            WHEN 'function' THEN 'function ' || coalesce(first, -1)
            WHEN 'line' THEN 'file ' || coalesce(file_path, '')
            ELSE 'module ' || coalesce(module_path, '')
        END AS key,
        left(CASE lexical_type
            WHEN 'line' THEN 'top level of ' || coalesce(parse_filename(file_path), 'an unknown file')
            WHEN 'instruction' THEN 'unknown code in ' || coalesce(parse_filename(module_path), 'an unknown module')
            ELSE regexp_replace(name, '^<unknown procedure> 0x', '0x')
        END, 2000) AS name,
        CASE WHEN lexical_type = 'line' AND file_path LIKE '%.py' THEN python_module() ELSE module_path END AS module_path,
        coalesce(defined_path, file_path) AS file,
        coalesce(function_name LIKE '<gpu %', false) AS placeholder,
        source_path(CASE lexical_type WHEN 'function' THEN defined_path ELSE file_path END) AS source_file,
        nullif(CASE lexical_type WHEN 'function' THEN defined_line ELSE line END, 0) AS source_line
    FROM named
),
told AS (
    SELECT code.key, any_value(code.name) AS name, min(pattern.rank) AS rank
    FROM (
        SELECT key, min(regexp_replace(name, ' \[[^\]]*\]$', '')) AS name, coalesce(min(file), '') AS file
        FROM described WHERE called GROUP BY key
    ) AS code
    JOIN phase_pattern AS pattern
        ON code.name GLOB pattern."function" AND '/' || code.file GLOB coalesce(pattern.file, '*')
    WHERE (NOT pattern.copies OR EXISTS (SELECT 1 FROM gpu_context WHERE operation LIKE 'copy%'))
        AND (pattern.phase <> 'initialisation' OR pattern.file IS NULL
            OR EXISTS (SELECT 1 FROM module WHERE is_gpu_runtime(path)))
    GROUP BY code.key
),
judged AS (
    SELECT *, coalesce(module_path = python_module(), false) AS python, is_own(file, module_path) AS is_own,
        is_waiting(module_path, name) AS waiting, gpu_runtime(name, module_path) AS calls_gpu
    FROM described
)
SELECT judged.* EXCLUDE (python, is_own, waiting, calls_gpu), told.rank, told.name AS told_name,
    python,
    waiting,
    is_mpi_library(module_path) AS mpi,
    is_gpu_runtime(module_path) AS gpu,
    calls_gpu AND coalesce(gpu_wait(judged.name) = 'synchronises', false) AS waits_for_gpu,
    calls_gpu AND regexp_matches(judged.name, '^(hpcrun_)?(cuda|cu|hip)Memcpy') AS copies,
    coalesce(regexp_matches(file, '^<frozen importlib|(^|/)torch/(autograd|optim)/|(^|/)torch/_tensor\.py$'), false)
        OR regexp_matches(judged.name, '^(hpcrun_)?P?MPI_[A-Z]') AS driven,
    lexical_type <> 'entry' AND is_own AS own,
    lexical_type NOT IN ('entry', 'instruction') AND judged.name NOT LIKE '0x%' AND judged.name NOT LIKE '<%'
        AND NOT waiting AS named,
    lexical_type = 'line' AND python AND NOT is_own AS imports,
    coalesce(regexp_matches(judged.name, '^_run_(module_)?(code|as_main)'), false) AS runs_program,
    coalesce(source_file LIKE '%.py', false) AS python_file,
    installed_file(source_file) AS installed_file,
    installed_module(module_path) AS installed_module,
    CASE WHEN module IS NULL OR module = python_module() THEN 0 WHEN is_gpu_runtime(module) THEN 1 ELSE 2 END AS code_rank
FROM judged LEFT JOIN told ON told.key = judged.key

/*---
name: source_place
about: >-
  Where in the sources contexts are: the line that runs, or that calls what runs, in the innermost frame of
  Python on the calling path, frames of the program before those of installed packages; without Python, in the
  innermost native frame that has a source file and is no installed code (installed_file, installed_module). Of a
  GPU operation, where the host launches it: host stubs do not count.
columns:
  context: UINTEGER; Calling context [id]
  file: VARCHAR?; Source file, as source_path says; NULL where no frame has one [text]
  line: "UINTEGER?; Line, or where the frame has none that of its function's definition [1]"
  module: "VARCHAR?; Where no frame has a source file, the module of the innermost one outside the GPU's runtime [text]"
---*/
-- Down all paths again: in each frame a line is better than none, and the innermost one is best;
-- Python is better than native code, and the program better than what is installed. Nothing below
-- the launch of a GPU operation counts.
WITH RECURSIVE element AS MATERIALIZED (
    SELECT place.context, place.parent, place.frame, code.code, code.placeholder, code.source_line IS NOT NULL AS lined,
        CAST(CASE WHEN code.source_file IS NULL OR stub.context IS NOT NULL THEN 0 ELSE
            CASE WHEN coalesce(around.python, false) OR code.python_file THEN 2 ELSE 0 END
            + CASE WHEN code.installed_file OR coalesce(around.installed_module, false) THEN 0 ELSE 1 END
        END AS TINYINT) AS rank,
        CAST(CASE WHEN stub.context IS NULL THEN code.code_rank ELSE 0 END AS TINYINT) AS code_rank
    FROM context_code AS place
    JOIN code ON code.code = place.code
    LEFT JOIN context_code AS frame ON frame.context = place.frame
    LEFT JOIN code AS around ON around.code = frame.code
    LEFT JOIN stub_context AS stub ON stub.context = place.frame
),
walk AS (
    SELECT context, placeholder AS inside, frame, lined,
        CASE WHEN placeholder THEN 0 ELSE rank END AS rank, code AS source,
        CASE WHEN placeholder THEN 0 ELSE code_rank END AS code_rank, code
    FROM element WHERE parent = 0
    UNION ALL
    SELECT context, inside, CASE WHEN better THEN frame ELSE old_frame END,
        CASE WHEN better THEN lined ELSE old_lined END, CASE WHEN better THEN rank ELSE old_rank END,
        CASE WHEN better THEN code ELSE source END, CASE WHEN nearer THEN code_rank ELSE old_code_rank END,
        CASE WHEN nearer THEN code ELSE old_code END
    FROM (
        SELECT element.context, walk.inside OR element.placeholder AS inside, element.frame, walk.frame AS old_frame,
            element.lined, walk.lined AS old_lined, element.rank, walk.rank AS old_rank, walk.source,
            element.code_rank, walk.code_rank AS old_code_rank, element.code, walk.code AS old_code,
            NOT (walk.inside OR element.placeholder) AND element.rank > 0 AND (
                element.rank > walk.rank OR element.rank = walk.rank
                AND (element.frame IS DISTINCT FROM walk.frame OR element.lined OR NOT walk.lined)
            ) AS better,
            NOT (walk.inside OR element.placeholder) AND element.code_rank > 0
                AND element.code_rank >= walk.code_rank AS nearer
        FROM walk JOIN element ON element.parent = walk.context
    )
)
SELECT walk.context, CASE WHEN walk.rank > 0 THEN source.source_file END AS file,
    CASE WHEN walk.rank > 0 THEN source.source_line END AS line,
    CASE WHEN walk.rank = 0 AND walk.code_rank > 0 THEN code.module END AS module
FROM walk JOIN code AS source ON source.code = walk.source JOIN code ON code.code = walk.code

/*---
name: calling_lines
about: >-
  The line that calls what has a key, where one line has half of its whole cost or more (source_place), by the
  20 costliest of its calling contexts: costs lists structs of key, frame, cost and whole.
given: [costs]
---*/
WITH largest AS (
    SELECT each.key, each.frame, each.cost, each.whole
    FROM unnest(costs) AS spent(each) QUALIFY row_number() OVER (PARTITION BY each.key ORDER BY each.cost DESC, each.frame) <= 20
)
SELECT largest.key, known.file, known.line
FROM largest JOIN source_place AS known ON known.context = largest.frame
WHERE known.file IS NOT NULL
GROUP BY largest.key, known.file, known.line HAVING sum(largest.cost) >= 0.5 * any_value(largest.whole)
QUALIFY row_number() OVER (PARTITION BY largest.key ORDER BY sum(largest.cost) DESC, known.file, known.line) = 1
