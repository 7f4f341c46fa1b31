"""The archive's views answer in DuckDB what they answer in SQLite."""

from __future__ import annotations

import math
import re
import sqlite3
from pathlib import Path

import duckdb
import duckdb_extension_sqlite_scanner
import pytest
from programs import ROOT, archive as new_archive, phone as new_phone

#: Columns that hold numbers and texts; DuckDB has texts in their place.
MIXED = {("visible_records", "value"), ("full_record_versions", "value"), ("full_record_versions", "metadata")}
#: Views that SQLite answers for DuckDB, as texts; other views take their columns with types.
TEXTS = {"mixed_columns", "aggregate_dates"}


def opened(path: Path) -> duckdb.DuckDBPyConnection:
    """A connection of DuckDB with the archive attached."""
    (extension,) = Path(duckdb_extension_sqlite_scanner.__file__).parent.rglob("*.duckdb_extension")
    connection = duckdb.connect()
    connection.execute(f"LOAD '{extension}'")
    connection.execute(f"ATTACH '{path}' AS archive (TYPE sqlite, READ_ONLY)")
    return connection


@pytest.fixture(scope="module")
def eventful(tmp_path_factory) -> Path:
    """An archive with two apps' workouts, zones, renamed sources, and records that came back."""
    folder = tmp_path_factory.mktemp("eventful")
    exports = new_phone(folder, 3, dumps=4, changes=["2: delete=0.1,rename:watch", "3: rename:oldWatch,restore"])
    return new_archive(folder, [*exports[:2], exports[3], exports[2]])


def same(ours, theirs, column: tuple[str, str]) -> bool:
    if isinstance(ours, float) and isinstance(theirs, float) and column[0] == "monthly_type_aggregates":
        return math.isclose(ours, theirs, rel_tol=1e-12)  # Sums of one month, added in another order.
    if column in MIXED and isinstance(ours, (int, float)):
        return math.isclose(float(theirs), ours, rel_tol=1e-14)
    return ours == theirs


@pytest.mark.parametrize("name", ["archive", "eventful"])
def test_every_view_has_the_rows_that_sqlite_reads(name, request):
    path = request.getfixturevalue(name)
    lite, duck = sqlite3.connect(f"file:{path}?mode=ro", uri=True), opened(path)
    views = {view for (view,) in lite.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")}
    assert len(views) == 18
    for view in views - TEXTS:
        cursor = lite.execute(f"SELECT * FROM {view}")
        columns = [column[0] for column in cursor.description]
        ours = cursor.fetchall()
        theirs = duck.execute(f"SELECT {', '.join(columns)} FROM archive.{view}").fetchall()
        assert len(ours) == len(theirs) > 0, view
        # Mixed columns and sums stand apart: rows are matched by the others.
        keys = [
            index
            for index, column in enumerate(columns)
            if (view, column) not in MIXED and not (view == "monthly_type_aggregates" and "value" in column)
        ]
        ours, theirs = (sorted(rows, key=lambda row: repr([exact(row[key]) for key in keys])) for rows in (ours, theirs))
        for our, their in zip(ours, theirs, strict=True):
            for column, one, other in zip(columns, our, their, strict=True):
                assert same(one, other, (view, column)), (view, column, our, their)


def exact(value):
    """Whole numbers are equal, however they are typed."""
    return float(value) if isinstance(value, int) else value


def test_columns_have_types(archive):
    lite, duck = sqlite3.connect(f"file:{archive}?mode=ro", uri=True), opened(archive)
    kinds = {"VARCHAR": str, "BIGINT": int, "INTEGER": int, "DOUBLE": float, "BLOB": bytes}
    for view in (view for (view,) in lite.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")):
        for column, kind, *_ in duck.execute(f"DESCRIBE archive.{view}").fetchall():
            if view in TEXTS or (view, column) in MIXED:
                assert kind == "VARCHAR", (view, column)
                continue
            values = {
                type(value)
                for (value,) in lite.execute(f"SELECT DISTINCT {column} FROM {view} WHERE {column} IS NOT NULL")
            }
            assert values <= {kinds[kind]}, (view, column, kind, values)


def test_the_documented_query(archive):
    page = (ROOT / "docs" / "archive-format.md").read_text()
    (block,) = re.findall(r"```duckdb\n(.*?)```", page, re.S)
    query = block[block.index("SELECT") :]
    means = dict(opened(archive).execute(query).fetchall())
    lite = sqlite3.connect(f"file:{archive}?mode=ro", uri=True)
    assert means and means == pytest.approx(dict(lite.execute(query.replace("archive.", "")).fetchall()))
