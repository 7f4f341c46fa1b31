"""What the documents say of tables and queries is so."""

from __future__ import annotations

import datetime
import re
import zoneinfo
from collections import defaultdict

import duckdb
import pytest

import programs
from healthprobe_data.tables import TABLES

DOCUMENT = programs.ROOT / "docs" / "columnar.md"
QUERIES = re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text(), re.S)
HEART_RATES, STEPS, COVERAGE, WEAR, STATE, CHANGES, ORIGINALS = QUERIES
(NIGHTS,) = re.findall(r"```duckdb\n(.*?)```", DOCUMENT.read_text(), re.S)
HEART_RATE, BERLIN = "HKQuantityTypeIdentifierHeartRate", zoneinfo.ZoneInfo("Europe/Berlin")


def views(folder):
    """A database with the files as views of the tables' names."""
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'America/New_York'")
    for name in TABLES:
        connection.execute(f"CREATE VIEW \"{name}\" AS FROM '{folder}/{name}.parquet'")
    return connection


@pytest.fixture(scope="module")
def database(tables):
    return views(tables)


@pytest.mark.parametrize("query", QUERIES)
def test_queries_of_the_document_run(database, query):
    assert database.sql(query).arrow().read_all().num_rows > 3


def test_states_and_changes_are_those_of_the_archive(database):
    rows = dict(database.sql(STATE).fetchall())
    types = {
        row[0]: row[1:]
        for row in database.sql(
            "SELECT type, visible, appeared, disappeared, changed FROM types WHERE observation = 2"
        ).fetchall()
    }
    assert len(rows) > 20
    for name, count in rows.items():
        assert types[name][0] == count
    for name, *changes in database.sql(CHANGES).fetchall():
        assert list(types[name][1:]) == changes


def visible(database, type):
    """The records of a type that the latest observation shows."""
    return database.sql(f"FROM records WHERE type = '{type}' AND closed IS NULL").arrow().read_all().to_pylist()


def weighted(records):
    return sum(r["value"] * r["weight"] for r in records) / sum(r["weight"] for r in records)


def test_a_day_s_heart_rate_counts_each_sample_once(database):
    """Condensed on some days, it is what ``weight`` says, and far from the mean of the rows."""
    days = defaultdict(list)
    for record in visible(database, HEART_RATE):
        days[record["start"].astimezone(BERLIN).date()].append(record)
    found = {row[0]: row[1] for row in database.sql(HEART_RATES).fetchall()}
    assert found == {day: pytest.approx(weighted(records)) for day, records in days.items()} and len(days) > 10
    plain = {day: sum(r["value"] for r in records) / len(records) for day, records in days.items()}
    assert max(abs(plain[day] - found[day]) for day in days) > 3


def test_steps_of_a_day_are_those_of_the_program(archive, database):
    shown = programs.lines("metrics", "daily", "--totals", "--archive", archive)
    wanted = {line["date"]: line["totals"]["steps"] for line in shown if line["totals"]["steps"]["value"] is not None}
    found = {row[0].isoformat(): row[2:] for row in database.sql(STEPS).fetchall()}
    assert found == {day: (total["value"], total["naiveSum"]) for day, total in wanted.items()} and len(found) > 10


def test_a_night_is_one_of_the_zone_where_the_person_was(tmp_path):
    """Home in Berlin, then Tokyo: 01:00 there is 17:00 at home; before any zone is named, the home's clock counts."""
    given = (
        ("2024-05-01 01:00:00 +0200", 50, ""),
        ("2024-05-01 13:00:00 +0200", 70, "Europe/Berlin"),
        ("2024-05-02 01:00:00 +0200", 52, ""),
        ("2024-05-02 02:00:00 +0200", 54, "Europe/Berlin"),
        ("2024-05-03 22:00:00 +0900", 72, "Asia/Tokyo"),
        ("2024-05-04 01:00:00 +0900", 48, ""),
        ("2024-05-04 12:00:00 +0900", 90, ""),
    )
    xml = "".join(
        f'<Record type="{HEART_RATE}" sourceName="W" unit="count/min" startDate="{at}" endDate="{at}" value="{value}">'
        + (f'<MetadataEntry key="HKTimeZone" value="{zone}"/>' if zone else "")
        + "</Record>"
        for at, value, zone in given
    )
    path = tmp_path / "export.xml"
    path.write_text(f'<HealthData><ExportDate value="2024-05-05 10:00:00 +0200"/>{xml}</HealthData>')
    programs.archive(tmp_path, [path], consolidate=False)
    assert programs.data("parquet", "--archive", tmp_path / "archive.sqlite", "--output", tmp_path / "t").returncode == 0
    nights = [(day.day, zone, rate) for day, zone, rate in views(tmp_path / "t").sql(NIGHTS).fetchall()]
    assert nights == [(1, "Europe/Berlin", 50), (2, "Europe/Berlin", 53), (4, "Asia/Tokyo", 48)]


def test_coverage_counts_every_visible_series(database):
    declared = database.sql("SELECT type, sum(condensed_count) FROM records WHERE closed IS NULL GROUP BY 1").fetchall()
    found = database.sql(COVERAGE).fetchall()
    assert {row[0]: row[2] for row in found} == {name: count for name, count in declared if count}
    assert all(0 <= row[4] <= 1 for row in found)


def test_worn_days_have_their_hours(database):
    hours = defaultdict(set)
    for record in visible(database, HEART_RATE):
        start, end = (record[name].astimezone(BERLIN) for name in ("start", "end"))
        while start <= max(start, end - datetime.timedelta(seconds=1)):
            hours[start.date()].add(start.hour)
            start = (start + datetime.timedelta(hours=1)).replace(minute=0, second=0)
            if start >= end:
                break
    found = {row[0]: row[1] for row in database.sql(WEAR).fetchall()}
    assert found == {day: len(of_day) for day, of_day in hours.items()} and max(found.values()) > 1


def test_every_table_is_in_the_document():
    text = DOCUMENT.read_text()
    for name, table in TABLES.items():
        assert f"| `{name}` |" in text


def test_quantity_types_are_those_of_the_program():
    from importlib import resources

    theirs = (programs.ROOT / "Sources/HealthModel/Units/quantity-types.json").read_bytes()
    assert resources.files("healthprobe_data").joinpath("quantity-types.json").read_bytes() == theirs


def test_units_are_those_of_the_program():
    from healthprobe_data.units import canonical_unit, linear, unit

    source = (programs.ROOT / "Sources/HealthModel/Units/UnitSymbols.swift").read_text()
    symbols = re.findall(r'"([A-Za-z0-9_%]+)": (?:HealthUnit|unit)\(', source)
    assert len(symbols) > 40 and all(unit(symbol) for symbol in symbols)
    for text in ("mL/min·kg", "kcal/(kg·hr)", "mmol<180.1558800000541>/L", "m^2", "count/min", "mcg"):
        assert unit(text), text
    assert not any(map(unit, ("", "steps", "kg)", "(kg", "kg^", "m^10", "kg<3>")))
    for source, target, value, wanted in (
        ("degF", "degC", 98.6, 37.0),
        ("mmol<180.1558800000541>/L", "mg/dL", 5.5, 99.0857),
        ("mi/hr", "m/s", 10, 4.4704),
        ("kcal", "kJ", 1, 4.184),
        ("%", "%", 0.97, 0.97),
    ):
        factor, summand = linear(source, target)
        assert value * factor + summand == pytest.approx(wanted, 1e-5)
    assert linear("kg", "m") is None and canonical_unit("HKQuantityTypeIdentifierBodyMass") == "kg"


def test_the_schema_that_is_read_is_the_program_s():
    from healthprobe_data import archive

    schemas = sorted((programs.ROOT / "Sources/Store/Schema").glob("schema-*.sql"))
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
