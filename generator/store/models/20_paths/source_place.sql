/*---
about: >-
  Where in the sources contexts are: the line that runs, or that calls what runs, in the innermost frame of
  Python on the calling path, frames of the program before those of installed packages; without Python, in the
  innermost native frame that has a source file and is no installed code (is_installed). Of a GPU operation,
  where the host launches it: host stubs do not count.
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
    SELECT *,
        CASE WHEN file IS NULL OR stub THEN 0 ELSE
            CASE WHEN python THEN 2 ELSE 0 END + CASE WHEN is_installed(file, frame_module) THEN 0 ELSE 1 END
        END AS rank,
        CASE WHEN stub OR module IS NULL OR module = python_module() THEN 0 WHEN is_gpu_runtime(module) THEN 1 ELSE 2 END AS code_rank
    FROM (
        SELECT named.context, named.parent, enclosing.frame, coalesce(named.function_name LIKE '<gpu %', false) AS placeholder,
            CASE named.lexical_type WHEN 'function' THEN source_path(defined_in.path) ELSE source_path(named.file_path) END AS file,
            nullif(CASE named.lexical_type WHEN 'function' THEN defined.line ELSE named.line END, 0) AS line,
            named.module_path AS module, frame.module_path AS frame_module,
            coalesce(frame.stub, false) AS stub,
            coalesce(frame.python, false) OR coalesce(
                CASE named.lexical_type WHEN 'function' THEN source_path(defined_in.path) ELSE source_path(named.file_path) END LIKE '%.py', false
            ) AS python
        FROM context_name AS named
        LEFT JOIN "function" AS defined ON defined.id = named."function"
        LEFT JOIN file AS defined_in ON defined_in.id = defined.file
        LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = named.context
        LEFT JOIN frame ON frame.frame = enclosing.frame
    )
),
walk AS (
    SELECT context, placeholder AS inside, frame, line IS NOT NULL AS lined,
        CASE WHEN placeholder THEN 0 ELSE rank END AS rank, context AS source,
        CASE WHEN placeholder THEN 0 ELSE code_rank END AS code_rank, context AS code
    FROM element WHERE parent = 0
    UNION ALL
    SELECT context, inside, CASE WHEN better THEN frame ELSE old_frame END, CASE WHEN better THEN lined ELSE old_lined END,
        CASE WHEN better THEN rank ELSE old_rank END, CASE WHEN better THEN context ELSE source END,
        CASE WHEN nearer THEN code_rank ELSE old_code_rank END, CASE WHEN nearer THEN context ELSE code END
    FROM (
        SELECT element.context, walk.inside OR element.placeholder AS inside, element.frame, walk.frame AS old_frame,
            element.line IS NOT NULL AS lined, walk.lined AS old_lined, element.rank, walk.rank AS old_rank,
            walk.source, element.code_rank, walk.code_rank AS old_code_rank, walk.code,
            NOT (walk.inside OR element.placeholder) AND element.rank > 0 AND (
                element.rank > walk.rank OR element.rank = walk.rank
                AND (element.frame IS DISTINCT FROM walk.frame OR element.line IS NOT NULL OR NOT walk.lined)
            ) AS better,
            NOT (walk.inside OR element.placeholder) AND element.code_rank > 0 AND element.code_rank >= walk.code_rank AS nearer
        FROM walk JOIN element ON element.parent = walk.context
    )
)
SELECT walk.context, CASE WHEN walk.rank > 0 THEN source.file END, CASE WHEN walk.rank > 0 THEN source.line END,
    CASE WHEN walk.rank = 0 AND walk.code_rank > 0 THEN code.module END
FROM walk
JOIN element AS source ON source.context = walk.source
JOIN element AS code ON code.context = walk.code
