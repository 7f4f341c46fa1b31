"""Runs the built program and the generator of synthetic exports."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("HEALTHPROBE_BIN", ROOT / ".build" / "release"))
HEALTHPROBE = str(BIN / "healthprobe")


def healthprobe(*arguments, check: bool = True, **environment) -> subprocess.CompletedProcess:
    """Runs the program."""
    done = subprocess.run(
        [HEALTHPROBE, *map(str, arguments)], capture_output=True, text=True, env=os.environ | environment
    )
    if check and done.returncode not in (0, 3):
        raise AssertionError(f"healthprobe {arguments}: {done.returncode}\n{done.stderr}")
    return done


def lines(*arguments) -> list[dict]:
    """The JSON lines that the program prints."""
    return [json.loads(line) for line in healthprobe(*arguments, "--json").stdout.splitlines()]


def phone(
    folder: Path, seed: int, *, dumps: int = 3, records: int = 1500, days: int = 260, changes=(), **options
) -> list[Path]:
    """Writes the exports of a synthetic phone, with the truth beside them."""
    arguments = ["phone", "--seed", seed, "--dumps", dumps, "--records", records, "--days", days, "--form", "zip"]
    for change in changes:
        arguments += ["--changes", change]
    for name, value in options.items():
        arguments += [f"--{name.replace('_', '-')}", value]
    subprocess.run(
        [str(BIN / "synthetic-exports"), *map(str, arguments), "--output", str(folder)], check=True, capture_output=True
    )
    return [folder / f"dump-{number}.zip" for number in range(1, dumps + 1)]


def archive(folder: Path, exports: list[Path], *options, consolidate: bool = True) -> Path:
    """Imports exports into a new archive and keeps the groups of the whole chain."""
    path = folder / "archive.sqlite"
    healthprobe("import", "--archive", path, "--quiet", *options, *exports)
    if consolidate:
        healthprobe("consolidation", "first", "latest", "--through", "--json", "--archive", path)
    return path


def data(*arguments, **environment) -> subprocess.CompletedProcess:
    """Runs healthprobe-data."""
    import sys

    return subprocess.run(
        [sys.executable, "-m", "healthprobe_data.command", *map(str, arguments)],
        timeout=300,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
