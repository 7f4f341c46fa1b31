"""What a run of ``ingest`` has to do, and what it came to."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ..errors import HealthProbeDataError
from ..pseudonyms import Key
from . import shared_exports
from . import status as statuses
from .lake import OBJECT_FOLDERS, Lake, pseudonym
from .manifest import Participant
from .objects import Objects
from .settings import Settings
from ..program import Program

_THREADS = 16


@dataclass
class Plan:
    """The participants of a manifest: those to be taken in, the largest first, and the outcomes of the others."""

    todo: list[tuple[str, Participant]]
    outcomes: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    #: Those that this run does not look at (``--skip``, ``--limit``).
    left: int = 0


def make(participants: list[Participant], settings: Settings, skip: set[str], limit: int | None) -> Plan:
    """Compares participants with the lake; writes nothing, but removes what is left of the withdrawn.

    :raises HealthProbeDataError: ``usage``, ``wrongKey``, ``lakeDiffers``, ``newerLake``
    """
    key = Key.read(settings.secret_file, "usage")
    lake = Lake(settings.lake)
    if lake.exists:
        lake.agree(key, settings.types)
    program = Program.find(settings.program)
    # One listing a folder, not one request an object.
    withdrawn, exhausted = (set(lake.participants(folder)) for folder in ("withdrawn", "exhausted"))
    sizes = {name: count for folder in OBJECT_FOLDERS for name, count in lake.objects.sizes(folder).items()}

    def look(participant: Participant):
        name = pseudonym(key, participant.id)
        if name in withdrawn:
            return name, 0, ("withdrawn", None)
        known = statuses.read(lake, name)
        try:
            inputs = statuses.inputs_of(participant, key)
        except OSError:
            # The unit fails of it, too: it is the result of this participant alone.
            inputs = []
        if statuses.is_current(known, inputs, program, settings, sizes.get) and not shared_exports.is_alone(lake, known):
            if name in exhausted:
                lake.objects.delete(lake.exhausted_name(name))
            return name, 0, (known["outcome"], known["error"])
        return name, sum(entry["bytes"] or 0 for entry in inputs), None

    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(lake.remove, withdrawn))
        looked = list(zip(pool.map(look, participants), participants))
    plan = Plan([], {name: outcome for (name, _, outcome), _ in looked if outcome})
    waiting = [(-count, name, participant) for (name, count, outcome), participant in looked if outcome is None]
    waiting.sort(key=lambda entry: entry[:2])
    chosen = [(name, participant) for _, name, participant in waiting if name not in skip]
    plan.todo = chosen[:limit] if limit is not None else chosen
    plan.left = len(waiting) - len(plan.todo)
    return plan


def make_lake(settings: Settings, participants: Iterable[Participant] = ()) -> Lake:
    """The lake of a run, made where there is none; it knows from then on whom the manifest names.

    :raises HealthProbeDataError: ``usage``, ``wrongKey``, ``lakeDiffers``, ``newerLake``
    """
    lake, key = Lake(settings.lake), Key.read(settings.secret_file, "usage")
    lake.agree(key, settings.types)
    lake.note_named({pseudonym(key, participant.id) for participant in participants})
    return lake


def require_apart(lake: str, participants: list[Participant], manifest: str) -> None:
    """Makes sure that neither of lake and exports is inside the other: they would be handed on together.

    The exports' folders are that of each, and the one that all of a store have in common. Where the manifest is in the
    common one, that is the study's folder, which may hold the lake, too; so may a bucket.

    :raises HealthProbeDataError: ``usage``
    """
    store, target = Objects(lake).place
    places = (Objects(export.uri).place for participant in participants for export in participant.exports)
    folders = {posixpath.dirname(path) for kind, path in places if kind == store}
    if any(_is_inside(folder, target) for folder in folders):
        raise HealthProbeDataError("usage", "Exports are inside the lake.", "Give the lake a place of its own.")
    common = posixpath.commonpath(folders) if folders else ""
    is_bucket = "/" not in common.rstrip("/")
    if not is_bucket and not _is_inside(Objects(manifest).place[1], common):
        folders.add(common)
    if any(_is_inside(target, folder) for folder in folders):
        raise HealthProbeDataError("usage", "The lake is inside the folder of exports.", "Give it a place of its own.")


def _is_inside(path: str, folder: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(f"{folder.rstrip('/')}/")


def summary(
    lake: Lake, outcomes: dict[str, tuple[str, str | None]], taken_in: int, left: int, shared: dict[str, list[str]]
) -> dict:
    """What ``ingest --json`` prints: counts by outcome and by code, and refused exports by code."""
    # A completed participant has no refused export.
    with_refused = [name for name, (outcome, _) in sorted(outcomes.items()) if outcome in ("partial", "failed")]
    return {
        "schema": "healthprobe.ingest/1",
        "participants": len(outcomes) + left,
        "takenIn": taken_in,
        "left": left,
        "outcomes": dict(sorted(Counter(outcome for outcome, _ in outcomes.values()).items())),
        "shared": dict(shared),
        "codes": dict(sorted(Counter(code for _, code in outcomes.values() if code).items())),
        "exhausted": [
            {"participant": name, "error": code}
            for name, (outcome, code) in sorted(outcomes.items())
            if outcome == "exhausted"
        ],
        "exports": statuses.refused(statuses.read_all(lake, with_refused)),
    }


def exit_code(outcomes: dict[str, tuple[str, str | None]], left: int = 0) -> int:
    """0 where everybody is completed and nobody was left out, 74 where another run may help, else 3."""
    kinds = {outcome for outcome, _ in outcomes.values()}
    if kinds & {"exhausted", "programDiffers"}:
        return 74
    return 0 if kinds <= {"completed"} and not left else 3
