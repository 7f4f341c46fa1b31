"""Ingest on Spark: any path gives the same lake, whatever is killed on the way."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest

import programs
import study as studies
from healthprobe_data.command import main
from healthprobe_data.tables import TABLES
from study import objects, tables
from test_documents import QUERIES

pytestmark = pytest.mark.cohort


@pytest.fixture(scope="module")
def spark():
    """One session for the tests in this process."""
    from healthprobe_data.spark import ingest

    session, _ = ingest.session("local[2]")
    yield session
    session.stop()


def start(study, lake, master, given=None, log=None, *more, **environment) -> subprocess.Popen:
    """``ingest`` as a process group of its own."""
    command = [
        sys.executable,
        "-m",
        "healthprobe_data.command",
        "ingest",
        *study.options(lake, given),
        "--master",
        master,
        "--json",
        *more,
    ]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=open(log, "ab") if log else subprocess.DEVNULL,
        start_new_session=True,
        text=True,
        env=os.environ | environment,
    )


def processes() -> dict[int, tuple[int, str]]:
    """Parent and command line by process id."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                found[int(entry.name)] = (
                    parent,
                    (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"),
                )
            except (OSError, IndexError):
                pass
    return found


def descendants(root: int) -> dict[int, str]:
    """The processes that a process started, directly or not."""
    everything, found, waiting = processes(), {}, [root]
    while waiting:
        parent = waiting.pop()
        for pid, (its_parent, command) in everything.items():
            if its_parent == parent and pid not in found:
                found[pid] = command
                waiting.append(pid)
    return found


def wait_for(condition, seconds=240):
    """What a condition gives once it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError("it did not happen in time")


def statuses(folder) -> int:
    return len(list(Path(folder).glob("status/*/*.json")))


def test_the_running_session_makes_the_same_lake(study, lake, spark, tmp_path, capfd):
    """In another order of the manifest, with two tasks at a time."""
    shuffled = studies.write(tmp_path / "m.csv", studies.rows_of(study.manifest), seed=3)
    other = tmp_path / "lake"
    assert main(["ingest", *study.options(other, shuffled), "--json"]) == 3
    answer = capfd.readouterr()
    summary = json.loads(answer.out.splitlines()[-1])
    assert summary["participants"] == summary["takenIn"] == 31 and summary["left"] == 0
    assert summary["codes"] == {
        **{"empty": 1, "encrypted": 1, "noSuchInput": 2, "notAHealthExport": 1, "sharedExport": 2, "truncated": 1}
    }
    refused = {"empty": 1, "encrypted": 1, "noSuchInput": 2, "notAHealthExport": 1, "truncated": 1}
    assert summary["exports"] == refused | {"unrelatedExport": 1}
    assert "0 left" in answer.err
    for name in (*studies.NAMES, "person ", "dump-", str(study.folder)):
        assert name not in answer.err
    assert tables(other) == tables(lake) and set(objects(other)) == set(objects(lake))
    assert main(["verify", "--lake", str(other)]) == 0
    # Nothing to do: the same exit code, and nothing changes.
    before = objects(other)
    assert main(["ingest", *study.options(other), "--json"]) == 3
    again = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert again["takenIn"] == 0 and again["outcomes"] == summary["outcomes"]
    assert again["exports"] == summary["exports"]
    assert main(["ingest", *study.options(other)]) == 3
    assert "exports refused with unrelatedExport: 1\n" in capfd.readouterr().out
    assert objects(other) == before


def test_nothing_to_do_starts_no_spark(study, lake):
    done = start(study, lake, "spark://nowhere:1")
    assert done.wait(120) == 3


def few(study, path, count=8):
    """A manifest of some participants, and their ids."""
    wanted = {f"person {number}" for number in range(2, 2 + count)}
    return studies.write(path, [row for row in studies.rows_of(study.manifest) if row[0] in wanted])


def part_of(study, lake, given) -> dict[str, str]:
    names = {study.name(id) for id, _ in studies.rows_of(given)}
    return {path: digest for path, digest in tables(lake).items() if Path(path).stem in names}


def test_an_executor_is_killed(study, lake, tmp_path):
    """Two executor JVMs; one is killed while it works. Its tasks run again elsewhere; no log has a name."""
    given, other, log = few(study, tmp_path / "m.csv"), tmp_path / "lake", tmp_path / "log"
    shutil.rmtree(Path(pyspark.__file__).parent / "work", ignore_errors=True)
    events = tmp_path / "events"
    events.mkdir()
    (tmp_path / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.compress false\nspark.eventLog.dir file://{events}\n"
    )
    run = start(study, other, "local-cluster[2,1,1024]", given, log, SPARK_CONF_DIR=str(tmp_path))
    started = {}
    try:
        executors = lambda: [
            pid for pid, command in descendants(run.pid).items() if "CoarseGrainedExecutorBackend" in command
        ]  # noqa: E731
        wait_for(lambda: statuses(other) >= 1 and len(executors()) == 2 or run.poll() is not None)
        assert run.poll() is None, log.read_text()[-3000:]
        started = descendants(run.pid)
        os.kill(executors()[0], signal.SIGKILL)
        assert run.wait(300) == 3, log.read_text()[-3000:]
        wait_for(lambda: not set(started) & set(processes()))
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    assert tables(other) == part_of(study, lake, given)
    assert main(["verify", "--lake", str(other)]) == 0
    assert list(study.scratch.iterdir()) == []
    history = [path for path in events.rglob("*") if path.is_file() and path.stat().st_size]
    assert any("SparkListenerTaskEnd" in path.read_text() for path in history)
    logs = [log, *history, *(Path(pyspark.__file__).parent / "work").rglob("std*")]
    assert len(logs) > 5
    for path in logs:
        text = path.read_text(errors="replace")
        for name in (*studies.NAMES, "person ", "dump-", str(study.folder)):
            assert name not in text, path


def test_the_driver_is_killed(study, lake, tmp_path):
    """What was finished stays; the next run does the rest and removes what was left in scratch."""
    given, other = few(study, tmp_path / "m.csv"), tmp_path / "lake"
    run = start(study, other, "local[2]", given)
    started = {}
    try:
        wait_for(lambda: statuses(other) >= 2 or run.poll() is not None)
        started = descendants(run.pid)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        # Nobody else ends the JVM of a driver that was killed but its own watch over standard input.
        wait_for(lambda: not set(started) & set(processes()))
    finally:
        for pid in set(started) & set(processes()):
            os.kill(pid, signal.SIGKILL)
    done = statuses(other)
    before = objects(other)
    assert 2 <= done < 8
    assert main(["ingest", *study.options(other, given), "--master", "local[2]"]) == 3
    kept = [name for name in before if name.startswith("status/") and objects(other)[name] == before[name]]
    assert len(kept) == done
    assert tables(other) == part_of(study, lake, given)
    assert main(["verify", "--lake", str(other)]) == 0
    assert list(study.scratch.iterdir()) == []


def wrapped(folder: Path, script: str) -> str:
    """The program behind a shell script that may end instead of running it."""
    path = folder / "healthprobe"
    path.write_text(f'#!/bin/sh\n{script}\nexec {programs.HEALTHPROBE} "$@"\n')
    path.chmod(0o755)
    return str(path)


def test_a_killed_program_is_tried_again(study, lake, spark, tmp_path, capfd):
    """The first import is killed: its task runs again, and the lake is the same."""
    given, other = few(study, tmp_path / "m.csv", 2), tmp_path / "lake"
    once = f'[ "$1" = import ] && mkdir {tmp_path}/killed 2>/dev/null && kill -9 $$'
    program = wrapped(tmp_path, once)
    assert main(["ingest", *study.options(other, given), "--program", program, "--json"]) == 3
    assert json.loads(capfd.readouterr().out.splitlines()[-1])["left"] == 0
    assert (tmp_path / "killed").exists()
    assert tables(other) == part_of(study, lake, given)
    assert list(study.scratch.iterdir()) == []


def test_who_ends_its_worker_every_time_is_named_and_skipped(study, lake, tmp_path):
    """The Python worker of one participant is killed at each try: Spark gives up, the others stay and go on."""
    given, other, log = few(study, tmp_path / "m.csv", 3), tmp_path / "lake", tmp_path / "log"
    bad = study.name("person 4")
    export = study.folder / "exports" / "phone-4" / "dump-1.zip"
    digest = hashlib.sha256(export.read_bytes()).hexdigest()
    # Nothing but the bytes of an export tells the program whose it is.
    script = f'for f in "$@"; do case "$f" in *.zip) sha256sum "$f" | grep -q ^{digest} && kill -9 $PPID;; esac; done'
    program = wrapped(tmp_path, script)
    arguments = [*study.options(other, given), "--program", program]
    run = start(study, other, "local[1]", given, log, "--program", program)
    assert run.wait(300) == 74
    error = json.loads([line for line in log.read_text().splitlines() if line.startswith('{"error"')][-1])["error"]
    assert error["code"] == "exhausted" and bad in error["message"] and "--skip" in error["hint"]
    assert not list(other.glob(f"*/*/{bad}.*"))
    assert main(["ingest", *arguments, "--master", "local[1]", "--skip", bad]) == 3
    expected = {path: digest for path, digest in part_of(study, lake, given).items() if bad not in path}
    assert tables(other) == expected
    assert list(study.scratch.iterdir()) == []


def test_spark_reads_the_files(lake, spark):
    """Delta encodings included; the queries of the document run over the lake."""
    for table in TABLES:
        folder = lake / table
        frame = spark.read.parquet(f"file://{folder}")
        frame.createOrReplaceTempView(table)
        ours = pq.read_table(folder)
        assert frame.count() == ours.num_rows
    names = ("copy", "sample", "previous", "unix_micros(start)", "unix_micros(created)")
    sums = ", ".join(f"sum({name} % 1000003)" for name in names)
    found = spark.sql(f"SELECT {sums}, sum(value) FROM records").collect()[0]
    ours = pq.read_table(lake / "records")
    columns = [ours[name] for name in ("copy", "sample", "previous")] + [
        ours[name].cast("int64") for name in ("start", "created")
    ]
    for mine, column in zip(found, columns):
        assert mine == sum(number % 1000003 for number in column.to_pylist() if number is not None) > 0
    assert found[5] == pytest.approx(
        sum(number for number in ours["value"].to_pylist() if number is not None), rel=1e-9
    )
    for query in QUERIES:
        assert spark.sql(query).limit(5).collect()


@pytest.mark.parametrize("json_too", [True, False])
@pytest.mark.parametrize("home", [None, "broken"])
def test_a_missing_java_is_one_line(study, tmp_path, home, json_too):
    """No Java at all, and one that does not start."""
    given = few(study, tmp_path / "m.csv", 1)
    arguments = ["ingest", *study.options(tmp_path / "lake", given), *(["--json"] if json_too else [])]
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": "/bin"}
    if home is None:
        environment["PATH"] = str(tmp_path)
    else:
        java = tmp_path / home / "bin" / "java"
        java.parent.mkdir(parents=True)
        java.write_text("#!/bin/sh\nexit 1\n")
        java.chmod(0o755)
        environment["JAVA_HOME"] = str(tmp_path / home)
    command = [sys.executable, "-m", "healthprobe_data.command", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 74, done.stderr
    last = done.stderr.splitlines()[-1]
    if json_too:
        error = json.loads(last)["error"]
        assert error["code"] == "missingPackage" and "apt-get install" in error["hint"]
    else:
        assert last.startswith("error: Java") and "apt-get install" in last
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "lake").exists()


def test_a_master_that_is_none_is_a_usage_error(study, tmp_path):
    run = start(study, tmp_path / "lake", "nonsense", few(study, tmp_path / "m.csv", 1), tmp_path / "log")
    assert run.wait(120) == 64
    assert json.loads((tmp_path / "log").read_text().splitlines()[-1])["error"]["code"] == "usage"
