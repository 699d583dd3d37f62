/*---
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
