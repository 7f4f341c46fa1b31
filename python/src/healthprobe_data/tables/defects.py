"""Defects: what was wrong with each export, counted.

``kind``: ``repair`` (bytes made well-formed), ``quarantine`` (items that cannot be samples), ``unknown`` (elements and
attributes that nobody knows), ``stopped`` (where reading ended early).
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from .source import DICTIONARY, TableSource, schema

SCHEMA = schema(
    ("observation", pa.int16(), "Position in the chain"),
    ("kind", DICTIONARY, "repair, quarantine, unknown or stopped"),
    ("name", DICTIONARY, "What was wrong"),
    ("count", pa.int64(), "How often"),
)


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by observation, kind and name; names that are printed alike are one row."""
    ids = source.archive.ids
    counts: dict[tuple[int, str, str], int] = {}
    for observation, kind, name, count in source.connection.rows(
        f"""SELECT import_id, 'repair', kind, count FROM repairs WHERE import_id IN ({ids})
        UNION ALL SELECT import_id, 'quarantine', reason, count(*) FROM quarantine WHERE import_id IN ({ids})
            GROUP BY 1, 3
        UNION ALL SELECT import_id, 'unknown', name, count FROM unknown_names WHERE import_id IN ({ids})
        UNION ALL SELECT id, 'stopped', stopped_reason, 1 FROM imports
            WHERE id IN ({ids}) AND stopped_reason IS NOT NULL""",
        [("observation", "int"), ("kind", "text"), ("name", "text"), ("count", "int")],
    ):
        printed = source.provenance.finding(name) if kind == "unknown" else name
        place = (source.archive.positions[observation], kind, printed or "")
        counts[place] = counts.get(place, 0) + count
    rows = [
        {"observation": observation, "kind": kind, "name": name or None, "count": count}
        for (observation, kind, name), count in sorted(counts.items())
    ]
    yield source.table(rows, SCHEMA)
