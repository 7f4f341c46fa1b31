"""A lake and exports in an object store: a local server of S3's protocol."""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
import sys
import time
import urllib.request

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import study as studies
from healthprobe_data.cohort.objects import Objects
from healthprobe_data.command import main
from study import tables

pytestmark = pytest.mark.cohort


@pytest.fixture(scope="module")
def server():
    """The address of a bucket, as a function of the path in it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(
                    urllib.request.Request(f"http://127.0.0.1:{port}/bucket", method="PUT"), timeout=5
                )
                break
            except OSError:
                time.sleep(0.2)
        yield lambda path: f"s3://bucket/{path}?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("place", ["local", "s3"])
def test_objects(place, server, tmp_path):
    store = Objects(str(tmp_path / "x") if place == "local" else server("objects"))
    assert store.find("a/one") is None and store.read("a/one") is None and list(store.list("a")) == []
    store.put("a/one", b"first")
    before = store.find("a/one")
    assert before.bytes == 5 and store.read("a/one") == b"first"
    (tmp_path / "two").write_bytes(b"x" * 9_000_000)
    store.put("a/b/two", path=str(tmp_path / "two"))
    assert list(store.list("a")) == ["a/b/two", "a/one"] and store.find("a/b/two").bytes == 9_000_000
    assert store.fetch(str(tmp_path / "copy"), "a/b/two") == 9_000_000
    assert (tmp_path / "copy").stat().st_mtime_ns == store.find("a/b/two").modified
    assert store.find("x" * 300) is None
    time.sleep(1.1)
    store.put("a/one", b"other")
    assert store.read("a/one") == b"other" and store.find("a/one").tag != before.tag
    assert store.delete("a/one") and not store.delete("a/one")
    with pytest.raises(FileNotFoundError):
        store.fetch(str(tmp_path / "none"), "a/none")


@pytest.mark.parametrize("place", ["local", "s3"])
def test_a_name_may_have_a_number_sign(place, server, tmp_path):
    def one(name):
        return Objects(f"file://{tmp_path}/{name}" if place == "local" else server(name))

    one("a#1.zip").put("", b"one")
    one("a#2.zip").put("", b"other")
    assert one("a#1.zip").read() == b"one" and one("a").find() is None


@pytest.mark.parametrize("place", ["local", "s3"])
def test_objects_are_replaced_together(place, server, tmp_path):
    store = Objects(str(tmp_path / "x") if place == "local" else server("replaced"))
    for name in ("a/one", "a/old", "last"):
        store.put(name, b"first")
    (tmp_path / "two").write_bytes(b"two")
    (tmp_path / "two").chmod(0o600)
    with pytest.raises(FileNotFoundError):
        store.replace({"a/one": b"new", "a/two": str(tmp_path / "none"), "last": b"new"}, ["a/old"])
    # In folders nothing has changed; in a store the last one has not.
    assert store.read("last") == b"first" and store.find("a/old")
    if place == "local":
        assert store.read("a/one") == b"first" and list(store.list("")) == ["a/old", "a/one", "last"]
    store.replace({"a/one": b"new", "a/two": str(tmp_path / "two"), "last": b"new!"}, ["a/old", "a/none"])
    assert store.sizes("") == {"a/one": 3, "a/two": 3, "last": 4}
    if place == "local":
        modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "x").rglob("*") if path.is_file()}
        assert modes["two"] == 0o600 and modes["one"] != 0o600


def test_what_is_being_written_is_no_part_of_a_table(tmp_path, monkeypatch):
    """Whoever reads the folder of a table, also after a kill."""
    store, copy = Objects(str(tmp_path)), Objects._copy
    pq.write_table(pa.table({"n": [1, 2, 3]}), tmp_path / "one")
    store.put("records/one.parquet", path=str(tmp_path / "one"))
    counts = []

    def watched(self, target, content):
        copy(self, target, content)
        counts.append(pq.read_table(tmp_path / "records").num_rows)

    monkeypatch.setattr(Objects, "_copy", watched)
    store.put("records/one.parquet", path=str(tmp_path / "one"))
    assert counts == [3] and list(store.list("records")) == ["records/one.parquet"]


def test_a_lake_in_s3_is_the_same(study, lake, server, tmp_path, capsys):
    ids = ("person 5", "person 8", "encrypted")
    rows = []
    for number, (id, path) in enumerate(row for row in studies.rows_of(study.manifest) if row[0] in ids):
        Objects(server(f"exports/{number}.zip")).put("", path=path)
        rows.append((id, server(f"exports/{number}.zip")))
    given = studies.write(tmp_path / "m.csv", [*rows, ("absent", server("exports/none.zip"))])
    target = server("lake")
    assert main(["ingest", *study.options(target, given), "--master", "local[2]", "--json"]) == 3
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["outcomes"] == {"completed": 2, "failed": 2} and summary["codes"] == {
        "encrypted": 1,
        "noSuchInput": 1,
    }
    store = Objects(target)
    for folder in ("types", "records"):
        for name in store.list(folder):
            assert (
                pq.ParquetFile(pa.BufferReader(store.read(name))).read().equals(pq.ParquetFile(lake / name).read())
            ), name
    found = {
        name: hashlib.sha256(store.read(name)).hexdigest()
        for folder in ("records", "types", "observations", "groups", "members", "daily", "defects")
        for name in store.list(folder)
    }
    names = {study.name(id) for id in ids}
    assert found == {
        path: digest for path, digest in tables(lake).items() if path.split("/")[-1].split(".")[0] in names
    }
    assert len(found) == 14
    assert main(["verify", "--lake", target]) == 0
    assert main(["participant", "person 5", *study.options(target, given)]) == 0
    assert main(["withdraw", "person 5", "--lake", target, "--secret-file", str(study.secret)]) == 0
    assert not [
        name for folder in ("records", "status") for name in store.list(folder) if study.name("person 5") in name
    ]
    assert main(["verify", "--lake", target]) == 0
