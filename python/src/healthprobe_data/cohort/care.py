"""Looking after a lake: whether it is whole, and taking a participant out of it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

from ..errors import HealthProbeDataError
from ..pseudonyms import Key
from . import shared_exports
from . import status as statuses
from .lake import FOLDERS, Lake, is_unfinished, pseudonym

_THREADS = 8


def verify(lake: Lake, repair: bool = False) -> list[dict]:
    """Compares every object with the statuses; what is wrong, by participant or object.

    ``missing``, ``differs``: a file is not as the status says; ``orphan``: an object without a status; ``withdrawn``:
    something is left of a withdrawn participant; ``unfinished``: what a killed run was writing; ``sharedExport``;
    ``unreadable``: a status that cannot be read. With ``repair`` these are removed, so that the next ``ingest`` takes
    the participant in again.

    :raises HealthProbeDataError: ``noLake``, ``newerLake``
    """
    lake.describe()
    found = statuses.read_all(lake)
    findings = []
    expected = {lake.status_name(name) for name in found}
    for name, status in found.items():
        expected |= {lake.table_name(table, name) for table in status["sha256"]}
        if status["archive"]:
            expected.add(status["archive"]["object"])
        if status["error"] in ("integrityFailure", "archiveDamaged"):
            expected.add(lake.archive_name(name, "quarantine"))
    with ThreadPoolExecutor(_THREADS) as pool:
        for name, problems in zip(found, pool.map(lambda name: _compare(lake, name, found[name]), found)):
            findings += [{"finding": kind, "participant": name, "object": object} for kind, object in problems]
            if problems and repair:
                lake.remove(name)
    withdrawn = set(lake.participants("withdrawn"))
    for object in lake.objects.list(""):
        folder, name = object.split("/")[0], lake.owner(object)
        kind = None
        if is_unfinished(object):
            kind = "unfinished"
        elif folder in FOLDERS and name in withdrawn:
            kind = "withdrawn"
        elif folder == "status" and name not in found:
            kind = "unreadable"
        elif folder in FOLDERS and folder != "exhausted" and object not in expected:
            kind = "orphan"
        if kind:
            findings.append({"finding": kind, "participant": name, "object": object})
            if repair:
                lake.objects.delete(object)
    for name in shared_exports.among(found):
        if found[name]["error"] != shared_exports.SHARED:
            findings.append({"finding": shared_exports.SHARED, "participant": name, "object": lake.status_name(name)})
    if repair:
        shared_exports.keep_out(lake)
    return findings


def _compare(lake: Lake, name: str, status: dict) -> list[tuple[str, str]]:
    objects = {lake.table_name(table, name): digest for table, digest in status["sha256"].items()}
    if status["archive"]:
        objects[status["archive"]["object"]] = status["archive"]["sha256"]
    problems = []
    for object, digest in objects.items():
        found = lake.objects.sha256(object)
        if found is None:
            problems.append(("missing", object))
        elif found != digest:
            problems.append(("differs", object))
    return problems


def withdraw(lake: Lake, key: Key, id: str, also_unknown: bool = False) -> tuple[str, list[str]]:
    """Deletes every object of a participant and leaves a tombstone; the pseudonym and the deleted objects.

    :param also_unknown: whether an id is taken that no manifest of the lake named
    :raises HealthProbeDataError: ``wrongKey``, ``noLake``, ``usage``
    """
    lake.require_key(key)
    name = pseudonym(key, id)
    if not (also_unknown or name in lake.named() or lake.is_withdrawn(name) or lake.names_of(name)):
        raise HealthProbeDataError(
            "usage",
            "No manifest of this lake names the id.",
            "Check the id; a tombstone for it all the same: --unknown.",
        )
    tombstone = json.dumps({"schema": "healthprobe.withdrawal/1", "participant": name}) + "\n"
    # The tombstone first: a run that is under way finds it when it has put the status.
    lake.objects.put(lake.tombstone_name(name), tombstone.encode())
    return name, lake.remove(name)
