"""Participants with one export: files were mixed up, or somebody enrolled twice. Neither is chosen silently."""

from __future__ import annotations

from . import status as statuses
from .lake import Lake

#: The error of those who share an export.
SHARED = "sharedExport"


def keep_out(lake: Lake) -> dict[str, list[str]]:
    """Keeps out those who share an XML with another.

    Which of them is right only the coordinator knows: ``--keep`` says it, and until then each status is ``failed`` with
    the others' pseudonyms, and the tables are gone. Returns those others by participant.
    """
    found = statuses.read_all(lake)
    shared = among(found)
    for name, others in shared.items():
        status = found[name]
        if status["error"] == SHARED and status.get("sharedWith") == others:
            continue
        lake.delete(old for old in lake.names_of(name) if old != lake.status_name(name))
        nothing = {"state": None, "rows": {}, "bytes": {}, "sha256": {}, "archive": None, "survey": None}
        statuses.write(lake, status | nothing | {"outcome": "failed", "error": SHARED, "sharedWith": others})
        # A withdrawal that came meanwhile wins.
        if lake.is_withdrawn(name):
            lake.remove(name)
    return shared


def among(found: dict[str, dict]) -> dict[str, list[str]]:
    """Those who share an XML with others and were not told to keep it, with the others."""
    owners: dict[str, set[str]] = {}
    for name, status in found.items():
        for xml in _xmls(status):
            owners.setdefault(xml, set()).add(name)
    shared: dict[str, set[str]] = {}
    for names in owners.values():
        for name in names if len(names) > 1 else ():
            if not found[name].get("kept"):
                shared.setdefault(name, set()).update(names - {name})
    return {name: sorted(others) for name, others in sorted(shared.items())}


def is_alone(lake: Lake, status: dict) -> bool:
    """Whether someone was kept out for others who have the export no longer."""
    others = (statuses.read(lake, name) for name in status.get("sharedWith", []))
    return status["error"] == SHARED and not any(other and _xmls(other) & _xmls(status) for other in others)


def _xmls(status: dict) -> set[str]:
    """The XMLs that a participant has in the lake, or would have."""
    is_there = status["outcome"] in ("completed", "partial") or status["error"] == SHARED
    return {entry["xml"] for entry in status["inputs"] if entry["xml"]} if is_there else set()
