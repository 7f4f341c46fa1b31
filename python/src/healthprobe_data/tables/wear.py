"""Wear: how densely each type was recorded on each local day, of the records that the latest observation shows.

Days are those of the chain's zone. A record counts in the day on which it starts, up to the day's end; a condensed
series covers its span. Hours are those since the day's begin, of which a day has 23, 24 or 25.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .records import Ranges, kept
from .source import DICTIONARY, TIMESTAMP, TableSource, constant, schema

SCHEMA = schema(
    ("type", DICTIONARY, "Full identifier of the sample type"),
    ("day", pa.date32(), "Local day"),
    ("readings", pa.int64(), "Records that start on the day"),
    ("hours", pa.int16(), "Hours of the day with a reading"),
    ("first", TIMESTAMP, "Begin of the first reading"),
    ("last", TIMESTAMP, "End of the last reading, at most the day's end"),
    ("longest_gap_seconds", pa.int64(), "Longest time without a reading between the first and the last one"),
)
#: More hours than any day has.
_HOURS = 26
#: More seconds than any day has, so that a day and a second of it are one number.
_DAY = 1 << 20


class Wear:
    """Gathers the days of each type from its ranges, which come in the order of their starts."""

    def __init__(self, source: TableSource):
        self.source = source
        days = source.connection.rows(
            f"""SELECT day, bucket_start, bucket_end FROM aggregate_days
            WHERE device_chain_id = {source.archive.chain} ORDER BY bucket_start""",
            [("day", "int"), ("start", "int"), ("end", "int")],
        )
        self._days, self._starts, self._ends = (np.array([row[n] for row in days], np.int64) for n in range(3))
        self._of_types: dict[int, _Days] = {}

    def read(self) -> None:
        """Reads the ranges of the chosen types that were not added."""
        ranges = Ranges(self.source)
        for type_id, _ in self.source.types:
            if type_id not in self._of_types:
                for batch in ranges.raw(type_id):
                    self.add(type_id, batch)

    def add(self, type_id: int, ranges: pa.RecordBatch) -> None:
        """Looks at ranges of a type."""
        visible = ranges.filter(pc.and_(kept(ranges), pc.is_null(ranges["closed"])))
        starts = visible["start"].to_numpy(zero_copy_only=False)
        ends = pc.coalesce(visible["end"], visible["start"]).to_numpy(zero_copy_only=False)
        index = np.searchsorted(self._starts, starts, side="right") - 1
        has_day = index >= 0
        has_day[has_day] = starts[has_day] < self._ends[index[has_day]]
        if has_day.any():
            index = index[has_day]
            starts, ends = starts[has_day], np.minimum(ends[has_day], self._ends[index])
            days = self._of_types.setdefault(type_id, _Days(len(self._days)))
            days.add(index, starts - self._starts[index], np.maximum(starts, ends) - self._starts[index])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """All rows of the table."""
        for type_id, _ in self.source.types:
            if days := self._of_types.pop(type_id, None):
                index = np.flatnonzero(days.readings)
                columns = {
                    "type": constant(self.source.printed_types[type_id], len(index)),
                    "day": pa.array(self._days[index], pa.int32()).cast(pa.date32()),
                    "readings": pa.array(days.readings[index]),
                    "hours": pa.array((np.cumsum(days.hours[index], axis=1) > 0).sum(axis=1), pa.int16()),
                    "first": _moments(self._starts[index] + days.first[index]),
                    "last": _moments(self._starts[index] + days.last[index]),
                    "longest_gap_seconds": pa.array(days.gap[index]),
                }
                yield self.source.complete(columns, len(index), SCHEMA)


class _Days:
    """The days of one type, by their place among all days."""

    def __init__(self, count: int):
        self.readings, self.last, self.gap = (np.zeros(count, np.int64) for _ in range(3))
        self.first = np.full(count, _DAY, np.int64)
        #: Where stretches of hours with a reading begin (1) and end (-1).
        self.hours = np.zeros((count, _HOURS + 1), np.int32)
        #: Day and second of the latest end so far.
        self._reached = np.int64(-1)

    def add(self, index: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> None:
        """Adds readings in the order of their starts, in seconds of their days."""
        np.add.at(self.readings, index, 1)
        np.minimum.at(self.first, index, starts)
        np.maximum.at(self.last, index, ends)
        np.add.at(self.hours, (index, starts // 3600), 1)
        np.add.at(self.hours, (index, np.maximum(ends - 1, starts) // 3600 + 1), -1)
        reached = np.maximum(np.maximum.accumulate(index * _DAY + ends), self._reached)
        before = np.concatenate([[self._reached], reached[:-1]])
        follows = before // _DAY == index
        np.maximum.at(self.gap, index[follows], (starts - before % _DAY)[follows])
        self._reached = reached[-1]


def batches(source: TableSource, wear: Wear | None = None) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by type and day; ``wear`` knows what a reading of the records saw already."""
    wear = wear or Wear(source)
    wear.read()
    yield from wear.batches()


def _moments(seconds: np.ndarray) -> pa.Array:
    return pa.array(seconds * 1_000_000, pa.int64()).cast(TIMESTAMP)
