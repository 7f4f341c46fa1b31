"""Types: one row per observation and sample type, as the archive counted it against the observation before.

``appearances_uncertain``: the observation before did not know the type completely, so what appeared may have been
there. ``disappearances_uncertain``: this export did not show the type completely.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pyarrow as pa

from ..type_names import TypeFilter
from .source import DICTIONARY, TableSource, schema

COUNTS = pa.map_(pa.string(), pa.int64())
SCHEMA = schema(
    ("observation", pa.int16(), "Position in the chain"),
    ("type", DICTIONARY, "Full identifier of the sample type"),
    ("status", DICTIONARY, "Whether the export showed the type completely"),
    ("read", pa.int64(), "Items that the export shows"),
    ("visible", pa.int64(), "Items of the state at this observation"),
    ("appeared", pa.int64(), "Samples that appeared since the observation before"),
    ("disappeared", pa.int64(), "Samples that disappeared"),
    ("changed", pa.int64(), "Samples that changed their representation"),
    ("evidence", COUNTS, "Changed by match rule"),
    ("changed_fields", COUNTS, "Changed by field"),
    ("appearances_uncertain", pa.bool_(), "The observation before did not know the type completely"),
    ("disappearances_uncertain", pa.bool_(), "This export did not show the type completely"),
)


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by observation and type."""
    runs: dict[int, dict[int, tuple]] = {}
    for observation, type_id, *values in source.connection.rows(
        f"""SELECT import_id, sample_type_id, status, read_count, visible_count, appeared_count, disappeared_count,
            representation_changed_count, evidence, changed_fields
        FROM type_runs WHERE import_id IN ({source.archive.ids})""",
        [
            ("observation", "int"),
            ("type", "int"),
            ("status", "text"),
            ("read", "int"),
            ("visible", "int"),
            ("appeared", "int"),
            ("disappeared", "int"),
            ("changed", "int"),
            ("evidence", "text"),
            ("fields", "text"),
        ],
    ):
        runs.setdefault(observation, {})[type_id] = tuple(values)
    rows = []
    before = None
    for observation in source.archive.observations:
        of_types = runs.get(observation.id, {})
        for type_id, name in source.types:
            if type_id not in of_types:
                continue
            status, read, visible, appeared, disappeared, changed, evidence, fields = of_types[type_id]
            earlier = _status_before(before, runs, type_id, name)
            rows.append(
                {
                    "observation": observation.position,
                    "type": source.printed_types[type_id],
                    "status": status,
                    "read": read,
                    "visible": visible,
                    "appeared": appeared,
                    "disappeared": disappeared,
                    "changed": changed,
                    "evidence": sorted(json.loads(evidence).items()),
                    "changed_fields": sorted(
                        (source.provenance.field(field), count) for field, count in json.loads(fields).items()
                    ),
                    "appearances_uncertain": appeared > 0 and earlier in ("excluded", "incomplete"),
                    "disappearances_uncertain": disappeared > 0 and status == "incomplete",
                }
            )
        before = observation
    yield source.table(rows, SCHEMA)


def _status_before(before, runs: dict[int, dict[int, tuple]], type_id: int, name: str) -> str | None:
    """The type's status at the observation before; None at the chain's first."""
    if before is None:
        return None
    known = runs.get(before.id, {}).get(type_id)
    if known is not None:
        return known[0]
    clauses = json.loads(before.type_selection)
    if clauses and not any(TypeFilter(clause["only"], clause["without"])(name) for clause in clauses):
        return "excluded"
    return "incomplete" if before.status == "partial" else "absent"
