/*---
title: What limits the occupancy of kernels
better: neither
definition: >-
  Theoretical occupancy of kernels and what limits it: registers, shared memory, block slots or
  the block size, several where they bind at the same number of blocks; warp slots where nothing
  else does. In order of the warp slots that stay empty, by time.
population: >-
  kernels with launch information; matrix products,
  convolutions and attention of libraries are left out, by their names: they hold large tiles in
  registers on purpose; so are communication, which take few
  multiprocessors on purpose. The first 30
needs: [kernel_time, kernel_launches, kernel_block_threads, kernel_thread_registers, hardware.max_warps, hardware.max_blocks,
  hardware.registers, hardware.shared_memory]
source: NVIDIA's occupancy rules (CUDA C++ programming guide, compute capabilities)
caveat: >-
  From means per kernel, with all of the multiprocessor's shared memory available to blocks.
empty: no kernel but products of libraries and collectives has launch information
columns:
  - {name: short, title: 'Kernel', unit: text}
  - {name: occupancy, title: 'Theoretical occupancy', unit: ratio}
  - {name: limit, title: 'Limited by', unit: text}
  - {name: by_registers, title: 'Blocks by registers', unit: count}
  - {name: by_shared, title: 'Blocks by shared memory', unit: count}
  - {name: by_slots, title: 'Block slots', unit: count}
  - {name: by_warps, title: 'Blocks by warp slots', unit: count}
  - {name: registers, title: 'Registers per thread', unit: registers}
  - {name: threads, title: 'Threads per block', unit: threads}
  - {name: shared, title: 'Shared memory per block', unit: B}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH kernel AS (
    SELECT kernel, any_value(short) AS short, sum("time") AS "time", sum("time") / nullif(sum(sum("time")) OVER (), 0) AS share,
        sum(launches * registers) / sum(launches) AS registers,
        sum(launches * threads) / sum(launches) AS threads,
        sum(launches * (static_shared + dynamic_shared)) / sum(launches) AS shared,
        any_value(kind.kind) AS kind, first(ran.context ORDER BY "time" DESC, ran.context) AS largest
    FROM kernel_context AS ran JOIN kernel_class AS kind ON kind.context = ran.context
    GROUP BY kernel
),
block AS (
    SELECT kernel.*, device.max_warps, device.max_blocks AS by_slots,
        ceil(threads / device.warp_size) AS warps,
        floor(device.max_warps / ceil(threads / device.warp_size)) AS by_warps,
        floor(
            floor(device.registers / nullif(ceil(kernel.registers * device.warp_size / 256) * 256, 0) / 4) * 4
            / ceil(threads / device.warp_size)
        ) AS by_registers,
        floor(device.shared_memory / nullif(ceil((shared + reserved) / unit) * unit, 0)) AS by_shared
    FROM kernel
    CROSS JOIN (
        SELECT hardware.*, CASE WHEN compute_capability >= 8 THEN 1024 ELSE 0 END AS reserved,
            CASE WHEN compute_capability >= 8 THEN 128 ELSE 256 END AS unit
        FROM hardware JOIN run ON run.hardware = hardware.name
    ) AS device
    WHERE threads > 0 AND kind = 'other'
),
least_one AS (
    SELECT *, least(by_warps, by_slots, coalesce(by_registers, by_slots), coalesce(by_shared, by_slots)) AS resident
    FROM block
)
SELECT least_one.short, resident * warps / max_warps AS occupancy,
    CASE WHEN resident * warps >= max_warps THEN 'warp slots' ELSE concat_ws(', ',
        CASE WHEN by_registers = resident THEN 'registers' END,
        CASE WHEN by_shared = resident THEN 'shared memory' END,
        CASE WHEN by_slots = resident THEN 'block slots' END,
        CASE WHEN by_warps = resident THEN 'block size' END)
    END AS "limit",
    by_registers, by_shared, by_slots, by_warps, registers, threads, shared, "time", share,
    place.file, place.line, place.module
FROM least_one
LEFT JOIN source_place AS place ON place.context = least_one.largest
ORDER BY (1 - resident * warps / max_warps) * "time" DESC, least_one.short
LIMIT 30
