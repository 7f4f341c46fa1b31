"""The status of a participant: what was taken in, and what it came to. It has no path, no name and no message."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from .. import __version__
from ..pseudonyms import Key
from ..tables.source import VERSION
from .lake import Lake
from .manifest import Participant
from .objects import Objects
from .settings import Settings
from ..program import Program

STATUS_SCHEMA = "healthprobe.status/1"
#: Requests to a store at a time.
_THREADS = 16


def inputs_of(participant: Participant, key: Key) -> list[dict]:
    """What is known of a participant's exports without reading them: pseudonym of the address, bytes, tag.

    An export that is not there has null bytes.
    """
    found = []
    for export in participant.exports:
        known = Objects(export.uri).find()
        found.append(
            {
                "uri": key.short(export.uri, "export"),
                "options": key.short(f"{export.time_zone}\n{export.observed_at}\n{participant.chain}", "export"),
                "bytes": known.bytes if known else None,
                "tag": known.tag if known else None,
            }
        )
    return sorted(found, key=lambda entry: entry["uri"])


def read(lake: Lake, participant: str) -> dict | None:
    """A participant's status; None where there is none or it cannot be read."""
    content = lake.objects.read(lake.status_name(participant))
    try:
        found = json.loads(content or b"null")
        return found if _is_whole(found, participant) else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


#: The members that every use of a status relies on. ``bytes`` and later ones may be missing in one of before.
_MEMBERS = {
    "package": str,
    "program": str,
    "outcome": str,
    "error": (str, type(None)),
    "inputs": list,
    "rows": dict,
    "sha256": dict,
    "archive": (dict, type(None)),
    "seconds": dict,
    "survey": (dict, type(None)),
}
_INPUT = {"uri", "options", "bytes", "tag", "outcome", "xml"}


def _is_whole(found, participant: str) -> bool:
    if (found["schema"], found["participant"]) != (STATUS_SCHEMA, participant):
        return False
    if not all(isinstance(found[name], kind) for name, kind in _MEMBERS.items()):
        return False
    if not all(entry.keys() >= _INPUT for entry in found["inputs"]) or not isinstance(found.get("bytes", {}), dict):
        return False
    named = [(found["rows"].values(), int), (found["sha256"].values(), str)]
    if found["archive"] is not None:
        named.append(([found["archive"][name] for name in ("object", "sha256")], str))
    if found["survey"] is not None:
        named.append(([found["survey"][name] for name in ("condensing", "workoutAge", "changes", "shifts")], list))
    return all(isinstance(value, kind) for values, kind in named for value in values)


def read_all(lake: Lake, participants: list[str] | None = None) -> dict[str, dict]:
    """The statuses of all participants, or of these, by pseudonym in order."""
    wanted = lake.participants("status") if participants is None else participants
    with ThreadPoolExecutor(_THREADS) as pool:
        found = pool.map(lambda participant: read(lake, participant), wanted)
        return {participant: status for participant, status in zip(wanted, found) if status}


def refused(found: dict[str, dict]) -> dict[str, int]:
    """How many exports of these statuses were refused, by code."""
    codes = (entry["outcome"] for status in found.values() for entry in status["inputs"])
    return dict(sorted(Counter(code for code in codes if code not in ("completed", "partial", None)).items()))


def text(status: dict) -> bytes:
    """A status as an object."""
    return (json.dumps(status, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def write(lake: Lake, status: dict) -> None:
    """Puts a status: the commit."""
    lake.objects.put(lake.status_name(status["participant"]), text(status))


def is_current(
    status: dict | None, inputs: list[dict], program: Program, settings: Settings, size: Callable[[str], int | None]
) -> bool:
    """Whether a status is that of these exports, taken in by this program and package, and its objects are there.

    Only a program with another SHA-256 is asked for its version.

    :param size: the bytes of an object of the lake; None where there is none
    """
    if status is None:
        return False
    known = sorted(
        ({name: entry[name] for name in ("uri", "options", "bytes", "tag")} for entry in status["inputs"]),
        key=lambda entry: entry["uri"],
    )
    if known != inputs or status["package"] != __version__:
        return False
    if status["outcome"] == "failed" and settings.retry_failed:
        return False
    # The coordinator has decided otherwise since.
    if status["error"] == "sharedExport" and status["participant"] in settings.keep:
        return False
    if "zoneContradicted" in status.get("warnings", []) and settings.strict != (status["outcome"] == "failed"):
        return False
    # What this run is to do was not done then.
    lacks_archive = settings.keep_archive and not status["archive"]
    if status["outcome"] != "failed" and (lacks_archive or settings.check and "check" not in status["seconds"]):
        return False
    # A run that ended in the middle, or somebody's hand, leaves other files than the status tells of.
    if any(size(name) != count for name, count in sizes(status).items()):
        return False
    return status.get("programSHA256") == program.sha256 or status["program"] == program.version


def sizes(status: dict) -> dict[str, int]:
    """The bytes of each object that a status tells of; -1 where it does not say."""
    found = {
        Lake.table_name(table, status["participant"]): status.get("bytes", {}).get(table, -1)
        for table in status["sha256"]
    }
    return found | ({status["archive"]["object"]: status["archive"].get("bytes", -1)} if status["archive"] else {})


def new(participant: str, inputs: list[dict], program: Program) -> dict:
    """A status before anything is known."""
    return {
        "schema": STATUS_SCHEMA,
        "participant": participant,
        "tables": VERSION,
        "program": program.version,
        "programSHA256": program.sha256,
        "package": __version__,
        "state": None,
        "outcome": "failed",
        "error": None,
        "inputs": [entry | {"outcome": None, "xml": None} for entry in inputs],
        "observations": 0,
        "unknownTypes": [],
        "warnings": [],
        "kept": False,
        "sharedWith": [],
        "rows": {},
        "bytes": {},
        "sha256": {},
        "archive": None,
        "checkpoint": None,
        "seconds": {},
        "peakScratchBytes": 0,
        "survey": None,
    }
