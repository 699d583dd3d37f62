/*---
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
