/*---
name: allocated_memory
about: >-
  Memory that the program held after each event of a memory snapshot, in bytes that it asked for [B], by device. Event -1 is the begin of the
  recording; times are those of the machine [ns], and NULL where the file has none.
when: allocation
---*/
WITH change AS (
    SELECT witness, device, coalesce(begin_event, -1) AS event, begin_time AS "time", bytes FROM allocation
    UNION ALL
    SELECT witness, device, end_event, end_time, -bytes FROM allocation WHERE end_event IS NOT NULL
),
step AS (
    SELECT witness, device, event, max("time") AS "time", sum(bytes) AS bytes FROM change GROUP BY ALL
)
SELECT witness, device, event, "time",
    CAST(sum(bytes) OVER (PARTITION BY witness, device ORDER BY event ROWS UNBOUNDED PRECEDING) AS BIGINT) AS allocated
FROM step

/*---
name: reserved_memory
about: >-
  Memory that the framework's allocator had reserved after each event that changed it, of a memory snapshot [B], by device. The last is what the
  segments sum to; those before follow from the changes. Event -1 is the begin of the recording.
when: memory_segment
---*/
WITH last AS (
    SELECT witness, device, sum(bytes) AS bytes FROM memory_segment GROUP BY ALL
),
first AS (
    SELECT last.witness, last.device, last.bytes - coalesce(changed.bytes, 0) AS bytes
    FROM last LEFT JOIN (SELECT witness, device, sum(bytes) AS bytes FROM reserved_change GROUP BY ALL) AS changed
        ON changed.witness = last.witness AND changed.device = last.device
),
change AS (
    SELECT witness, device, -1 AS event, CAST(NULL AS BIGINT) AS "time", bytes FROM first
    UNION ALL SELECT witness, device, event, "time", bytes FROM reserved_change
)
SELECT witness, device, event, "time",
    CAST(greatest(sum(bytes) OVER (PARTITION BY witness, device ORDER BY event ROWS UNBOUNDED PRECEDING), 0) AS BIGINT) AS reserved
FROM change

/*---
name: snapshot_peak
about: >-
  Of each device of a memory snapshot the event after which the program held most, how much that was, and what was reserved then [B].
when: allocation
---*/
WITH most AS (
    SELECT witness, device, max(allocated) AS allocated, min(event) FILTER (WHERE allocated = top) AS event
    FROM (SELECT *, max(allocated) OVER (PARTITION BY witness, device) AS top FROM allocated_memory) AS known
    GROUP BY ALL
)
SELECT most.witness, most.device, most.event, most.allocated,
    (
        SELECT arg_max(held.reserved, held.event) FROM reserved_memory AS held
        WHERE held.witness = most.witness AND held.device = most.device AND held.event <= most.event
    ) AS reserved
FROM most

/*---
name: backward_start
about: >-
  Events of a memory snapshot at which backward begins, of snapshots with stacks: it asks for memory, and what asked before it was no backward.
  Backward asks on threads of its own, which have no stack, or below a call of it. With its number.
when: allocation
---*/
WITH asked AS (
    SELECT witness, device, begin_event AS event, coalesce(origin, 'backward') = 'backward' AS is_backward
    FROM allocation
    WHERE begin_event IS NOT NULL AND witness IN (SELECT witness FROM allocation WHERE origin IS NOT NULL)
)
SELECT witness, device, event, row_number() OVER (PARTITION BY witness, device ORDER BY event) AS number
FROM (
    SELECT * FROM asked
    QUALIFY is_backward AND NOT coalesce(lag(is_backward) OVER (PARTITION BY witness, device ORDER BY event), false)
) AS begun

/*---
name: allocation_life
about: >-
  Allocations of memory snapshots with stacks, beside how many times backward began while they were held (passes), and whether it asked for them and
  left them to others (is_left): no backward released them, or it began again before. One that is never released, though others that
  were left after it are, is not left but kept, as libraries keep their workspaces.
when: allocation
---*/
WITH begun AS (
    SELECT own.*, coalesce(start.number, 0) AS first
    FROM allocation AS own ASOF LEFT JOIN backward_start AS start
        ON start.witness = own.witness AND start.device = own.device AND start.event <= coalesce(own.begin_event, -1)
),
ended AS (
    SELECT begun.*, coalesce(start.number, 0) - begun.first AS passes
    FROM begun ASOF LEFT JOIN backward_start AS start
        ON start.witness = begun.witness AND start.device = begun.device AND start.event <= coalesce(begun.end_event, 9223372036854775807)
),
told AS (
    SELECT ended.*, begin_event IS NOT NULL AND coalesce(origin, 'backward') = 'backward'
        AND (end_event IS NULL OR passes > 0 OR coalesce(end_origin, 'backward') <> 'backward') AS is_left
    FROM ended WHERE witness IN (SELECT witness FROM allocation WHERE origin IS NOT NULL)
)
SELECT told.* REPLACE (
        is_left AND (
            end_event IS NOT NULL
            OR begin_event >= coalesce(max(begin_event) FILTER (WHERE is_left AND end_event IS NOT NULL) OVER (PARTITION BY witness, device), 0)
        ) AS is_left
    )
FROM told

/*---
name: allocation_category
about: >-
  Allocations of memory snapshots with stacks, by what they hold. Parameters: asked for where modules are made or moved, and held when backward
  begins; or by other code, of a size that backward leaves, and never released. Gradients: what backward asks for and leaves, if parameters are
  known then of the size of one. Optimizer: asked for by an optimizer, and held when backward begins again or at the end. Activations: asked
  for by forward or the program, and held when backward begins. Of what was held before recording began, blocks of the sizes of
  gradients are parameters and then states of the optimizer, as far as none were recorded. Other: all else, such as what backward needs in passing.
when: allocation
---*/
WITH sized AS (
    SELECT witness, device, bytes,
        count(*) FILTER (WHERE is_left) / greatest(count(DISTINCT first) FILTER (WHERE is_left), 1) AS gradients,
        count(*) FILTER (WHERE origin = 'module' AND (end_event IS NULL OR passes > 0)) AS modules,
        count(*) FILTER (WHERE origin = 'optimizer' AND (end_event IS NULL OR passes > 0)) AS states,
        count(*) FILTER (WHERE end_event IS NULL AND passes > 0 AND (begin_event IS NULL OR origin IN ('program', 'forward'))) AS others
    FROM allocation_life GROUP BY ALL
),
known AS (SELECT sized.*, sum(modules + others) OVER (PARTITION BY witness, device) > 0 AS is_known FROM sized),
placed AS (
    SELECT life.*, known.gradients, known.modules, known.states, known.others, known.is_known,
        row_number() OVER (PARTITION BY life.witness, life.device, life.bytes, life.begin_event IS NULL AND life.end_event IS NULL) AS place,
        max(life.first + life.passes) OVER (PARTITION BY life.witness, life.device) AS starts
    FROM allocation_life AS life JOIN known ON known.witness = life.witness AND known.device = life.device AND known.bytes = life.bytes
)
SELECT witness, device, begin_event, end_event, begin_time, end_time, bytes, site, origin, end_origin,
    CASE
        WHEN begin_event IS NULL THEN
            CASE
                WHEN end_event IS NOT NULL THEN 'other'
                WHEN place <= gradients - modules THEN 'parameters'
                WHEN place <= greatest(gradients - modules, 0) + greatest(2 * gradients - states, 0) THEN 'optimizer'
                ELSE 'other'
            END
        WHEN is_left AND (modules + others > 0 OR NOT is_known) THEN 'gradients'
        WHEN origin = 'module' AND (end_event IS NULL OR passes > 0) THEN 'parameters'
        WHEN origin = 'optimizer' AND (end_event IS NULL OR passes > 0) THEN 'optimizer'
        WHEN origin = 'program' AND end_event IS NULL AND passes > 0 AND gradients > 0 THEN 'parameters'
        WHEN origin IN ('forward', 'program') AND (end_event IS NOT NULL AND passes > 0 OR end_event IS NULL AND passes = 1 AND first = starts - 1)
            THEN 'activations'
        ELSE 'other'
    END AS category
FROM placed

/*---
name: category_memory
about: >-
  What the program held after each event of a memory snapshot with stacks, by category (allocation_category), in bytes that it asked for [B].
when: allocation
---*/
WITH change AS (
    SELECT witness, device, coalesce(begin_event, -1) AS event, category, bytes FROM allocation_category
    UNION ALL
    SELECT witness, device, end_event, category, -bytes FROM allocation_category WHERE end_event IS NOT NULL
),
step AS (
    SELECT witness, device, event, coalesce(sum(bytes) FILTER (WHERE category = 'parameters'), 0) AS parameters,
        coalesce(sum(bytes) FILTER (WHERE category = 'gradients'), 0) AS gradients,
        coalesce(sum(bytes) FILTER (WHERE category = 'optimizer'), 0) AS optimizer,
        coalesce(sum(bytes) FILTER (WHERE category = 'activations'), 0) AS activations,
        coalesce(sum(bytes) FILTER (WHERE category = 'other'), 0) AS other
    FROM change GROUP BY ALL
)
SELECT witness, device, event, CAST(sum(parameters) OVER own AS DOUBLE) AS parameters, CAST(sum(gradients) OVER own AS DOUBLE) AS gradients,
    CAST(sum(optimizer) OVER own AS DOUBLE) AS optimizer, CAST(sum(activations) OVER own AS DOUBLE) AS activations,
    CAST(sum(other) OVER own AS DOUBLE) AS other
FROM step WINDOW own AS (PARTITION BY witness, device ORDER BY event ROWS UNBOUNDED PRECEDING)

/*---
name: memory_step
about: >-
  Steps against a peak of memory, of the device with the highest one: the factors by which they leave each category, the recorded peak and that of
  the recorded events with these factors [B], whether that is a bound, and what the step costs. In the order of what they ask for (place).
when: allocation
---*/
WITH step(place, step, parameters, gradients, optimizer, activations, bound, price) AS (
    VALUES
        (1, 'recompute activations in backward', 1, 1, 1, 0, 'at most', 'one more forward pass, about a third more time'),
        (2, 'hold activations in 16 bits', 1, 1, 1, 0.5, 'at most, from 32 bits', 'accuracy of intermediate results'),
        (3, 'shard states of the optimizer over 8 ranks', 1, 1, 0.125, 1, 'before buffers', 'none in bytes sent, but 8 GPUs'),
        (4, 'shard gradients and states over 8 ranks', 1, 0.125, 0.125, 1, 'before buffers', 'none in bytes sent, but 8 GPUs'),
        (5, 'shard parameters, gradients and states over 8 ranks', 0.125, 0.125, 0.125, 1, 'before buffers', 'half more bytes sent, and 8 GPUs'),
        (6, 'hold states of the optimizer in 8 bits', 1, 1, 0.25, 1, 'at most, from 32 bits', 'accuracy of updates'),
        (7, 'update each parameter within backward', 1, 0, 1, 1, 'at most', 'no clipping by the norm of all gradients')
),
most AS (SELECT witness, device FROM snapshot_peak ORDER BY allocated DESC, witness, device LIMIT 1)
SELECT step.*, max(own.parameters + own.gradients + own.optimizer + own.activations + own.other) AS recorded,
    max(
        own.parameters * step.parameters + own.gradients * step.gradients + own.optimizer * step.optimizer + own.activations * step.activations
        + own.other
    ) AS peak
FROM category_memory AS own JOIN most ON most.witness = own.witness AND most.device = own.device CROSS JOIN step
GROUP BY ALL

/*---
name: site_name
about: >-
  Lines that allocate, as pages name them: function, file without its folders, and line.
when: allocation_site
---*/
SELECT witness, site, "function" || if(file = '', '', ' (' || regexp_extract(file, '[^/\\]*$') || if(line > 0, ':' || line, '') || ')') AS name
FROM allocation_site
