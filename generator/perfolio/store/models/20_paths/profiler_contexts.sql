/*---
about: >-
  Contexts in which the profiler measures the GPU: on calling paths through NVIDIA's CUPTI or NVPerf, or in the
  code of AMD's rocprofiler or roctracer.
---*/
-- CUPTI and NVPerf are called by the CUDA driver for the profiler alone, so that all below them is its own.
-- AMD's libraries stand between the program and the runtime: there only their own code is.
WITH RECURSIVE inside AS (
    SELECT context FROM context_name WHERE regexp_matches(parse_filename(module_path), '^lib(cupti|nvperf)')
    UNION
    SELECT context.id FROM inside JOIN context ON context.parent = inside.context
)
SELECT context FROM inside
UNION
SELECT enclosing.context
FROM context_name AS named JOIN enclosing_frame AS enclosing ON enclosing.frame = named.context
WHERE regexp_matches(parse_filename(named.module_path), '^lib(rocprofiler|roctracer)')
