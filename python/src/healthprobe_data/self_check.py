"""The self-check of written tables: their counts and sums are those that the archive itself keeps.

Nothing is published where they differ.
"""

from __future__ import annotations

import math
from collections import defaultdict

import pyarrow as pa
import pyarrow.compute as pc

from .errors import HealthProbeDataError, damaged
from .tables.records import kept
from .tables.source import TableSource

#: How far sums of doubles may differ by rounding, as a share of the sum of magnitudes.
_TOLERANCE = 1e-9


class RecordCounts:
    """What the ranges of records come to at each observation: counts by type, numbers and sums by type and unit."""

    def __init__(self, source: TableSource):
        self.source = source
        #: By type and chain position: visible, appeared, disappeared, changed.
        self.counts: dict[int, list[list[int]]] = {}
        #: By type: at each position the visible items that no table has.
        self.left_out: dict[int, list[int]] = {}
        #: By type, unit and position: numbers, sum, sum of magnitudes.
        self._sums: dict[tuple[int, str | None, int], list[float]] = defaultdict(lambda: [0, 0.0, 0.0])

    def add(self, type_id: int, ranges: pa.RecordBatch) -> None:
        """Counts ranges of a type.

        :raises HealthProbeDataError: ``archiveDamaged``
        """
        # The program keeps what is no finite number as text.
        if pc.any(pc.is_inf(ranges["value"])).as_py():
            raise damaged("A value is infinite.")
        last = self.source.last
        table = pa.table(
            {
                "opened": ranges["opened"],
                "closed": ranges["closed"],
                "descriptor": ranges["descriptor"],
                "rule": pc.is_valid(ranges["match_rule"]),
                "superseded": ranges["superseded"],
                "kept": kept(ranges),
                "value": ranges["value"],
                "magnitude": pc.abs(ranges["value"]),
            }
        )
        keys = ["opened", "closed", "descriptor", "rule", "superseded", "kept"]
        groups = table.group_by(keys).aggregate(
            [([], "count_all"), ("value", "count"), ("value", "sum"), ("magnitude", "sum")]
        )
        names = keys + ["count_all", "value_count", "value_sum", "magnitude_sum"]
        counts = self.counts.setdefault(type_id, [[0, 0, 0, 0] for _ in range(last + 2)])
        left_out = self.left_out.setdefault(type_id, [0] * (last + 2))
        units = self.source.descriptors.unit_names
        for row in zip(*(groups[name].to_pylist() for name in names)):
            opened, closed, descriptor, has_rule, superseded, is_kept, count, numbers, total, magnitude = row
            counts[opened][3 if has_rule else 1] += count
            if closed is not None and not superseded:
                counts[closed][2] += count
            for position in range(opened, closed or last + 1):
                counts[position][0] += count
                if not is_kept:
                    left_out[position] += count
                if numbers:
                    sums = self._sums[type_id, units[descriptor], position]
                    sums[0], sums[1], sums[2] = sums[0] + numbers, sums[1] + total, sums[2] + magnitude

    @property
    def left_out_by_type(self) -> dict[str, list[int]]:
        """By printed type: what no table has, at each observation; only types that have any."""
        found: dict[str, list[int]] = {}
        for type_id, counts in self.left_out.items():
            if any(counts):
                name = self.source.printed_types[type_id]
                before = found.get(name, [0] * self.source.last)
                found[name] = [a + b for a, b in zip(before, counts[1 : self.source.last + 1])]
        return dict(sorted(found.items()))

    def check(self) -> None:
        """Compares with ``type_runs`` and ``type_sums``.

        :raises HealthProbeDataError: ``integrityFailure``
        """
        positions = self.source.archive.positions
        chosen = {id for id, _ in self.source.types}
        told: set[tuple[int, int]] = set()
        for observation, type_id, *stored in self.source.connection.rows(
            f"""SELECT import_id, sample_type_id, visible_count, appeared_count, disappeared_count,
                representation_changed_count FROM type_runs WHERE import_id IN ({self.source.archive.ids})""",
            [("o", "int"), ("t", "int"), ("v", "int"), ("a", "int"), ("d", "int"), ("c", "int")],
        ):
            if type_id in chosen:
                told.add((type_id, positions[observation]))
                found = self.counts.get(type_id)
                counted = found[positions[observation]] if found else [0, 0, 0, 0]
                if counted != stored:
                    raise _differs("records", self.source.printed_types[type_id], positions[observation])
        # The archive has a row of each type that an observation shows.
        for type_id, found in self.counts.items():
            for position in positions.values():
                if any(found[position]) and (type_id, position) not in told:
                    raise _differs("records", self.source.printed_types[type_id], position)
        for (type_id, unit, position), _, numbers, total in stored_sums(self.source):
            sums = self._sums.pop((type_id, unit, position), [0, 0.0, 0.0])
            if sums[0] != numbers or not _is_same(sums[1], total, sums[2]):
                raise _differs("records", self.source.printed_types[type_id], position)
        for type_id, _, position in self._sums:
            raise _differs("records", self.source.printed_types[type_id], position)


class DailyCounts:
    """What the daily aggregates come to at each observation, by printed type and unit."""

    def __init__(self, source: TableSource):
        self.source = source
        self._sums: dict[tuple[str, str | None, int], list[float]] = defaultdict(lambda: [0, 0, 0.0, 0.0])

    def add(self, batch: pa.RecordBatch) -> None:
        """Counts rows of the table but those over all sources."""
        is_source = pc.equal(batch["level"].cast(pa.string()), "source")
        rows = pa.Table.from_batches([batch.filter(is_source)]).select(
            ["type", "unit", "opened", "closed", "count", "number_count", "sum"]
        )
        rows = rows.append_column("magnitude", pc.abs(rows["sum"]))
        for name in ("type", "unit"):
            rows = rows.set_column(rows.schema.get_field_index(name), name, rows[name].cast(pa.string()))
        keys = ["type", "unit", "opened", "closed"]
        values = ["count", "number_count", "sum", "magnitude"]
        groups = rows.group_by(keys).aggregate([(name, "sum") for name in values])
        names = keys + [name + "_sum" for name in values]
        for kind, unit, opened, closed, *sums in zip(*(groups[name].to_pylist() for name in names)):
            for position in range(opened, closed or self.source.last + 1):
                mine = self._sums[kind, unit, position]
                for place, value in enumerate(sums):
                    mine[place] += value or 0

    def check(self) -> None:
        """Compares with ``type_sums``; types with items that belong to no day are left out of the comparison.

        :raises HealthProbeDataError: ``integrityFailure``
        """
        dayless = {
            type_id
            for (type_id,) in self.source.connection.rows(
                """SELECT t.id FROM sample_types t WHERE EXISTS (SELECT 1 FROM record_versions k
                WHERE k.sample_type_id = t.id AND k.start_seconds IS NULL AND k.sample_id IS NULL)""",
                [("id", "int")],
            )
        }
        stored: dict[tuple[str, str | None, int], list[float]] = defaultdict(lambda: [0, 0, 0.0])
        skipped = {self.source.printed_types[type_id] for type_id in dayless}
        for (type_id, unit, position), *sums in stored_sums(self.source):
            mine = stored[self.source.printed_types[type_id], self.source.provenance.unit(unit), position]
            for index, value in enumerate(sums):
                mine[index] += value
        for place in sorted(set(stored) | set(self._sums), key=str):
            found = self._sums.get(place, [0, 0, 0.0, 0.0])
            *counts, total = stored.get(place, [0, 0, 0.0])
            if place[0] not in skipped and (found[:2] != counts or not _is_same(found[2], total, found[3])):
                raise _differs("daily", place[0], place[2])


def stored_sums(source: TableSource):
    """Records, numbers and sums of the chosen types by type, unit and chain position, as ``type_sums`` has them."""
    positions = source.archive.positions
    chosen = {id for id, _ in source.types}
    rows = source.connection.rows(
        f"""SELECT s.import_id, s.sample_type_id, u.unit, sum(s.visible_count), sum(s.number_count),
            ifnull(sum(s.value_sum), 0.0)
        FROM type_sums s LEFT JOIN units u ON u.id = s.unit_id
        WHERE s.import_id IN ({source.archive.ids}) GROUP BY 1, 2, 3""",
        [("o", "int"), ("t", "int"), ("u", "text"), ("c", "int"), ("n", "int"), ("s", "float")],
    )
    return [((t, unit, positions[o]), *sums) for o, t, unit, *sums in rows if t in chosen]


def _is_same(found: float, stored: float, magnitude: float) -> bool:
    # Values whose magnitudes add up to infinity have another sum in another order.
    return not math.isfinite(magnitude) or abs(found - stored) <= _TOLERANCE * max(magnitude, 1e-300)


def _differs(table: str, type_name: str, position: int) -> HealthProbeDataError:
    return HealthProbeDataError(
        "integrityFailure",
        f"The table {table} does not have what the archive counts of {type_name} at observation {position}.",
        "Nothing was written. Run healthprobe check; if it finds nothing, please report this.",
    )
