"""One archive of HealthProbe, opened read-only; files of another kind or schema are refused."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from . import __version__
from .errors import HealthProbeDataError, damage, damaged
from .pseudonyms import Key
from .reading import Connection

#: What SQLite's header of an archive has as application id: ``HPrb``.
APPLICATION_ID = 0x48507262
#: The one schema version that this release knows.
SCHEMA_VERSION = 4


@dataclass(frozen=True)
class Observation:
    """A finished import in its place in the chain."""

    id: int
    position: int
    observed_at: int
    status: str
    program: str
    type_selection: str
    stream_digest: str
    state_digest: str
    columns: dict = field(compare=False, hash=False, default_factory=dict)


def default_path() -> str:
    """Where the program looks for an archive that nobody names."""
    named = os.environ.get("HEALTHPROBE_ARCHIVE")
    return named or os.path.join(data_folder(), "HealthProbeArchive.sqlite")


def data_folder() -> str:
    """The program's folder below ``XDG_DATA_HOME``."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(home, "healthprobe")


class ArchiveFile:
    """An archive and one chain of it.

    :raises HealthProbeDataError: ``noArchive``, ``notAnArchive``, ``newerArchive``, ``olderArchive``, ``unknownChain``
    """

    @damage()
    def __init__(self, path: str, chain: str = "default"):
        self.path = path
        _require_archive(path)
        self.connection = Connection(path)
        try:
            self._require_version()
            self.metadata = dict(
                self.connection.rows("SELECT key, value FROM archive_metadata", [("key", "text"), ("value", "text")])
            )
            self.chain_name = chain
            self.chain = self._chain(chain)
            self.observations = self._observations()
            self.types = dict(
                self.connection.rows(
                    "SELECT id, type_identifier FROM sample_types", [("id", "int"), ("identifier", "text")]
                )
            )
            # Tables and self-check go by this list: what is missing in it would be in neither.
            missing = "SELECT sample_type_id FROM type_runs EXCEPT SELECT id FROM sample_types"
            if self.connection.value(f"SELECT EXISTS ({missing})"):
                raise damaged("A type has no row in sample_types.")
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        """Closes the archive."""
        self.connection.close()

    @property
    def ids(self) -> str:
        """The ids of the chain's observations for an SQL list, in chain order."""
        return ", ".join(str(observation.id) for observation in self.observations) or "-1"

    @property
    def positions(self) -> dict[int, int]:
        """Chain position by observation id."""
        return {observation.id: observation.position for observation in self.observations}

    def places(self, ids: pa.Array) -> pa.Array:
        """Chain positions of a column of observation ids; null where there is no id.

        :raises HealthProbeDataError: ``archiveDamaged`` where the chain has no such observation
        """
        found = pc.index_in(ids, pa.array([observation.id for observation in self.observations], pa.int64()))
        if found.null_count != ids.null_count:
            raise damaged("A row has an unknown observation.")
        return pc.add(found, 1).cast(pa.int16())

    def seal_head(self) -> dict | None:
        """Number and hash of the newest seal; None without one."""
        rows = self.connection.rows(
            "SELECT sequence, lower(hex(seal)) FROM seals ORDER BY sequence DESC LIMIT 1",
            [("sequence", "int"), ("seal", "text")],
        )
        return {"sequence": rows[0][0], "seal": rows[0][1]} if rows else None

    def state(self, tables_version: str, key_id: str | None) -> str:
        """Sixteen digits over what decides the tables' content: stream digests in chain order, selections of types,
        version of tables and programs, id of the key."""
        content = {
            "key": key_id,
            "package": __version__,
            "programs": [observation.program for observation in self.observations],
            "selections": [observation.type_selection for observation in self.observations],
            "streams": [observation.stream_digest for observation in self.observations],
            "tables": tables_version,
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(("hp:v2:tables-state:" + text).encode()).hexdigest()[:16]

    def read_key(self, secret_file: str | None) -> Key:
        """The archive's key, from a file or from where the program looks for it.

        :raises HealthProbeDataError: ``keyUnreadable``, ``wrongKey``
        """
        if secret_file is None:
            folder = os.path.join(data_folder(), "keys")
            secret_file = os.path.join(folder, self.metadata.get("archive_uuid", "") + ".key")
            if os.path.isdir(folder) and os.stat(folder).st_mode & 0o077:
                raise HealthProbeDataError(
                    "keyUnreadable",
                    "Other users can enter the folder of the archive's key.",
                    f"Run: chmod 700 {folder}",
                )
        key = Key.read(secret_file)
        if key.id != self.metadata.get("key_id"):
            raise HealthProbeDataError(
                "wrongKey",
                f"This is not the archive's key: its id is {key.id}, the archive's {self.metadata.get('key_id')}.",
                "Give the file that healthprobe key export wrote for this archive.",
            )
        return key

    def _require_version(self) -> None:
        version = self.connection.value("SELECT user_version FROM pragma_user_version")
        if version > SCHEMA_VERSION:
            raise HealthProbeDataError(
                "newerArchive",
                f"A newer HealthProbe made this archive (schema {version}; this package knows {SCHEMA_VERSION}).",
                "Update healthprobe-data: pip install --upgrade ./python",
            )
        if version < SCHEMA_VERSION:
            raise HealthProbeDataError(
                "olderArchive",
                f"An earlier HealthProbe made this archive (schema {version}; this package knows {SCHEMA_VERSION}).",
                "Run healthprobe archive migrate, or import the exports again.",
            )

    def _chain(self, name: str) -> int:
        chains = dict(self.connection.rows("SELECT name, id FROM device_chains", [("name", "text"), ("id", "int")]))
        if name not in chains:
            raise HealthProbeDataError(
                "unknownChain",
                "The archive has no such chain.",
                "Its chains: " + ", ".join(sorted(chains)) if chains else "Import an export first.",
            )
        return chains[name]

    def _observations(self) -> list[Observation]:
        text = ("status", "program", "type_selection", "export_version", "time_zone", "stopped_reason")
        blobs = ("stream_digest", "state_digest")
        numbers = ("offset_seconds", "xml_byte_count", "stopped_line", "stopped_byte")
        names = [("id", "int"), ("observed_at", "int")]
        names += [(name, "text") for name in text] + [(name, "blob") for name in blobs]
        names += [(name, "int") for name in numbers]
        rows = self.connection.rows(
            f"""SELECT {", ".join(name for name, _ in names)} FROM imports
            WHERE device_chain_id = {self.chain} AND status IN ('partial', 'completed')
            ORDER BY observed_at, status = 'completed', xml_sha256, id""",
            names,
        )
        found = []
        for position, row in enumerate(rows, 1):
            values = dict(zip([name for name, _ in names], row))
            found.append(
                Observation(
                    values["id"],
                    position,
                    values["observed_at"],
                    values["status"],
                    values["program"],
                    values["type_selection"] or "[]",
                    printed_digest(values["stream_digest"]),
                    printed_digest(values["state_digest"]),
                    values,
                )
            )
        return found


def printed_digest(digest: bytes | None) -> str:
    """A stream or state digest as JSON prints it; empty without one."""
    return hashlib.sha256(b"hp:v2:state:" + digest).hexdigest() if digest else ""


def _require_archive(path: str) -> None:
    if not os.path.exists(path):
        raise HealthProbeDataError(
            "noArchive", f"There is no archive at {path}.", "Name it with --archive, or import an export first."
        )
    header = b""
    try:
        # Opening a named pipe would wait for ever.
        if os.path.isfile(path):
            with open(path, "rb") as file:
                header = file.read(100)
    except OSError as error:
        raise HealthProbeDataError(
            "inputOutput",
            f"The archive {path} cannot be read.",
            "Check its permissions.",
            os.strerror(error.errno or 0),
        ) from None
    if header[:16] != b"SQLite format 3\0" or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise HealthProbeDataError(
            "notAnArchive", f"{path} is not an archive of HealthProbe.", "Name another one with --archive."
        )
