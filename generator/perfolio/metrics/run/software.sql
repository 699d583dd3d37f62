/*---
title: Software that the run shows
better: neither
definition: >-
  The vendor of the GPU that was measured, languages, frameworks and libraries of which the profile names
  a load module or a source file, and versions of the GPU's runtime, driver, libraries and profiler as
  far as names of modules and their folders tell them; with the number of these.
population: all load modules and source files of the run
needs: []
source: names of modules and files, listed in the query; the model gpu_vendor
caveat: >-
  What no sample and no operation touched is not in a profile: a name that is missing here proves
  nothing. A version has the parts that the name has: of libcudart.so.12 it is 12.
empty: no module, file or metric tells
columns:
  - {name: kind, title: 'Kind', unit: text}
  - {name: name, title: 'Name', unit: text}
  - {name: seen, title: 'Modules and files', unit: count}
---*/
WITH sign(kind, name, pattern) AS (
    VALUES
        ('language', 'Python', '(^|/)(python[0-9.]*|libpython[^/]*)$|\.py$'),
        ('calling paths', 'with functions of Python', '^<logical python>$'),
        ('framework', 'PyTorch', '(^|/)torch/|(^|/)libtorch[^/]*\.so'),
        ('framework', 'TensorFlow', '(^|/)tensorflow/|(^|/)libtensorflow[^/]*\.so'),
        ('framework', 'JAX', '(^|/)(jax|jaxlib)/'),
        ('library', 'NumPy', '(^|/)numpy/'),
        ('parallel runtime', 'OpenMP', '(^|/)lib(gomp|iomp5|omp)[^/]*\.so'),
        ('parallel runtime', 'Open MPI', '(^|/)(libmpi\.so\.40|libopen-(pal|rte)[^/]*\.so|mca_[a-z0-9]+_\w+\.so)'),
        ('parallel runtime', 'MPICH or one of its kin', '(^|/)libmpich[^/]*\.so|(^|/)libmpi\.so\.12(\.|$)')
),
versioned(kind, name, pattern) AS (
    VALUES
        ('GPU runtime', 'CUDA', '(?:^|/)libcudart[^/]*[.]so[.]([0-9]+(?:[.][0-9]+)*)$'),
        ('GPU toolkit', 'CUDA', '/cuda-([0-9]+[.][0-9]+(?:[.][0-9]+)*)/'),
        ('GPU driver', 'NVIDIA driver', '(?:^|/)libcuda[.]so[.]([0-9]+(?:[.][0-9]+)+)$'),
        ('GPU library', 'cuBLAS', '(?:^|/)libcublas[^/]*[.]so[.]([0-9]+(?:[.][0-9]+)*)$'),
        ('GPU library', 'cuDNN', '(?:^|/)libcudnn[^/]*[.]so[.]([0-9]+(?:[.][0-9]+)*)$'),
        ('GPU library', 'NCCL', '(?:^|/)libnccl[.]so[.]([0-9]+(?:[.][0-9]+)*)$'),
        ('profiler', 'CUPTI', '(?:^|/)libcupti[.]so[.]([0-9]+(?:[.][0-9]+)*)$'),
        ('profiler', 'HPCToolkit', '/hpctoolkit-([0-9]{4}[.][0-9]+(?:[.][0-9]+)*)')
),
seen AS (
    SELECT path FROM module
    UNION ALL
    SELECT path FROM file
)
SELECT kind, name, count(*) AS seen
FROM sign
JOIN seen ON regexp_matches(seen.path, sign.pattern)
GROUP BY kind, name
UNION ALL
SELECT 'GPU runtime', 'ROCm ' || arg_max(version, length(version)), count(*)
FROM (SELECT rocm_version(path) AS version FROM seen) AS found
WHERE version IS NOT NULL
HAVING count(*) > 0
UNION ALL
SELECT kind, name || ' ' || arg_max(version, (length(version), version)), count(*)
FROM (
    SELECT versioned.kind, versioned.name, nullif(regexp_extract(seen.path, versioned.pattern, 1), '') AS version
    FROM versioned CROSS JOIN seen
) AS told
WHERE version IS NOT NULL
GROUP BY kind, name
UNION ALL
SELECT 'GPU vendor', vendor, 1 FROM gpu_vendor WHERE vendor <> 'unknown'
ORDER BY kind, seen DESC, name
