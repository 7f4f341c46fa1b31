"""Members: the records of the groups. ``sample`` and ``copy`` are those of ``records``.

``last_visible`` is the observation that showed a constituent last; null for what is still visible. ``nested``: another
constituent of the group replaced it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from . import groups
from .source import DICTIONARY, TableSource, schema

SCHEMA = schema(
    ("group", pa.int64(), "Number of the group"),
    ("role", DICTIONARY, "replacement or constituent"),
    ("sample", pa.int64(), "As in records"),
    ("copy", pa.int64(), "As in records"),
    ("last_visible", pa.int16(), "Observation that showed a constituent last; null: still visible"),
    ("nested", pa.bool_(), "Another constituent of the group replaced it"),
)


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by group, role and copy."""
    found = groups.run(source)
    if found is None:
        yield source.table([], SCHEMA)
        return
    chosen = ", ".join(str(id) for id, _ in source.types) or "-1"
    for batch in source.connection.batches(
        f"""SELECT m.number, m.role, ifnull(c.sample_id, c.id), c.id, m.last_import_id, m.nested
        FROM analysis_members m JOIN analysis_groups g ON g.run_id = m.run_id AND g.number = m.number
        JOIN record_versions c ON c.id = m.record_version_id
        WHERE m.run_id = {found} AND g.sample_type_id IN ({chosen})
        ORDER BY m.number, m.role, m.record_version_id""",
        [("group", "int"), ("role", "int"), ("sample", "int"), ("copy", "int"), ("last", "int"), ("nested", "int")],
    ):
        roles = pa.DictionaryArray.from_arrays(batch["role"].cast(pa.int32()), pa.array(["replacement", "constituent"]))
        columns = {
            "group": batch["group"],
            "role": roles,
            "sample": batch["sample"],
            "copy": batch["copy"],
            "last_visible": source.archive.places(batch["last"]),
            "nested": pc.equal(batch["nested"], 1),
        }
        yield source.complete(columns, batch.num_rows, SCHEMA)
