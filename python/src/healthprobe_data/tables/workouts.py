"""Workouts: one row a workout, as ``healthprobe workouts`` answers of the latest observation, with its legs.

``sample`` is that of ``records``. A leg is a part with an activity of its own, as a triathlon has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pyarrow as pa

from ..units import linear
from .source import DICTIONARY, TIMESTAMP, TableSource, schema

_LEG = pa.struct(
    [
        ("start", TIMESTAMP),
        ("end", TIMESTAMP),
        ("activity_type", pa.int32()),
        ("distance", pa.float64()),
    ]
)
SCHEMA = schema(
    ("sample", pa.int64(), "As in records"),
    ("start", TIMESTAMP, "When it begins"),
    ("end", TIMESTAMP, "When it ends"),
    ("activity", DICTIONARY, "Activity in HealthKit's words"),
    ("duration_seconds", pa.float64(), "Its own duration, else its active time, s"),
    ("distance", pa.float64(), "Its own distance, m"),
    ("active_energy", pa.float64(), "Its own active energy, kcal"),
    ("heart_rate_average", pa.float64(), "Its own mean heart rate, bpm"),
    ("heart_rate_maximum", pa.float64(), "Its own highest heart rate, bpm"),
    ("heart_rate_points_per_minute", pa.float64(), "Visible heart rate records per minute"),
    ("distance_points_per_minute", pa.float64(), "Visible distance records per minute"),
    ("source", DICTIONARY, "Name of the source"),
    ("route", pa.bool_(), "Whether it has a route"),
    ("consolidated", DICTIONARY, "Whether its records were condensed: yes, partly or no"),
    ("copies", pa.int64(), "Equal workouts in the export"),
    ("duplicate_of", pa.int64(), "Sample of the workout that counts in place of it"),
    ("labels", pa.list_(pa.string()), "What limits the row"),
    (
        "legs",
        pa.list_(_LEG),
        "Parts with an activity of their own: activity_type is HKWorkoutActivityType's number, distance is in m",
    ),
)
_SQL = """SELECT k.id, lower(hex(k.identity)), CASE WHEN instr(k.extras, '"WorkoutActivity"') THEN k.extras END
FROM record_versions k WHERE k.kind = 2 AND k.sample_id IS NULL AND k.device_chain_id = {0}
    AND k.sample_type_id IN (SELECT id FROM sample_types WHERE type_identifier = 'HKWorkoutTypeIdentifier')"""


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, the newest first."""
    answers = [line for line in source.ask("workouts", "--limit", "100000") if "identity" in line]
    samples, legs = {}, {}
    if answers:
        columns = [("sample", "int"), ("identity", "text"), ("extras", "text")]
        for sample, identity, extras in source.connection.rows(_SQL.format(source.archive.chain), columns):
            samples[identity] = sample
            legs[identity] = _legs(json.loads(extras)) if extras else []
    for line in answers:
        line |= {"sample": samples[line["identity"]], "duplicateOf": samples.get(line["duplicateOf"])}
        line["legs"] = legs[line["identity"]]
    printed = source.provenance
    names = {"source": ("sourceName", printed.source), "activity": ("activity", printed.word)}
    yield source.answers(SCHEMA, answers, names | {"start": ("startDate", None), "end": ("endDate", None)})


def _legs(extras: dict) -> list[dict]:
    found = []
    for child in extras.get("children", []):
        attributes = child.get("attributes", {})
        if child.get("name") != "WorkoutActivity" or not isinstance(attributes.get("startDate"), int):
            continue
        number = str(child.get("metadata", {}).get("HKWorkoutActivityType", ""))
        end = attributes.get("endDate")
        found.append(
            {
                "start": attributes["startDate"] * 1_000_000,
                "end": end * 1_000_000 if isinstance(end, int) else None,
                "activity_type": int(number) if number.isdecimal() and len(number) < 6 else None,
                "distance": next(filter(None, map(_metres, child.get("children", []))), None),
            }
        )
    return found


def _metres(statistics: dict) -> float | None:
    attributes = statistics.get("attributes", {})
    pair = linear(str(attributes.get("unit")), "m")
    if "Distance" not in str(attributes.get("type")) or pair is None:
        return None
    try:
        return float(attributes["sum"]) * pair[0]
    except (KeyError, ValueError):
        return None
