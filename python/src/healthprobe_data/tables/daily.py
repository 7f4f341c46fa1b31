"""Daily aggregates: one row for each range of observations in which the aggregate of a local day holds.

A day is one of the chain's zone. Versions of a source are put together. ``level`` says what a row is of: one ``source``,
the plain ``sum`` of all sources of the unit, which every day has, or, of types that add up, all sources ``merged``: what
several recorded at one time counts once. Sums are exact, rounded once.

Merged rows and covered seconds are those of ``healthprobe aggregates`` about the latest observation, and hold there only.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

import pyarrow as pa

from ..instants import day_number
from .source import DICTIONARY, TableSource, schema

SCHEMA = schema(
    ("type", DICTIONARY, "Full identifier of the sample type"),
    ("day", pa.date32(), "Local day"),
    ("level", DICTIONARY, "source, sum (over all sources) or merged (overlapping times once)"),
    ("source", DICTIONARY, "Name of the source; of level source, null only without a source"),
    ("unit", DICTIONARY, "Unit of the numbers"),
    ("opened", pa.int16(), "First observation in which the row holds"),
    ("closed", pa.int16(), "Observation from which on it does not; null: it still does"),
    ("count", pa.int64(), "Records"),
    ("number_count", pa.int64(), "Records with a number"),
    ("sample_count", pa.int64(), "Samples that these stand for"),
    ("sum", pa.float64(), "Sum of the numbers"),
    ("mean", pa.float64(), "Mean by samples"),
    ("minimum", pa.float64(), "Lowest number"),
    ("maximum", pa.float64(), "Highest number"),
    ("covered_seconds", pa.int64(), "Time that the records cover, overlaps once; null before the latest observation"),
)

_COLUMNS = [
    ("day", "int"),
    ("series", "int"),
    ("place", "int"),
    ("count", "int"),
    ("numbers", "int"),
    ("sum", "float"),
    ("rest", "blob"),
    ("minimum", "float"),
    ("maximum", "float"),
    ("extra", "int"),
    ("extra_sum", "float"),
    ("extra_rest", "blob"),
]
#: Rows of one batch.
_BATCH_ROWS = 4_096
#: Days since 1970 that a date has room for.
_FARTHEST_DAY = 2_000_000_000


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by type, day, level, source, unit and first observation."""
    series, answer = _series(source), _Latest(source)
    for type_id, name in source.types:
        latest = answer.of(name)
        rows: list[tuple] = []
        for row in _type_rows(source, type_id, series, latest):
            rows.append(row)
            if len(rows) == _BATCH_ROWS:
                yield _batch(source, type_id, rows)
                rows = []
        if rows:
            yield _batch(source, type_id, rows)


#: Level (its place in ``LEVELS``), source, unit; None where absent, which is not the empty text.
Key = tuple[int, str | None, str | None]
LEVELS = ("source", "sum", "merged")
_SOURCE, _SUM, _MERGED = range(3)


def _order(key: Key) -> tuple:
    level, name, unit = key
    return level, name is not None, name or "", unit is not None, unit or ""


class _Latest:
    """What the program says of the latest observation, type by type in the order of their identifiers."""

    def __init__(self, source: TableSource):
        self.source = source
        #: Types that are printed under another name are in another order: each is asked for alone.
        self._plain = {name for id, name in source.types if source.printed_types[id] == name}
        self._types = self._ask(self._plain)
        self._next = next(self._types, None)

    def _ask(self, names: set[str]) -> Iterator[tuple[str, Iterator[dict]]]:
        rows = self.source.ask_rows("aggregates", *(part for name in sorted(names) for part in ("--type", name)))
        for name, of_type in groupby(rows, key=itemgetter("type")):
            yield _unguarded(name), of_type

    def of(self, wanted: str) -> dict[int, dict[Key, tuple]]:
        """By day and key: records, records with a number, sum and covered seconds."""
        if wanted not in self._plain:
            return next((_by_day(rows) for name, rows in self._ask({wanted}) if name == wanted), {})
        while self._next and self._next[0].encode() < wanted.encode():
            self._next = next(self._types, None)
        return _by_day(self._next[1]) if self._next and self._next[0] == wanted else {}


def _by_day(rows: Iterator[dict]) -> dict[int, dict[Key, tuple]]:
    found: dict[int, dict[Key, tuple]] = {}
    for row in rows:
        day = day_number(row["bucket"])
        key = (LEVELS.index(row["level"]), _unguarded(row["sourceName"]), _unguarded(row["unit"]))
        count, numbers, covered = (int(row[name]) for name in ("count", "numberCount", "coveredSeconds"))
        # In CSV an absent name is an empty one: which of the two it is cannot be told.
        is_known = key not in found.setdefault(day, {})
        total = float(row["sum"]) if row["sum"] else None
        found[day][key] = (count, numbers, total, covered if is_known else None)
    return found


def _unguarded(cell: str) -> str:
    """A cell without the apostrophe that keeps spreadsheets from running it."""
    return cell[1:] if cell[:1] == "'" and cell.lstrip("'")[:1] in tuple("=+-@\t\r\n\0＝＋－＠") else cell


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


def _type_rows(source: TableSource, type_id: int, series: dict, latest: dict) -> Iterator[tuple]:
    positions = source.archive.positions
    places = " ".join(f"WHEN {id} THEN {position}" for id, position in positions.items())
    if not places:
        return
    stored = source.connection.batches(
        f"""SELECT day, series_id, CASE import_id {places} END AS place, record_count, number_count,
            value_sum, value_sum_rest, value_min, value_max, extra_samples, extra_sum, extra_sum_rest
        FROM daily_aggregates WHERE sample_type_id = {type_id} AND place IS NOT NULL
            AND abs(day) < {_FARTHEST_DAY} ORDER BY day, place""",
        _COLUMNS,
    )
    flat = (row for batch in stored for row in zip(*(column.to_pylist() for column in batch.columns)))
    for day, of_day in groupby((row for row in flat if row[1] in series), key=itemgetter(0)):
        yield from _day_rows(day, list(of_day), series, latest.get(day, {}), source.last)


def _day_rows(day: int, stored: list[tuple], series: dict, latest: dict[Key, tuple], last: int) -> list[tuple]:
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
        now = _aggregates(states, series)
        for key, (since, values) in list(opened.items()):
            if now.get(key) != values:
                rows.append((day, key, since, place, (*values, None)))
                del opened[key]
        for key, values in now.items():
            if key not in opened:
                opened[key] = (place, values)
    sources: dict[str | None, list[int | None]] = {}
    for key, (since, values) in sorted(opened.items(), key=lambda entry: _order(entry[0])):
        level, name, unit = key
        covered = latest.get((level, name or "", unit or ""), (None,) * 4)[3]
        if level == _SOURCE:
            sources.setdefault(unit, []).append(covered)
        elif len(sources[unit]) == 1:
            covered = sources[unit][0]
        rows.append((day, key, since, None, (*values, covered)))
    for (level, _, unit), (count, numbers, total, covered) in latest.items():
        if level == _MERGED:
            values = (count, numbers, numbers, total, None, None, None, covered)
            rows.append((day, (_MERGED, None, unit or None), last, None, values))
    rows.sort(key=lambda row: (_order(row[1]), row[2]))
    return rows


def _aggregates(states: dict[int, tuple], series: dict) -> dict[Key, tuple]:
    """The aggregates of a day by source and unit, and over all sources of a unit."""
    groups: dict[Key, list[tuple]] = {}
    for id, values in states.items():
        groups.setdefault((_SOURCE, *series[id]), []).append(values)
    for (_, _, unit), parts in list(groups.items()):
        groups.setdefault((_SUM, None, unit), []).extend(parts)
    return {key: _merged(parts) for key, parts in groups.items()}


def _merged(parts: list[tuple]) -> tuple:
    """Counts, exact sum, mean and extremes of aggregates together.

    The mean of a type that does not add up weighs a condensed record by the samples that it stands for.
    """
    if len(parts) == 1:
        count, numbers, total, rest, low, high, extra, extra_sum, extra_rest = parts[0]
        if not rest and extra is None:
            mean = total / numbers if numbers else None
            return (count, numbers, numbers, total if numbers else None, mean, low, high)
    count = numbers = extra = 0
    terms: list[float] = []
    extra_terms: list[float] | None = None
    lows, highs = [], []
    for part in parts:
        count, numbers, extra = count + part[0], numbers + part[1], extra + (part[6] or 0)
        terms += _terms(part[2], part[3])
        if part[7] is not None:
            extra_terms = (extra_terms or []) + _terms(part[7], part[8])
        lows += [] if part[4] is None else [part[4]]
        highs += [] if part[5] is None else [part[5]]
    total = _sum(terms) if numbers else None
    weighed, weight = (total, numbers) if extra_terms is None else (_sum(terms + extra_terms), numbers + extra)
    mean = weighed / weight if numbers and weighed is not None else None
    low, high = min(lows, default=None), max(highs, default=None)
    return (count, numbers, numbers + extra, total, mean, low, high)


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


def _batch(source: TableSource, type_id: int, rows: list[tuple]) -> pa.RecordBatch:
    keys = [row[1] for row in rows]
    values = list(zip(*(row[4] for row in rows)))
    texts = {
        "type": [source.printed_types[type_id]] * len(rows),
        "level": [LEVELS[level] for level, _, _ in keys],
        "source": [source.provenance.source(name) for _, name, _ in keys],
        "unit": [source.provenance.unit(unit) for _, _, unit in keys],
    }
    columns = {name: pa.array(texts[name], pa.string()).dictionary_encode() for name in texts}
    columns |= {
        "day": pa.array([row[0] for row in rows], pa.int32()).cast(pa.date32()),
        "opened": pa.array([row[2] for row in rows], pa.int16()),
        "closed": pa.array([row[3] for row in rows], pa.int16()),
    }
    for name, column in zip(SCHEMA.names[10:], values):
        columns[name] = pa.array(column, SCHEMA.field(name).type)
    return source.complete(columns, len(rows), SCHEMA)
