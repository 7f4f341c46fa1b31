"""One participant: all exports of one chain into one archive, its tables into the lake. The unit of work.

An export that is refused is a result, kept in the status. What the system is at fault for (disk, network, a killed
process) is raised, so that it is tried again elsewhere; the lake then has what it had before.
"""

from __future__ import annotations

import errno
import os
import time
import zipfile

import pyarrow as pa

from .. import __version__, parquet
from ..archive import ArchiveFile
from ..errors import HealthProbeDataError
from ..provenance import Provenance
from ..pseudonyms import Key
from ..tables import zones
from ..tables.source import TableSource
from . import shared_exports
from . import status as statuses
from .lake import Lake, pseudonym
from .manifest import Participant
from .objects import Objects
from ..program import Program, Runner, sha256
from .scratch import Scratch, scratch
from .settings import Settings

#: Bytes of scratch that any participant needs.
_LEAST_ROOM = 256 << 20
#: What a survey names as the type of daily metrics.
_DAILY_METRICS = "DailyMetrics"
_CHARACTERISTIC = "HKCharacteristicType"
_CONTRADICTED = "zoneContradicted"
#: How much larger than its zip an XML may be whose size cannot be read.
_UNKNOWN_RATIO = 15
#: The most bytes that one of DEFLATE's can stand for: a zip's directory may state any size.
_MOST_DEFLATED = 1032


def ingest(participant: Participant, settings: Settings, told: list[str] | None = None) -> dict:
    """Takes a participant in and returns the status, of an earlier run where nothing has changed.

    :param told: gets a line for each refused export, with its address, its code and what the program says
    :raises HealthProbeDataError: where another try may succeed
    """
    lake = Lake(settings.lake)
    key = Key.read(settings.secret_file, "usage")
    lake.agree(key, settings.types)
    name = pseudonym(key, participant.id)
    program = Program.find(settings.program)
    if lake.is_withdrawn(name):
        lake.remove(name)
        return {"participant": name, "outcome": "withdrawn", "error": None, "inputs": []}
    inputs = statuses.inputs_of(participant, key)
    known = statuses.read(lake, name)

    def size(name: str) -> int | None:
        found = lake.objects.find(name)
        return found.bytes if found else None

    if statuses.is_current(known, inputs, program, settings, size) and not shared_exports.is_alone(lake, known):
        lake.objects.delete(lake.exhausted_name(name))
        return known
    expected = (settings.program_sha256, settings.package, settings.version or program.version)
    if (program.sha256, __version__, program.version) != expected:
        raise HealthProbeDataError(
            "programDiffers", "This node has another healthprobe.", "Install the same program and package on all nodes."
        )
    with scratch(settings.scratch) as folder:
        status = statuses.new(name, inputs, program)
        status["kept"] = name in settings.keep or bool(known and known.get("kept"))
        attempt = _Attempt(participant, settings, lake, key, program, folder, status)
        try:
            attempt.run()
        finally:
            if told is not None:
                told += attempt.refused()
        return status


class _Attempt:
    """One try at one participant, in a scratch folder of its own."""

    def __init__(
        self,
        participant: Participant,
        settings: Settings,
        lake: Lake,
        key: Key,
        program: Program,
        folder: Scratch,
        status: dict,
    ):
        self.participant, self.settings, self.lake, self.key = participant, settings, lake, key
        self.folder, self.status = folder, status
        # A secret that is mounted as a link, or readable by a group, is what the program refuses.
        self.secret = folder.file("secret")
        with os.fdopen(os.open(self.secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key.bytes)
        self.archive = folder.file("archive.sqlite")
        self.runner = Runner(program, self.archive, self.secret, folder.path)
        self.by_uri = {entry["uri"]: entry for entry in status["inputs"]}
        #: What the program said of refused exports, by code.
        self.messages: dict[str, str] = {}
        #: What comes into the lake beside the status: local files by the names of objects.
        self.objects: dict[str, str] = {}

    def refused(self) -> list[str]:
        """A line for each export that is no complete observation."""
        found = []
        for export in self.participant.exports:
            code = self.by_uri[self.key.short(export.uri, "export")]["outcome"]
            if code not in ("completed", None):
                message = self.messages.get(code)
                found.append(f"{export.uri}: {code}" + (f": {message}" if message else ""))
        return found

    def run(self) -> None:
        """Imports, analyses, writes tables and puts them, the status last."""
        self.folder.require(self._room())
        try:
            self._make()
            self._commit()
        except (OSError, pa.ArrowException, LookupError, TypeError) as error:
            # The latter two are answers of another program than this package knows.
            code = "diskFull" if getattr(error, "errno", None) == errno.ENOSPC else "inputOutput"
            raise HealthProbeDataError(
                code, "A participant could not be taken in.", "Run ingest again.", type(error).__name__
            ) from None

    def _make(self) -> None:
        try:
            files = self._fetch()
            self._import(files)
            if self.status["observations"]:
                self._analyse()
                self._write_tables()
            else:
                self.status["error"] = next(
                    (e["outcome"] for e in self.status["inputs"] if e["outcome"]), "noSuchInput"
                )
        except HealthProbeDataError as error:
            if error.code not in ("integrityFailure", "archiveDamaged"):
                raise
            nothing = {"rows": {}, "bytes": {}, "sha256": {}, "state": None, "archive": None}
            self.status |= {"outcome": "failed", "error": error.code} | nothing
            quarantine = self.lake.archive_name(self.status["participant"], "quarantine")
            self.objects = {quarantine: self.archive} if os.path.exists(self.archive) else {}

    def _room(self) -> int:
        zips = xmls = 0
        for export in self.participant.exports:
            found = Objects(export.uri).find()
            if found:
                zips += found.bytes
                xmls += _xml_bytes(export.uri, found.bytes)
        return zips + xmls // 2 + _LEAST_ROOM

    def _fetch(self) -> list[tuple[str, dict, list[str]]]:
        """The exports that are there: local file, entry of the status, options of the import."""
        began = time.monotonic()
        found = []
        for number, export in enumerate(self.participant.exports, 1):
            entry = self.by_uri[self.key.short(export.uri, "export")]
            path = self.folder.file(f"{number}.zip")
            if Objects(export.uri).find() is None:
                entry["outcome"] = "noSuchInput"
                continue
            Objects(export.uri).fetch(path)
            options = ["--time-zone", export.time_zone] if export.time_zone else []
            found.append((path, entry, options + (["--observed-at", export.observed_at] if export.observed_at else [])))
        self.runner.add("fetch", time.monotonic() - began, 0.0)
        self.folder.measure()
        return found

    def _import(self, files: list[tuple[str, dict, list[str]]]) -> None:
        common = ["--keep-source", "reference", "--chain", self.participant.chain]
        common += [part for name in self.settings.only for part in ("--type", name)]
        common += [part for name in self.settings.without for part in ("--exclude-type", name)]
        plain = [path for path, _, options in files if not options]
        if len(plain) > 1:
            self._take_in(self.runner.run("import", "import", *common, *plain), files)
        for path, entry, options in files:
            if entry["outcome"] is None:
                answer = self.runner.run("import", "import", *common, *options, path)
                self._take_in(answer, files)
                if entry["outcome"] is None and not answer.code:
                    raise _silent()
                if entry["outcome"] is None:
                    is_cut = answer.code == "notAHealthExport" and _is_cut_zip(path)
                    entry["outcome"] = "truncated" if is_cut else answer.code
                    self.messages[entry["outcome"]] = answer.message
            os.unlink(path)
        self.folder.measure()
        outcomes = {entry["outcome"] for _, entry, _ in files} | {e["outcome"] for e in self.status["inputs"]}
        self.status["outcome"] = "completed" if outcomes == {"completed"} else "partial"
        if not self.status["observations"]:
            self.status["outcome"] = "failed"

    def _take_in(self, answer, files: list[tuple[str, dict, list[str]]]) -> None:
        if answer.exit == 4:
            raise HealthProbeDataError(
                "integrityFailure", "An import failed its own checks.", "See the quarantine.", answer.code
            )
        entries = {os.path.basename(path): entry for path, entry, _ in files}
        for line in answer.lines:
            if not str(line.get("schema", "")).startswith("healthprobe.import/"):
                continue
            observation = line["observation"]
            name = (line.get("offered") or observation["source"])["name"]
            if name in entries:
                digest = observation["source"]["xmlSHA256"]
                entries[name] |= {"outcome": observation["status"], "xml": self.key.pseudonym(digest, "xml")}
                self.status["observations"] += not line["alreadyImported"]
                if not any(each["read"] for each in line["types"] if not each["type"].startswith(_CHARACTERISTIC)):
                    self._leave_out(entries[name], observation)

    def _leave_out(self, entry: dict, observation: dict) -> None:
        """Withdraws an export without records: after it, everything would have disappeared."""
        entry["outcome"] = "empty"
        self.messages["empty"] = "The export has no records."
        confirmed = ("--reason", "no records", "--confirm", os.path.basename(self.archive))
        place = (str(observation["id"]), "--chain", self.participant.chain)
        self._require(self.runner.run("import", "observation", "withdraw", *place, *confirmed))
        self.status["observations"] -= 1

    def _analyse(self) -> None:
        chain = ("--chain", self.participant.chain)
        self._require(self.runner.run("consolidation", "consolidation", "first", "latest", "--through", *chain))
        answer = self.runner.run("survey", "survey", "--exact", *chain)
        self._require(answer)
        self.status["survey"] = _printed(answer.lines[0], Provenance("hashed", self.key))
        if self.settings.check:
            self._require(self.runner.run("check", "check"))
        self._require(seal := self.runner.run("seal", "seal"))
        self.status["checkpoint"] = {name: seal.lines[0][name] for name in ("sequence", "head")}

    @staticmethod
    def _require(answer) -> None:
        if answer.exit not in (0, 3):
            raise HealthProbeDataError(
                "integrityFailure", "The archive is not as it should be.", "See the quarantine.", answer.code
            )
        if not answer.lines:
            raise _silent()

    def _write_tables(self) -> None:
        """Writes the tables; a copy of the archive too, where it is to be kept."""
        began, cpu = time.monotonic(), time.process_time()
        name = self.status["participant"]
        folder = self.folder.file("tables")
        os.mkdir(folder, 0o700)
        archive = ArchiveFile(self.archive, self.participant.chain)
        try:
            provenance = Provenance("hashed", self.key)
            source = TableSource(archive, provenance, None, name, self.key.id, self.runner)
            if any(row["contradicted"] for row in zones.rows(source)):
                self.status["warnings"].append(_CONTRADICTED)
                if self.settings.strict:
                    self.status |= {"outcome": "failed", "error": _CONTRADICTED, "survey": None}
                    return
            manifest = parquet.write(source, folder)
            self.status["unknownTypes"] = self.settings.types.unmatched(archive.types.values())
        finally:
            archive.close()
        self.folder.measure()
        self.runner.add("tables", time.monotonic() - began, time.process_time() - cpu)
        for table in manifest["tables"]:
            self.objects[self.lake.table_name(table, name)] = os.path.join(folder, f"{table}.parquet")
        self.status["state"] = manifest["state"]
        for what in ("rows", "bytes", "sha256"):
            self.status[what] = {table: described[what] for table, described in manifest["tables"].items()}
        if self.settings.keep_archive:
            self._keep_archive(self.lake.archive_name(name))

    def _keep_archive(self, object: str) -> None:
        copy = self.folder.file("backup.sqlite")
        self._require(self.runner.run("backup", "archive", "backup", copy))
        self.folder.measure()
        self.objects[object] = copy
        self.status["archive"] = {"object": object, "bytes": os.path.getsize(copy), "sha256": sha256(copy)}

    def _commit(self) -> None:
        """Puts what was made, deletes what the participant had before and has no longer, and puts the status."""
        name = self.status["participant"]
        self.status["seconds"] = {
            step: [round(value, 3) for value in both] for step, both in self.runner.seconds.items()
        }
        self.status["peakScratchBytes"] = self.folder.peak
        # Two first runs with other secrets or types may both have found no lake.
        self.lake.agree(self.key, self.settings.types)
        put = self.objects | {self.lake.status_name(name): statuses.text(self.status)}
        try:
            self.lake.objects.replace(put, without=[old for old in self.lake.names_of(name) if old not in put])
        finally:
            # A withdrawal that came meanwhile wins, also where it has taken a file away that was to get its name.
            if self.lake.is_withdrawn(name):
                self.lake.remove(name)
                self.status |= {"outcome": "withdrawn", "error": None}


def _silent() -> HealthProbeDataError:
    return HealthProbeDataError("inputOutput", "healthprobe answered nothing.", "Check --program and run ingest again.")


def _printed(survey: dict, provenance: Provenance) -> dict:
    """An exact survey with no text but what a table may have."""
    words = {
        "type": lambda text: text if text == _DAILY_METRICS else provenance.type(text),
        "exportVersion": provenance.version,
        "phone": provenance.hardware,
        "watch": provenance.hardware,
    }

    def reduced(value, name: str = ""):
        if isinstance(value, dict):
            named = provenance.field if name == "fields" else str
            return {named(key): reduced(part, key) for key, part in value.items()}
        if isinstance(value, list):
            return [reduced(part, "exportVersion" if name == "versions" else name) for part in value]
        return words[name](value) if name in words and isinstance(value, str) else value

    return reduced(survey)


def _is_cut_zip(path: str) -> bool:
    """Whether a file begins as a zip and lacks the end of one."""
    with open(path, "rb") as file:
        return file.read(2) == b"PK" and not zipfile.is_zipfile(path)


def _xml_bytes(uri: str, zip_bytes: int) -> int:
    """The size of the main XML as the zip's directory states it; an upper guess where that cannot be read."""
    try:
        with Objects(uri).open() as file, zipfile.ZipFile(file) as archive:
            members = (info for info in archive.infolist() if info.filename.endswith(".xml"))
            most = ((info.file_size, _MOST_DEFLATED * min(info.compress_size, zip_bytes)) for info in members)
            return max(map(min, most), default=0)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return _UNKNOWN_RATIO * zip_bytes
