-- What the contexts and the trace of run $run say, computed once when the run is stored. In this order:
-- kinds of lines, contexts of GPU operations, call frames, operations with repaired durations, GPUs, how many
-- run at once on each, lines and threads that launch, CPU time and cost, timelines, iterations. Blame for idle
-- times follows in blame.py.
-- Times are BIGINT nanoseconds since the epoch; subtract before converting to DOUBLE.
-- A statement that says "only where: TABLE" adds nothing to a run without rows there, and is left out.

UPDATE profile
SET kind = CASE WHEN seen.gpu THEN 'GPU stream' ELSE 'CPU thread' END
FROM (
    SELECT trace.profile, bool_and(placeholder.context IS NOT NULL) AS gpu
    FROM (
        SELECT DISTINCT profile, context
        FROM trace
        WHERE run = $run AND context <> 0 AND profile IN (SELECT "index" FROM profile WHERE run = $run AND kind = 'unknown')
    ) AS trace
    LEFT JOIN placeholder_contexts($run) AS placeholder ON placeholder.context = trace.context
    GROUP BY trace.profile
) AS seen
WHERE profile.run = $run AND profile.kind = 'unknown' AND seen.profile = profile."index";

INSERT INTO gpu_context
WITH placed AS (
    SELECT context, launcher,
        CASE placeholder
            WHEN '<gpu kernel>' THEN 'kernel'
            WHEN '<gpu copyin>' THEN 'copy H2D'
            WHEN '<gpu copyout>' THEN 'copy D2H'
            WHEN '<gpu copy>' THEN CASE WHEN on_device THEN 'copy D2D' ELSE 'copy' END
            WHEN '<gpu memset>' THEN 'memset'
            WHEN '<gpu alloc>' THEN 'allocation'
            WHEN '<gpu delete>' THEN 'allocation'
            WHEN '<gpu sync>' THEN 'synchronisation'
            ELSE 'other'
        END AS operation
    FROM placeholder_contexts($run)
    -- HPCToolkit names copies from and to the host apart; where it does, what is left stays on the
    -- device, unless bytes of another direction were counted.
    CROSS JOIN (
        SELECT (
                EXISTS (SELECT 1 FROM function WHERE run = $run AND name IN ('<gpu copyin>', '<gpu copyout>'))
                OR total_of($run, 'GXCOPY:D2D (B)') > 0
            ) AND NOT EXISTS (
                SELECT 1 FROM total
                WHERE run = $run AND value > 0 AND name LIKE 'GXCOPY:% (B)'
                    AND name NOT IN ('GXCOPY:D2D (B)', 'GXCOPY:H2D (B)', 'GXCOPY:D2H (B)')
            ) AS on_device
    )
),
short AS (
    SELECT name, kernel_short(name) AS words FROM (SELECT DISTINCT name FROM context_name WHERE run = $run AND context IN (SELECT context FROM placed))
)
SELECT $run, placed.context, placed.launcher, placed.operation, CASE WHEN named.name LIKE '<%' THEN placed.operation ELSE coalesce(short.words, placed.operation) END
FROM placed
JOIN context_name AS named ON named.run = $run AND named.context = placed.context
LEFT JOIN short ON short.name = named.name;

INSERT INTO enclosing_frame
WITH RECURSIVE enclosing AS (
    SELECT id AS context, id AS frame FROM context WHERE run = $run AND relation <> 'lexical'
    UNION ALL
    SELECT context.id, enclosing.frame
    FROM enclosing
    JOIN context ON context.parent = enclosing.context
    WHERE context.run = $run AND context.relation = 'lexical'
)
SELECT $run, context, frame FROM enclosing;

-- Down the calling paths, from entry points on. Paths of files may be relative, so each gets the /
-- before its first folder that patterns of phases ask for. Without a copy to or from a GPU, what PyTorch
-- calls to move or convert a tensor copies to none; without a module of a GPU's runtime or driver, what it
-- asks for a device is asked of a build for CPUs. The top level of a file runs when Python imports it, also
-- where the profiler lost the frames that do so; what Python was told to run as the program (runpy) is no import.
INSERT INTO frame
WITH RECURSIVE same AS (
    SELECT id, min(id) OVER (PARTITION BY name, module, file, line) AS first
    FROM "function"
    WHERE run = $run
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
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.run = $run AND enclosing.context = named.parent
    LEFT JOIN "function" AS defined ON defined.run = $run AND defined.id = named."function"
    LEFT JOIN file ON file.run = $run AND file.id = defined.file
    WHERE named.run = $run AND named.relation <> 'lexical'
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
    WHERE (NOT pattern.copies OR EXISTS (SELECT 1 FROM gpu_context WHERE run = $run AND operation LIKE 'copy%'))
        AND (pattern.phase <> 'initialisation' OR pattern.file IS NULL OR EXISTS (SELECT 1 FROM module WHERE run = $run AND is_gpu_runtime(path)))
    GROUP BY code.key
),
-- What compilers put in the place of a launch: up from kernels through the GPU's runtime, functions
-- that are called __device_stub_ or have the kernel's own name.
kernel AS (
    SELECT placeholder.context, placeholder.parent AS launcher, regexp_extract(plain_name(kernel.function_name), '\w+$') AS bare
    FROM context_name AS placeholder
    LEFT JOIN context_name AS kernel ON kernel.run = $run AND kernel.parent = placeholder.context AND regexp_matches(plain_name(kernel.function_name), '\w+$')
    WHERE placeholder.run = $run AND placeholder.function_name = '<gpu kernel>'
),
above AS (
    SELECT launcher AS context FROM kernel
    UNION
    SELECT context.parent FROM above JOIN context ON context.run = $run AND context.id = above.context
),
passed AS MATERIALIZED (
    SELECT named.context, named.parent, named.relation, regexp_extract(plain_name(named.function_name), '\w+$') AS bare,
        coalesce(named.function_name LIKE '\_\_device\_stub\_%' ESCAPE '\', false) AS generated,
        named.relation = 'lexical' OR gpu_runtime(named.name, named.module_path) AS through
    FROM above JOIN context_name AS named ON named.run = $run AND named.context = above.context
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
    LEFT JOIN reading_frames($run) AS reading ON reading.frame = called.caller
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
SELECT $run, frame.frame, frame.caller, frame.depth, frame.entry_point, frame.key, frame.name, frame.lexical_type,
    frame.called_file, frame.called_line, frame."function", frame.module_path, frame.python,
    CASE WHEN walk.waits_in IS NOT NULL THEN 'gpu wait' WHEN walk.waiting THEN 'waiting' WHEN walk.below_gpu THEN 'gpu'
        WHEN walk.below_mpi THEN 'waiting' ELSE 'working' END,
    walk.waits_in, walk.owner, walk.callee, pattern.phase, walk.told_by, frame.stub
FROM walk
JOIN frame ON frame.frame = walk.frame
LEFT JOIN phase_pattern AS pattern ON pattern.rank = walk.rank;

-- Down all paths again: in each frame a line is better than none, and the innermost one is best;
-- Python is better than native code, and the program better than what is installed. Nothing below
-- the launch of a GPU operation counts.
INSERT INTO source_place
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
        LEFT JOIN "function" AS defined ON defined.run = $run AND defined.id = named."function"
        LEFT JOIN file AS defined_in ON defined_in.run = $run AND defined_in.id = defined.file
        LEFT JOIN enclosing_frame AS enclosing ON enclosing.run = $run AND enclosing.context = named.context
        LEFT JOIN frame ON frame.run = $run AND frame.frame = enclosing.frame
        WHERE named.run = $run
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
SELECT $run, walk.context, CASE WHEN walk.rank > 0 THEN source.file END, CASE WHEN walk.rank > 0 THEN source.line END,
    CASE WHEN walk.rank = 0 AND walk.code_rank > 0 THEN code.module END
FROM walk
JOIN element AS source ON source.context = walk.source
JOIN element AS code ON code.context = walk.code;

-- The trace is read again for each step: only durations of contexts with a suspect operation, and
-- of kinds where such a context has no other, are kept in memory.
INSERT INTO gpu_operation -- only where: trace
WITH doubtful AS MATERIALIZED (
    SELECT DISTINCT context, operation FROM recorded_operations($run) WHERE suspect
),
of_context AS MATERIALIZED (
    SELECT recorded.context, median(recorded.duration) AS duration
    FROM recorded_operations($run) AS recorded
    WHERE NOT recorded.suspect AND recorded.context IN (SELECT context FROM doubtful)
    GROUP BY recorded.context
),
of_kind AS MATERIALIZED (
    SELECT recorded.operation, median(recorded.duration) AS duration
    FROM recorded_operations($run) AS recorded
    WHERE NOT recorded.suspect
        AND recorded.operation IN (SELECT operation FROM doubtful WHERE context NOT IN (SELECT context FROM of_context))
    GROUP BY recorded.operation
),
usual AS MATERIALIZED (
    SELECT doubtful.context, CAST(round(coalesce(of_context.duration, of_kind.duration)) AS BIGINT) AS duration
    FROM doubtful
    LEFT JOIN of_context ON of_context.context = doubtful.context
    LEFT JOIN of_kind ON of_kind.operation = doubtful.operation
)
SELECT $run, recorded.profile, recorded.start,
    CASE WHEN recorded.suspect THEN coalesce(usual.duration, recorded.duration) ELSE recorded.duration END,
    recorded.duration, recorded.suspect AND usual.duration IS NOT NULL,
    recorded.operation, recorded.context
FROM recorded_operations($run) AS recorded
LEFT JOIN usual ON usual.context = recorded.context;

-- Contexts of kernels as measured, with means per launch.
INSERT INTO kernel_context -- only where: summary
WITH RECURSIVE info AS (
    SELECT context,
        sum(value) FILTER (WHERE name = 'GKER (sec)') AS "time",
        nullif(sum(value) FILTER (WHERE name = 'GKER:COUNT'), 0) AS counted,
        sum(value) FILTER (WHERE name = 'GKER:THR_REG_ACUMU') AS registers,
        sum(value) FILTER (WHERE name = 'GKER:BLK_THR_ACUMU') AS threads,
        coalesce(sum(value) FILTER (WHERE name = 'GKER:STMEM_ACUMU (B)'), 0) AS static_shared,
        coalesce(sum(value) FILTER (WHERE name = 'GKER:DYMEM_ACUMU (B)'), 0) AS dynamic_shared
    FROM cost
    WHERE run = $run AND scope = 'point' AND (name LIKE 'GKER:%' OR name = 'GKER (sec)') AND context <> 0
    GROUP BY context
),
caller AS (
    SELECT context AS kernel, parent AS place, 0 AS step
    FROM context_name
    WHERE run = $run AND name = '<gpu kernel>' AND context IN (SELECT context FROM info)
    UNION ALL
    SELECT caller.kernel, context.parent, caller.step + 1
    FROM caller
    JOIN context ON context.run = $run AND context.id = caller.place
    WHERE context.parent <> 0
),
launcher AS (
    SELECT caller.kernel,
        arg_min(context_name.name, caller.step + CASE
            WHEN context_name.lexical_type = 'entry' THEN 200000
            WHEN gpu_runtime(context_name.name, context_name.module_path) THEN 100000
            ELSE 0
        END) AS name
    FROM caller
    JOIN context_name ON context_name.run = $run AND context_name.context = caller.place AND context_name.relation <> 'lexical'
    GROUP BY caller.kernel
),
named AS (
    SELECT info.context,
        CASE context_name.name
            WHEN '<gpu kernel>' THEN 'kernels without a name, launched by ' || coalesce(launcher.name, '?')
            ELSE coalesce(context_name.name, 'kernel in a context that meta.db does not list')
        END AS kernel,
        CASE context_name.name
            WHEN '<gpu kernel>' THEN shorten('unnamed kernels of ' || short_name(coalesce(launcher.name, '?')), 60)
            ELSE kernel_short(coalesce(context_name.name, 'kernel in a context that meta.db does not list'))
        END AS short,
        context_name.name IS DISTINCT FROM '<gpu kernel>' AS named,
        coalesce(info."time", 0) AS "time", coalesce(info.counted, traced.operations) AS launches,
        info.registers / info.counted AS registers, info.threads / info.counted AS threads,
        info.static_shared / info.counted AS static_shared, info.dynamic_shared / info.counted AS dynamic_shared
    FROM info
    LEFT JOIN uncounted_operations($run, 'GKER:COUNT') AS traced ON traced.context = info.context
    LEFT JOIN context_name ON context_name.run = $run AND context_name.context = info.context
    LEFT JOIN launcher ON launcher.kernel = info.context
),
numbered AS (
    SELECT kernel, row_number() OVER (PARTITION BY any_value(short) ORDER BY sum("time" ORDER BY context) DESC, kernel) AS position
    FROM named
    GROUP BY kernel
)
SELECT $run, named.context, left(named.kernel, 2000), named.short || CASE WHEN numbered.position > 1 THEN ' (' || numbered.position || ')' ELSE '' END,
    named.named, named."time", named.launches, named.registers, named.threads, named.static_shared, named.dynamic_shared,
    nullif(resident_share(named.threads, named.registers, named.static_shared + named.dynamic_shared, device), 0)
FROM named
JOIN numbered ON numbered.kernel = named.kernel
LEFT JOIN (
    SELECT hardware.* FROM hardware JOIN run ON run.hardware = hardware.name WHERE run.run = $run
) AS device ON true;

INSERT INTO gpu_stream -- only where: gpu_operation
SELECT $run, ran.profile, dense_rank() OVER (ORDER BY profile.node, profile.rank, profile.gpu_context) - 1,
    ran.start, ran.stop, ran.operations
FROM (
    SELECT profile, min(start) AS start, max(start + duration) AS stop, count(*) AS operations
    FROM gpu_operation
    WHERE run = $run
    GROUP BY profile
) AS ran
JOIN profile ON profile.run = $run AND profile."index" = ran.profile;

-- Begins and ends of each GPU in order of time; their running sum is what runs there. Kernels count
-- in the lowest 20 bits of a step, copies in the next 20 and other operations above. Windows without
-- a partition or an order of their own take the rows as they come, so that only the sort needs
-- memory: after the last end of a GPU the sum is 0 again.
INSERT INTO gpu_level -- only where: gpu_operation
WITH operation AS (
    SELECT stream.device, ran.start, ran.start + ran.duration AS stop,
        CASE WHEN operation = 'kernel' THEN 1 WHEN operation LIKE 'copy%' THEN 1048576 ELSE 1099511627776 END AS step
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.run = $run AND stream.profile = ran.profile
    WHERE ran.run = $run AND ran.duration > 0
),
event AS (
    SELECT device, start AS moment, step FROM operation
    UNION ALL
    SELECT device, stop, -step FROM operation
),
level AS (
    SELECT device, moment AS start, lead(device) OVER () AS following, lead(moment) OVER () AS stop,
        CAST(sum(step) OVER (ROWS UNBOUNDED PRECEDING) AS BIGINT) AS level
    FROM (SELECT device, moment, step FROM event ORDER BY device, moment)
)
SELECT $run, device, start, stop, level & 1048575, (level >> 20) & 1048575, level >> 40
FROM level
WHERE following = device AND stop > start;

-- The distance of samples is a median over classes that are 0.1 % wide, since a median of all
-- needs them all in memory. A sample of CPU time stands for one period of it; of a thread whose
-- CPU time is known, for no more than that divided by its samples. Long samples follow.
INSERT INTO trace_line -- only where: trace
WITH line AS (
    SELECT trace.profile, any_value(profile.kind) AS kind, count(*) AS points,
        CAST(min(trace."time") AS BIGINT) AS start, CAST(max(trace."time") AS BIGINT) AS stop,
        count(*) FILTER (WHERE trace.context <> 0) AS active
    FROM trace
    JOIN profile ON profile.run = $run AND profile."index" = trace.profile
    WHERE trace.run = $run
    GROUP BY trace.profile
),
launching AS (
    SELECT DISTINCT seen.profile
    FROM (SELECT DISTINCT profile, context FROM trace WHERE run = $run AND context <> 0) AS seen
    JOIN launching_contexts($run) AS near ON near.context = seen.context
),
class AS (
    SELECT again, CAST(1000 * ln(sample.duration) AS INTEGER) AS class, count(*) AS samples, avg(sample.duration) AS distance
    FROM cpu_samples($run) AS sample
    JOIN line ON line.profile = sample.profile AND line.kind <> 'GPU stream'
    GROUP BY ALL
),
period AS (
    SELECT CAST(min(distance) AS BIGINT) AS period
    FROM (
        SELECT distance, sum(samples) OVER (ORDER BY class) AS upto, sum(samples) OVER () AS whole
        FROM class
        WHERE again = (SELECT bool_or(again) FROM class)
    )
    WHERE 2 * upto >= whole
),
limited AS (
    SELECT line.*, cpu_clock($run) AS clock, period.period, recorded.value / line.active * 1e9 AS cpu_time
    FROM line
    CROSS JOIN period
    LEFT JOIN profile_total AS recorded
        ON recorded.run = $run AND recorded.profile = line.profile AND recorded.name = 'CPUTIME (sec)' AND recorded.value > 0
    WHERE line.kind <> 'GPU stream'
)
SELECT $run, line.profile,
    CASE line.kind WHEN 'GPU stream' THEN line.kind ELSE 'CPU thread' END, line.points, line.start, line.stop, line.active,
    CAST(floor(least(CASE limited.clock WHEN 'running' THEN limited.period ELSE 10 * limited.period END, limited.cpu_time)) AS BIGINT),
    limited.clock,
    line.kind <> 'GPU stream' AND launching.profile IS NOT NULL
FROM line
LEFT JOIN limited ON limited.profile = line.profile
LEFT JOIN launching ON launching.profile = line.profile;

-- A thread that is within a call of the kernel gets its sample only when it returns. The profile
-- tells: it charges that sample with all that passed since the one before. So where the samples of
-- a function carry more than ten periods each, the idle time before them was no idle time, as far
-- as the function's cost on this thread goes.
INSERT INTO long_sample -- only where: trace
WITH recorded AS (
    SELECT value.profile, value.context AS frame, value.value * 1e9 AS spent
    FROM value
    JOIN metric ON metric.run = $run AND metric.id = value.metric AND metric.scope = 'function' AND metric.statistic IS NULL
        AND metric.name = CASE cpu_clock($run) WHEN 'running' THEN 'CPUTIME (sec)' ELSE 'REALTIME (sec)' END
    JOIN context ON context.run = $run AND context.id = value.context AND context.relation <> 'lexical'
    WHERE value.run = $run
),
-- In the trace a point lies in a line of its function, in the profile the cost is the function's.
held AS (
    SELECT sample.profile, enclosing.frame, count(*) AS samples
    FROM cpu_samples($run) AS sample
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = sample.context
    GROUP BY ALL
),
long AS MATERIALIZED (
    SELECT held.profile, held.frame, recorded.spent
    FROM held
    JOIN recorded ON recorded.profile = held.profile AND recorded.frame = held.frame
    WHERE recorded.spent > 10 * held.samples * (
        SELECT max(longest / CASE clock WHEN 'running' THEN 1 ELSE 10 END) FROM trace_line WHERE run = $run
    )
),
part AS (
    SELECT profile, context, start, stop, start - coalesce(lag(stop) OVER (PARTITION BY profile ORDER BY start), start) AS before
    FROM cpu_interval($run)
    WHERE profile IN (SELECT profile FROM long)
),
stretched AS (
    SELECT part.profile, part.start,
        CAST(floor(part.before * least(1, greatest(long.spent - sum(part.stop - part.start) OVER same, 0) / nullif(sum(part.before) OVER same, 0))) AS BIGINT) AS more
    FROM part
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = part.context
    JOIN long ON long.profile = part.profile AND long.frame = enclosing.frame
    WINDOW same AS (PARTITION BY part.profile, long.frame)
)
SELECT $run, profile, start - more, start
FROM stretched
WHERE more > 0;

UPDATE trace_line -- only where: trace
SET longest = least(trace_line.longest, CAST(floor(greatest(recorded.value * 1e9 - long.more, 0) / trace_line.active) AS BIGINT))
FROM (SELECT profile, sum(sample - start) AS more FROM long_sample WHERE run = $run GROUP BY profile) AS long
JOIN profile_total AS recorded ON recorded.run = $run AND recorded.profile = long.profile AND recorded.name = 'CPUTIME (sec)'
WHERE trace_line.run = $run AND trace_line.profile = long.profile AND trace_line.clock = 'running';

INSERT INTO cpu_time -- only where: trace
SELECT $run, profile, context, CAST(sum(stop - start) AS BIGINT)
FROM cpu_interval($run)
GROUP BY profile, context;

-- A timer of elapsed time that expires while its thread runs interrupts it at once, and while it
-- sleeps wakes it. So a sample that comes late ends a time in which the thread had no core, or the
-- kernel or the profiler held it, and stands for no more work than one that comes in time. The one
-- that one in twenty of a thread's samples of work is below is in time: what functions' samples
-- stand for beyond it came late. A bound of that is less by the error of all. Where that is less than
-- what they stand for beyond two usual distances each, and of threads with few samples, the latter is the bound.
-- The error is one of the sum: taken off each function, a part of its lateness would count as its work, so
-- that shares of work leave out all that is beyond, where the sum is more than its error.
INSERT INTO late_cost -- only where: trace
WITH charged AS (
    SELECT cost.profile, cost.frame, cost.samples, cost.variance, greatest(cost.spent - 2 * cost.samples * line.usual, 0) AS beyond_two,
        CASE WHEN cost.role = 'working' AND cost.punctual IS NOT NULL THEN greatest(cost.spent - cost.samples * least(cost.punctual, 2 * line.usual), 0) END AS beyond
    FROM sampled_cost($run) AS cost
    CROSS JOIN (SELECT max(longest) / 10e9 AS usual FROM trace_line WHERE run = $run AND clock = 'elapsed' AND kind = 'CPU thread') AS line
),
told AS (
    SELECT 1 - 1.96 * sqrt(sum(samples * variance ORDER BY profile, frame)) / nullif(sum(beyond ORDER BY profile, frame), 0) AS least,
        sum(beyond_two ORDER BY profile, frame) / nullif(sum(beyond ORDER BY profile, frame), 0) AS two
    FROM charged
    WHERE beyond IS NOT NULL
)
SELECT $run, profile, frame, late, beyond
FROM (
    SELECT charged.profile, charged.frame, CASE WHEN charged.beyond IS NOT NULL AND told.least > told.two THEN charged.beyond * told.least ELSE charged.beyond_two END AS late,
        CASE WHEN charged.beyond IS NOT NULL AND told.least > 0 THEN charged.beyond ELSE charged.beyond_two END AS beyond
    FROM charged
    CROSS JOIN told
)
WHERE beyond > 0;

-- Where the trace has a sample in code that a function of Python calls, right below that function's caller or
-- the function itself, the profile may charge it to the function.
INSERT INTO cpu_cost -- only where: summary
WITH hidden AS (
    SELECT caller, sum(spent ORDER BY profile) AS spent FROM hidden_waits($run) GROUP BY caller
)
SELECT $run, cost.frame, cost.exclusive, cost.inclusive, coalesce(late.late, 0), coalesce(late.beyond, 0),
    CASE WHEN frame.role = 'working' AND frame.module_path = python_module() THEN
        least(cost.exclusive - least(coalesce(late.beyond, 0), cost.exclusive), coalesce(below.spent, 0) + coalesce(beside.spent, 0)) ELSE 0 END
FROM frame_cost($run, cpu_event_of($run)) AS cost
JOIN frame ON frame.run = $run AND frame.frame = cost.frame
LEFT JOIN hidden AS below ON below.caller = cost.frame
LEFT JOIN hidden AS beside ON beside.caller = frame.caller
LEFT JOIN (
    SELECT frame, sum(late ORDER BY profile) AS late, sum(beyond ORDER BY profile) AS beyond FROM late_cost WHERE run = $run GROUP BY frame
) AS late ON late.frame = cost.frame;

INSERT INTO thread_cost -- only where: value
WITH hidden AS MATERIALIZED (
    FROM hidden_waits($run)
),
spent AS (
    SELECT value.profile, value.context, value.value - least(coalesce(late.beyond, 0), value.value) AS work,
        CASE WHEN frame.module_path = python_module() THEN coalesce(below.spent, 0) + coalesce(beside.spent, 0) ELSE 0 END AS waits
    FROM value
    JOIN metric ON metric.run = $run AND metric.id = value.metric
    JOIN frame ON frame.run = $run AND frame.frame = value.context AND frame.role = 'working'
    LEFT JOIN late_cost AS late ON late.run = $run AND late.profile = value.profile AND late.frame = value.context
    LEFT JOIN hidden AS below ON below.profile = value.profile AND below.caller = value.context
    LEFT JOIN hidden AS beside ON beside.profile = value.profile AND beside.caller = frame.caller
    WHERE value.run = $run AND metric.name = cpu_event_of($run) AND metric.scope = 'function'
)
SELECT $run, spent.profile, sum(spent.work ORDER BY spent.context),
    least(sum(least(spent.work, spent.waits) ORDER BY spent.context), coalesce(any_value(seen.spent), 0))
FROM spent
LEFT JOIN (SELECT profile, sum(spent ORDER BY caller) AS spent FROM hidden GROUP BY profile) AS seen ON seen.profile = spent.profile
GROUP BY spent.profile;

INSERT INTO gpu_start -- only where: trace
WITH held AS MATERIALIZED (
    SELECT sample.profile, enclosing.frame, sample.start, lag(sample.start) OVER (PARTITION BY sample.profile ORDER BY sample.start) AS previous
    FROM cpu_samples($run) AS sample
    JOIN trace_line AS line ON line.run = $run AND line.profile = sample.profile AND line.kind = 'CPU thread'
    LEFT JOIN gpu_span ON gpu_span.run = $run
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = sample.context
    WHERE gpu_span.run IS NULL OR line.launching AND sample.start < gpu_span.start
),
in_runtime AS MATERIALIZED (
    SELECT frame FROM frame WHERE run = $run AND role IN ('gpu', 'gpu wait') AND frame IN (SELECT frame FROM held)
),
told AS (
    SELECT held.previous AS start, held.start AS stop, held.frame, frame.phase_by AS name
    FROM held
    JOIN frame ON frame.run = $run AND frame.frame = held.frame
    WHERE frame.phase = 'initialisation'
    UNION ALL
    -- The first allocation makes the context where nothing did before; without that an allocation takes far less than 0.1 s.
    SELECT held.previous, held.start, held.frame, first.name
    FROM held
    JOIN (
        SELECT DISTINCT target, regexp_extract(name, '^\w+') AS name
        FROM path_frames($run, (SELECT list(frame) FROM in_runtime))
        WHERE regexp_matches(name, '^(cuda|hip)Malloc( \[[^\]]*\])?$')
    ) AS first ON first.target = held.frame
    JOIN frame ON frame.run = $run AND frame.frame = held.frame AND coalesce(frame.phase, '') <> 'initialisation'
    QUALIFY sum(held.start - held.previous) OVER () > 1e8
)
SELECT $run, name, frame, greatest(start, coalesce(before, start)) AS start, stop
FROM (
    SELECT name, frame, start, stop, max(stop) OVER (ORDER BY start, stop, frame ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM told
)
WHERE stop > greatest(start, coalesce(before, start));

-- PyTorch's autograd runs the backward pass of a GPU on a thread of its own, and the main thread sleeps
-- meanwhile: of a stretch in which another thread is sampled there, no more than the distance of
-- samples of CPU time is the main thread's own. What it waits for, that thread's samples within the stretch tell.
-- The profiler's own calls are sampled in each period of the timer. Of whole periods that end in the first such sample, in which
-- the thread ran but samples were dropped, as they are in the profiler's hook in Python, one is theirs and the rest the caller's.
-- Likewise from one phase to another, where most stretches within the earlier one dropped samples and next to none within the
-- later one; unless a quarter of the long stretches from the one to the other are off the timer, which are waits of the later one.
INSERT INTO main_stretch -- only where: trace
WITH main AS (
    FROM main_threads($run)
),
tool AS MATERIALIZED (
    FROM profiler_contexts($run)
),
told AS MATERIALIZED (
    SELECT *, CASE WHEN phase = 'initialisation' THEN phase WHEN tool THEN 'profiler' WHEN waits THEN 'gpu wait' ELSE phase END AS does
    FROM (
        SELECT enclosing.context, enclosing.context IN (FROM tool) AS tool, coalesce(frame.role = 'gpu wait', false) AS waits,
            CASE WHEN enclosing.frame IN (SELECT frame FROM gpu_start WHERE run = $run) THEN 'initialisation' ELSE coalesce(frame.phase, 'other') END AS phase
        FROM enclosing_frames($run) AS enclosing
        JOIN frame ON frame.run = $run AND frame.frame = enclosing.frame
        WHERE enclosing.context IN (SELECT context FROM trace WHERE run = $run AND profile IN (SELECT profile FROM main))
    )
),
sample AS MATERIALIZED (
    SELECT point.profile, point.context, point."time", point."time" - coalesce(lag(point."time") OVER earlier, line.start) AS spent,
        point."time" - span.start AS stop, CASE line.clock WHEN 'running' THEN line.longest END AS longest,
        lag(point.context) OVER earlier AS previous
    FROM (SELECT profile, context, CAST("time" AS BIGINT) AS "time" FROM trace WHERE run = $run AND context <> 0) AS point
    JOIN main ON main.profile = point.profile
    JOIN trace_line AS line ON line.run = $run AND line.profile = point.profile
    JOIN cpu_trace_span AS span ON span.run = $run
    WINDOW earlier AS (PARTITION BY point.profile ORDER BY point."time")
),
long AS MATERIALIZED (
    FROM sample WHERE spent > longest
),
elsewhere AS MATERIALIZED (
    SELECT main.profile, CAST(trace."time" AS BIGINT) AS "time", trace.context
    FROM trace
    JOIN profile AS thread ON thread.run = $run AND thread."index" = trace.profile AND thread.kind = 'CPU thread'
    JOIN main ON main.rank IS NOT DISTINCT FROM thread.rank AND main.profile <> trace.profile
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = trace.context
    JOIN frame ON frame.run = $run AND frame.frame = enclosing.frame AND frame.phase = 'backward'
    WHERE trace.run = $run AND trace.context <> 0
),
backward AS MATERIALIZED (
    SELECT long.profile, long."time", count(*) AS samples, count(tool.context) AS profiled
    FROM elsewhere AS point
    ASOF JOIN long ON long.profile = point.profile AND long."time" >= point."time"
    LEFT JOIN tool ON tool.context = point.context
    WHERE point."time" > long."time" - long.spent
    GROUP BY long.profile, long."time"
),
step AS MATERIALIZED (
    SELECT sample.profile, sample."time", gap.whole, sample.spent > 1.5 * sample.longest AS long, sample.spent, sample.spent - sample.longest AS more, now.waits, now.phase, was.phase AS before, now.tool, was.tool AS was_tool, now.does, was.does AS did
    FROM sample
    JOIN timer_gaps($run) AS gap ON gap.profile = sample.profile AND gap.taken = sample."time"
    JOIN told AS now ON now.context = sample.context
    JOIN told AS was ON was.context = sample.previous
),
dropping AS MATERIALIZED (
    SELECT phase, avg(CAST(whole AND long AS INTEGER)) AS rate FROM step WHERE phase = before AND NOT tool AND NOT was_tool GROUP BY phase
),
-- Of what the thread waits for the backward pass, each sample of the other thread shows one distance; what is left, none does.
-- What of the time at any moment of a part no sample tells, as the profiler dropped those of whole periods.
dropped AS MATERIALIZED (
    SELECT does, CAST(coalesce(sum(CAST(more AS HUGEINT) * spent) FILTER (WHERE whole AND long) / nullif(sum(spent), 0), 0) AS BIGINT) AS usual
    FROM step
    WHERE does = did
    GROUP BY does
),
-- How long the profiler drops samples of the thread at once at most, but for one time in twenty: by stretches without such
-- a sample that are whole periods of the timer, or all long ones where that tells nothing.
gap AS MATERIALIZED (
    SELECT coalesce(quantile_disc(more, 0.95), 0) AS most
    FROM step
    ANTI JOIN backward ON backward.profile = step.profile AND backward."time" = step."time"
    WHERE does = did AND long AND coalesce(whole, true)
),
entered AS MATERIALIZED (
    SELECT profile, "time"
    FROM step
    WHERE whole AND tool AND NOT was_tool AND NOT waits AND phase <> 'initialisation'
    UNION
    SELECT profile, "time"
    FROM (
        SELECT *, avg(CAST(whole AS INTEGER)) OVER (PARTITION BY before, phase) AS sure
        FROM step
        WHERE long AND phase <> before AND NOT was_tool AND NOT waits
    ) AS changed
    JOIN dropping AS earlier ON earlier.phase = changed.before AND earlier.rate > 0.5
    LEFT JOIN dropping AS later ON later.phase = changed.phase
    WHERE changed.whole AND changed.sure > 0.75 AND coalesce(later.rate, 0) < 0.1
),
divided AS MATERIALIZED (
    SELECT *, CAST(round(rest * coalesce(rate, 0)) AS BIGINT) AS profiled, greatest(rest - samples * longest, 0) AS untold,
        CASE WHEN rate IS NULL AND whole THEN spent - longest WHEN rate IS NULL AND NOT whole THEN longest - spent ELSE 0 END AS dropped
    FROM (
        SELECT long.*, backward.samples, backward.profiled / backward.samples AS rate, step.whole,
            CASE WHEN backward.profile IS NOT NULL OR entered.profile IS NOT NULL THEN long.spent - long.longest ELSE 0 END AS rest
        FROM long
        LEFT JOIN backward ON backward.profile = long.profile AND backward."time" = long."time"
        LEFT JOIN entered ON entered.profile = long.profile AND entered."time" = long."time"
        LEFT JOIN step ON step.profile = long.profile AND step."time" = long."time" AND step.long
    )
),
own AS (
    SELECT context, previous, spent, stop, false AS waits, 0 AS more, 0 AS dropped FROM sample WHERE NOT coalesce(spent > longest, false)
    UNION ALL
    SELECT context, previous, spent - rest, stop, rate IS NOT NULL, CASE WHEN rate IS NULL THEN spent - rest - longest ELSE untold END, CASE WHEN rest = 0 THEN dropped ELSE 0 END FROM divided
),
-- A stretch from one part to another may belong to either, or in part to each; what a part has of others is as much as they
-- have of it. Of what the thread waits for the backward pass that is true of one distance of the other thread's samples; what
-- these do not show of it may be the thread's own, with its samples dropped. What they show beyond all waits together is
-- in waits too short to tell (short), so that the waits may last as long (all rows have a share of it).
turned AS MATERIALIZED (
    SELECT own.context, own.previous, own.spent, own.spent * CAST(own.spent AS HUGEINT) AS square,
        own.waits, least(own.more, coalesce(CASE WHEN own.waits THEN greatest(earlier.usual, later.usual) ELSE earlier.usual END, 0)) AS lost
    FROM own
    JOIN told AS now ON now.context = own.context
    JOIN told AS was ON was.context = own.previous
    LEFT JOIN dropped AS earlier ON earlier.does = was.does
    LEFT JOIN dropped AS later ON later.does = now.does
    WHERE own.waits OR was.does <> now.does
),
shown AS MATERIALIZED (
    SELECT coalesce(sum(line.longest), 0) AS spent
    FROM elsewhere JOIN trace_line AS line ON line.run = $run AND line.profile = elsewhere.profile AND line.clock = 'running'
),
waited AS MATERIALIZED (
    SELECT context, profiled, rest, rate, rest // samples AS one, least(untold, gap.most) AS lost, stop - longest AS stop,
        CAST(round((CAST(rest AS DOUBLE) / samples) ** 2 + CAST(rest AS DOUBLE) ** 2 * rate * (1 - rate) / samples) AS HUGEINT) AS square,
        greatest(shown.spent - sum(rest) OVER (), 0) * rest / sum(rest) OVER () AS short
    FROM divided CROSS JOIN gap CROSS JOIN shown
    WHERE rate IS NOT NULL
),
running AS MATERIALIZED (
    SELECT held.context, sum(held.stop - held.start) AS running
    FROM cpu_interval($run) AS held
    JOIN main ON main.profile = held.profile
    JOIN trace_line AS line ON line.run = $run AND line.profile = held.profile AND line.clock = 'running'
    GROUP BY held.context
),
spent AS MATERIALIZED (
    SELECT enclosing.frame, piece.waits, coalesce(piece.profiled, enclosing.frame IN (FROM tool)) AS profiled, CAST(sum(piece.spent) AS DOUBLE) AS spent, CAST(min(piece.start) AS DOUBLE) AS begins, CAST(max(piece.stop) AS DOUBLE) AS ends,
        CAST(sum(piece.after) AS DOUBLE) AS "after", CAST(sum(piece.after_square) AS DOUBLE) AS after_square, CAST(sum(piece.after_lost) AS DOUBLE) AS after_lost,
        CAST(sum(piece.before) AS DOUBLE) AS before, CAST(sum(piece.before_square) AS DOUBLE) AS before_square, CAST(sum(piece.before_lost) AS DOUBLE) AS before_lost, CAST(sum(piece.dropped) AS DOUBLE) AS dropped
    FROM (
        SELECT context, false AS waits, NULL AS profiled, spent, stop - spent AS start, stop, 0 AS "after", 0 AS after_square, 0 AS after_lost, 0 AS before, 0 AS before_square, 0 AS before_lost, dropped FROM own
        UNION ALL
        SELECT previous, false, NULL, rest, stop - spent, stop - longest, 0, 0, 0, 0, 0, 0, dropped FROM divided WHERE rest > 0 AND rate IS NULL
        UNION ALL
        SELECT context, true, true, profiled, stop - rest, stop, one, square, CAST(round(lost * rate) AS BIGINT), one, square, CAST(round(short * rate) AS BIGINT), 0 FROM waited WHERE profiled > 0
        UNION ALL
        SELECT context, true, false, rest - profiled, stop - rest, stop, one, square, CAST(round(lost * (1 - rate)) AS BIGINT), one, square, CAST(round(short * (1 - rate)) AS BIGINT), 0 FROM waited WHERE profiled < rest
        UNION ALL
        SELECT context, false, NULL, 0, NULL, NULL, spent, square, CASE WHEN waits THEN 0 ELSE lost END, 0, 0, CASE WHEN waits THEN lost ELSE 0 END, 0 FROM turned
        UNION ALL
        SELECT previous, false, NULL, 0, NULL, NULL, 0, 0, 0, spent, square, lost, 0 FROM turned
    ) AS piece
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = piece.context
    GROUP BY ALL
),
ran AS MATERIALIZED (
    SELECT enclosing.frame, CAST(sum(running.running) AS DOUBLE) AS running
    FROM running JOIN enclosing_frames($run) AS enclosing ON enclosing.context = running.context
    GROUP BY enclosing.frame
)
SELECT $run, spent.frame, spent.spent, spent.begins, spent.ends, CASE WHEN spent.waits THEN 0 ELSE ran.running END,
    CASE WHEN spent.waits AND frame.phase IS DISTINCT FROM 'backward' THEN 'waiting'
        WHEN spent.frame IN (SELECT frame FROM gpu_start WHERE run = $run) THEN 'initialisation' ELSE coalesce(frame.phase, 'other') END,
    spent.profiled, (SELECT median(spent) FROM sample), (SELECT count(*) FROM main), spent."after", spent.after_square, spent.after_lost, spent.before, spent.before_square, spent.before_lost,
    CASE WHEN EXISTS (FROM step WHERE whole IS NOT NULL) THEN spent.dropped END
FROM spent
JOIN frame ON frame.run = $run AND frame.frame = spent.frame
LEFT JOIN ran ON ran.frame = spent.frame;

INSERT INTO idle_time -- only where: trace
SELECT $run, idle.context, sum(idle.stop - idle.start), sum(CASE WHEN gap.whole THEN idle.stop - idle.start WHEN NOT gap.whole THEN 0 END)
FROM (
    SELECT profile, taken, context, start AS stop, max(stop) OVER (ORDER BY start, stop, context ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS start
    FROM (
        SELECT profile, taken, context, start, stop FROM cpu_interval($run)
        UNION ALL
        SELECT NULL, NULL, 0, start, stop FROM gpu_level WHERE run = $run AND kernels + copies + others > 0
    )
) AS idle
LEFT JOIN (
    FROM timer_gaps($run) WHERE NOT EXISTS (FROM gpu_span WHERE run = $run)
) AS gap ON gap.profile = idle.profile AND gap.taken = idle.taken
WHERE idle.stop > idle.start
    AND EXISTS (SELECT 1 FROM trace_line WHERE run = $run AND clock = 'running')
GROUP BY idle.context;

INSERT INTO trace_bin -- only where: trace
SELECT $run, profile, kind, bin, busy FROM line_bins($run, 1200);

INSERT INTO first_iteration -- only where: gpu_operation
SELECT $run, operation.device, coalesce(begun.start, operation.start)
FROM first_operations($run) AS operation
LEFT JOIN first_iteration_begin($run) AS begun ON begun.device = operation.device;

INSERT INTO iteration -- only where: gpu_operation
WITH first AS (
    SELECT min(start) + CAST(avg(start - least_start) AS BIGINT) AS mean
    FROM (SELECT start, min(start) OVER () AS least_start FROM first_iteration WHERE run = $run)
),
bound AS MATERIALIZED (
    SELECT iteration, CASE WHEN iteration = 1 THEN (SELECT mean FROM first) ELSE start END AS start,
        coalesce(lead(start) OVER (ORDER BY iteration), last) AS stop,
        lead(start) OVER (ORDER BY iteration) IS NOT NULL AS complete
    FROM iteration_starts($run)
),
own AS (
    SELECT bound.iteration, NULL AS device, bound.start, bound.stop FROM bound WHERE bound.iteration > 1
    UNION ALL
    SELECT bound.iteration, first.device, first.start, bound.stop
    FROM bound JOIN first_iteration AS first ON first.run = $run
    WHERE bound.iteration = 1
),
-- GPUs begin an iteration one after the other, around the one moment that is its begin: there a gap would be cut in two.
used AS (
    SELECT own.iteration, level.device,
        sum(least(level.stop, own.stop) - greatest(level.start, own.start))
            FILTER (WHERE level.kernels + level.copies + level.others > 0) AS busy,
        max(CASE WHEN gpus($run) = 1 THEN least(level.stop, own.stop) - greatest(level.start, own.start)
                WHEN level.start >= own.start THEN level.stop - level.start END)
            FILTER (WHERE level.kernels + level.copies + level.others = 0) AS gap
    FROM own
    JOIN gpu_level AS level ON level.start < own.stop AND level.stop > own.start
    WHERE level.run = $run AND level.device = coalesce(own.device, level.device)
    GROUP BY own.iteration, level.device
),
mean AS (
    SELECT iteration, CAST(round(sum(busy) / gpus($run)) AS BIGINT) AS busy, CAST(round(sum(gap) / gpus($run)) AS BIGINT) AS gap
    FROM used
    GROUP BY iteration
),
usual AS (
    SELECT median(stop - start) AS middle,
        greatest(3 * 1.4826 * mad(stop - start), 0.05 * median(stop - start)) AS width
    FROM bound
    WHERE complete
),
rated AS (
    SELECT bound.*, stop - start > middle + width AS long, abs(stop - start - middle) > width AS far
    FROM bound CROSS JOIN usual
)
SELECT $run, rated.iteration, rated.start, rated.stop, coalesce(mean.busy, 0), coalesce(mean.gap, 0),
    CASE
        WHEN NOT complete THEN 'incomplete'
        WHEN bool_and(long) OVER (ORDER BY rated.iteration) THEN 'warm-up'
        WHEN far THEN 'outlier'
        ELSE ''
    END
FROM rated
LEFT JOIN mean ON mean.iteration = rated.iteration;

INSERT INTO idle_total -- only where: gpu_operation
SELECT $run, period, gap, inside, min(start), sum(duration)
FROM idle_gaps($run)
GROUP BY period, gap, inside;
