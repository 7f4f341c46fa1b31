"""Daily aggregates: one row for each range of observations in which the aggregate of a local day holds.

A day is one of the chain's zone. Versions of a source are put together; a row whose ``source`` is null is over all
sources of a unit, and there is one exactly where ``aggregates`` prints one: several sources of a type that adds up.
Sums are exact, rounded once.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

import pyarrow as pa

from ..type_names import is_cumulative
from .source import DICTIONARY, TableSource, schema

SCHEMA = schema(
    ("type", DICTIONARY),
    ("day", pa.date32()),
    ("source", DICTIONARY),
    ("unit", DICTIONARY),
    ("opened", pa.int16()),
    ("closed", pa.int16()),
    ("count", pa.int64()),
    ("number_count", pa.int64()),
    ("sample_count", pa.int64()),
    ("sum", pa.float64()),
    ("mean", pa.float64()),
    ("minimum", pa.float64()),
    ("maximum", pa.float64()),
    ("covered_seconds", pa.int64()),
)

_COLUMNS = [
    ("day", "int"),
    ("series", "int"),
    ("place", "int"),
    ("count", "int"),
    ("numbers", "int"),
    ("seconds", "int"),
    ("sum", "float"),
    ("rest", "blob"),
    ("minimum", "float"),
    ("maximum", "float"),
    ("extra", "int"),
    ("extra_sum", "float"),
    ("extra_rest", "blob"),
]
#: Rows of one batch.
_BATCH_ROWS = 16_384
#: Days since 1970 that a date has room for.
_FARTHEST_DAY = 2_000_000_000


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by type, day, source, unit and first observation."""
    return (batch for batch, _ in pieces(source))


def pieces(source: TableSource) -> Iterator[tuple[pa.RecordBatch, pa.Array]]:
    """All rows of the table, and which of them are over all sources: a record without a source has a null there, too."""
    series = _series(source)
    for type_id, name in source.types:
        rows: list[tuple] = []
        for row in _type_rows(source, type_id, is_cumulative(name), series):
            rows.append(row)
            if len(rows) == _BATCH_ROWS:
                yield _piece(source, type_id, rows)
                rows = []
        if rows:
            yield _piece(source, type_id, rows)


#: Is over all sources, source, unit; None where absent, which is not the empty text.
Key = tuple[bool, str | None, str | None]


def _order(key: Key) -> tuple:
    over_all, name, unit = key
    return over_all, name is not None, name or "", unit is not None, unit or ""


def _series(source: TableSource) -> dict[int, tuple[str | None, str | None]]:
    """Source and unit by series."""
    return {
        id: (name, unit)
        for id, name, unit in source.connection.rows(
            f"""SELECT s.id, n.name, u.unit FROM aggregate_series s JOIN descriptors d ON d.id = s.source_revision_id
            LEFT JOIN sources n ON n.id = d.source_id LEFT JOIN units u ON u.id = s.unit_id
            WHERE s.device_chain_id = {source.archive.chain}""",
            [("id", "int"), ("name", "text"), ("unit", "text")],
        )
    }


def _type_rows(source: TableSource, type_id: int, adds_up: bool, series: dict) -> Iterator[tuple]:
    positions = source.archive.positions
    places = " ".join(f"WHEN {id} THEN {position}" for id, position in positions.items())
    if not places:
        return
    stored = source.connection.batches(
        f"""SELECT day, series_id, CASE import_id {places} END AS place, record_count, number_count, covered_seconds,
            value_sum, value_sum_rest, value_min, value_max, extra_samples, extra_sum, extra_sum_rest
        FROM daily_aggregates WHERE sample_type_id = {type_id} AND place IS NOT NULL
            AND abs(day) < {_FARTHEST_DAY} ORDER BY day, place""",
        _COLUMNS,
    )
    flat = (row for batch in stored for row in zip(*(column.to_pylist() for column in batch.columns)))
    for day, of_day in groupby((row for row in flat if row[1] in series), key=itemgetter(0)):
        yield from _day_rows(day, list(of_day), adds_up, series)


def _day_rows(day: int, stored: list[tuple], adds_up: bool, series: dict) -> list[tuple]:
    """The rows of one day: for each source and unit the ranges in which its aggregate is the same."""
    states: dict[int, tuple] = {}
    #: The open ranges' first observation and values.
    opened: dict[Key, tuple[int, tuple]] = {}
    rows: list[tuple] = []
    for place, changed in groupby(stored, key=itemgetter(2)):
        for row in changed:
            if row[3]:
                states[row[1]] = row[3:]
            else:
                states.pop(row[1], None)
        now = _aggregates(states, adds_up, series)
        for key, (since, values) in list(opened.items()):
            if now.get(key) != values:
                rows.append((day, key, since, place, values))
                del opened[key]
        for key, values in now.items():
            if key not in opened:
                opened[key] = (place, values)
    rows.extend((day, key, since, None, values) for key, (since, values) in opened.items())
    rows.sort(key=lambda row: (_order(row[1]), row[2]))
    return rows


def _aggregates(states: dict[int, tuple], adds_up: bool, series: dict) -> dict[Key, tuple]:
    """The aggregates of a day by source and unit, and over all sources of a unit."""
    groups: dict[Key, list[tuple]] = {}
    for id, values in states.items():
        groups.setdefault((False, *series[id]), []).append(values)
    found = {key: _merged(parts) for key, parts in groups.items()}
    if adds_up and len(groups) > 1:
        by_unit: dict[str | None, list[tuple]] = {}
        sources: dict[str | None, int] = {}
        for (_, _, unit), parts in groups.items():
            by_unit.setdefault(unit, []).extend(parts)
            sources[unit] = sources.get(unit, 0) + 1
        found |= {(True, None, unit): _merged(parts) for unit, parts in by_unit.items() if sources[unit] > 1}
    return found


def _merged(parts: list[tuple]) -> tuple:
    """Counts, exact sum, mean, extremes and seconds of aggregates together.

    The mean of a type that does not add up weighs a condensed record by the samples that it stands for.
    """
    if len(parts) == 1:
        count, numbers, seconds, total, rest, low, high, extra, extra_sum, extra_rest = parts[0]
        if not rest and extra is None:
            mean = total / numbers if numbers else None
            return (count, numbers, numbers, total if numbers else None, mean, low, high, seconds)
    count = numbers = seconds = extra = 0
    terms: list[float] = []
    extra_terms: list[float] | None = None
    lows, highs = [], []
    for part in parts:
        count, numbers, seconds, extra = count + part[0], numbers + part[1], seconds + part[2], extra + (part[7] or 0)
        terms += _terms(part[3], part[4])
        if part[8] is not None:
            extra_terms = (extra_terms or []) + _terms(part[8], part[9])
        lows += [] if part[5] is None else [part[5]]
        highs += [] if part[6] is None else [part[6]]
    total = _sum(terms) if numbers else None
    weighed, weight = (total, numbers) if extra_terms is None else (_sum(terms + extra_terms), numbers + extra)
    mean = weighed / weight if numbers and weighed is not None else None
    low, high = min(lows, default=None), max(highs, default=None)
    return (count, numbers, numbers + extra, total, mean, low, high, seconds)


def _terms(value: float | None, rest: bytes | None) -> list[float]:
    first = [] if value is None else [value]
    return first + list(struct.unpack(f"<{len(rest) // 8}d", rest)) if rest else first


def _sum(terms: list[float]) -> float | None:
    """The exact sum, rounded once; ``None`` beyond the range of a double, as the program has it."""
    try:
        return math.fsum(terms)
    except (OverflowError, ValueError):
        pass
    try:
        return float(sum(map(Fraction, terms)))
    except (OverflowError, ValueError):
        return None


def _piece(source: TableSource, type_id: int, rows: list[tuple]) -> tuple[pa.RecordBatch, pa.Array]:
    keys = [row[1] for row in rows]
    values = list(zip(*(row[4] for row in rows)))
    texts = {
        "type": [source.printed_types[type_id]] * len(rows),
        "source": [source.provenance.source(name) for _, name, _ in keys],
        "unit": [source.provenance.unit(unit) for _, _, unit in keys],
    }
    columns = {name: pa.array(texts[name], pa.string()).dictionary_encode() for name in texts}
    columns |= {
        "day": pa.array([row[0] for row in rows], pa.int32()).cast(pa.date32()),
        "opened": pa.array([row[2] for row in rows], pa.int16()),
        "closed": pa.array([row[3] for row in rows], pa.int16()),
    }
    for name, column in zip(SCHEMA.names[9:], values):
        columns[name] = pa.array(column, SCHEMA.field(name).type)
    return source.complete(columns, len(rows), SCHEMA), pa.array([over_all for over_all, _, _ in keys], pa.bool_())
