"""Reading through ADBC gives the rows that SQLite itself gives; unknown files are refused."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys

import pyarrow as pa
import pytest

import programs
from healthprobe_data.archive import ArchiveFile
from healthprobe_data.errors import HealthProbeDataError
from healthprobe_data.provenance import Provenance
from healthprobe_data.reading import Connection
from healthprobe_data.tables import records
from healthprobe_data.tables.source import TableSource

SCENARIOS = sorted(path.parent for path in (programs.ROOT / "SyntheticExports").glob("*/exports"))

#: The ranges of the archive's own view, independent of this package's SQL.
ORACLE = """
SELECT t.type_identifier, v.start_seconds, v.end_seconds, v.value, r.record_version_id, r.sample_id, r.ordinal,
    f.chain_position, l.chain_position, r.superseded, r.match_rule, r.previous_id
FROM record_version_ranges r JOIN full_record_versions v ON v.id = r.record_version_id
JOIN sample_types t ON t.id = v.sample_type_id
JOIN observations f ON f.id = r.first_observation_id LEFT JOIN observations l ON l.id = r.last_observation_id
WHERE v.kind IN (0, 2) AND v.start_seconds IS NOT NULL
"""
_READ = """
import json, sqlite3, sys
connection = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
json.dump(connection.execute(sys.stdin.read()).fetchall(), sys.stdout)
"""


def sqlite_rows(path, sql):
    """Rows by the standard library's SQLite, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(path)], input=sql, capture_output=True, text=True, check=True
    )
    return [tuple(row) for row in json.loads(done.stdout)]


def source_of(path, chain="default"):
    return TableSource(ArchiveFile(str(path), chain), Provenance("full"))


def our_rows(path):
    source = source_of(path)
    epoch = lambda moment: None if moment is None else int(moment.timestamp())  # noqa: E731
    rows = []
    for batch in records.batches(source):
        for r in batch.to_pylist():
            rule = None if r["open_evidence"] is None else records.EVIDENCE.index(r["open_evidence"])
            rows.append(
                (
                    r["type"],
                    epoch(r["start"]),
                    epoch(r["end"]),
                    r["category"] if r["value"] is None else r["value"],
                    r["copy"],
                    r["sample"],
                    r["ordinal"],
                    r["opened"],
                    r["closed"],
                    int(r["closed_by"] == "continued"),
                    rule,
                    r["previous"],
                )
            )
    source.archive.close()
    return rows


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.name)
def test_every_scenario_reads_as_sqlite_reads_it(scenario, tmp_path):
    plan = scenario / "scenario.json"
    steps = json.loads(plan.read_text()).get("imports") if plan.exists() else None
    exports = sorted(path for path in (scenario / "exports").iterdir())
    path = tmp_path / "archive.sqlite"
    for step in steps or [{"export": export.name} for export in exports]:
        options = [f"--{name}={value}" for name, value in step.items() if name == "time-zone"]
        programs.healthprobe(
            "import", "--archive", path, "--quiet", *options, scenario / "exports" / step["export"], check=False
        )
    rows = our_rows(path)
    oracle = sqlite_rows(path, ORACLE)
    assert sorted(map(str, oracle_in_form(oracle))) == sorted(map(str, rows)) and rows
    done = programs.data("parquet", "--archive", path, "--output", tmp_path / "tables")
    assert done.returncode == 0, done.stderr


def oracle_in_form(rows):
    return [
        (
            *row[:3],
            float(row[3]) if isinstance(row[3], int) else row[3],
            *row[4:9],
            int(row[9]) if row[8] else 0,
            *row[10:],
        )
        for row in rows
    ]


def test_rows_are_in_the_order_of_the_file(archive):
    keys = [(r[0], r[1], r[2] if r[2] is not None else -(1 << 62), r[4], r[7]) for r in our_rows(archive)]
    assert keys == sorted(keys)


def test_a_column_that_is_null_for_100000_rows_keeps_its_type(tmp_path):
    path = tmp_path / "x.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, i ANY, f ANY, s ANY, b ANY) STRICT")
    database.executemany("INSERT INTO t (id) VALUES (?)", ((n,) for n in range(100_000)))
    database.execute("INSERT INTO t VALUES (200000, 7, 2.5, 'text', x'00ff')")
    database.commit()
    database.close()
    connection = Connection(str(path))
    columns = [("id", "int"), ("i", "int"), ("f", "float"), ("s", "text"), ("b", "blob")]
    batches = list(connection.batches("SELECT * FROM t ORDER BY id", columns))
    assert {batch.schema for batch in batches} == {
        pa.schema([("id", pa.int64()), ("i", pa.int64()), ("f", pa.float64()), ("s", pa.string()), ("b", pa.binary())])
    }
    table = pa.Table.from_batches(batches)
    assert table.num_rows == 100_001
    assert table.slice(100_000).to_pylist() == [{"id": 200000, "i": 7, "f": 2.5, "s": "text", "b": b"\x00\xff"}]
    connection.close()


@pytest.mark.parametrize("rows", [10, 70_000])
def test_a_value_of_another_type_is_damage(tmp_path, rows):
    path = tmp_path / "x.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE t (i ANY) STRICT")
    database.executemany("INSERT INTO t VALUES (?)", ((n,) for n in range(rows)))
    database.execute("INSERT INTO t VALUES ('text')")
    database.commit()
    database.close()
    connection = Connection(str(path))
    with pytest.raises(HealthProbeDataError) as failure:
        list(connection.batches("SELECT i FROM t ORDER BY rowid", [("i", "int")]))
    assert failure.value.code == "archiveDamaged"
    connection.close()


def change(path, sql):
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = DELETE")
    database.executescript(sql)
    database.close()


@pytest.mark.parametrize(
    "sql, code, exit",
    [
        ("PRAGMA user_version = 5", "newerArchive", 65),
        ("PRAGMA user_version = 3", "olderArchive", 65),
        ("PRAGMA application_id = 1", "notAnArchive", 65),
    ],
)
def test_unknown_archives_are_refused(archive, tmp_path, sql, code, exit):
    path = tmp_path / "archive.sqlite"
    shutil.copy(archive, path)
    change(path, sql)
    done = programs.data("parquet", "--archive", path, "--output", tmp_path / "out", "--json")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (exit, code)
    assert not (tmp_path / "out").exists()


def test_what_is_no_archive_is_refused(archive, tmp_path):
    for path, code, exit in ((tmp_path / "none", "noArchive", 66), (tmp_path, "notAnArchive", 65)):
        done = programs.data("parquet", "--archive", path, "--output", tmp_path / "out", "--json")
        assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (exit, code)
    os.mkfifo(tmp_path / "pipe")
    for options in (["--archive", tmp_path / "pipe"], ["--provenance", "hashed", "--secret-file", tmp_path / "pipe"]):
        command = ["parquet", "--archive", archive, *options, "--output", tmp_path / "out"]
        assert programs.data(*command).returncode == (74 if "hashed" in options else 65)
    done = programs.data("parquet", "--archive", archive, "--chain", "other", "--output", tmp_path / "out", "--json")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (64, "unknownChain")


def test_rows_that_are_only_in_the_wal_are_read(archive, tmp_path):
    """A medium that cannot be written to is opened as immutable, but never beside a -wal with bytes."""
    path = tmp_path / "archive.sqlite"
    shutil.copy(archive, path)
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("UPDATE imports SET note = 'in the wal'")
    writer.commit()
    assert os.path.getsize(str(path) + "-wal") > 0
    reader = Connection(str(path))
    assert reader.value("SELECT note FROM imports LIMIT 1", "text") == "in the wal"
    reader.close()
    writer.close()


def test_reading_leaves_the_archive_as_it_was(archive):
    before = archive.read_bytes()
    our_rows(archive)
    assert archive.read_bytes() == before
