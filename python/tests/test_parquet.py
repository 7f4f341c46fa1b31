"""Files of tables: same bytes, one type a row group, nothing published that differs from the archive."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sqlite3

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import programs
from healthprobe_data import parquet
from healthprobe_data.command import main
from healthprobe_data.tables import TABLES, groups


def test_the_same_archive_gives_the_same_bytes(archive, tables, tmp_path):
    assert programs.data("parquet", "--archive", archive, "--output", tmp_path / "again").returncode == 0
    for path in tables.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_manifest_describes_the_files(archive, tables):
    manifest = json.loads((tables / "manifest.json").read_text())
    assert manifest["schema"] == "healthprobe.tables-manifest/1" and set(manifest["tables"]) == set(TABLES)
    for name, described in manifest["tables"].items():
        content = (tables / f"{name}.parquet").read_bytes()
        assert described["bytes"] == len(content) and described["sha256"] == hashlib.sha256(content).hexdigest()
        assert described["rows"] == pq.ParquetFile(tables / f"{name}.parquet").metadata.num_rows
    timeline = programs.lines("timeline", "--archive", archive)[0]["observations"]
    assert manifest["stateDigests"] == [observation["stateDigest"] for observation in timeline]
    assert manifest["streamDigests"] == [observation["streamDigest"] for observation in timeline]
    seals = programs.lines("archive", "info", "--archive", archive)[0]["seals"]
    assert manifest["sealHead"]["sequence"] == seals["head"]["sequence"]
    assert manifest["warnings"] == []


def plain(table):
    """A table whose dictionaries are texts."""
    fields = [f.with_type(f.type.value_type) if pa.types.is_dictionary(f.type) else f for f in table.schema]
    return table.cast(pa.schema(fields))


def test_pandas_reads_categories_and_every_column_is_described(tables):
    described = {r["name"]: r["schema"]["fields"] for r in json.loads(programs.data("dictionary").stdout)["resources"]}
    assert list(described) == list(TABLES)
    for name in TABLES:
        schema = pq.read_schema(tables / f"{name}.parquet")
        told = [(field.name, field.metadata[b"description"].decode()) for field in schema]
        assert told == [(field["name"], field["description"]) for field in described[name]]
        assert all(text for _, text in told)
        assert all(str(kind) == "category" for kind in pq.read_table(tables / f"{name}.parquet").select(
            [field.name for field in schema if pa.types.is_dictionary(field.type)]).to_pandas().dtypes)


def test_files_read_equal_by_pyarrow_and_duckdb(tables):
    for name in TABLES:
        ours = plain(pq.read_table(tables / f"{name}.parquet"))
        theirs = duckdb.sql(f"FROM '{tables}/{name}.parquet'").arrow().read_all().cast(ours.schema)
        assert ours.equals(theirs), name


def test_a_dictionary_has_what_is_in_a_row(archive, tmp_path):
    """No name of an unselected type, or of what no table has, is in a file."""
    arguments = ["--archive", str(archive), "--output", str(tmp_path / "out"), "--type", "HeartRate"]
    assert main(["parquet", *arguments]) == 0
    for path in (tmp_path / "out").glob("*.parquet"):
        schema = pq.read_schema(path)
        texts = [field.name for field in schema if pa.types.is_dictionary(field.type)]
        # The words of the format are no names.
        for name in set(texts) - {"open_evidence", "closed_by", "role"}:
            column = pq.read_table(path, columns=[name])[name]
            told = {text for chunk in column.chunks for text in chunk.dictionary.to_pylist()}
            assert told == set(column.to_pylist()) - {None}, (path.stem, name)


def test_an_empty_text_is_not_an_absent_one(tmp_path):
    """Days by source and unit are those of ``aggregates``, and the self-check knows both."""
    given = ['sourceName="W" unit="count"', 'sourceName="" unit="count"', 'unit="count"', 'sourceName="W" unit=""']
    times = 'startDate="2024-05-01 10:00:00 +0000" endDate="2024-05-01 10:00:00 +0000"'
    records = [
        f'<Record type="HKQuantityTypeIdentifierStepCount" {each} {times} value="{10**n}"/>'
        for n, each in enumerate([*given, 'sourceName="W"'])
    ]
    xml = f'<HealthData><ExportDate value="2024-06-01 10:00:00 +0000"/>{"".join(records)}</HealthData>'
    (tmp_path / "export.xml").write_text(xml)
    path = programs.archive(tmp_path, [tmp_path / "export.xml"], consolidate=False)
    shown = programs.lines("aggregates", "--archive", path)[0]["rows"]
    sums = sorted(row["sum"] for row in shown if row["level"] == "source")
    for profile in ("full", "hashed", "none"):
        out = tmp_path / profile
        arguments = ["--archive", str(path), "--output", str(out), "--provenance", profile]
        assert main(["parquet", *arguments]) == 0
        rows = [row for row in pq.read_table(out / "daily.parquet").to_pylist() if row["level"] == "source"]
        assert sorted(row["sum"] for row in rows) == sums, profile
    daily = pq.read_table(tmp_path / "full" / "daily.parquet").to_pylist()
    ours = {(row["level"], row["source"], row["unit"], row["sum"]) for row in daily}
    assert {("sum", None, "count", 111), ("sum", None, "", 1000), ("sum", None, None, 10000)} <= ours
    ours = {row[1:] for row in ours if row[0] == "source"}
    assert ours == {(row["sourceName"], row["unit"], row["sum"]) for row in shown if row["level"] == "source"}
    assert len(ours) == 5 and {("", "count", 10), (None, "count", 100), ("W", "", 1000), ("W", None, 10000)} < ours


def test_encodings(tables):
    file = pq.ParquetFile(tables / "records.parquet")
    assert file.metadata.format_version == "2.6"
    group = file.metadata.row_group(0)
    columns = {group.column(n).path_in_schema: group.column(n) for n in range(group.num_columns)}
    for name in ("start", "end", "created", "sample", "copy", "previous"):
        assert "DELTA_BINARY_PACKED" in columns[name].encodings
    assert {column.compression for column in columns.values()} == {"ZSTD"}
    metadata = file.metadata.metadata
    assert json.loads(metadata[b"healthprobe.tables"]) == "healthprobe.tables/1"
    assert len(json.loads(metadata[b"healthprobe.state_digests"])) == 3


def test_a_row_group_has_one_type_unless_it_is_short(archive, tmp_path, monkeypatch):
    import healthprobe_data as hp

    monkeypatch.setattr(parquet, "SHORT", 100)
    monkeypatch.setattr(parquet, "ROW_GROUP", 400)
    with hp.open(str(archive)) as opened:
        manifest = parquet.publish(opened.source(), str(tmp_path / "out"))
    file = pq.ParquetFile(tmp_path / "out" / "records.parquet")
    assert file.metadata.num_rows == manifest["tables"]["records"]["rows"]
    several = 0
    for number in range(file.num_row_groups):
        group = file.read_row_group(number, ["type"])
        assert group.num_rows <= 400
        if len(group["type"].unique()) > 1:
            several += 1
            counts = [count["counts"] for count in group["type"].value_counts().to_pylist()]
            assert max(counts) < 100
    assert 0 < several < file.num_row_groups
    whole = pq.read_table(tmp_path / "out" / "records.parquet", columns=["type"])["type"].to_pylist()
    assert whole == sorted(whole)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE type_runs SET visible_count = visible_count + 1 WHERE visible_count > 50 AND import_id = 2",
        "UPDATE type_runs SET disappeared_count = disappeared_count + 1 WHERE disappeared_count > 3",
        "DELETE FROM type_runs WHERE import_id = 2 AND visible_count > 50",
        "UPDATE type_sums SET value_sum = value_sum + 1 WHERE value_sum > 100",
        "UPDATE record_versions SET value = value + 1 WHERE id = (SELECT max(id) FROM record_versions WHERE value > 5)",
        "UPDATE daily_aggregates SET value_sum = value_sum + 1 WHERE value_sum > 100",
        # A record without a number changes no sum.
        "UPDATE daily_aggregates SET record_count = record_count - 1 WHERE record_count > 1 AND number_count = 0",
        "UPDATE daily_aggregates SET record_count = 0 WHERE (sample_type_id, day) = (SELECT sample_type_id, max(day)"
        " FROM daily_aggregates JOIN sample_types t ON t.id = sample_type_id WHERE type_identifier LIKE '%Electro%')",
    ],
)
def test_nothing_is_published_that_differs_from_the_archive(archive, tmp_path, sql):
    path = tmp_path / "archive.sqlite"
    shutil.copy(archive, path)
    database = sqlite3.connect(path)
    assert database.execute(sql).rowcount
    database.commit()
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    done = programs.data("parquet", "--archive", path, "--output", tmp_path / "out", "--json")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (4, "integrityFailure")
    assert sorted(entry.name for entry in tmp_path.iterdir() if "archive" not in entry.name) == []


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM sample_types WHERE type_identifier LIKE '%HeartRate'",
        "UPDATE record_versions SET value = 9e999 WHERE id = (SELECT max(id) FROM record_versions WHERE value > 5)",
        "UPDATE devices SET fields = '{broken' WHERE id = (SELECT max(id) FROM devices)",
        "UPDATE devices SET fields = '[1]' WHERE id = (SELECT max(id) FROM devices)",
        """UPDATE type_runs SET evidence = '{"a":"b"}'""",
        "UPDATE imports SET observed_at = 9000000000000000 WHERE id = 3",
        "UPDATE imports SET id = 300000000 WHERE id = 3",
        "UPDATE record_versions SET match_rule = 99 WHERE match_rule IS NOT NULL",
        "UPDATE record_versions SET descriptor_id = -5",
        "UPDATE record_versions SET opened_observation_id = 400000 WHERE kind = 0",
        "UPDATE sources SET name = CAST(x'ff80' AS TEXT) WHERE id = (SELECT max(id) FROM sources)",
        "UPDATE daily_aggregates SET value_sum_rest = x'00f0ff'",
        "UPDATE analysis_groups SET evidence = '{}'",
        "UPDATE analysis_members SET last_import_id = 30000",
        "DROP TABLE analysis_runs",
    ],
)
def test_damage_is_told_as_such(archive, tmp_path, capsys, sql):
    path = tmp_path / "archive.sqlite"
    shutil.copy(archive, path)
    database = sqlite3.connect(path)
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute(sql)
    database.commit()
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    assert main(["parquet", "--archive", str(path), "--output", str(tmp_path / "out"), "--json"]) == 4
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "archiveDamaged"
    assert [entry.name for entry in tmp_path.iterdir() if "archive" not in entry.name] == []


def test_ids_may_be_far_apart(archive, tables, tmp_path):
    path = tmp_path / "archive.sqlite"
    shutil.copy(archive, path)
    database = sqlite3.connect(path)
    far = 4_000_000_000_000
    database.execute(f"UPDATE descriptors SET id = id * {far}")
    database.execute(f"UPDATE record_versions SET descriptor_id = descriptor_id * {far}")
    database.commit()
    database.close()
    assert main(["parquet", "--archive", str(path), "--output", str(tmp_path / "out"), "--table", "records"]) == 0
    assert (tmp_path / "out" / "records.parquet").read_bytes() == (tables / "records.parquet").read_bytes()


def test_what_a_killed_process_was_writing_is_in_nobody_s_way(archive, tmp_path):
    """Not even in that of a process with its id, as containers have."""
    for name in ("out", ".out"):
        (tmp_path / f"{name}.writing-{os.getpid()}").mkdir()
        (tmp_path / f"{name}.former-{os.getpid()}").mkdir()
        (tmp_path / f"{name}.former-{os.getpid()}" / "defects.parquet").touch()
    arguments = ["parquet", "--archive", str(archive), "--output", str(tmp_path / "out"), "--table", "defects"]
    assert main(arguments) == 0 and main([*arguments, "--force"]) == 0
    assert len(list(tmp_path.iterdir())) == 5


def test_output_is_replaced_with_force_only_and_only_tables(archive, tmp_path):
    out = tmp_path / "out"
    arguments = ("parquet", "--archive", archive, "--output", out, "--table", "defects")
    assert programs.data(*arguments).returncode == 0
    assert programs.data(*arguments).returncode == 73
    assert programs.data(*arguments, "--force").returncode == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("kept")
    done = programs.data("parquet", "--archive", archive, "--output", tmp_path / "mine", "--force")
    assert done.returncode == 73 and (tmp_path / "mine" / "notes").read_text() == "kept"


def test_what_cannot_be_replaced_stays(archive, tmp_path, monkeypatch):
    import healthprobe_data as hp

    out, rename = tmp_path / "out", os.rename

    def broken(source, target):
        if os.path.basename(source) == "new":
            raise OSError(errno.EIO, "broken")
        rename(source, target)

    with hp.open(str(archive)) as opened:
        parquet.publish(opened.source(), str(out), ["defects"])
        before = {path.name: path.read_bytes() for path in out.iterdir()}
        monkeypatch.setattr(os, "rename", broken)
        with pytest.raises(OSError):
            parquet.publish(opened.source(), str(out), ["defects"], force=True)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert list(tmp_path.iterdir()) == [out]


def test_some_tables_and_types(archive, tables, tmp_path):
    done = programs.data(
        "parquet",
        "--archive",
        archive,
        "--output",
        tmp_path / "some",
        "--table",
        "records",
        "--table",
        "daily",
        "--type",
        "heartrate",
        "--type",
        "Dietary*",
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.stem for path in (tmp_path / "some").glob("*.parquet")) == ["daily", "records"]
    few, all_types = (pq.read_table(folder / "records.parquet").to_pylist() for folder in (tmp_path / "some", tables))
    wanted = ("HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierDietary")
    assert few == [r for r in all_types if r["type"] == wanted[0] or r["type"].startswith(wanted[1])] != []
    done = programs.data("parquet", "--archive", archive, "--output", tmp_path / "none", "--type", "HaertRate")
    assert done.returncode == 0 and "HaertRate" in done.stderr


def test_observations_do_not_depend_on_the_chosen_types(archive, tables, tmp_path):
    for number, more in enumerate(([], ["--table", "observations"])):
        out = tmp_path / str(number)
        done = programs.data("parquet", "--archive", archive, "--output", out, "--type", "BodyMass", *more)
        assert done.returncode == 0, done.stderr
        assert (out / "observations.parquet").read_bytes() == (tables / "observations.parquet").read_bytes()


def test_without_groups_it_says_what_to_run(phone, tmp_path):
    path = programs.archive(tmp_path, [phone / "dump-1.zip", phone / "dump-2.zip"], consolidate=False)
    done = programs.data("parquet", "--archive", path, "--output", tmp_path / "out")
    assert done.returncode == 0 and "healthprobe consolidation first latest --through" in done.stderr
    assert pq.ParquetFile(tmp_path / "out" / "groups.parquet").metadata.num_rows == 0
    # An analysis of another state of the chain does not count.
    programs.healthprobe("consolidation", "first", "latest", "--through", "--json", "--archive", path)
    change = sqlite3.connect(path)
    change.execute("UPDATE analysis_runs SET fingerprint = zeroblob(32)")
    change.commit()
    change.close()
    done = programs.data("parquet", "--archive", path, "--output", tmp_path / "stale")
    assert "healthprobe consolidation first latest --through" in done.stderr


def test_the_command_that_makes_groups_names_the_chain(phone, tmp_path):
    exports = [phone / "dump-1.zip", phone / "dump-2.zip"]
    path = programs.archive(tmp_path, exports, "--chain", "my phone", consolidate=False)
    done = programs.data("parquet", "--archive", path, "--chain", "my phone", "--output", tmp_path / "out")
    assert done.stderr.endswith(f"Run: {groups.COMMAND} --chain 'my phone'\n")
    # A pseudonym is not told beside the name.
    arguments = ("--archive", path, "--chain", "my phone", "--provenance", "none", "--output", tmp_path / "none")
    assert programs.data("parquet", *arguments).stderr.endswith(f"Run: {groups.COMMAND} --chain NAME\n")


def test_help_says_what_may_be_given():
    text = programs.data("parquet", "--help").stdout
    assert all(name in text for name in TABLES) and "the default" in text and "*" in text
    assert "Exit codes: " in programs.data("--help").stdout


def test_usage_errors(tmp_path):
    for arguments in (["parquet"], ["parquet", "--output", tmp_path, "--table", "nothing"], ["nothing"], []):
        done = programs.data(*arguments, "--json")
        assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (64, "usage")
    assert programs.data("--version").stdout.startswith("healthprobe-data ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["parquet", "--output", ""],
        ["parquet", "--output", "out", "--archive="],
        ["parquet", "--output", "out", "--type", "HeartRate", "--type", ""],
        ["status", "--lake", ""],
        ["withdraw", "", "--lake", "lake", "--secret-file", "key"],
        ["key", "new", ""],
    ],
)
def test_an_empty_value_is_a_usage_error(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, "--json"]) == 64
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "usage" and "is empty" in error["message"] and not list(tmp_path.iterdir())
