/*---
about: >-
  Calls of operators whose sizes tell what they do: floating-point operations as PyTorch's FlopCounterMode counts them (0 of element-wise
  ones, norms and softmax), values that it gives (outputs), and bytes of device memory: least, where each tensor is read or written once,
  and most, where nothing is kept between tiles of 128 by 128 of a product, broadcast values are read for each output, norms and softmax read
  three times,
  and attention writes its scores. Convolutions have operations where a backward pass of the same sizes tells the output, and those of a
  backward pass are at most [B].
when: FROM host_range WHERE shapes IS NOT NULL
columns:
  id: BIGINT; Number of the range [id]
  name: VARCHAR; Operator [text]
  shapes: VARCHAR; Sizes of its arguments [text]
  context: UINTEGER; Its calling context [id]
  start: BIGINT; Begin since the epoch [ns]
  kind: VARCHAR; product, attention, convolution or element-wise [text]
  precision: VARCHAR; Unit of a roof_ceiling that computes it, by the types of arguments [text]
  profile: INTEGER; Thread [id]
  stop: BIGINT; End since the epoch [ns]
  flop: DOUBLE?; Operations that it does [FLOP]
  needed: DOUBLE?; Of these, without scores that the backward pass of fused attention computes again [FLOP]
  done: DOUBLE?; Of these, without scores that a causal mask leaves out where a flag of attention tells that there is one [FLOP]
  outputs: DOUBLE; Values of the output [count]
  least: DOUBLE; Bytes at least [B]
  most: DOUBLE; Bytes at most [B]
---*/
-- A program calls few operators, each many times with the same arguments: these are read once.
WITH class AS (
    SELECT min(id) AS id, name, shapes, types, flags FROM host_range
    WHERE kind = 'operator' AND shapes IS NOT NULL GROUP BY name, shapes, types, flags
),
told AS (
    SELECT id, name, shapes, types, flags,
        -- Forward, efficient and cudnn attention have a flag before this one.
        string_split(flags, ',')[if(regexp_matches(name, '(efficient|cudnn)_attention$'), 2, 1)] = 'True' AS causal,
        CASE WHEN name IN ('aten::mm', 'aten::addmm', 'aten::bmm', 'aten::baddbmm') THEN 'product'
            WHEN regexp_matches(name, '^aten::_scaled_dot_product_(flash|efficient|cudnn)_attention(_backward)?$') THEN 'attention'
            WHEN name IN ('aten::convolution', 'aten::convolution_backward') THEN 'convolution' ELSE pattern.kind END AS kind,
        [[TRY_CAST(each AS DOUBLE) FOR each IN string_split(sizes, ',')] FOR sizes IN regexp_extract_all(shapes, '\[(\d*(?:,\d+)*)\]', 1)] AS dims,
        [CASE WHEN regexp_matches(type, '(?i)float8|fp8|char|bool|byte') THEN 1 WHEN regexp_matches(type, '(?i)half|bfloat16|float16|short') THEN 2
            WHEN regexp_matches(type, '(?i)double|long') THEN 8 ELSE 4 END
            FOR type IN regexp_extract_all(coalesce(types, ''), '"([^"]*)"', 1)] AS widths,
        -- What it reads of its arguments: one more is the tensor that is given for its result, which is counted with it.
        CASE WHEN regexp_matches(name, '^aten::(neg|exp|log|sqrt|rsqrt|sin|cos|tanh|sigmoid|relu|gelu|silu|threshold|zero)$') THEN 1
            WHEN regexp_matches(name, '^aten::(add|sub|mul|div|pow|clamp_min|maximum|minimum|copy|fill)$') THEN 2
            WHEN regexp_matches(name, '^aten::(clamp|where|masked_fill)$') THEN 3 END AS reads,
        -- A type without sizes is that of one number, which does not decide.
        CASE WHEN len(dims) = len(widths)
            THEN array_to_string([type FOR type, i IN regexp_extract_all(types, '"([^"]*)"', 1) IF dims[i][1] IS NOT NULL], ' ')
            ELSE types END AS kinds,
        CASE WHEN regexp_matches(kinds, '(?i)float8') THEN 'FP8' WHEN regexp_matches(kinds, '(?i)half|bfloat16|float16') THEN 'BF16 and FP16'
            WHEN regexp_matches(kinds, '(?i)double') THEN 'FP64' ELSE 'FP32' END AS precision
    FROM class
    LEFT JOIN (SELECT kind, pattern FROM operator_pattern WHERE kind = 'element-wise') AS pattern ON regexp_matches(name, pattern.pattern)
),
-- Sizes stand beside types where each argument has one of both; lists of tensors have more sizes, and count in 4 bytes.
tensor AS (
    SELECT id, place, dims[place] AS size, list_product(dims[place]) AS numbers,
        CASE WHEN len(dims) = len(widths) THEN widths[place] ELSE 4 END AS width
    FROM (SELECT id, unnest(range(1, len(dims) + 1)) AS place, dims, widths, reads FROM told WHERE kind IS NOT NULL)
    WHERE len(dims[place]) > 0 AND dims[place][1] IS NOT NULL AND place <= coalesce(reads, place)
),
given AS (
    SELECT id, list(size ORDER BY place) AS sizes, first(width ORDER BY place) AS width, sum(numbers * width) AS bytes, max(numbers) AS largest,
        sum(width) AS width_of_all, max(width) AS widest
    FROM tensor GROUP BY id
),
sized AS (
    SELECT told.name, told.name LIKE '%\_backward' ESCAPE '\' AS is_backward, told.kind, coalesce(told.causal, false) AS causal, given.*,
        [each FOR each IN given.sizes IF len(each) = if(told.name LIKE '%bmm', 3, 2)] AS factors
    FROM told JOIN given ON given.id = told.id
),
product AS (
    SELECT id, width, if(len(factors[-2]) = 3, factors[-2][1], 1) AS b, factors[-2][-2] AS m, factors[-2][-1] AS k, factors[-1][-1] AS n
    FROM sized WHERE kind = 'product' AND len(factors) >= 2 AND factors[-2][-1] = factors[-1][-2]
),
attention AS (
    SELECT id, width * q[1] * q[2] AS heads, q[1] * q[2] * q[3] * k[3] AS scores, q[3] * (q[4] + v[4]) + k[3] * (q[4] + v[4]) AS tensors,
        q[4] AS d, v[4] AS dv, q[1] * q[2] * q[3] * v[4] AS outputs, width, if(is_backward, 2, 1) AS passes,
        -- Row i of the scores keeps i of them, or all.
        if(causal, (least(q[3], k[3]) + 1) / 2 / k[3] * least(1, k[3] / q[3]) + greatest(0, 1 - k[3] / q[3]), 1) AS kept
    FROM (SELECT *, sizes[if(is_backward, 2, 1)] AS q, sizes[if(is_backward, 3, 2)] AS k, sizes[if(is_backward, 4, 3)] AS v FROM sized)
    WHERE kind = 'attention' AND len(q) = 4 AND len(k) = 4 AND len(v) = 4
),
-- The sizes of a convolution's output are those of its gradient.
convolution AS (
    SELECT own.id, own.width, if(own.is_backward, 2, 1) AS passes, list_product(weight) / nullif(weight[1], 0) AS each,
        list_product(output) AS outputs, list_product(input) AS inputs, list_product(weight) AS weights
    FROM sized AS own
    JOIN (
        SELECT sizes[2] AS input, sizes[3] AS weight, arg_min(sizes[1], id) AS output FROM sized
        WHERE name = 'aten::convolution_backward' AND len(sizes) >= 3 GROUP BY ALL
    ) AS told ON told.input = own.sizes[if(own.is_backward, 2, 1)] AND told.weight = own.sizes[if(own.is_backward, 3, 2)]
    WHERE own.kind = 'convolution'
),
formula AS (
    SELECT id, 2 * b * m * n * k AS flop, 2 * b * m * n * k AS needed, 1 AS kept, b * m * n AS outputs, width * b * (m * k + k * n + m * n) AS least,
        width * b * (m * k * ceil(n / 128) + k * n * ceil(m / 128) + m * n) AS most
    FROM product
    UNION ALL
    SELECT id, 2 * scores * (passes * (d + dv) + if(passes = 2, d, 0)), 2 * scores * passes * (d + dv), kept, outputs, heads * passes * tensors,
        heads * passes * tensors + 4 * passes * width * scores
    FROM attention
    UNION ALL
    SELECT id, 2 * outputs * each * passes, 2 * outputs * each * passes, 1, outputs, width * passes * (inputs + weights + outputs),
        width * passes * (outputs * each + weights + outputs)
    FROM convolution
    UNION ALL
    SELECT id, 0, 0, 1, largest, bytes + if(name IN ('aten::copy_', 'aten::fill_', 'aten::zero_'), 0, largest * widest),
        largest * width_of_all * if(regexp_matches(name, 'norm|softmax'), 3, 1)
            + if(name IN ('aten::copy_', 'aten::fill_', 'aten::zero_'), 0, largest * widest)
    FROM sized WHERE kind = 'element-wise'
)
SELECT ran.id, told.name, told.shapes, ran.context, ran.start, told.kind, told.precision, ran.profile, ran.start + ran.duration AS stop,
    formula.flop, formula.needed, formula.flop * formula.kept AS done, formula.outputs, formula.least, formula.most
FROM told JOIN formula ON formula.id = told.id
JOIN host_range AS ran ON ran.kind = 'operator' AND ran.name = told.name AND ran.shapes = told.shapes
    AND ran.types IS NOT DISTINCT FROM told.types AND ran.flags IS NOT DISTINCT FROM told.flags
