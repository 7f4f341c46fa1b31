"""What ``import healthprobe_data`` gives to people."""

from __future__ import annotations

import datetime
import warnings

import duckdb
import pytest

import healthprobe_data as hp
import programs


@pytest.mark.parametrize("at, name", [("first", "1"), (2, "2"), ("latest", "3"), ("latest~1", "2")])
def test_records_at_an_observation(archive, at, name):
    shown = programs.lines("records", "--at", name, "--type", "HeartRate", "--limit", 100000, "--archive", archive)
    with hp.open(str(archive)) as opened:
        frame = opened.records(at=at, types=["HeartRate"]).read_pandas()
    assert len(frame) == len(shown) > 50
    assert sorted(frame["value"]) == sorted(line["value"] for line in shown)


@pytest.mark.parametrize(
    "since, until", [("2025-05-01", None), (None, "2025-05-01"), ("2025-04-01T10:00:00Z", "2025-05-01")]
)
def test_an_interval_is_that_of_records(archive, since, until):
    options = [*(["--since", since] if since else []), *(["--until", until] if until else [])]
    shown = programs.lines("records", "--type", "SleepAnalysis", "--limit", 100000, "--archive", archive, *options)
    with hp.open(str(archive)) as opened:
        table = opened.records(at="latest", types=["SleepAnalysis"], since=since, until=until).read_all()
        everything = opened.records(at="latest", types=["SleepAnalysis"]).read_all()
    assert 0 < table.num_rows == len(shown) < everything.num_rows


@pytest.mark.parametrize(
    "since, until, is_empty",
    [
        ("2025-05-02", "2025-05-01", True),
        ("2025-05-02T00:00:00Z", "2025-05-01", True),
        ("2025-05-01T10:00:01Z", "2025-05-01T10:00:00Z", True),
        (datetime.date(2025, 5, 2), datetime.date(2025, 5, 1), True),
        ("2025-05-01", "2025-05-01", False),
        ("2025-05-01T10:00:00Z", "2025-05-01", False),
        ("2025-05-01T10:00:00Z", "2025-05-01T10:00:00Z", False),
    ],
)
def test_an_interval_that_ends_before_it_begins_is_refused(archive, since, until, is_empty):
    with hp.open(str(archive)) as opened:
        if is_empty:
            with pytest.raises(hp.HealthProbeDataError, match="since is later than until") as failure:
                opened.records(since=since, until=until)
            assert failure.value.code == "usage"
        else:
            assert opened.records(types=["BodyMass"], since=since, until=until).read_all() is not None


def test_dates_of_python_are_taken(archive):
    with hp.open(str(archive)) as opened:
        counts = [
            opened.records(types=["StepCount"], since=since).read_all().num_rows
            for since in ("2025-05-01", datetime.date(2025, 5, 1), datetime.datetime(2025, 5, 1))
        ]
    assert counts[0] == counts[1] == counts[2] > 0


def test_every_table_is_a_reader_that_others_take(archive):
    with hp.open(str(archive)) as opened:
        for name in ("observations", "types", "daily", "groups", "members", "defects", "records"):
            reader = getattr(opened, name)()  # noqa: F841 - DuckDB finds it by its name
            assert duckdb.sql("SELECT count(*) FROM reader").fetchall()[0][0] > 0, name


def test_errors_have_codes(archive, tmp_path):
    with pytest.raises(hp.HealthProbeDataError) as failure:
        hp.open(str(tmp_path / "none"))
    assert failure.value.code == "noArchive" and failure.value.exit_code == 66
    with hp.open(str(archive)) as opened:
        for at in (0, 4, "latest~3", "third"):
            with pytest.raises(hp.HealthProbeDataError) as failure:
                opened.records(at=at)
            assert failure.value.code == "unknownObservation"
        # What healthprobe records refuses, too.
        for since in ("yesterday", "20250301", "2025-W10", "2025-03-01T10"):
            with pytest.raises(hp.HealthProbeDataError) as failure:
                opened.records(since=since)
            assert failure.value.code == "usage"


def test_one_type_is_a_text_too(archive):
    with hp.open(archive) as opened:
        one, several = (opened.records(types=types).read_all() for types in ("BodyMass", ["BodyMass"]))
        assert one == several and one.num_rows > 5
        assert opened.daily("BodyMass").read_all().num_rows > 5


def test_a_type_that_the_archive_does_not_have_is_warned_of(archive):
    with hp.open(archive) as opened, pytest.warns(UserWarning, match="no such type: HeartRaet$"):
        assert opened.records(types=["BodyMass", "HeartRaet"]).read_all().num_rows > 5
    with hp.open(archive) as opened, warnings.catch_warnings():
        warnings.simplefilter("error")
        assert opened.types("bodym*").read_all().num_rows > 2


def test_a_reader_ends_with_its_archive(archive):
    with hp.open(archive) as opened:
        unread, begun = opened.records(), opened.records()
        assert begun.read_next_batch().num_rows
        table = opened.daily()
    for reader in (unread, begun, table):
        with pytest.raises(hp.HealthProbeDataError) as failure:
            reader.read_all()
        assert failure.value.code == "usage" and "with block" in failure.value.hint
    with pytest.raises(hp.HealthProbeDataError):
        opened.records().read_all()


def test_polars_takes_a_reader(archive):
    polars = pytest.importorskip("polars")
    with hp.open(str(archive)) as opened:
        frame = polars.from_arrow(opened.records(at="latest", types=["BodyMass"]).read_all())
    assert frame.height > 5 and frame["value"].min() > 20


def test_r_reads_the_files(tables):
    import shutil
    import subprocess

    if not shutil.which("Rscript"):
        pytest.skip("R is not installed")
    script = f'cat(nrow(arrow::read_parquet("{tables}/records.parquet")))'
    done = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
    if "there is no package" in done.stderr:
        pytest.skip("R's arrow is not installed")
    assert int(done.stdout) > 1000
