"""The recipes of docs/recipes.md do what they say, block by block, with the built program."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pandas
import pytest
from websockets.sync.server import serve

import programs

DOCUMENT = (programs.ROOT / "docs/recipes.md").read_text()
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", DOCUMENT, re.S | re.M))


def blocks(section: str, language: str) -> list[str]:
    """The code of a section in one language."""
    found = re.findall(rf"^```{language}\n(.*?)^```", SECTIONS[section], re.S | re.M)
    assert found, (section, language)
    return found


@pytest.fixture
def surroundings(archive, tmp_path, monkeypatch) -> Path:
    """An empty folder in which `healthprobe` is the built program and finds the archive."""
    monkeypatch.setenv("PATH", f"{programs.BIN.resolve()}:{os.environ['PATH']}")
    monkeypatch.setenv("HEALTHPROBE_ARCHIVE", str(archive))
    return tmp_path


def run(folder: Path, *command: str, **environment) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=os.environ | environment)
    assert done.returncode == 0, done.stderr


def test_every_block_is_run():
    known = {("Grafana", "sh"), ("Grafana", "sql"), ("DuckDB", "sh"), ("DuckDB", "sql"), ("pandas", "python")}
    known |= {("Home Assistant statistics", "python"), ("Obsidian daily notes", "python")}
    found = {(name, language) for name, text in SECTIONS.items() for language in re.findall(r"^```(\w+)$", text, re.M)}
    assert found == known


def test_grafana(archive, surroundings):
    run(surroundings, "sh", "-ec", blocks("Grafana", "sh")[0])
    copy = sqlite3.connect(f"file:{surroundings}/grafana.sqlite?mode=ro", uri=True)
    values, days = (
        copy.execute(query.replace("$__from", "0").replace("$__to", "4000000000000")).fetchall()
        for query in blocks("Grafana", "sql")
    )
    masses = programs.lines("records", "--type", "BodyMass", "--all", "--archive", archive)
    assert [value for _, value in values] == [mass["value"] for mass in masses]
    assert len(values) > 3
    rows = programs.lines("aggregates", "--type", "HeartRate", "--archive", archive)[0]["rows"]
    assert {day[0] for day in days} == {pandas.Timestamp(row["bucketStart"]).timestamp() for row in rows}
    assert max(day[3] for day in days) == max(row["maximum"] for row in rows)
    nothing = blocks("Grafana", "sql")[0].replace("$__from", "0").replace("$__to", "1000")
    assert copy.execute(nothing).fetchall() == []


def test_duckdb(archive, surroundings, monkeypatch):
    run(surroundings, "sh", "-ec", blocks("DuckDB", "sh")[0])
    monkeypatch.chdir(surroundings)
    months, highest = (duckdb.sql(query).fetchall() for query in blocks("DuckDB", "sql"))
    rows = programs.lines("aggregates", "--type", "StepCount", "--by", "month", "--archive", archive)[0]["rows"]
    merged = {row["bucket"]: row["sum"] for row in rows if row["level"] == "merged"}
    assert {f"{month:%Y-%m}": steps for month, steps in months} == pytest.approx(merged)
    beats = programs.lines("records", "--type", "HeartRate", "--all", "--archive", archive)
    assert max(value for _, value in highest) == max(beat["value"] for beat in beats)


def test_pandas(archive, surroundings):
    run(surroundings, sys.executable, "-c", blocks("pandas", "python")[0])
    months = pandas.read_csv(surroundings / "months.csv", index_col="date")
    days = programs.lines("metrics", "daily", "--totals", "--archive", archive)
    last = months.index[-2]
    steps = [day["totals"]["steps"]["value"] for day in days if day["date"][:7] == last[:7]]
    known = [value for value in steps if value is not None]
    assert months.loc[last, "steps"] == pytest.approx(sum(known) / len(known))


def test_home_assistant(archive, surroundings):
    received = []

    def home(connection):
        connection.send(json.dumps({"type": "auth_required"}))
        received.append(json.loads(connection.recv()))
        connection.send(json.dumps({"type": "auth_ok"}))
        received.append(json.loads(connection.recv()))
        connection.send(json.dumps({"id": received[-1]["id"], "type": "result", "success": True}))

    with serve(home, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}/api/websocket"
        script = blocks("Home Assistant statistics", "python")[0]
        run(surroundings, sys.executable, "-c", script, HASS_URL=url, HASS_TOKEN="secret")
        server.shutdown()
    assert received[0] == {"type": "auth", "access_token": "secret"}
    assert received[1]["type"] == "recorder/import_statistics"
    days = received[1]["stats"]
    rows = programs.lines("aggregates", "--type", "StepCount", "--archive", archive)[0]["rows"]
    merged = [row["sum"] for row in rows if row["level"] == "merged"]
    assert [day["state"] for day in days] == merged
    assert days[-1]["sum"] == pytest.approx(sum(merged))
    assert all(day["start"].endswith(":00:00.000Z") for day in days)


def test_obsidian(archive, surroundings):
    script = blocks("Obsidian daily notes", "python")[0]
    lines = programs.lines("metrics", "daily", "--last", "30", "--totals", "--archive", archive)
    days = {day["date"]: day for day in lines}
    kept = surroundings / "Daily" / f"{list(days)[-2]}.md"
    kept.parent.mkdir()
    kept.write_text("My day.\n")
    run(surroundings, sys.executable, "-c", script)
    assert kept.read_text() == "My day.\n"
    notes = {note.stem: note.read_text() for note in kept.parent.iterdir() if note != kept}
    assert len(notes) > 20
    for date, note in notes.items():
        steps = days[date]["totals"]["steps"]["value"]
        assert note.startswith("---\n") and note.endswith("---\n")
        assert (f"steps: {steps}\n" in note) == (steps is not None)
