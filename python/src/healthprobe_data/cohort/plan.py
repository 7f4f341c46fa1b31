"""What a run of ``ingest`` has to do, and what it came to."""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ..errors import HealthProbeDataError
from ..pseudonyms import Key
from . import status as statuses
from .lake import Lake, pseudonym
from .manifest import Participant
from .participant import Settings
from .program import Program

_THREADS = 16


@dataclass
class Plan:
    """The participants of a manifest: those to be taken in, the largest first, and the outcomes of the others."""

    todo: list[tuple[str, Participant]]
    outcomes: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    #: Those that this run does not look at (``--skip``, ``--limit``).
    left: int = 0


def make(participants: list[Participant], settings: Settings, skip: set[str], limit: int | None) -> Plan:
    """Compares the manifest with the lake; makes the lake where there is none.

    :raises HealthProbeDataError: ``usage``, ``wrongKey``, ``lakeDiffers``, ``newerLake``
    """
    key = Key.read(settings.secret_file, "usage")
    _require_apart(settings.lake, participants)
    lake = Lake(settings.lake)
    lake.agree(key, settings.types)
    program = Program.find(settings.program)

    def look(participant: Participant):
        name = pseudonym(key, participant.id)
        if lake.is_withdrawn(name):
            return name, 0, ("withdrawn", None)
        inputs = statuses.inputs_of(participant, key)
        known = statuses.read(lake, name)
        if statuses.is_current(known, inputs, program) and not (settings.retry_failed and known["outcome"] == "failed"):
            return name, 0, (known["outcome"], known["error"])
        return name, sum(entry["bytes"] or 0 for entry in inputs), None

    with ThreadPoolExecutor(_THREADS) as pool:
        looked = list(zip(pool.map(look, participants), participants))
    plan = Plan([], {name: outcome for (name, _, outcome), _ in looked if outcome})
    waiting = [(-count, name, participant) for (name, count, outcome), participant in looked if outcome is None]
    waiting.sort(key=lambda entry: entry[:2])
    chosen = [(name, participant) for _, name, participant in waiting if name not in skip]
    plan.todo = chosen[:limit] if limit is not None else chosen
    plan.left = len(waiting) - len(plan.todo)
    return plan


def _require_apart(lake: str, participants: list[Participant]) -> None:
    """A lake inside the folder of exports would be handed on with them."""

    def place(uri: str) -> str:
        return uri.split("?")[0] if "://" in uri else os.path.realpath(uri)

    target = place(lake).rstrip("/") + "/"
    for participant in participants:
        for export in participant.exports:
            folder = os.path.dirname(place(export.uri)).rstrip("/") + "/"
            if target.startswith(folder):
                raise HealthProbeDataError(
                    "usage", "The lake is inside the folder of exports.", "Give it a place of its own."
                )


def refuse_duplicates(lake: Lake, fresh: set[str]) -> list[str]:
    """Refuses participants who share an XML with another: files were mixed up, or somebody enrolled twice.

    One that an earlier run took in stays; of those of one run the one with the greatest pseudonym is refused. Returns
    the refused ones; their status becomes ``failed`` and their tables go.
    """
    refused = []
    found = statuses.read_all(lake)
    for name in sorted(duplicates(found), key=lambda name: (name in fresh, name), reverse=True):
        if name in duplicates(found):
            status = found.pop(name)
            lake.delete(lake.names_of(name)[:-1])
            status |= {
                "outcome": "failed",
                "error": "duplicateExport",
                "state": None,
                "rows": {},
                "sha256": {},
                "archive": None,
                "survey": None,
            }
            statuses.write(lake, status)
            refused.append(name)
    return sorted(refused)


def duplicates(found: dict[str, dict]) -> set[str]:
    """Those with tables who share an XML with another one."""
    owners: dict[str, set[str]] = {}
    for name, status in found.items():
        if status["outcome"] in ("completed", "partial"):
            for entry in status["inputs"]:
                if entry["xml"]:
                    owners.setdefault(entry["xml"], set()).add(name)
    return {name for names in owners.values() if len(names) > 1 for name in names}


def summary(outcomes: dict[str, tuple[str, str | None]], taken_in: int, left: int) -> dict:
    """What ``ingest --json`` prints: counts by outcome and by code."""
    return {
        "schema": "healthprobe.ingest/1",
        "participants": len(outcomes) + left,
        "takenIn": taken_in,
        "left": left,
        "outcomes": dict(sorted(Counter(outcome for outcome, _ in outcomes.values()).items())),
        "codes": dict(sorted(Counter(code for _, code in outcomes.values() if code).items())),
    }


def exit_code(outcomes: dict[str, tuple[str, str | None]], left: int = 0) -> int:
    """0 where everybody is completed and nobody was left out, 74 where another run may help, else 3."""
    kinds = {outcome for outcome, _ in outcomes.values()}
    if kinds & {"exhausted", "programDiffers"}:
        return 74
    return 0 if kinds <= {"completed"} and not left else 3
