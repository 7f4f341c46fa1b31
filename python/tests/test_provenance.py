"""Which text leaves an archive, and that pseudonyms are those of the program's own exports."""

from __future__ import annotations

import json
import os
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import programs
from healthprobe_data.provenance import Provenance, is_unit
from healthprobe_data.pseudonyms import Key
from healthprobe_data.tables import TABLES

#: What may be in a table that has no names: HealthKit's words, units, versions, words of the format, digits.
ALLOWED = re.compile(
    r"HK[A-Za-z0-9]+|ClinicalRecord/[A-Za-z]+|(Element/)?_?([0-9a-f]{16}|\d+)?|\d+(\.\d+)*( \(\d+\))?|(iPhone|Watch)(\d+,\d+)?|"
    r"Apple Inc\.|healthprobe \d\S+|default|completed|partial|absent|incomplete|excluded|disappeared|continued|"
    r"replacement|constituent|complete|none|condenserIdentifier|intervalAndSum|[a-z]+(UUID|Key|Conversion|Identifier|Synonym)|"
    r"(sourceName|sourceVersion|device|creationDate|metadata|startDate|endDate|value|unit|attributes|children|beats)|"
    r"source|sum|merged|yes|partly|no|argument|metadata|offset|power|heartRate|provisional|[A-Z][a-z]+/[A-Z][a-z]+|"
    r"repair|quarantine|unknown|stopped|doctypeBlanked|[a-z]+[A-Z]\w+"
)


def texts(folder):
    """Every text of every table."""
    return set().union(*(texts_of(folder / f"{name}.parquet") for name in TABLES))


def texts_of(path):
    """Every text of a table; it has no bytes."""
    found = set()
    for column in pq.ParquetFile(path).read().columns:
        if pa.types.is_string(column.type) or pa.types.is_dictionary(column.type):
            found |= set(column.unique().to_pylist())
        elif pa.types.is_list(column.type):
            found |= {part for row in column.to_pylist() for part in row or () if isinstance(part, str)}
        elif pa.types.is_map(column.type):
            found |= {key for row in column.to_pylist() for key, _ in row}
        else:
            assert not pa.types.is_binary(column.type) and not pa.types.is_nested(column.type), column.type
    return found - {None}


def write(archive, folder, profile, *options):
    done = programs.data("parquet", "--archive", archive, "--output", folder, "--provenance", profile, *options)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("profile", ["hashed", "none"])
def test_every_text_is_on_the_whitelist(archive, tables, tmp_path, profile):
    folder = write(archive, tmp_path / profile, profile)
    for text in texts(folder):
        assert ALLOWED.fullmatch(text) or is_unit(text), text
    names = {row["source"] for row in pq.read_table(tables / "records.parquet").to_pylist()} - {None}
    assert len(names) > 3 and not names & texts(folder)
    raw = b"".join(path.read_bytes() for path in folder.iterdir())
    for name in names:
        assert name.encode() not in raw


def test_pseudonyms_are_those_of_export(archive, tables, tmp_path):
    folder = write(archive, tmp_path / "hashed", "hashed")
    bag = tmp_path / "bag"
    programs.healthprobe(
        "export",
        "records",
        "--archive",
        archive,
        "--output",
        bag,
        "--provenance",
        "hashed",
        "--format",
        "ndjson",
        "--type",
        "BodyMass",
        "--type",
        "StepCount",
    )
    exported = [json.loads(line) for line in (bag / "data" / "items.ndjson").read_text().splitlines()]
    theirs = {(item["start_date"], item["type_identifier"]): item["source"][:16] for item in exported}
    ours = {
        (row["start"].strftime("%Y-%m-%dT%H:%M:%S.000Z"), row["type"]): row["source"]
        for row in pq.read_table(folder / "records.parquet").to_pylist()
        if row["closed"] is None
    }
    assert len(theirs) > 20
    for key, source in theirs.items():
        assert ours[key] == source


def test_hashed_and_full_have_the_same_rows(archive, tables, tmp_path):
    folder = write(archive, tmp_path / "hashed", "hashed")
    same = ["type", "start", "end", "value", "unit", "opened", "closed", "copy", "sample", "condensed_count"]
    full, hashed = (pq.read_table(place / "records.parquet", columns=same) for place in (tables, folder))
    assert full.equals(hashed)
    assert "metadata" in pq.read_schema(tables / "records.parquet").names
    assert "metadata" not in pq.read_schema(folder / "records.parquet").names


def test_sources_are_numbered_without_provenance(archive, tmp_path):
    table = pq.read_table(write(archive, tmp_path / "none", "none") / "records.parquet")
    numbers = {int(text) for text in table["source"].unique().to_pylist() if text}
    assert min(numbers) == 1 and set(table["workout"].unique().to_pylist()) == {None}


def test_keys(archive, tmp_path):
    key = programs.lines("archive", "info", "--archive", archive)[0]
    found = next((programs.Path(os.environ["XDG_DATA_HOME"]) / "healthprobe" / "keys").glob(key["uuid"] + ".key"))
    assert Key.read(str(found)).id == key["keyID"]
    other = tmp_path / "other.key"
    other.write_bytes(b"x" * 32)
    other.chmod(0o600)
    arguments = ("parquet", "--archive", archive, "--output", tmp_path / "out", "--provenance", "hashed", "--json")
    for mode, code, exit in ((0o600, "wrongKey", 64), (0o644, "keyUnreadable", 74)):
        other.chmod(mode)
        done = programs.data(*arguments, "--secret-file", other)
        assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (exit, code)
    done = programs.data(*arguments, XDG_DATA_HOME=str(tmp_path))
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (74, "keyUnreadable")
    assert not (tmp_path / "out").exists()


def test_whitelist_by_hand():
    key = Key(bytes(range(32)))
    hashed, none = Provenance("hashed", key), Provenance("none")
    assert hashed.source("Robin's iPhone") == key.pseudonym("Robin's iPhone", "source")[:16]
    assert hashed.type("HKQuantityTypeIdentifierHeartRate") == "HKQuantityTypeIdentifierHeartRate"
    assert hashed.type("Element/RobinsDiary") == "Element/_" + key.short("RobinsDiary", "text")
    assert none.type("Element/RobinsDiary") == "Element/_"
    assert hashed.word("HKCategoryValueSleepAnalysisAsleep") == "HKCategoryValueSleepAnalysisAsleep"
    assert hashed.word("felt sad") == key.short("felt sad", "text") and none.word("felt sad") is None
    assert hashed.version("10.2") == "10.2" and hashed.version("Robin's build") == key.short("Robin's build", "text")
    for version in ("3", "9.4.1", "20230115", "3.0.9 (20)", "16.4 (20E247)", "5.1 (13.2)", "2.0b3", "4.1-rc.2"):
        assert hashed.version(version) == version and none.version(version) == version
    for text in ("1Robin", "10.2 (Robin)", "2.Robin.1", "1.0_robin", "49151234567890", "10.", "1 (2", "3.2 21E236", "٣.1"):
        assert hashed.version(text) == key.short(text, "text") and none.version(text) is None, text
    apple = {
        "manufacturer": "Apple Inc.",
        "model": "Watch",
        "hardware": "Watch7,3",
        "software": "10.2",
        "name": "Robin",
    }
    assert hashed.device(apple) == ("Apple Inc.", "Watch", "Watch7,3", "10.2")
    assert hashed.device(apple | {"hardware": "Robin's"})[2] == key.short("Robin's", "device")
    assert hashed.device({"manufacturer": "Librata", "model": "Watch"})[:2] == (
        key.short("Librata", "device"),
        key.short("Watch", "device"),
    )
    for unit in (
        "count/min",
        "mL/min·kg",
        "kcal/hr·kg",
        "mmol<180.1558800000541>/L",
        "%",
        "dBASPL",
        "m/s^2",
        "mcg",
        "(kg*m)/s",
    ):
        assert is_unit(unit), unit
    for text in ("Robin", "", "count per minute", "kg Robin", "m" * 50, "<1>"):
        assert not is_unit(text), text
