"""Single participants: incremental runs, faults of the system, repair, withdrawal, usage."""

from __future__ import annotations

import dataclasses
import datetime
import errno
import fcntl
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import programs
import study as studies
from healthprobe_data.cohort import care, manifest, participant, plan, scratch, shared_exports
from healthprobe_data.cohort import status as statuses
from healthprobe_data.cohort.lake import Lake
from healthprobe_data.cohort.objects import Objects
from healthprobe_data.cohort.participant import Settings
from healthprobe_data.program import Program
from healthprobe_data.command import main
from healthprobe_data.errors import HealthProbeDataError
from healthprobe_data.tables import TABLES
from study import objects, rows, status, tables
from test_release import make

pytestmark = pytest.mark.cohort
#: An object of a store that is never asked.
STORE = "s3://{}?endpoint_override=127.0.0.1:1&scheme=http&region=us-east-1"


def counted(folder: Path) -> tuple[Path, Path]:
    """A program that writes a line for each start, and its list."""
    log = folder / "starts"
    path = folder / "healthprobe"
    path.write_text(f'#!/bin/sh\necho "$1" >> {log}\nexec {programs.HEALTHPROBE} "$@"\n')
    path.chmod(0o755)
    return path, log


def test_a_new_export_changes_one_participant(study, tmp_path, capsys):
    program, log = counted(tmp_path)
    wanted = ("person 4", "person 6", "person 8")
    all_rows = [row for row in studies.rows_of(study.manifest) if row[0] in wanted]
    fewer = [row for row in all_rows if row != max(r for r in all_rows if r[0] == "person 4")]
    lake = tmp_path / "lake"
    for id in wanted:
        given = studies.write(tmp_path / "m.csv", fewer)
        assert study.participant(id, lake, "--program", str(program), given=given) == 0
    before, starts = objects(lake), log.read_text()
    # The same again, in another order and in processes that never asked for the version: nothing is started.
    given = studies.write(tmp_path / "m.csv", fewer, seed=5)
    for command in (["participant", wanted[0]], ["ingest", "--master", "spark://nowhere:1"]):
        done = programs.data(*command, *study.options(lake, given), "--program", program)
        assert done.returncode == 0, done.stderr
    assert log.read_text() == starts and objects(lake) == before
    # A file of the same version is asked for it, and no more.
    program.write_text(program.read_text() + "# another build\n")
    assert programs.data("ingest", *study.options(lake, given), "--program", program).returncode == 0
    assert log.read_text() == starts + "--version\n" and objects(lake) == before
    given = studies.write(tmp_path / "m.csv", all_rows)
    for id in wanted:
        assert study.participant(id, lake, "--program", str(program), given=given) == 0
    changed = {name for name, content in objects(lake).items() if before.get(name) != content}
    assert changed and all(study.name("person 4") in name for name in changed)
    assert main(["verify", "--lake", str(lake)]) == 0
    # Another version of the program makes everything again.
    starts = log.read_text()
    program.write_text(
        program.read_text().replace("exec", '[ "$1" = --version ] && echo healthprobe 9.9.9 && exit 0\nexec')
    )
    assert study.participant("person 8", lake, "--program", str(program), given=given) == 0
    assert log.read_text() != starts and status(lake, study.name("person 8"))["program"] == "healthprobe 9.9.9"


def test_what_is_wrong_with_a_lake_is_found_and_repaired(study, tmp_path, capsys):
    lake = tmp_path / "lake"
    for id in ("person 8", "person 16"):
        assert study.participant(id, lake) == 0
    whole = tables(lake)
    one, other = (study.name(id) for id in ("person 8", "person 16"))
    (lake / "records" / f"bucket={one[:2]}" / f"{one}.parquet").write_bytes(b"PAR1")
    stray = lake / "daily" / "bucket=00" / "0011223344556677.parquet"
    stray.parent.mkdir(parents=True, exist_ok=True)
    stray.write_bytes(b"PAR1")
    (lake / "daily" / f"bucket={other[:2]}" / f".{other}.parquet.writing-1").write_bytes(b"")
    (lake / "withdrawn").mkdir()
    for name in ("._lake.json.writing-1", f"withdrawn/.{other}.json.writing-1"):
        (lake / name).write_bytes(b"")
    capsys.readouterr()
    assert main(["verify", "--lake", str(lake), "--json"]) == 4
    found = json.loads(capsys.readouterr().out)["findings"]
    assert Counter(entry["finding"] for entry in found) == {"differs": 1, "orphan": 1, "unfinished": 3}
    assert main(["verify", "--lake", str(lake), "--repair"]) == 4
    assert main(["verify", "--lake", str(lake)]) == 0
    assert study.participant("person 8", lake) == 0
    assert tables(lake) == whole


def test_a_withdrawn_participant_leaves_a_tombstone(study, tmp_path, capsys):
    lake = tmp_path / "lake"
    for id in ("person 8", "person 16"):
        assert study.participant(id, lake, "--keep-archive") == 0
    name = study.name("person 8")
    # The study's secret is that of all archives.
    path = lake / "archives" / f"bucket={name[:2]}" / f"{name}.sqlite"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = sqlite3.connect(path)
    assert kept.execute("SELECT value FROM archive_metadata WHERE key = 'key_id'").fetchone() == (study.key.id,)
    kept.close()
    arguments = ["withdraw", "person 8", "--lake", str(lake), "--secret-file", str(study.secret)]
    # Blanks are no part of an id; of the second time, and of an id that nobody has, is warned.
    capsys.readouterr()
    assert main([*arguments[:1], " person 8\t", *arguments[2:]]) == 0
    assert not capsys.readouterr().err
    assert main(arguments) == 0
    assert capsys.readouterr().err == "warning: Nothing was there under this id; a tombstone was written.\n"
    assert [path for path in objects(lake) if name in path] == [f"withdrawn/{name}.json"]
    for table in TABLES:
        assert set(pq.read_table(lake / table)["participant"].unique().to_pylist()) <= {study.name("person 16")}
    assert study.participant("person 8", lake) == 3
    assert [path for path in objects(lake) if name in path] == [f"withdrawn/{name}.json"]
    assert main(["verify", "--lake", str(lake)]) == 0
    capsys.readouterr()
    assert main(["status", "--lake", str(lake), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"] == {"completed": 1, "withdrawn": 1}


def test_what_is_left_of_a_withdrawn_participant_goes(study, tmp_path):
    """A run was killed after the withdrawal: the next one removes its files, whoever is in the manifest."""
    lake = tmp_path / "lake"
    assert study.participant("person 8", lake) == 0
    name, whole = study.name("person 8"), objects(lake)
    others = studies.write(tmp_path / "m.csv", [("nobody", "exports/none.zip")])
    for command in (["participant", "person 8", *study.options(lake)], ["ingest", *study.options(lake, others)]):
        for path, content in whole.items():
            (lake / path).parent.mkdir(parents=True, exist_ok=True)
            (lake / path).write_bytes(content)
        (lake / "daily" / f"bucket={name[:2]}" / f".{name}.parquet.writing-1").write_bytes(b"")
        Lake(str(lake)).objects.put(Lake.tombstone_name(name), b"{}")
        assert main([*command, *(["--limit", "0"] if command[0] == "ingest" else [])]) == 3
        assert [path for path in objects(lake) if name in path] == [f"withdrawn/{name}.json"]


def test_a_commit_removes_what_a_killed_run_was_writing(study, tmp_path):
    lake = tmp_path / "lake"
    assert study.participant("person 8", lake) == 0
    whole, name = objects(lake), study.name("person 8")
    for old in (f".{name}.parquet.writing-1", f"{name}.parquet.writing-1"):
        (lake / "daily" / f"bucket={name[:2]}" / old).write_bytes(b"")
    assert study.participant("person 8", lake, "--check") == 0 and set(objects(lake)) == set(whole)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_in_scratch(study, tmp_path, number):
    program, begun = tmp_path / "healthprobe", tmp_path / "begun"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = import ] && touch {begun} && exec sleep 60\nexec {programs.HEALTHPROBE} "$@"\n'
    )
    program.chmod(0o755)
    arguments = ["participant", "person 8", *study.options(tmp_path / "lake"), "--program", str(program), "--json"]
    run = subprocess.Popen([sys.executable, "-m", "healthprobe_data.command", *arguments], stderr=subprocess.PIPE)
    while not begun.exists() and run.poll() is None:
        time.sleep(0.02)
    assert list(study.scratch.glob("*/1.zip"))
    run.send_signal(number)
    assert json.loads(run.communicate(timeout=60)[1])["error"]["code"] == "interrupted"
    assert run.returncode == 130 and list(study.scratch.iterdir()) == []


def test_scratch_is_cleaned_where_there_is_nothing_to_do(study, tmp_path):
    lake = tmp_path / "lake"
    given = studies.write(tmp_path / "m.csv", [row for row in studies.rows_of(study.manifest) if row[0] == "person 8"])
    assert study.participant("person 8", lake, given=given) == 0
    for command in (["participant", "person 8"], ["ingest"]):
        left = study.scratch / "healthprobe-scratch-old"
        left.mkdir()
        (left / "lock").touch()
        assert main([*command, *study.options(lake, given)]) == 0 and not left.exists()


def test_an_export_without_a_date_has_that_of_its_file(study, tmp_path):
    path = tmp_path / "exports" / "a.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(study.folder / "exports/phone-8/dump-1.zip") as whole, zipfile.ZipFile(path, "w") as dateless:
        xml = whole.read("apple_health_export/export.xml")
        dateless.writestr("apple_health_export/export.xml", re.sub(rb"<ExportDate[^>]*>", b"", xml))
    moment = datetime.datetime(2024, 5, 1, 10, tzinfo=datetime.timezone.utc)
    os.utime(path, (moment.timestamp(),) * 2)
    given = studies.write(tmp_path / "m.csv", [("somebody", str(path))])
    assert study.participant("somebody", tmp_path / "lake", given=given) == 0
    assert [row["observed_at"] for row in rows(tmp_path / "lake", "observations", study.name("somebody"))] == [moment]


def test_an_export_that_cannot_be_looked_at_is_a_result_of_its_own(study, tmp_path, monkeypatch):
    wanted = [row for row in studies.rows_of(study.manifest) if row[0] in ("person 8", "person 16")]
    given = studies.write(tmp_path / "m.csv", [*wanted, ("long name", str(tmp_path / "exports" / ("x" * 300)))])
    find, settings = Objects.find, settings_of(study, tmp_path / "lake")

    def broken(self, name=""):
        if "phone-16" in self.uri:
            raise PermissionError
        return find(self, name)

    monkeypatch.setattr(Objects, "find", broken)
    assert len(plan.make(manifest.read(str(given)), settings, set(), None).todo) == 3
    assert study.participant("person 8", tmp_path / "lake", given=given) == 0
    assert study.participant("person 16", tmp_path / "lake", given=given) == 74
    assert study.participant("long name", tmp_path / "lake", given=given) == 3
    assert status(tmp_path / "lake", study.name("long name"))["error"] == "noSuchInput"


def test_the_key_of_a_lake_is_asked_for_again_at_the_end(study, tmp_path, capsys):
    """Two first runs with other secrets have both found no lake; the description of one is there."""
    lake, program = tmp_path / "lake", tmp_path / "healthprobe"
    change = f"sed -i s/{study.key.id}/{'0' * 16}/ {lake}/_lake.json"
    program.write_text(f'#!/bin/sh\n[ "$1" = seal ] && {change}\nexec {programs.HEALTHPROBE} "$@"\n')
    program.chmod(0o755)
    assert study.participant("person 8", lake, "--program", str(program), "--json") == 64
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "wrongKey"
    assert list(objects(lake)) == ["_lake.json"]


def test_a_withdrawal_wins_over_a_run_that_is_under_way(study, tmp_path):
    lake = tmp_path / "lake"
    withdraw = f"healthprobe_data.command withdraw 'person 8' --lake {lake} --secret-file {study.secret}"
    program = tmp_path / "healthprobe"
    # The last command of the program: tables and status come after it.
    program.write_text(
        f'#!/bin/sh\n[ "$1" = seal ] && {sys.executable} -m {withdraw} >&2\nexec {programs.HEALTHPROBE} "$@"\n'
    )
    program.chmod(0o755)
    assert study.participant("person 8", lake, "--program", str(program)) == 3
    name = study.name("person 8")
    assert [path for path in objects(lake) if name in path] == [f"withdrawn/{name}.json"]
    assert main(["verify", "--lake", str(lake)]) == 0


def test_a_withdrawal_wins_over_a_commit_that_it_broke(study, tmp_path, monkeypatch):
    """It took a file away that was to get its name: what had got its name already goes, too."""
    lake, replace = tmp_path / "lake", Objects.replace

    def broken(self, objects, without=()):
        if len(objects) == 1:
            return replace(self, objects, without)
        care.withdraw(Lake(str(lake)), study.key, "person 8")
        name = next(iter(objects))
        replace(self, {name: objects[name]})
        raise FileNotFoundError(name)

    monkeypatch.setattr(Objects, "replace", broken)
    assert study.participant("person 8", lake) == 74
    name = study.name("person 8")
    assert [path for path in objects(lake) if name in path] == [f"withdrawn/{name}.json"]


def test_a_withdrawal_wins_over_a_refusal(tmp_path, monkeypatch):
    lake, write = Lake(make(tmp_path / "lake", 2)), statuses.write
    entry = dict.fromkeys(("uri", "options", "bytes", "tag", "outcome")) | {"xml": "the same"}
    for name in lake.participants("status"):
        write(lake, statuses.read(lake, name) | {"inputs": [entry]})

    def late(lake, status):
        lake.objects.put(lake.tombstone_name(status["participant"]), b"{}")
        write(lake, status)

    monkeypatch.setattr(statuses, "write", late)
    refused = [f"{n:016x}" for n in range(2)]
    assert list(shared_exports.keep_out(lake)) == refused
    for name in refused:
        assert [path for path in objects(tmp_path / "lake") if name in path] == [f"withdrawn/{name}.json"]


def test_an_archive_that_fails_its_check_goes_to_quarantine(study, tmp_path):
    program = tmp_path / "healthprobe"
    program.write_text(f'#!/bin/sh\n[ "$1" = check ] && exit 4\nexec {programs.HEALTHPROBE} "$@"\n')
    program.chmod(0o755)
    lake = tmp_path / "lake"
    arguments = ("person 8", lake, "--program", str(program), "--check", "--keep-archive")
    assert study.participant(*arguments) == 3
    name = study.name("person 8")
    assert [path for path in objects(lake) if name in path] == [
        f"quarantine/bucket={name[:2]}/{name}.sqlite",
        f"status/bucket={name[:2]}/{name}.json",
    ]
    assert status(lake, name)["error"] == "integrityFailure"
    assert [stat.S_IMODE(path.stat().st_mode) for path in lake.glob("quarantine/*/*")] == [0o600]
    assert main(["verify", "--lake", str(lake)]) == 0
    # It is not tried again unasked.
    assert study.participant("person 8", lake) == 3 and status(lake, name)["outcome"] == "failed"
    assert study.participant("person 8", lake, "--retry-failed") == 0
    assert not list(lake.glob("quarantine/*/*"))
    # A withdrawal takes it, too.
    shutil.rmtree(lake)
    assert study.participant(*arguments) == 3
    assert main(["withdraw", "person 8", "--lake", str(lake), "--secret-file", str(study.secret)]) == 0
    assert [path for path in objects(lake) if name in path] == [f"withdrawn/{name}.json"]


def test_a_fault_of_the_system_leaves_the_lake_as_it_was(study, tmp_path, capsys):
    lake = tmp_path / "lake"
    program, _ = counted(tmp_path)
    assert study.participant("person 16", lake, "--program", str(program)) == 0
    before = objects(lake)
    # A program without the command, one that says nothing, and what is the system's.
    for exit in ("0", "64", "65", "66", "70", "74", "75", "130", "137"):
        program.write_text(f'#!/bin/sh\n[ "$1" = import ] && exit {exit}\nexec {programs.HEALTHPROBE} "$@"\n')
        capsys.readouterr()
        assert study.participant("person 8", lake, "--program", str(program), "--json") == 74
        assert json.loads(capsys.readouterr().err)["error"]["code"] == "inputOutput"
    for step, answer in (("survey", ":"), ("seal", "echo '{}'")):
        program.write_text(f'#!/bin/sh\n[ "$1" = {step} ] && {answer} && exit 0\nexec {programs.HEALTHPROBE} "$@"\n')
        assert study.participant("person 8", lake, "--program", str(program)) == 74
    program.write_text(f'#!/bin/sh\n[ "$1" = import ] && kill -9 $$\nexec {programs.HEALTHPROBE} "$@"\n')
    assert study.participant("person 8", lake, "--program", str(program)) == 74
    assert objects(lake) == before and list(study.scratch.iterdir()) == []


def test_a_lake_that_fills_up_keeps_what_it_had(study, tmp_path, monkeypatch):
    lake = tmp_path / "lake"
    both = [row for row in studies.rows_of(study.manifest) if row[0] == "person 6"]
    assert study.participant("person 6", lake, given=studies.write(tmp_path / "one.csv", both[:1])) == 0
    before = objects(lake)
    copy, count = Objects._copy, Counter()

    def full(self, target, content):
        count["files"] += 1
        if count["files"] == 4:
            raise OSError(errno.ENOSPC, "full")
        copy(self, target, content)

    given = studies.write(tmp_path / "both.csv", both)
    with monkeypatch.context() as patch:
        patch.setattr(Objects, "_copy", full)
        assert study.participant("person 6", lake, given=given) == 74
    assert count["files"] == 4 and objects(lake) == before
    assert study.participant("person 6", lake, given=given) == 0
    whole = tables(lake)
    # A file of before, or none, beside a status that is of now: as a run leaves it that ends in the middle.
    name = study.name("person 6")
    path = lake / "records" / f"bucket={name[:2]}" / f"{name}.parquet"
    for content in (before[str(path.relative_to(lake))], None):
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        assert plan.make(manifest.read(str(given)), settings_of(study, lake), set(), None).todo
        assert study.participant("person 6", lake, given=given) == 0 and tables(lake) == whole
    assert not plan.make(manifest.read(str(given)), settings_of(study, lake), set(), None).todo


@pytest.fixture
def without_spark(monkeypatch):
    """``ingest`` with a loop in place of Spark."""
    from healthprobe_data.spark import ingest

    def run(spark, todo, settings, progress):
        found = {name: participant.ingest(one, settings) for name, one in todo}
        return {name: (status["outcome"], status["error"]) for name, status in found.items()}

    monkeypatch.setattr(ingest, "session", lambda master: (None, False))
    monkeypatch.setattr(ingest, "run", run)


def test_the_coordinator_decides_whose_an_export_is(study, tmp_path, without_spark, capsys):
    first, second = (path for id, path in studies.rows_of(study.manifest) if id == "person 6")
    lake, given = tmp_path / "lake", tmp_path / "m.csv"
    assert main(["ingest", *study.options(lake, studies.write(given, [("person 6", first)]))]) == 0
    # Another one brings the same export: both are kept out, whoever was first.
    rows = [("person 6", first), ("person 6", second), ("somebody", first)]
    options = study.options(lake, studies.write(given, rows))
    capsys.readouterr()
    assert main(["ingest", *options, "--json"]) == 3
    names = {study.name("person 6"): [study.name("somebody")], study.name("somebody"): [study.name("person 6")]}
    assert json.loads(capsys.readouterr().out)["shared"] == names and not tables(lake)
    assert all(status(lake, name)["sharedWith"] == others for name, others in names.items())
    assert main(["ingest", *options, "--keep", "nobody"]) == 64
    # Nothing is done again until somebody decides, and the decision stays when there are further exports.
    before = objects(lake)
    assert main(["ingest", *options]) == 3 and objects(lake) == before
    assert main(["ingest", *options, "--keep", "somebody"]) == 3
    assert status(lake, study.name("somebody"))["outcome"] == "completed" and len(tables(lake)) == len(TABLES)
    assert status(lake, study.name("person 6"))["error"] == "sharedExport"
    studies.write(given, [*rows, ("somebody", second)])
    assert main(["ingest", *options]) == 3
    assert status(lake, study.name("somebody"))["outcome"] == "completed"
    # When the other one is gone, there is nothing to decide.
    assert main(["withdraw", "somebody", "--lake", str(lake), "--secret-file", str(study.secret)]) == 0
    assert main(["ingest", *options]) == 3
    assert status(lake, study.name("person 6"))["outcome"] == "completed"


def test_pseudonyms_have_names_for_whoever_has_the_key(study, tmp_path, capsys):
    arguments = ["key", "names", "--manifest", str(study.manifest), "--secret-file", str(study.secret)]
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["participant"]: row["id"] for row in rows} == {study.name(row["id"]): row["id"] for row in rows}
    uris = [path for id, path in studies.rows_of(study.manifest) if id == "person 6"]
    (exports,) = (row["exports"] for row in rows if row["id"] == "person 6")
    assert exports == {study.key.short(uri, "export"): uri for uri in uris}
    assert main(arguments) == 0 and f"{study.name('person 6')}  person 6\n" in capsys.readouterr().out


def test_a_refused_export_is_named_with_the_program_s_reason(study, tmp_path, capsys):
    for id, code in (("truncated", "truncated"), ("encrypted", "encrypted"), ("no records", "empty")):
        (uri,) = (path for name, path in studies.rows_of(study.manifest) if name == id)
        capsys.readouterr()
        assert study.participant(id, tmp_path / "lake") == 3
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"warning: {uri}: {code}: The ") and line.endswith(".")
        assert [entry["outcome"] for entry in status(tmp_path / "lake", study.name(id))["inputs"]] == [code]


def test_an_export_without_records_makes_nothing_disappear(study, tmp_path):
    (empty,) = (path for id, path in studies.rows_of(study.manifest) if id == "no records")
    exports = [path for id, path in studies.rows_of(study.manifest) if id == "person 6"]
    given = studies.write(tmp_path / "m.csv", [("person 6", path) for path in (*exports, empty)])
    assert study.participant("person 6", tmp_path / "lake", given=given) == 3
    found = status(tmp_path / "lake", study.name("person 6"))
    assert (found["outcome"], found["observations"]) == ("partial", 2)
    types = pq.read_table(tmp_path / "lake" / "types").to_pylist()
    assert {row["observation"] for row in types if row["visible"]} == {1, 2}


@pytest.mark.parametrize(
    "zone, is_contradicted", [("Europe/Berlin", False), ("Europe/Paris", False), ("America/New_York", True), ("", False)]
)
def test_a_zone_that_contradicts_the_export_is_told(study, tmp_path, capsys, zone, is_contradicted):
    (export,) = (path for id, path in studies.rows_of(study.manifest) if id == "person 8")
    (given := tmp_path / "m.csv").write_text(f"participant,export,time_zone\nperson 8,{export},{zone}\n")
    lake = tmp_path / "lake"
    capsys.readouterr()
    assert study.participant("person 8", lake, given=given) == 0
    assert ("contradicts the export" in capsys.readouterr().err) == is_contradicted
    found = status(lake, study.name("person 8"))
    assert (found["outcome"], found["warnings"]) == ("completed", ["zoneContradicted"] * is_contradicted)
    (row,) = pq.read_table(lake / "zones").to_pylist()
    assert (row["time_zone"], row["contradicted"]) == (zone or "Europe/Berlin", is_contradicted)
    assert row["origin"] == ("argument" if zone else "metadata")
    assert study.participant("person 8", lake, "--strict", given=given) == (3 if is_contradicted else 0)
    found = status(lake, study.name("person 8"))
    assert found["error"] == ("zoneContradicted" if is_contradicted else None)
    assert len(tables(lake)) == (0 if is_contradicted else len(TABLES))
    assert study.participant("person 8", lake, given=given) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_full_scratch_disk_is_no_result(study, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=8m none "$0" && exec "$@"'
    arguments = [
        sys.executable,
        "-m",
        "healthprobe_data.command",
        "participant",
        "person 8",
        *study.options(tmp_path / "lake"),
        "--scratch",
        str(disk),
        "--json",
    ]
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, str(disk), *arguments], capture_output=True, text=True)
    if "Operation not permitted" in done.stderr:
        pytest.skip("mounting is not permitted")
    assert done.returncode == 74 and json.loads(done.stderr)["error"]["code"] == "diskFull"
    assert not (tmp_path / "lake" / "status").exists()


def test_usage_errors(study, tmp_path, capsys):
    lake = tmp_path / "lake"

    def refused(*arguments) -> tuple[int, str]:
        capsys.readouterr()
        code = main([*map(str, arguments), "--json"])
        return code, json.loads(capsys.readouterr().err)["error"]["code"]

    def given(text: str) -> Path:
        path = tmp_path / "m.csv"
        path.write_text(text)
        return path

    for text in (
        "participant\nx\n",
        "participant,export\n,a.zip\n",
        "participant,export,name\nx,a.zip,y\n",
        "",
        "participant,export\nx,a.zip,b\n",
        "participant,export,chain\nx,a.zip,one\nx,b.zip,two\n",
        "participant,export,time_zone\nx,a.zip,UTC\nx,a.zip,\n",
        "participant,export,time_zone\nx,a.zip,Europe/Nowhere\n",
        "participant,export,chain\nx,a.zip,-one\n",
        "participant,export\nx,a\0.zip\n",
        "participant,export,observed_at\nx,a.zip,yesterday\n",
        "participant,export,observed_at\nx,a.zip,2024-02-30\n",
        "participant,export,observed_at\nx,a.zip,2024-02-20T25:00:00Z\n",
    ):
        assert refused("participant", "x", *study.options(lake, given(text))) == (64, "usage"), text
    assert refused("participant", "nobody", *study.options(lake)) == (64, "usage")
    # A lake has no names.
    assert refused("participant", "person 8", *study.options(lake), "--provenance", "full") == (64, "usage")
    # Inside the folder of exports: the whole manifest's, whatever participant is asked for; and around the exports.
    for place in ("exports/phone-1/lake", "exports/lake", "exports", "."):
        for command in (["ingest"], ["participant", "person 1"]):
            assert refused(*command, *study.options(study.folder / place)) == (64, "usage"), place
        assert not list((study.folder / place).glob("_lake.json"))
    assert not lake.exists()
    open_secret = tmp_path / "open"
    open_secret.write_bytes(b"x" * 32)
    open_secret.chmod(0o644)
    assert refused("participant", "person 8", *study.options(lake), "--secret-file", open_secret) == (64, "usage")
    assert study.participant("person 8", lake) == 0
    other = tmp_path / "other"
    assert main(["key", "new", str(other)]) == 0 and stat.S_IMODE(other.stat().st_mode) == 0o600
    assert refused("key", "new", other) == (73, "cannotCreate")
    before = objects(lake)
    assert refused("participant", "person 16", *study.options(lake), "--secret-file", other) == (64, "wrongKey")
    assert refused("participant", "person 16", *study.options(lake), "--type", "HeartRate") == (64, "lakeDiffers")
    assert refused("withdraw", "person 8", "--lake", lake, "--secret-file", other) == (64, "wrongKey")
    assert refused("verify", "--lake", tmp_path / "none") == (66, "noLake")
    assert refused("participant", "person 8", *study.options(lake), "--program", tmp_path / "none") == (
        74,
        "missingPackage",
    )
    assert objects(lake) == before


@pytest.mark.parametrize(
    "lake, exports, is_apart",
    [
        ("study/lake", ["study/exports/a.zip"], True),
        # Beside the manifest, and in a bucket of folders.
        ("study/lake", ["study/one/a.zip", "study/two/b.zip"], True),
        (STORE.format("bucket/lake"), [STORE.format(f"bucket/{n}/a.zip") for n in "12"], True),
        ("study/lake", ["study/exports/one/a.zip", "study/exports/two/b.zip"], True),
        ("study/exports-lake", ["study/exports/a.zip"], True),
        ("study/lake", ["study/exports/a.zip", STORE.format("bucket/b.zip")], True),
        ("study/exports/lake", ["study/exports/a.zip"], False),
        ("study/exports/one/lake", ["study/exports/a.zip"], False),
        ("study/exports/lake", ["study/exports/one/a.zip", "study/exports/two/b.zip"], False),
        ("study/link", ["study/exports/a.zip"], False),
        ("file://{}/study/exports/lake", ["study/exports/a.zip"], False),
        ("study", ["study/exports/a.zip", "other/b.zip"], False),
        ("study", ["study/a.zip"], False),
        (STORE.format("bucket/lake"), ["study/exports/a.zip"], True),
        (STORE.format("bucket/lake"), [STORE.format("bucket/exports/a.zip")], True),
        (STORE.format("bucket/exports/lake"), [STORE.format("bucket/exports/one/a.zip")] * 2, True),
        (STORE.format("bucket/exports/lake"), [STORE.format(f"bucket/exports/{n}/a.zip") for n in "12"], False),
        (STORE.format("bucket/lake"), [STORE.format("bucket/lake/exports/a.zip")], False),
    ],
)
def test_lake_and_exports_are_apart(tmp_path, lake, exports, is_apart):
    def place(text: str) -> str:
        return text.format(tmp_path) if "://" in text else str(tmp_path / text)

    (tmp_path / "study" / "exports" / "lake").mkdir(parents=True)
    (tmp_path / "study" / "link").symlink_to(tmp_path / "study" / "exports" / "lake")
    somebody = [manifest.Participant(str(n), exports=[manifest.Export(place(e))]) for n, e in enumerate(exports)]
    if is_apart:
        plan.require_apart(place(lake), somebody, place("study/m.csv"))
    else:
        with pytest.raises(HealthProbeDataError) as failure:
            plan.require_apart(place(lake), somebody, place("study/m.csv"))
        assert failure.value.exit_code == 64


@pytest.mark.parametrize(
    "text, is_known",
    [
        ("2024-05-01", True),
        ("2024-05-01T10:00:00", True),
        ("2024-05-01T10:00:00.5Z", True),
        ("2024-05-01T10:00:00+02:00", True),
        ("2024-05-01 10:00:00 +0200", True),
        ("2024-05-01T23:59:60Z", True),
        ("0000-02-29", True),
        ("2024-05-01T10:60:60Z", False),
        ("0000-02-30", False),
        ("2024-05-01T10:00:00 +0200", False),
        ("2024-05-01 10:00:00 Z", False),
        ("2024-05-01T10:00:00+2500", False),
        ("2024-02-30", False),
        ("20240501", False),
        ("yesterday", False),
    ],
)
def test_instants_of_a_manifest_are_those_of_the_program(tmp_path, text, is_known):
    path = tmp_path / "m.csv"
    path.write_text(f"participant,export,observed_at\nx,a.zip,{text}\n")
    done = programs.healthprobe("import", "none.zip", "--observed-at", text, "--archive", tmp_path / "a", check=False)
    assert done.returncode == (66 if is_known else 64)
    if is_known:
        assert manifest.read(str(path))[0].exports[0].observed_at == text
        return
    with pytest.raises(HealthProbeDataError) as failure:
        manifest.read(str(path))
    assert failure.value.exit_code == 64 and "Row 2" in failure.value.message


def test_zones_of_a_manifest_are_those_of_the_program(tmp_path):
    path = tmp_path / "m.csv"
    known = "UTC GMT Europe/Bucharest EST PST GMT+2 UTC+2 UTC-02 GMT+2:30 GMT+0230 GMT+17:59 GMT-18 GMT+18:00"
    unknown = (
        "europe/bucharest Europe ../UTC two+hours Z GMT+ GMT+230 GMT+18:01 GMT+19 GMT+23:59 GMT+24 GMT+25 GMT+99 "
        "GMT+2:75 posixrules localtime posix/Europe/Paris right/Europe/Paris"
    )
    zones = [(zone, True) for zone in known.split()] + [(zone, False) for zone in unknown.split()]
    for zone, is_known in [*zones, ("", True)]:
        if zone:
            arguments = ("import", "none.zip", "--time-zone", zone, "--archive", tmp_path / "a")
            assert programs.healthprobe(*arguments, check=False).returncode == (66 if is_known else 64), zone
        path.write_text(f"participant,export,time_zone\nx,a.zip,{zone}\n")
        if is_known:
            assert manifest.read(str(path))[0].exports[0].time_zone == zone
            continue
        with pytest.raises(HealthProbeDataError) as failure:
            manifest.read(str(path))
        assert failure.value.exit_code == 64 and "Row 2" in failure.value.message and "time_zone" in failure.value.message


def test_a_row_is_named_by_its_line(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text('participant,export\n\n"x\ny",a.zip\nx,nowhere://a.zip\n')
    with pytest.raises(HealthProbeDataError) as failure:
        manifest.read(str(path))
    assert failure.value.exit_code == 64 and "Row 5" in failure.value.message


def test_a_selection_of_types_is_the_lake_s(study, tmp_path):
    lake = tmp_path / "lake"
    types = ("--type", "HeartRate", "--type", "StepCount")
    assert study.participant("person 8", lake, *types, "--type", "heartrate") == 0
    assert study.participant("person 8", lake, *types) == 0
    found = {row["type"] for row in rows(lake, "records", study.name("person 8"))}
    assert found == {"HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount"}


def test_a_misspelt_type_is_warned_of(study, tmp_path, capsys):
    lake, types = tmp_path / "lake", ("--type", "HeartRate", "--type", "HeartRaet", "--exclude-type", "StepCuont")
    for _ in range(2):
        capsys.readouterr()
        assert study.participant("person 8", lake, *types, "--json") == 0
        warned = [json.loads(line)["warning"] for line in capsys.readouterr().err.splitlines()]
        assert [warning["code"] for warning in warned] == ["unknownType"] * 2
        assert "HeartRaet" in warned[0]["message"] and "StepCuont" in warned[1]["message"]
    assert status(lake, study.name("person 8"))["unknownTypes"] == ["HeartRaet", "StepCuont"]


def test_what_was_not_done_is_done_when_it_is_asked_for(study, tmp_path):
    lake = tmp_path / "lake"
    program, log = counted(tmp_path)
    more = ("--program", str(program))
    assert study.participant("person 8", lake, *more) == 0
    whole = tables(lake)
    for options in (["--keep-archive"], ["--check", "--keep-archive"]):
        assert study.participant("person 8", lake, *more, *options) == 0
        starts = log.read_text()
        # Once is enough.
        assert study.participant("person 8", lake, *more, *options) == 0 and log.read_text() == starts
    assert len(list(lake.glob("archives/*/*"))) == 1 and "check\n" in starts and tables(lake) == whole
    assert study.participant("person 8", lake, *more) == 0 and log.read_text() == starts


def test_the_largest_come_first(study, tmp_path):
    settings = settings_of(study, tmp_path / "lake")
    planned = plan.make(manifest.read(str(study.manifest)), settings, set(), None)
    assert planned.todo[0][1].id == "person 24" and len(planned.todo) == 31
    few = plan.make(manifest.read(str(study.manifest)), settings, {study.name("person 24")}, 3)
    assert len(few.todo) == 3 and few.left == 28 and few.todo[0][1].id != "person 24"
    assert not (tmp_path / "lake").exists()


def test_who_is_left_out_is_not_done(study, tmp_path):
    """All that were looked at are completed, but not everybody was looked at."""
    wanted = [row for row in studies.rows_of(study.manifest) if row[0] in ("person 8", "person 16")]
    given, lake = studies.write(tmp_path / "m.csv", wanted), tmp_path / "lake"
    assert study.participant("person 8", lake, given=given) == 0
    arguments = ["ingest", *study.options(lake, given), "--limit", "0"]
    assert main(arguments) == 3
    assert study.participant("person 16", lake, given=given) == 0
    assert main(arguments) == 0


def test_scratch_of_a_killed_process_is_removed(tmp_path):
    (tmp_path / "healthprobe-scratch-old").mkdir()
    (tmp_path / "healthprobe-scratch-old" / "lock").touch()
    (tmp_path / "healthprobe-scratch-old" / "1.zip").touch()
    (tmp_path / "other").mkdir()
    with scratch.scratch(str(tmp_path)) as folder:
        assert stat.S_IMODE(os.stat(folder.path).st_mode) == 0o700
        # One that is in use stays.
        assert scratch.clean(str(tmp_path)) == 0 and os.path.isdir(folder.path)
        with pytest.raises(HealthProbeDataError):
            folder.require(1 << 60)
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_a_folder_that_is_being_locked_stays(tmp_path, monkeypatch):
    flock = fcntl.flock

    def late(lock, how):
        if how == fcntl.LOCK_EX:
            assert scratch.clean(str(tmp_path)) == 0
        flock(lock, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with scratch.scratch(str(tmp_path)) as folder:
        assert os.path.isdir(folder.path)
    assert list(tmp_path.iterdir()) == []


def test_a_node_with_another_program_writes_nothing(study, tmp_path):
    from healthprobe_data.spark.ingest import attempt

    settings = settings_of(study, tmp_path / "lake")
    plan.make_lake(settings)
    assert plan.make(manifest.read(str(study.manifest)), settings, set(), 0).left == 31
    before = objects(tmp_path / "lake")
    one = next(entry for entry in manifest.read(str(study.manifest)) if entry.id == "person 8")
    for change in ({"program_sha256": "0" * 64}, {"version": "healthprobe 9.9.9"}, {"package": "9.9.9"}):
        other = dataclasses.replace(settings, **change)
        assert attempt(study.name(one.id), one, other, 4) == ("programDiffers", "programDiffers"), change
    assert objects(tmp_path / "lake") == before
    assert plan.exit_code({"p": ("programDiffers", "programDiffers")}) == 74


def test_the_last_attempt_is_exhausted(study, tmp_path):
    from healthprobe_data.spark.ingest import attempt

    program, _ = counted(tmp_path)
    program.write_text(f'#!/bin/sh\n[ "$1" = import ] && exit 74\nexec {programs.HEALTHPROBE} "$@"\n')
    settings = settings_of(study, tmp_path / "lake", str(program))
    plan.make_lake(settings)
    one = next(entry for entry in manifest.read(str(study.manifest)) if entry.id == "person 8")
    assert attempt(study.name(one.id), one, settings, 4) == ("exhausted", "inputOutput")
    assert not (tmp_path / "lake" / "status").exists()


def test_who_is_exhausted_is_told(study, tmp_path, monkeypatch, capsys):
    from healthprobe_data.spark import ingest

    lake, name, answer = tmp_path / "lake", study.name("person 8"), ("exhausted", "diskFull")
    monkeypatch.setattr(ingest, "session", lambda master: (None, False))
    monkeypatch.setattr(ingest, "run", lambda spark, todo, settings, progress: {name: answer for name, _ in todo})
    given = studies.write(tmp_path / "m.csv", [row for row in studies.rows_of(study.manifest) if row[0] == "person 8"])
    assert main(["ingest", *study.options(lake, given)]) == 74
    assert f"{name}  exhausted  diskFull" in capsys.readouterr().out
    assert main(["ingest", *study.options(lake, given), "--json"]) == 74
    assert json.loads(capsys.readouterr().out)["exhausted"] == [{"participant": name, "error": "diskFull"}]
    assert main(["status", "--lake", str(lake), "--failed", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["failed"] == [{"participant": name, "outcome": "exhausted", "error": "diskFull", "inputs": [], "sharedWith": []}]
    assert found["outcomes"] == {"exhausted": 1} and found["codes"] == {"diskFull": 1}
    assert main(["verify", "--lake", str(lake)]) == 0
    # The next status is the end of it, and so is one that holds again. Blanks around an id are no part of it.
    assert study.participant(" person 8", lake) == 0 and not list(lake.glob("exhausted/*/*"))
    for command in (["participant", "person 8"], ["ingest"]):
        Lake(str(lake)).note_exhausted(name, "diskFull")
        assert main([*command, *study.options(lake, given)]) == 0 and not list(lake.glob("exhausted/*/*"))
    capsys.readouterr()
    assert main(["status", "--lake", str(lake), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["outcomes"] == {"completed": 1}
    # Tables without rows are told, too.
    assert set(found["rows"]) == set(TABLES) and found["rows"]["groups"] == 0


def test_progress_that_cannot_be_shown_ends_no_run(study, tmp_path):
    from healthprobe_data.spark.ingest import _Watch

    def broken(*counts):
        raise OSError

    with _Watch(settings_of(study, tmp_path / "lake"), ["0" * 16], broken) as watch:
        pass
    assert watch.left() == ["0" * 16]


def test_a_size_in_a_zip_is_not_believed(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("apple_health_export/export.xml", "<HealthData/>" * 1000)
    count = path.stat().st_size
    assert participant._xml_bytes(str(path), count) == 13_000
    content = bytearray(path.read_bytes())
    place = content.find(b"PK\x01\x02") + 24
    content[place : place + 4] = (0xFFFF_FFF0).to_bytes(4, "little")
    path.write_bytes(content)
    assert 13_000 < participant._xml_bytes(str(path), count) <= 1032 * count


def settings_of(study, lake, path=programs.HEALTHPROBE):
    """What a run over a lake has in common."""
    program = Program.find(path)
    return Settings(
        str(lake), str(study.secret), program.path, program.version, program.sha256, scratch=str(study.scratch)
    )
