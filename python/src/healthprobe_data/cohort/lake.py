"""A lake: where the tables of each participant are, and what all of them have in common.

``<p>`` is the participant's pseudonym, ``bucket`` its first two digits. The status of a participant is the commit: it is
written last, in one put.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable

from ..errors import HealthProbeDataError
from ..pseudonyms import Key
from ..tables import TABLES
from ..tables.source import VERSION
from ..type_names import TypeFilter
from .objects import Objects

LAKE_SCHEMA = "healthprobe.lake/1"
_DESCRIPTION = "_lake.json"
#: Where the objects are that a status tells of.
OBJECT_FOLDERS = (*TABLES, "archives")
#: Where a participant may have objects beside the tombstone, the status last.
FOLDERS = (*OBJECT_FOLDERS, "quarantine", "exhausted", "status")


def pseudonym(key: Key, participant: str) -> str:
    """The 16 digits by which a lake names a participant."""
    return key.short(participant, "participant")


def is_unfinished(name: str) -> bool:
    """Whether an object is what a run is writing, or was when it was killed."""
    return ".writing-" in posixpath.basename(name)


class Lake:
    """The objects of one lake."""

    def __init__(self, uri: str):
        self.uri = uri
        self.objects = Objects(uri)

    def describe(self) -> dict:
        """What ``_lake.json`` says.

        :raises HealthProbeDataError: ``noLake``, ``newerLake``
        """
        content = self.objects.read(_DESCRIPTION)
        if content is None:
            raise HealthProbeDataError(
                "noLake", "There is no lake at the address.", "Make one with healthprobe-data ingest."
            )
        try:
            found = json.loads(content)
        except ValueError:
            found = {}
        is_known = isinstance(found, dict) and (found.get("schema"), found.get("tables")) == (LAKE_SCHEMA, VERSION)
        if not is_known or not isinstance(found.get("keyID"), str):
            raise HealthProbeDataError(
                "newerLake",
                "The lake was made by another version of this package, or its _lake.json is damaged.",
                "Use the version that made it, or a new lake.",
            )
        return found

    @property
    def exists(self) -> bool:
        """Whether the lake was made."""
        return self.objects.find(_DESCRIPTION) is not None

    def agree(self, key: Key, types: TypeFilter) -> None:
        """Writes ``_lake.json`` where there is none; else key and selection of types must be the lake's.

        :raises HealthProbeDataError: ``wrongKey``, ``lakeDiffers``, ``newerLake``
        """
        wanted = {
            "schema": LAKE_SCHEMA,
            "tables": VERSION,
            "keyID": key.id,
            "types": {"only": types.only, "without": types.without},
        }
        if not self.exists:
            self._describe(wanted | {"named": []})
        self.require_key(key)
        if self.describe() | {"named": []} != wanted | {"named": []}:
            raise HealthProbeDataError(
                "lakeDiffers",
                "The lake has another selection of types.",
                "Give the same --type and --exclude-type, or another lake.",
            )

    def require_key(self, key: Key) -> None:
        """Makes sure that the secret is the lake's.

        :raises HealthProbeDataError: ``wrongKey``
        """
        found = self.describe()["keyID"]
        if found != key.id:
            raise HealthProbeDataError(
                "wrongKey",
                f"This is not the lake's secret: its id is {key.id}, the lake's {found}.",
                "Give the study's secret.",
            )

    def named(self) -> set[str]:
        """The pseudonyms of everybody whom a manifest named."""
        return set(self.describe().get("named", []))

    def note_named(self, participants: set[str]) -> None:
        """Adds to those whom a manifest named."""
        described = self.describe()
        if participants - set(described.get("named", [])):
            self._describe(described | {"named": sorted(participants.union(described.get("named", [])))})

    def _describe(self, found: dict) -> None:
        self.objects.put(_DESCRIPTION, (json.dumps(found, indent=1, sort_keys=True) + "\n").encode())

    @staticmethod
    def status_name(participant: str) -> str:
        """The name of a participant's status."""
        return f"status/bucket={participant[:2]}/{participant}.json"

    @staticmethod
    def table_name(table: str, participant: str) -> str:
        """The name of a participant's file of a table."""
        return f"{table}/bucket={participant[:2]}/{participant}.parquet"

    @staticmethod
    def archive_name(participant: str, folder: str = "archives") -> str:
        """The name of a participant's archive, kept with ``--keep-archive`` or because it is broken (``quarantine``)."""
        return f"{folder}/bucket={participant[:2]}/{participant}.sqlite"

    @staticmethod
    def tombstone_name(participant: str) -> str:
        """The name of what a withdrawn participant leaves."""
        return f"withdrawn/{participant}.json"

    @staticmethod
    def exhausted_name(participant: str) -> str:
        """The name of the note that the last attempts at a participant came to nothing; the next status deletes it."""
        return f"exhausted/bucket={participant[:2]}/{participant}.json"

    def note_exhausted(self, participant: str, code: str) -> None:
        """Notes that the attempts at a participant came to nothing."""
        note = {"schema": "healthprobe.exhausted/1", "participant": participant, "error": code}
        self.objects.put(self.exhausted_name(participant), (json.dumps(note) + "\n").encode())

    def exhausted(self) -> dict[str, str]:
        """The codes of those that are noted as exhausted, by pseudonym."""
        found = {}
        for participant in self.participants("exhausted"):
            content = self.objects.read(self.exhausted_name(participant))
            try:
                found[participant] = str(json.loads(content or "{}")["error"])
            except (ValueError, KeyError, TypeError):
                found[participant] = "exhausted"
        return found

    def is_withdrawn(self, participant: str) -> bool:
        """Whether a participant was withdrawn."""
        return self.objects.find(self.tombstone_name(participant)) is not None

    @staticmethod
    def owner(name: str) -> str:
        """The participant whose object it is, also one that is being written."""
        return posixpath.basename(name).lstrip(".").split(".")[0]

    def names_of(self, participant: str) -> list[str]:
        """Every object that a participant has but the tombstone, unfinished ones too; the status comes last."""
        folders = (f"{folder}/bucket={participant[:2]}" for folder in FOLDERS)
        return [name for folder in folders for name in self.objects.list(folder) if self.owner(name) == participant]

    def participants(self, folder: str) -> list[str]:
        """The pseudonyms of those that have an object in a folder, in order."""
        return sorted({self.owner(name) for name in self.objects.list(folder) if not is_unfinished(name)})

    def delete(self, names: Iterable[str]) -> list[str]:
        """Deletes objects; the names of those that there were."""
        return [name for name in names if self.objects.delete(name)]

    def remove(self, participant: str) -> list[str]:
        """Deletes what a participant has but the tombstone; the names of it."""
        return self.delete(self.names_of(participant))
