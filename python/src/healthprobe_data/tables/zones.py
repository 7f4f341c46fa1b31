"""Zones: which zone the days of an observation are of, where it comes from, and what the export itself says.

``origin`` is ``argument`` (given with ``--time-zone``), ``metadata`` (the HKTimeZone that most records of all exports
name) or ``offset`` (that of the first export).
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from ..instants import offset
from .source import DICTIONARY, TableSource, schema

SCHEMA = schema(
    ("observation", pa.int16(), "Position in the chain"),
    ("time_zone", DICTIONARY, "Zone of the days"),
    ("origin", DICTIONARY, "argument, metadata or offset: where that zone comes from"),
    ("offset_seconds", pa.int32(), "Offset from UTC that the export prints"),
    ("given", DICTIONARY, "Zone that was given for this export"),
    ("recorded", DICTIONARY, "Zone that most of this export's HKTimeZone entries name"),
    ("contradicted", pa.bool_(), "The given zone is not that of the offset, or not that of most entries"),
)
_HALF_A_YEAR = 182 * 86_400


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by observation."""
    yield source.table(rows(source), SCHEMA)


def rows(source: TableSource) -> list[dict]:
    """All rows of the table."""
    printed, connection = source.provenance.zone, source.connection
    chain = connection.rows(
        f"SELECT time_zone, origin FROM chain_zones WHERE device_chain_id = {source.archive.chain}",
        [("zone", "text"), ("origin", "text")],
    )
    zone, origin = chain[0] if chain else (None, None)
    counts: dict[int, list[tuple[int, str]]] = {}
    for observation, name, count in connection.rows(
        f"SELECT * FROM time_zone_counts WHERE import_id IN ({source.archive.ids}) ORDER BY import_id, time_zone DESC",
        [("observation", "int"), ("zone", "text"), ("count", "int")],
    ):
        counts.setdefault(observation, []).append((count, name))
    found = []
    for observation in source.archive.observations:
        given, shift = observation.columns["time_zone"], observation.columns["offset_seconds"]
        entries = counts.get(observation.id, [])
        most = max(entries, key=lambda entry: entry[0], default=None)
        is_most = most is not None and 2 * most[0] > sum(count for count, _ in entries)
        found.append(
            {
                "observation": observation.position,
                "time_zone": printed(zone),
                "origin": origin,
                "offset_seconds": shift,
                "given": printed(given),
                "recorded": printed(most[1] if most else None),
                "contradicted": bool(given)
                and (
                    _differs(offset(given, observation.observed_at), shift)
                    or is_most
                    and any(
                        _differs(offset(given, moment), offset(most[1], moment))
                        for moment in (observation.observed_at, observation.observed_at - _HALF_A_YEAR)
                    )
                ),
            }
        )
    return found


def _differs(one: int | None, other: int | None) -> bool:
    return None not in (one, other) and one != other
