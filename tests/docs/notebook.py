"""Runs a notebook, and writes it as a page: its cells are Python, and Jupyter is not needed."""

from __future__ import annotations

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

HEAD = "<!-- Written from {name} by its test: pytest --update-snapshots. -->\n"


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def run(notebook: dict[str, Any]) -> list[str]:
    """What each cell of code prints, and then the text of its last expression."""
    names: dict[str, Any] = {}
    return [
        _run("".join(cell["source"]), names)
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def _run(source: str, names: dict[str, Any]) -> str:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return printed.getvalue() + ("" if value is None else f"{value}\n")


def outputs(notebook: dict[str, Any]) -> list[str]:
    """What the notebook holds as output of each cell of code."""
    return [
        "".join(line for output in cell["outputs"] for line in output["text"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def with_outputs(notebook: dict[str, Any], texts: list[str]) -> str:
    """The file of a notebook with these outputs."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, text) in enumerate(zip(code, texts, strict=True), 1):
        stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
        cell["outputs"] = [stream] if text else []
        cell["execution_count"] = number
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def page(notebook: dict[str, Any], name: str) -> str:
    """The notebook as Markdown: text, code, and what it prints."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        lines = "".join(line for output in cell["outputs"] for line in output["text"]).splitlines()
        text = "\n".join(line.rstrip() for line in lines)
        if text:
            parts.append(f"```text\n{text}\n```")
    return HEAD.format(name=name) + "\n" + "\n\n".join(parts) + "\n"
