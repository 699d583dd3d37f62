/*---
name: sized_operator
about: >-
  Calls of operators whose sizes tell what they do, as operation_pattern says: floating-point operations as PyTorch's FlopCounterMode counts them
  (of a product on integers the same; of gradients of the weights of a grouped convolution those of its own group alone; 0 of element-wise ones,
  norms and softmax), values that it gives (outputs), and bytes of device memory: least, where each tensor is read or written once,
  and most, where nothing is kept between tiles of 128 by 128 of a product, broadcast values are read for each output, norms and softmax read
  three times, and attention writes its scores. An operator inside another one is counted with that. A convolution's output is told by its
  stride, padding and dilation, else by a backward pass of the same sizes.
when: FROM host_range WHERE shapes IS NOT NULL
columns:
  id: BIGINT; Number of the range [id]
  name: VARCHAR; Operator [text]
  shapes: VARCHAR; Sizes of its arguments [text]
  context: UINTEGER; Its calling context [id]
  start: BIGINT; Begin since the epoch [ns]
  kind: VARCHAR; product, attention, convolution or element-wise [text]
  precision: VARCHAR; Unit of a roof_ceiling that computes it, by the types of what it multiplies [text]
  profile: INTEGER; Thread [id]
  stop: BIGINT; End since the epoch [ns]
  flop: DOUBLE?; Operations that it does [FLOP]
  needed: DOUBLE?; Of these, without scores that the backward pass of fused attention computes again [FLOP]
  done: DOUBLE?; Of these, without scores that a causal mask leaves out where a flag of attention tells that there is one [FLOP]
  outputs: DOUBLE; Values of the output [count]
  least: DOUBLE; Bytes at least [B]
  most: DOUBLE; Bytes at most [B]
  exact: BOOLEAN; Whether the sizes tell the operations exactly, neither at least (packed sequences as if equally long) nor at most (both gradients)
---*/
-- A program calls few operators, each many times with the same arguments: these are read once.
WITH class AS (
    SELECT min(id) AS id, name, shapes, types, flags, settings FROM host_range
    WHERE kind = 'operator' AND shapes IS NOT NULL GROUP BY name, shapes, types, flags, settings
),
form AS (
    SELECT class.name, described.* EXCLUDE (rank, pattern, about)
    FROM (SELECT DISTINCT name FROM class) AS class JOIN operation_pattern AS described ON regexp_matches(class.name, described.pattern)
    QUALIFY row_number() OVER (PARTITION BY class.name ORDER BY described.rank) = 1
),
-- Each alias is used by a later stage alone: DuckDB computes one of the same stage again wherever it is named.
read AS (
    SELECT id, class.name, shapes, types, flags, settings, form.* EXCLUDE (name, kind), coalesce(form.kind, pattern.kind) AS kind,
        [[TRY_CAST(each AS DOUBLE) FOR each IN string_split(sizes, ',')] FOR sizes IN regexp_extract_all(shapes, '\[(\d*(?:,\d+)*)\]', 1)] AS dims,
        regexp_extract_all(coalesce(types, ''), '"([^"]*)"', 1) AS named_types, regexp_extract_all(settings, '"([^"]*)"', 1) AS said
    FROM class LEFT JOIN form ON form.name = class.name
    LEFT JOIN (SELECT kind, pattern FROM operator_pattern WHERE kind = 'element-wise') AS pattern ON regexp_matches(class.name, pattern.pattern)
),
typed AS (
    SELECT *, [CASE WHEN regexp_matches(type, '(?i)float[48]|fp8|char|bool|byte') THEN 1 WHEN regexp_matches(type, '(?i)half|bfloat16|float16|short')
            THEN 2 WHEN regexp_matches(type, '(?i)double|long') THEN 8 ELSE 4 END FOR type IN named_types] AS widths,
        -- A type without sizes is that of one number, which does not decide.
        CASE WHEN len(dims) <> len(named_types) THEN types
            WHEN first IS NOT NULL THEN array_to_string([named_types[first], named_types[second]], ' ')
            ELSE array_to_string([type FOR type, i IN named_types IF dims[i][1] IS NOT NULL], ' ') END AS kinds
    FROM read
),
told AS (
    SELECT *, coalesce(string_split(flags, ',')[causal] = 'True', false) AS is_causal, starts_with(form, 'backward') AS is_backward,
        -- What it reads of its arguments: one more is the tensor that is given for its result, which is counted with it.
        CASE WHEN regexp_matches(name, '^aten::(neg|exp|log|sqrt|rsqrt|sin|cos|tanh|sigmoid|relu|gelu|silu|threshold|zero)$') THEN 1
            WHEN regexp_matches(name, '^aten::(add|sub|mul|div|pow|clamp_min|maximum|minimum|copy|fill)$') THEN 2
            WHEN regexp_matches(name, '^aten::(clamp|where|masked_fill)$') THEN 3 END AS reads,
        CASE WHEN regexp_matches(kinds, '(?i)float4') THEN 'FP4' WHEN regexp_matches(kinds, '(?i)float8') THEN 'FP8'
            WHEN kind = 'product' AND regexp_matches(kinds, '(?i)char|byte') THEN 'INT8'
            WHEN regexp_matches(kinds, '(?i)half|bfloat16|float16') THEN 'BF16 and FP16'
            WHEN regexp_matches(kinds, '(?i)double') THEN 'FP64' ELSE 'FP32' END AS precision,
        -- Sizes stand beside types where each argument has one of both; lists of tensors have more sizes, and count in 4 bytes.
        CASE WHEN len(dims) = len(widths) THEN widths ELSE [4 FOR each IN dims] END AS sizes
    FROM typed
),
-- A vector is a matrix of one row on the left, of one column on the right; FP4 has two numbers in each that is counted.
matrix AS (
    SELECT id, form, precision, if(precision = 'FP4', 2, 1) AS packed, sizes[first] / packed AS width, sizes[second] / packed AS other_width,
        dims[offsets][1] AS groups, if(len(dims[first]) = 1, list_concat([1], dims[first]), dims[first]) AS a,
        CASE WHEN len(dims[second]) = 1 THEN list_concat(dims[second], [1])
            WHEN form = 'transposed product' THEN list_concat(dims[second][:-3], [dims[second][-1], dims[second][-2]]) ELSE dims[second] END AS b
    FROM told WHERE kind = 'product'
),
product AS (
    SELECT id, width, other_width, CASE precision WHEN 'FP4' THEN 2 WHEN 'FP8' THEN 2 WHEN 'INT8' THEN 4 ELSE width END AS out_width,
        packed * list_product(a) AS lefts, packed * list_product(b) AS rights, a[-2] AS m, packed * a[-1] AS k, b[-1] AS n,
        lefts / if(form = 'grouped product' AND len(a) > len(b), a[1], 1) AS rows,
        if(form = 'grouped product' AND len(a) = 2 AND len(b) = 2, groups, 1) AS groups
    FROM matrix WHERE len(a) >= 2 AND len(b) >= 2 AND a[-1] = b[-2] AND (len(b) = 2 OR len(a) = len(b) OR form = 'grouped product')
),
attended AS (
    SELECT id, is_backward, is_causal, form LIKE '%by token' AS by_token, sizes[first] AS width,
        dims[first] AS q, dims[second] AS k, dims[third] AS v, dims[offsets][1] - 1 AS sequences
    FROM told WHERE kind = 'attention'
),
-- Packed sequences are at least what as many of equal lengths are, where queries and keys have the same ones.
laid AS (
    SELECT id, is_backward, is_causal, width, coalesce(sequences, 1) = 1 AS exact,
        CASE WHEN sequences IS NOT NULL THEN [sequences, q[-2], q[-3] / sequences, q[-1]] WHEN by_token THEN [q[1], q[3], q[2], q[4]] ELSE q END AS q,
        CASE WHEN sequences IS NOT NULL THEN [sequences, k[-2], k[-3] / sequences, k[-1]] WHEN by_token THEN [k[1], k[3], k[2], k[4]] ELSE k END AS k,
        CASE WHEN sequences IS NOT NULL THEN [sequences, v[-2], v[-3] / sequences, v[-1]] WHEN by_token THEN [v[1], v[3], v[2], v[4]] ELSE v END AS v
    FROM attended
    WHERE len(q) = len(k) AND len(k) = len(v) AND (len(q) = 4 OR sequences IS NOT NULL AND len(q) = 3)
        AND (coalesce(sequences, 1) = 1 OR sequences > 1 AND q[-3] = k[-3])
),
attention AS (
    SELECT id, exact, q[1] * q[2] * q[3] * k[3] AS scores,
        width * q[1] * (q[2] * q[3] * (q[4] + v[4]) + k[2] * k[3] * (q[4] + v[4])) AS tensors,
        q[4] AS d, v[4] AS dv, q[1] * q[2] * q[3] * v[4] AS outputs, width, if(is_backward, 2, 1) AS passes,
        -- Row i of the scores keeps i of them, or all.
        if(is_causal, (least(q[3], k[3]) + 1) / 2 / k[3] * least(1, k[3] / q[3]) + greatest(0, 1 - k[3] / q[3]), 1) AS kept
    FROM laid
),
convolved AS (
    SELECT id, name, sizes[first] AS width, is_backward, dims[first] AS input, dims[second] AS weight, if(is_backward, dims[third], NULL) AS gradient,
        if(form = 'transposed convolution', true, said[transposed] = 'True') AS transposed,
        [TRY_CAST(each AS DOUBLE) FOR each IN regexp_extract_all(said[stride], '\d+')] AS stride,
        [TRY_CAST(each AS DOUBLE) FOR each IN regexp_extract_all(said[padding], '\d+')] AS padding,
        [TRY_CAST(each AS DOUBLE) FOR each IN regexp_extract_all(coalesce(said[dilation], '1'), '\d+')] AS dilation,
        [TRY_CAST(each AS DOUBLE) FOR each IN
            regexp_extract_all(coalesce(said[if(form = 'transposed convolution', padding, transposed) + 1], '0'), '\d+')] AS more,
        coalesce(TRY_CAST(said[groups] AS DOUBLE), 1) AS groups,
        if(is_backward, len([each FOR each IN regexp_extract_all(said[mask], 'True|False')[:2] IF each = 'True']), 1) AS gradients
    FROM told WHERE kind = 'convolution' AND len(dims[first]) > 2 AND len(dims[second]) = len(dims[first])
),
reached AS (
    SELECT *, if(coalesce(transposed, false),
            list_concat([input[1], weight[2] * groups], [
                (size - 1) * coalesce(stride[i], stride[1]) - 2 * coalesce(padding[i], padding[1])
                + coalesce(dilation[i], dilation[1]) * (weight[i + 2] - 1) + coalesce(more[i], more[1]) + 1 FOR size, i IN input[3:]]),
            list_concat([input[1], weight[1]], [
                floor((size + 2 * coalesce(padding[i], padding[1]) - coalesce(dilation[i], dilation[1]) * (weight[i + 2] - 1) - 1)
                / coalesce(stride[i], stride[1])) + 1 FOR size, i IN input[3:]])) AS computed
    FROM convolved
),
convolution AS (
    SELECT own.id, own.width, coalesce(gradients, 2) AS passes, gradients IS NOT NULL AS exact,
        list_product(weight) * own.input[1] * list_product(if(coalesce(transposed, output[2] <> weight[1]), own.input, output)[3:]) AS multiplied,
        list_product(output) AS outputs, list_product(own.input) AS inputs, list_product(weight) AS weights
    FROM (
        SELECT reached.*, coalesce(gradient, if(len(stride) > 0 AND len(padding) > 0, computed, NULL), known.output) AS output
        FROM reached LEFT JOIN (SELECT input, weight, arg_min(gradient, id) AS output FROM convolved WHERE gradient IS NOT NULL GROUP BY ALL)
            AS known ON known.input = reached.input AND known.weight = reached.weight
    ) AS own
    WHERE len(output) > 2
),
tensor AS (
    SELECT id, place, list_product(dims[place]) AS numbers, sizes[place] AS width
    FROM (SELECT id, unnest(range(1, len(dims) + 1)) AS place, dims, sizes, reads FROM told WHERE kind = 'element-wise')
    WHERE len(dims[place]) > 0 AND dims[place][1] IS NOT NULL AND place <= coalesce(reads, place)
),
given AS (
    SELECT id, sum(numbers * width) AS bytes, max(numbers) AS largest, sum(width) AS width_of_all, max(width) AS widest FROM tensor GROUP BY id
),
formula AS (
    SELECT id, 2 * rows * n AS flop, 2 * rows * n AS needed, 1 AS kept, groups * rows / k * n AS outputs,
        width * lefts + other_width * rights + out_width * groups * rows / k * n AS least,
        width * lefts * ceil(n / 128) + other_width * rights * ceil(m / 128) + out_width * groups * rows / k * n AS most, true AS exact
    FROM product
    UNION ALL
    SELECT id, 2 * scores * (passes * (d + dv) + if(passes = 2, d, 0)), 2 * scores * passes * (d + dv), kept, outputs, passes * tensors,
        passes * tensors + 4 * passes * width * scores, exact
    FROM attention
    UNION ALL
    SELECT id, 2 * multiplied * passes, 2 * multiplied * passes, 1, outputs, width * passes * (inputs + weights + outputs),
        width * passes * (multiplied + weights + outputs), exact
    FROM convolution
    UNION ALL
    SELECT id, 0, 0, 1, largest, bytes + if(name IN ('aten::copy_', 'aten::fill_', 'aten::zero_'), 0, largest * widest),
        largest * width_of_all * if(regexp_matches(name, 'norm|softmax'), 3, 1)
            + if(name IN ('aten::copy_', 'aten::fill_', 'aten::zero_'), 0, largest * widest), true
    FROM told JOIN given USING (id)
),
called AS (
    SELECT ran.id, told.name, told.shapes, ran.context, ran.start, told.kind, told.precision, ran.profile, ran.start + ran.duration AS stop,
        formula.flop, formula.needed, formula.flop * formula.kept AS done, formula.outputs, formula.least, formula.most, formula.exact
    FROM told JOIN formula ON formula.id = told.id
    JOIN host_range AS ran ON ran.kind = 'operator' AND ran.name = told.name AND ran.shapes = told.shapes
        AND ran.types IS NOT DISTINCT FROM told.types AND ran.flags IS NOT DISTINCT FROM told.flags
        AND ran.settings IS NOT DISTINCT FROM told.settings
    WHERE formula.flop IS NOT NULL
)
FROM called
QUALIFY kind = 'element-wise' OR coalesce(start >= max(stop) OVER (
    PARTITION BY profile, kind = 'element-wise' ORDER BY start, stop DESC, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
), true)

/*---
name: step_operations
about: >-
  Operations of each typical step (host_step) on all threads of its process by the sizes of arguments: needed by the model, with what
  fused attention computes again
  (flop), of these without what a causal mask leaves out (done) [FLOP], and the time that those needed and done take at the dense peaks of
  their types [s].
when: FROM host_range WHERE shapes IS NOT NULL
---*/
SELECT step.profile, step.start, sum(own.needed) AS needed, sum(own.flop) AS flop, sum(own.done) AS done,
    sum(own.needed / roof.rate) AS needed_least, sum(own.done / roof.rate) AS least
FROM host_step AS step
JOIN main_threads AS main ON main.profile = step.profile
JOIN process_thread AS thread ON thread.process = main.process
JOIN sized_operator AS own ON own.profile = thread.profile AND own.start >= step.start AND own.start < step.stop
LEFT JOIN roof_ceiling AS roof ON roof.name = own.precision
WHERE own.flop > 0 GROUP BY ALL

/*---
name: typical_operations
about: >-
  Operations of a typical step of all processes by the sizes of arguments: the sum of the medians of each (step_operations) [FLOP], and the
  time that they take at the dense peaks of their types on all GPUs that take part [s]. No row without any.
when: FROM host_range WHERE shapes IS NOT NULL
---*/
SELECT sum(needed) AS needed, sum(flop) AS flop, sum(done) AS done, sum(needed_least) / greatest(gpus(), 1) AS needed_least,
    sum(least) / greatest(gpus(), 1) AS least
FROM (
    SELECT profile, median(needed) AS needed, median(flop) AS flop, median(done) AS done, median(needed_least) AS needed_least,
        median(least) AS least
    FROM step_operations GROUP BY profile
)
HAVING count(*) > 0

/*---
name: product_cover
about: >-
  Kernels that compute products, convolutions or attention, by their names (kernel_class), in the steady iterations, or in all of the run
  where there are none: their time over all GPUs, and that of those launched from an operator whose sizes tell its operations exactly
  (told), and of a type whose peak is known (rated) [s]. No row without such kernels.
when: EXISTS (FROM host_range WHERE shapes IS NOT NULL) AND EXISTS (FROM gpu_operation)
columns:
  whole: DOUBLE?; Time of all such kernels [s]
  told: DOUBLE?; Of these, with operations by sizes [s]
  rated: DOUBLE?; Of these, with a known peak [s]
---*/
WITH product AS (
    SELECT ran.duration, ran.call FROM gpu_operation AS ran
    JOIN kernel_class AS kind ON kind.context = ran.context
    CROSS JOIN steady_bounds AS steady
    WHERE ran.operation = 'kernel' AND kind.class IN ('product', 'attention')
        AND (steady.start IS NULL OR ran.start >= steady.start AND ran.start < steady.stop)
),
sized AS (SELECT profile, start, stop, precision FROM sized_operator WHERE kind <> 'element-wise' AND exact),
launched AS (
    SELECT product.duration, sized.precision
    FROM product JOIN host_call AS call ON call.id = product.call
    ASOF JOIN sized ON sized.profile = call.profile AND sized.start <= call.start
    WHERE call.start < sized.stop
),
covered AS (
    SELECT sum(duration) AS told, sum(duration) FILTER (roof.rate > 0) AS rated
    FROM launched LEFT JOIN roof_ceiling AS roof ON roof.name = launched.precision
)
SELECT product.whole / 1e9 AS whole, if(product.whole > 0, coalesce(told, 0) / 1e9, NULL) AS told,
    if(product.whole > 0, coalesce(rated, 0) / 1e9, NULL) AS rated
FROM (SELECT sum(duration) AS whole FROM product) AS product CROSS JOIN covered WHERE product.whole IS NOT NULL
