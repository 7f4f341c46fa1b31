"""Nights: one row a local day with sleep, as ``healthprobe metrics nights`` answers of the latest observation."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from .source import DICTIONARY, TIMESTAMP, TableSource, schema

SCHEMA = schema(
    ("day", pa.date32(), "Local day of the waking"),
    ("zone", DICTIONARY, "Zone of the day"),
    ("fell_asleep", TIMESTAMP, "Begin of the first sleep"),
    ("woke_up", TIMESTAMP, "End of the last sleep"),
    ("asleep", pa.float64(), "Minutes asleep"),
    ("core", pa.float64(), "Minutes of core sleep"),
    ("deep", pa.float64(), "Minutes of deep sleep"),
    ("rem", pa.float64(), "Minutes of REM sleep"),
    ("unspecified", pa.float64(), "Minutes of sleep without a stage"),
    ("awake", pa.float64(), "Minutes awake in between"),
    ("in_bed", pa.float64(), "Minutes in bed"),
    ("in_bed_from", TIMESTAMP, "Begin of the time in bed"),
    ("in_bed_to", TIMESTAMP, "End of the time in bed"),
    ("efficiency", pa.float64(), "Share of the time in bed that was sleep"),
    ("source", DICTIONARY, "Source of the night"),
    ("nap_minutes", pa.float64(), "Minutes of the day's other sleep"),
    ("labels", pa.list_(pa.string()), "What limits the row"),
)


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by day."""
    printed = {"day": ("date", None), "source": ("sourceName", source.provenance.source)}
    yield source.answers(SCHEMA, source.ask("metrics", "nights"), printed | {"zone": ("zone", source.provenance.zone)})
