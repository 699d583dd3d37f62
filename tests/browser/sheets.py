"""A sheet with an item of every type, and answers to it that are right."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

from perfolio.pages.exercise_pages import render_exercises
from tests.exercises.support import metrics_of
from tests.pages.support import documents

PAGE = Path(__file__).parent / "pages" / "all-types.md"
KERNELS = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>"
VALUES = {
    "time.wall": 10.0,
    "cpu.time": 8.0,
    "time.gpu_busy": 2.0,
    "time.gpu_span": 7.0,
    "gpu.composition": [
        {"operation": KERNELS, "time": 1.5, "share": 0.7, "count": 3},
        {"operation": "copies", "time": 0.5, "share": 0.2, "count": 4},
        {"operation": "memsets", "time": 0.2, "share": 0.1, "count": 2},
    ],
}
ESTIMATES = (("X2", "days", 0.5), ("M2", "weeks", 0.02))


def sheets(folder: Path) -> dict[str, str]:
    """Pages of a run with the exercise of every type, and the shipped ones that it answers."""
    pages = render_exercises([sheet_documents(folder)], folder)
    return {"sheets/index.md": "# A run with exercises\n", **pages}


def sheet_documents(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The documents of that run; the exercise is put into the project in `folder`."""
    place = folder / "exercises" / PAGE.stem
    place.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(PAGE, place / "exercise.md")
    metrics, findings = copy.deepcopy(documents())
    made = {one["name"]: one for one in metrics_of(VALUES)}
    metrics["metrics"] = [made.get(one["name"], one) for one in metrics["metrics"]]
    _estimated(findings["findings"])
    metrics["run"] |= {"slug": "sheets"}
    return metrics, findings


def _estimated(findings: list[dict[str, Any]]) -> None:
    """Two findings have an estimate, and no other."""
    told = {code: (effort, share) for code, effort, share in ESTIMATES}
    for item in findings:
        effort, share = told.get(item["code"], ("days", None))
        estimate = {"reduction": share, "factor": 1.0 / (1.0 - share)} if share else None
        fired = "fired" if share else item["status"]
        item |= {"status": fired, "effort": effort, "estimate": estimate}
