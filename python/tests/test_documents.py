"""What the documents say of tables and queries is so."""

from __future__ import annotations

import json
import re

import duckdb
import pytest

import programs
from healthprobe_data.tables import TABLES

DOCUMENT = programs.ROOT / "docs" / "columnar.md"
QUERIES = re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text(), re.S)


@pytest.fixture(scope="module")
def database(tables):
    connection = duckdb.connect()
    for name in TABLES:
        connection.execute(f"CREATE VIEW \"{name}\" AS FROM '{tables}/{name}.parquet'")
    return connection


@pytest.mark.parametrize("query", QUERIES)
def test_queries_of_the_document_run(database, query):
    assert database.sql(query).arrow().read_all().num_rows > 3


def test_states_and_changes_are_those_of_the_archive(database):
    rows = dict(database.sql(QUERIES[0]).fetchall())
    types = {
        row[0]: row[1:]
        for row in database.sql(
            "SELECT type, visible, appeared, disappeared, changed FROM types WHERE observation = 2"
        ).fetchall()
    }
    assert len(rows) > 20
    for name, count in rows.items():
        assert types[name][0] == count
    for name, *changes in database.sql(QUERIES[1]).fetchall():
        assert list(types[name][1:]) == changes


def test_every_column_is_in_the_document():
    text = DOCUMENT.read_text()
    for name, table in TABLES.items():
        assert f"| `{name}` |" in text
        for column in table.SCHEMA.names:
            assert f"`{column}`" in text, (name, column)


def test_types_that_add_up_are_those_of_the_program():
    from healthprobe_data.type_names import is_cumulative

    types = json.loads((programs.ROOT / "Sources/HealthModel/Units/quantity-types.json").read_text())
    assert len(types) > 100
    for entry in types:
        assert is_cumulative(entry["identifier"]) == (entry["style"] == "cumulative")
    from importlib import resources

    known = {entry["identifier"] for entry in types}
    assert set(json.loads(resources.files("healthprobe_data").joinpath("cumulative-types.json").read_text())) <= known


def test_the_schema_that_is_read_is_the_program_s():
    from healthprobe_data import archive

    schemas = sorted((programs.ROOT / "Sources/ArchiveFile/Schema").glob("schema-*.sql"))
    assert schemas[-1].name == f"schema-{archive.SCHEMA_VERSION}.sql"


def test_every_error_code_is_in_a_document_with_its_exit_code():
    from healthprobe_data.errors import EXIT_CODES

    pages = [(programs.ROOT / "docs" / name).read_text() for name in ("cli.md", "cohort.md", "columnar.md")]
    of_program = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", pages[0], re.M))
    for code, exit in EXIT_CODES.items():
        if code in of_program:
            assert int(of_program[code]) == exit, code
        else:
            assert any(re.search(rf"`{code}`[^.]*\({exit}\b", page) for page in pages[1:]), code


def test_the_page_on_lakes_says_first_that_they_are_personal_data():
    first = (programs.ROOT / "docs" / "cohort.md").read_text().split("\n\n")[1]
    assert first.startswith("**A lake is pseudonymised personal data, not anonymous data.**")
