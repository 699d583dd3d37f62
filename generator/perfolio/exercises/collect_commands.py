"""How what is missing is collected: the command that fits the run.

In:  commands by what they are for, such as `NVIDIA`, `PyTorch` or `any`; a run.
Out: the first that fits, with the run's ranks and versions; empty where none does.
"""

from __future__ import annotations

from collections.abc import Mapping

from perfolio.exercises.run_view import Run
from perfolio.findings.model.run_traits import OTHERS, find_gpu_vendor, find_setting, has_no_gpu
from perfolio.metrics.run_commands import prepare_command

ANY = "any"
PYTORCH = "PyTorch"
ON_GPU = "PyTorch on a GPU"
KINDS = ("NVIDIA", *OTHERS, PYTORCH, ON_GPU, ANY)


def choose_command(commands: Mapping[str, str], run: Run) -> str:
    """The first of the commands that fits the run; empty where none does."""
    results = run.results
    fits = {ANY, find_gpu_vendor(results)}
    if "run.pytorch" in results and results["run.pytorch"].value:
        fits |= {PYTORCH} if has_no_gpu(results) else {PYTORCH, ON_GPU}
    command = next((text for kind, text in commands.items() if kind in fits), "")
    return prepare_command(command, find_setting(results))
