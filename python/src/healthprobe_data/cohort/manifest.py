"""The study's manifest: which exports belong to which participant."""

from __future__ import annotations

import csv
import os
import re
from dataclasses import dataclass, field

from ..errors import HealthProbeDataError
from ..instants import is_instant, zone_names
from .objects import Objects

_COLUMNS = ("participant", "export", "time_zone", "observed_at", "chain")
#: What the program knows beside the names of the zone database: offsets below 18 hours, or of 18, and these letters.
_OFFSET = re.compile(
    "(GMT|UTC)[+-]((0?[0-9]|1[0-7])([:.][0-5][0-9])?|(0[0-9]|1[0-7])[0-5][0-9]|18([:.]?00)?)"
    "|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST"
)


@dataclass(frozen=True, order=True)
class Export:
    """One export of a participant."""

    uri: str
    time_zone: str = ""
    observed_at: str = ""


@dataclass
class Participant:
    """One participant with all exports of one chain. The id is personal data: it is printed nowhere."""

    id: str
    chain: str = "default"
    exports: list[Export] = field(default_factory=list)


def read(path: str) -> list[Participant]:
    """The participants of a CSV file with ``participant,export`` and optional ``time_zone``, ``observed_at``, ``chain``.

    The same row twice is one; the order of rows does not matter.

    :raises HealthProbeDataError: ``usage``, ``noSuchInput``
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            columns = reader.fieldnames or []
            rows = [(reader.line_num, row) for row in reader]
    except FileNotFoundError:
        raise HealthProbeDataError("noSuchInput", "There is no such manifest.", "Check the path.") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise HealthProbeDataError(
            "usage",
            "The manifest cannot be read as CSV in UTF-8.",
            "Its first line is participant,export.",
            type(error).__name__,
        ) from None
    unknown = [name for name in columns if name not in _COLUMNS]
    if not {"participant", "export"} <= set(columns) or unknown or len(set(columns)) != len(columns):
        raise _usage("The manifest has other columns than it should.", "Its columns: " + ", ".join(_COLUMNS))
    folder = os.path.dirname(os.path.abspath(path))
    found: dict[str, Participant] = {}
    for number, row in rows:
        if None in row or None in row.values():
            raise _usage(f"Row {number} of the manifest has another number of cells than its first line.", "Mend it.")
        if any("\0" in cell for cell in row.values()):
            raise _usage(f"Row {number} of the manifest has a character that no path has.", "Mend it.")
        id, uri = row["participant"].strip(), row["export"].strip()
        if not id or not uri:
            raise _usage(f"Row {number} of the manifest has no participant or no export.", "Fill both in.")
        chain = (row.get("chain") or "").strip() or "default"
        participant = found.setdefault(id, Participant(id, chain))
        if participant.chain != chain:
            raise _usage(
                f"Row {number} of the manifest gives a participant a second chain.", "One chain a participant."
            )
        if chain.startswith("-"):
            raise _usage(f"Row {number} of the manifest has a chain that begins with -.", "Give it another name.")
        # A relative path is one beside the manifest.
        uri = uri if "://" in uri else os.path.join(folder, uri)
        try:
            Objects(uri)
        except HealthProbeDataError as error:
            raise _usage(f"Row {number} of the manifest has an address that cannot be used.", error.hint) from None
        export = Export(uri, (row.get("time_zone") or "").strip(), (row.get("observed_at") or "").strip())
        if not _is_zone(export.time_zone):
            raise _usage(f"Row {number} of the manifest has an unknown time_zone.", "Write it like Europe/Bucharest.")
        if export.observed_at and not is_instant(export.observed_at):
            raise _usage(
                f"Row {number} of the manifest has an observed_at that is no day and no instant.",
                "Write 2024-05-01 or 2024-05-01T10:00:00Z.",
            )
        if any(known.uri == uri and known != export for known in participant.exports):
            raise _usage(f"Row {number} of the manifest names an export again with another zone or date.", "Mend it.")
        if export not in participant.exports:
            participant.exports.append(export)
    for participant in found.values():
        participant.exports.sort()
    return sorted(found.values(), key=lambda participant: participant.id)


def _is_zone(name: str) -> bool:
    """Whether the program knows a zone; where this machine has no list of zones, nothing is refused here."""
    return not name or not zone_names() or name in zone_names() or bool(_OFFSET.fullmatch(name))


def _usage(message: str, hint: str) -> HealthProbeDataError:
    return HealthProbeDataError("usage", message, hint)
