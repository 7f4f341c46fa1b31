"""A study for the tests: 24 synthetic phones, and what goes wrong in real ones."""

from __future__ import annotations

import csv
import hashlib
import json
import random
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

import programs
from healthprobe_data.cohort.lake import pseudonym
from healthprobe_data.command import main
from healthprobe_data.pseudonyms import Key

#: What happens to the phones, one after the other.
CHANGES = (
    ["2: condense,delete:HeartRate=0.05"],
    ["2: condense-lagging=0.5", "3: condense"],
    ["2: condense=0.7", "3: recondense=0.5,delete=0.02"],
    ["2: rename:watch", "3: condense", "4: restore"],
    ["2: unit:DistanceWalkingRunning:mi,duplicate=0.02", "3: restore"],
    ["1: condense=0.5", "2: condense"],
)
#: What the generator's names of people, devices and apps have in them: none of it may be in a lake or a log.
NAMES = (
    "Robin",
    "Librata",
    "Cuffline",
    "Glucolog",
    "Invented Devices",
    "Trailwinder",
    "Nutrinote",
    "Stillwater",
    "Dreamledger",
    "Meadowbrook",
    "Apple\u00a0Watch",
)


def build(folder: Path, phones: int = 24, heavy: bool = True) -> Path:
    """Writes the exports below ``folder/exports`` and returns the manifest."""
    exports = folder / "exports"
    rows: list[tuple[str, str]] = []
    for seed in range(1, phones + 1):
        changes = CHANGES[seed % len(CHANGES)]
        dumps = 1 if seed in (8, 16) else max(int(change.split(":")[0]) for change in changes)
        applied = [change for change in changes if int(change.split(":")[0]) <= dumps]
        # The last one has 40 times the data.
        records = 10_400 if heavy and seed == phones else 260
        made = programs.phone(exports / f"phone-{seed}", seed, dumps=dumps, records=records, days=230, changes=applied)
        rows += [(f"person {seed}", str(path)) for path in made]
    bad = exports / "bad"
    bad.mkdir(parents=True)
    first, second = (exports / "phone-1" / f"dump-{number}.zip" for number in (1, 2))
    content = first.read_bytes()
    (bad / "truncated.zip").write_bytes(content[: len(content) // 3])
    (bad / "encrypted.zip").write_bytes(encrypted(content))
    (bad / "text.zip").write_text("not a zip")
    (bad / "folder.zip").mkdir()
    with zipfile.ZipFile(bad / "empty.zip", "w") as empty:
        xml = '<HealthData><ExportDate value="2025-06-01 10:00:00 +0000"/><Me HKCharacteristicTypeIdentifierBloodType="X"/>'
        empty.writestr("apple_health_export/export.xml", xml + "</HealthData>")
    shutil.copy(second, bad / "copy.zip")
    rows += [
        ("truncated", str(bad / "truncated.zip")),
        ("encrypted", str(bad / "encrypted.zip")),
        ("no zip", str(bad / "text.zip")),
        ("no records", str(bad / "empty.zip")),
        ("empty folder", str(bad / "folder.zip")),
        ("absent", str(bad / "absent.zip")),
        # Another person's export in a chain.
        ("person 2", str(exports / "phone-3" / "dump-1.zip")),
        # The same export in two participants.
        ("enrolled twice", str(bad / "copy.zip")),
    ]
    return write(folder / "manifest.csv", rows)


def write(path: Path, rows: list[tuple[str, str]], seed: int | None = None) -> Path:
    """Writes a manifest, with a seed in another order and with a row twice."""
    if seed is not None:
        rows = [*rows, rows[0]]
        random.Random(seed).shuffle(rows)
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("participant", "export"), *rows])
    return path


def rows_of(manifest: Path) -> list[tuple[str, str]]:
    """The rows of a manifest."""
    with open(manifest, newline="") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


def encrypted(content: bytes) -> bytes:
    """A zip whose headers say that its members are encrypted."""
    changed = bytearray(content)
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = changed.find(signature)
        while place >= 0:
            changed[place + flags] |= 1
            place = changed.find(signature, place + 4)
    return bytes(changed)


class Study:
    """The exports of a study, its secret, and commands on lakes of it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.manifest = build(folder)
        self.secret = folder / "secret"
        assert main(["key", "new", str(self.secret)]) == 0
        self.key = Key.read(str(self.secret))
        self.scratch = folder / "scratch"

    def options(self, lake, given=None) -> list[str]:
        return [
            "--lake",
            str(lake),
            "--manifest",
            str(given or self.manifest),
            "--secret-file",
            str(self.secret),
            "--program",
            programs.HEALTHPROBE,
            "--scratch",
            str(self.scratch),
        ]

    def participant(self, id, lake, *more, given=None) -> int:
        return main(["participant", id, *self.options(lake, given), *more])

    def name(self, id) -> str:
        return pseudonym(self.key, id)

    def exports(self) -> Iterator[bytes]:
        """The main XML of every export of a phone."""
        for path in self.folder.glob("exports/phone-*/dump-*.zip"):
            with zipfile.ZipFile(path) as archive:
                yield archive.read("apple_health_export/export.xml")


def objects(lake: Path) -> dict[str, bytes]:
    """Every object of a local lake."""
    return {str(path.relative_to(lake)): path.read_bytes() for path in sorted(lake.rglob("*")) if path.is_file()}


def tables(lake: Path) -> dict[str, str]:
    """SHA-256 of every table file."""
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in objects(lake).items()
        if name.endswith(".parquet")
    }


def status(lake: Path, name: str) -> dict:
    return json.loads((lake / "status" / f"bucket={name[:2]}" / f"{name}.json").read_text())


def rows(lake: Path, table: str, name: str) -> list[dict]:
    return pq.ParquetFile(lake / table / f"bucket={name[:2]}" / f"{name}.parquet").read().to_pylist()
