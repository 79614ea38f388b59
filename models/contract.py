"""`model.toml`, the contract of the weights: read, and written."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from companion.vision.weights import PARTS

ORDER = (*PARTS, "judge")


def read_contract(folder: Path) -> dict[str, Any]:
    path = folder / "model.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_part(folder: Path, part: str, version: str, entry: dict[str, Any]) -> None:
    """Put one network's entry into model.toml; its settings and everything about the others stay."""
    contract = read_contract(folder)
    old = contract.get(part, {})
    contract[part] = {**{k: old[k] for k in ("settings",) if k in old}, **entry}
    contract["version"] = version
    write_contract(folder, contract)


def write_contract(folder: Path, contract: dict[str, Any]) -> None:
    lines = [
        "# Written by models/export.py and models/calibrate.py; checked when the weights are loaded.",
        f"version = {json.dumps(contract['version'])}",
    ]
    for name in ORDER:
        if name in contract:
            lines += ["", *_table(name, contract[name])]
    (folder / "model.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _table(name: str, values: dict[str, Any]) -> list[str]:
    plain = {k: v for k, v in values.items() if not isinstance(v, dict)}
    lines = [f"[{name}]", *(f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in plain.items())]
    for key, table in values.items():
        if isinstance(table, dict):
            lines += ["", *_table(f"{name}.{key}", table)]
    return lines
