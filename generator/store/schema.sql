-- The store: one DuckDB file per project, any number of runs.
-- Every table starts with `run`; identifiers are those of the profile's own files
-- and unique within a run only, so join on run and identifier.

CREATE TABLE store_info (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE store_info IS 'What this file is: schema_version and the version of Perfolio that made it.';
COMMENT ON COLUMN store_info.key IS 'schema_version, perfolio_version, definition (a hash of tables, views and reference rows) [text]';
COMMENT ON COLUMN store_info.value IS 'The value [text]';

CREATE TABLE run (
    run INTEGER PRIMARY KEY,
    slug VARCHAR NOT NULL UNIQUE,
    path VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    files STRUCT(name VARCHAR, bytes UBIGINT, sha256 VARCHAR, format_version VARCHAR)[] NOT NULL,
    tool VARCHAR NOT NULL,
    format_version VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    hardware VARCHAR,
    notes VARCHAR,
    warnings VARCHAR[] NOT NULL
);
COMMENT ON TABLE run IS 'One row per ingested profile database.';
COMMENT ON COLUMN run.run IS 'Number of the run in this store [id]';
COMMENT ON COLUMN run.slug IS 'Short name of the run, used in addresses of pages [text]';
COMMENT ON COLUMN run.path IS 'Folder that the run was read from, as given [text]';
COMMENT ON COLUMN run.digest IS 'SHA-256 over the names and hashes of the files and of profile.toml [text]';
COMMENT ON COLUMN run.files IS 'Name, size [B], SHA-256 and format version of each file that was read';
COMMENT ON COLUMN run.tool IS 'The tool that made the profile [text]';
COMMENT ON COLUMN run.format_version IS 'Version of the format, as the files say [text]';
COMMENT ON COLUMN run.title IS 'Title of profile.toml, else of the database (the executable) [text]';
COMMENT ON COLUMN run.description IS 'Description of profile.toml, else of the database [text]';
COMMENT ON COLUMN run.hardware IS 'Name in the table hardware, if profile.toml gives one [text]';
COMMENT ON COLUMN run.notes IS 'Notes of profile.toml [text]';
COMMENT ON COLUMN run.warnings IS 'What the reader had to tolerate [text]';

CREATE TABLE setting (
    run INTEGER NOT NULL,
    key VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE setting IS 'Further entries of profile.toml: workload.<name>, model_flops, simulated, event_period.';
COMMENT ON COLUMN setting.run IS 'Run [id]';
COMMENT ON COLUMN setting.key IS 'Dotted name, e.g. workload.batch_size [text]';
COMMENT ON COLUMN setting.value IS 'The value as text; cast it to use it as a number [text]';

CREATE TABLE hardware (
    name VARCHAR PRIMARY KEY,
    vendor VARCHAR NOT NULL,
    compute_capability DOUBLE,
    fp64_flops DOUBLE,
    fp64_tensor_flops DOUBLE,
    fp32_flops DOUBLE,
    tf32_flops DOUBLE,
    fp16_flops DOUBLE,
    fp8_flops DOUBLE,
    memory_bandwidth DOUBLE,
    multiprocessors INTEGER,
    warp_size INTEGER,
    max_warps INTEGER,
    max_blocks INTEGER,
    registers INTEGER,
    shared_memory BIGINT,
    pcie_generation INTEGER,
    link_bandwidth DOUBLE,
    verified BOOLEAN NOT NULL
);
COMMENT ON TABLE hardware IS 'Peaks and limits of devices; dense rates, never the ones with sparsity.';
COMMENT ON COLUMN hardware.name IS 'Name to use in profile.toml [text]';
COMMENT ON COLUMN hardware.vendor IS 'NVIDIA, AMD, Intel or CPU [text]';
COMMENT ON COLUMN hardware.compute_capability IS 'CUDA compute capability, NULL elsewhere [1]';
COMMENT ON COLUMN hardware.fp64_flops IS 'FP64 vector peak [FLOP/s]';
COMMENT ON COLUMN hardware.fp64_tensor_flops IS 'FP64 tensor peak [FLOP/s]';
COMMENT ON COLUMN hardware.fp32_flops IS 'FP32 vector peak [FLOP/s]';
COMMENT ON COLUMN hardware.tf32_flops IS 'TF32 tensor peak, dense [FLOP/s]';
COMMENT ON COLUMN hardware.fp16_flops IS 'BF16 and FP16 tensor peak, dense [FLOP/s]';
COMMENT ON COLUMN hardware.fp8_flops IS 'FP8 tensor peak, dense [FLOP/s]';
COMMENT ON COLUMN hardware.memory_bandwidth IS 'Device memory bandwidth [B/s]';
COMMENT ON COLUMN hardware.multiprocessors IS 'SMs or compute units [count]';
COMMENT ON COLUMN hardware.warp_size IS 'Threads per warp or wavefront [threads]';
COMMENT ON COLUMN hardware.max_warps IS 'Resident warps per multiprocessor [warps]';
COMMENT ON COLUMN hardware.max_blocks IS 'Resident blocks per multiprocessor [blocks]';
COMMENT ON COLUMN hardware.registers IS '32-bit registers per multiprocessor [count]';
COMMENT ON COLUMN hardware.shared_memory IS 'Shared memory per multiprocessor that blocks can use [B]';
COMMENT ON COLUMN hardware.pcie_generation IS 'PCI Express generation [1]';
COMMENT ON COLUMN hardware.link_bandwidth IS 'PCIe x16 bandwidth per direction [B/s]';
COMMENT ON COLUMN hardware.verified IS 'Whether the figures were checked against a vendor page';

CREATE TABLE profile (
    run INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    identifier_tuple VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    node UBIGINT,
    rank UBIGINT,
    thread UBIGINT,
    gpu_context UBIGINT,
    gpu_stream UBIGINT
);
COMMENT ON TABLE profile IS 'One row per measured CPU thread or GPU stream.';
COMMENT ON COLUMN profile.run IS 'Run [id]';
COMMENT ON COLUMN profile."index" IS 'Position in profile.db, from 1; 0 is the summary and has no row [id]';
COMMENT ON COLUMN profile.identifier_tuple IS 'Identifiers from largest to smallest; not unique [text]';
COMMENT ON COLUMN profile.kind IS 'CPU thread, GPU stream, rank, node or other: the last identifier [text]';
COMMENT ON COLUMN profile.node IS 'Host identifier [id]';
COMMENT ON COLUMN profile.rank IS 'Rank of the process [id]';
COMMENT ON COLUMN profile.thread IS 'CPU thread [id]';
COMMENT ON COLUMN profile.gpu_context IS 'GPU context [id]';
COMMENT ON COLUMN profile.gpu_stream IS 'GPU stream or queue [id]';

CREATE TABLE module (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    path VARCHAR NOT NULL
);
COMMENT ON TABLE module IS 'Load modules: executables and libraries.';
COMMENT ON COLUMN module.run IS 'Run [id]';
COMMENT ON COLUMN module.id IS 'Position in meta.db [id]';
COMMENT ON COLUMN module.path IS 'Full path [text]';

CREATE TABLE file (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    path VARCHAR NOT NULL,
    copied BOOLEAN NOT NULL
);
COMMENT ON TABLE file IS 'Source files.';
COMMENT ON COLUMN file.run IS 'Run [id]';
COMMENT ON COLUMN file.id IS 'Position in meta.db [id]';
COMMENT ON COLUMN file.path IS 'Path, absolute or relative to the database [text]';
COMMENT ON COLUMN file.copied IS 'Whether the database holds a copy';

CREATE TABLE function (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    module INTEGER,
    "offset" UBIGINT,
    file INTEGER,
    line UINTEGER
);
COMMENT ON TABLE function IS 'Functions, and named constructs such as <gpu kernel>.';
COMMENT ON COLUMN function.run IS 'Run [id]';
COMMENT ON COLUMN function.id IS 'Position in meta.db [id]';
COMMENT ON COLUMN function.name IS 'Name; one made from module and offset where the file has none [text]';
COMMENT ON COLUMN function.module IS 'Module that contains it [id]';
COMMENT ON COLUMN function."offset" IS 'Entry point within the module [B]';
COMMENT ON COLUMN function.file IS 'File that defines it [id]';
COMMENT ON COLUMN function.line IS 'Line of the definition [1]';

CREATE TABLE context (
    run INTEGER NOT NULL,
    id UINTEGER NOT NULL,
    parent UINTEGER NOT NULL,
    depth INTEGER NOT NULL,
    entry_point VARCHAR NOT NULL,
    relation VARCHAR NOT NULL,
    lexical_type VARCHAR NOT NULL,
    function INTEGER,
    file INTEGER,
    line UINTEGER,
    module INTEGER,
    "offset" UBIGINT
);
COMMENT ON TABLE context IS 'Calling contexts; the whole run is context 0, which has no row.';
COMMENT ON COLUMN context.run IS 'Run [id]';
COMMENT ON COLUMN context.id IS 'Identifier of the context [id]';
COMMENT ON COLUMN context.parent IS 'Enclosing or calling context; 0 for entry points [id]';
COMMENT ON COLUMN context.depth IS 'Distance from context 0; entry points have 1 [count]';
COMMENT ON COLUMN context.entry_point IS 'Entry point that it is below: main thread, application thread, unknown entry [text]';
COMMENT ON COLUMN context.relation IS 'To its parent: entry, lexical, call, inlined call, or unknown(n) [text]';
COMMENT ON COLUMN context.lexical_type IS 'entry, function, loop, line, instruction, or unknown(n) [text]';
COMMENT ON COLUMN context.function IS 'Function [id]';
COMMENT ON COLUMN context.file IS 'Source file [id]';
COMMENT ON COLUMN context.line IS 'Source line [1]';
COMMENT ON COLUMN context.module IS 'Load module [id]';
COMMENT ON COLUMN context."offset" IS 'Offset in the module [B]';

CREATE TABLE metric (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    statistic VARCHAR,
    formula VARCHAR
);
COMMENT ON TABLE metric IS 'What the columns of value and summary mean.';
COMMENT ON COLUMN metric.run IS 'Run [id]';
COMMENT ON COLUMN metric.id IS 'Identifier: 0 to 65535 in value, from 65536 on in summary [id]';
COMMENT ON COLUMN metric.name IS 'Name as the tool writes it, e.g. CPUTIME (sec) [text]';
COMMENT ON COLUMN metric.scope IS 'point, function, lex_aware (exclusive) or execution (inclusive) [text]';
COMMENT ON COLUMN metric.statistic IS 'sum, min or max over profiles for summary; NULL for value [text]';
COMMENT ON COLUMN metric.formula IS 'What the statistic combines: $$ is the value, $$^2 its square, 1 a count [text]';

CREATE TABLE value (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    metric INTEGER NOT NULL,
    value DOUBLE NOT NULL
);
COMMENT ON TABLE value IS 'Non-zero values per profile, calling context and metric. Never sum scopes other than point over contexts.';
COMMENT ON COLUMN value.run IS 'Run [id]';
COMMENT ON COLUMN value.profile IS 'Profile, index in table profile [id]';
COMMENT ON COLUMN value.context IS 'Calling context; 0 is the whole profile [id]';
COMMENT ON COLUMN value.metric IS 'Metric [id]';
COMMENT ON COLUMN value.value IS 'Value, in the unit that the metric''s name gives';

CREATE TABLE summary (
    run INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    metric INTEGER NOT NULL,
    value DOUBLE NOT NULL
);
COMMENT ON TABLE summary IS 'Statistics over all profiles per calling context; context 0 is the whole run.';
COMMENT ON COLUMN summary.run IS 'Run [id]';
COMMENT ON COLUMN summary.context IS 'Calling context; 0 is the whole run [id]';
COMMENT ON COLUMN summary.metric IS 'Metric, with its statistic [id]';
COMMENT ON COLUMN summary.value IS 'Value, in the unit that the metric''s name gives';

CREATE TABLE trace (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    "time" UBIGINT NOT NULL,
    context UINTEGER NOT NULL
);
COMMENT ON TABLE trace IS 'Trace points, in the order of each trace line: from this time on the profile is in this context.';
COMMENT ON COLUMN trace.run IS 'Run [id]';
COMMENT ON COLUMN trace.profile IS 'Profile, index in table profile [id]';
COMMENT ON COLUMN trace."time" IS 'Time since the epoch [ns]';
COMMENT ON COLUMN trace.context IS 'Calling context; 0 means not running [id]';
