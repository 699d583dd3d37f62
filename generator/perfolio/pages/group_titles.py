"""What pages call the groups of metrics, and the facts of a machine."""

from __future__ import annotations

GROUP_TITLES = {
    "time": "Time, from traces",
    "serving": "Serving",
    "cpu": "CPU",
    "gpu": "GPU operations",
    "launch": "Kernel launches",
    "compute": "Arithmetic",
    "stall": "Stalls",
    "calls": "Calls of the GPU's runtime",
    "operators": "Operators",
    "memory": "Memory",
    "transfer": "Transfers",
    "communication": "Communication",
    "efficiency": "Efficiency",
    "roofline": "Roofline",
    "device": "Device, by monitors",
    "fabric": "Links, by tests",
    "scaling": "Scaling over runs",
    "snapshot": "Memory, by a snapshot",
    "told": "What other tools say",
    "balance": "Balance",
    "target": "Targets",
    "tree": "Call trees",
    "sampling": "PC sampling",
    "quality": "Data quality",
    "run": "The run",
    "seed": "Formulas found in hand-made reports",
}
"""Title of each group of metrics, in the order of the page; other groups follow."""

HARDWARE = {
    "name": ("Device", "text"),
    "vendor": ("Vendor", "text"),
    "compute_capability": ("Compute capability", "1"),
    "fp64_flops": ("FP64 peak", "FLOP/s"),
    "fp64_tensor_flops": ("FP64 tensor peak", "FLOP/s"),
    "fp32_flops": ("FP32 peak", "FLOP/s"),
    "tf32_flops": ("TF32 tensor peak", "FLOP/s"),
    "fp16_flops": ("FP16 and BF16 tensor peak", "FLOP/s"),
    "fp8_flops": ("FP8 tensor peak", "FLOP/s"),
    "memory_bandwidth": ("Memory bandwidth", "B/s"),
    "multiprocessors": ("Multiprocessors", "count"),
    "warp_size": ("Warp size", "threads"),
    "max_warps": ("Resident warps per multiprocessor", "warps"),
    "max_blocks": ("Resident blocks per multiprocessor", "blocks"),
    "registers": ("32-bit registers per multiprocessor", "count"),
    "shared_memory": ("Shared memory per multiprocessor", "B"),
    "pcie_generation": ("PCI Express generation", "1"),
    "link_bandwidth": ("Link bandwidth per direction", "B/s"),
}
"""Columns of the store's table `hardware`: title and unit of each."""
