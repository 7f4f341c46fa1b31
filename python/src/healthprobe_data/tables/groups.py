"""Groups: what consolidation from the first to the latest observation found, all that was visible in between included.

The archive keeps the analysis of ``healthprobe consolidation first latest --through``; without one that still fits,
the tables of groups and members are empty and a warning says so. Sums are null for types whose values do not add up,
``value`` is null for the others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import pyarrow as pa

from .source import DICTIONARY, TableSource, schema

#: What somebody without groups has to run.
COMMAND = "healthprobe consolidation first latest --through"

SCHEMA = schema(
    ("group", pa.int64()),
    ("type", DICTIONARY),
    ("basis", DICTIONARY),
    ("completeness", DICTIONARY),
    ("workout", pa.string()),
    ("declared_count", pa.int64()),
    ("found_count", pa.int64()),
    ("constituent_count", pa.int64()),
    ("sum_before", pa.float64()),
    ("sum_after", pa.float64()),
    ("sum_tolerance", pa.float64()),
    ("value", pa.float64()),
    ("minimum_before", pa.float64()),
    ("maximum_before", pa.float64()),
    ("mean_before", pa.float64()),
    ("time_weighted_mean_before", pa.float64()),
    ("unit", DICTIONARY),
    ("span_seconds", pa.float64()),
    ("covered_seconds", pa.float64()),
)


def run(source: TableSource) -> int | None:
    """The id of the kept analysis of the whole chain; None where there is none that fits the chain's state."""
    observations = source.archive.observations
    if len(observations) < 2:
        return None
    found = source.connection.rows(
        f"""SELECT id, fingerprint FROM analysis_runs
        WHERE from_import_id = {observations[0].id} AND to_import_id = {observations[-1].id} AND through = 1""",
        [("id", "int"), ("fingerprint", "blob")],
    )
    return found[0][0] if found and found[0][1] == _fingerprint(source) else None


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by number."""
    rows = []
    found = run(source)
    if found is not None:
        chosen = {id for id, _ in source.types}
        for number, type_id, basis, completeness, workout, declared, evidence in source.connection.rows(
            f"""SELECT number, sample_type_id, basis, completeness, workout, declared_count, evidence
            FROM analysis_groups WHERE run_id = {found} ORDER BY number""",
            [
                ("number", "int"),
                ("type", "int"),
                ("basis", "text"),
                ("completeness", "text"),
                ("workout", "text"),
                ("declared", "int"),
                ("evidence", "text"),
            ],
        ):
            if type_id not in chosen:
                continue
            e = json.loads(evidence)
            adds = e.get("isCumulative", False)
            rows.append(
                {
                    "group": number,
                    "type": source.printed_types[type_id],
                    "basis": basis,
                    "completeness": completeness,
                    "workout": source.provenance.workout(workout),
                    "declared_count": declared,
                    "found_count": e["foundCount"],
                    "constituent_count": e["constituentCount"],
                    "sum_before": e["sumBefore"] if adds else None,
                    "sum_after": e["sumAfter"] if adds else None,
                    "sum_tolerance": e["sumTolerance"] if adds else None,
                    "value": None if adds else e["sumAfter"],
                    "minimum_before": e.get("minimumBefore"),
                    "maximum_before": e.get("maximumBefore"),
                    "mean_before": e.get("meanBefore"),
                    "time_weighted_mean_before": e.get("timeWeightedMeanBefore"),
                    "unit": source.provenance.unit(e.get("unit")),
                    "span_seconds": e["spanSeconds"],
                    "covered_seconds": e["coveredSeconds"],
                }
            )
    yield source.table(rows, SCHEMA)


def _fingerprint(source: TableSource) -> bytes:
    """What the chain's states are, as ``analysis_runs.fingerprint`` covers them."""
    text = f"hp:analysis:{source.archive.chain}"
    for o in source.archive.observations:
        text += f";{o.id},{o.status},{o.observed_at},{o.state_digest},{o.type_selection}"
    for row in source.connection.rows(
        f"""SELECT import_id, status, count(*), total(sample_type_id) FROM type_runs
        WHERE import_id IN ({source.archive.ids}) GROUP BY 1, 2 ORDER BY 1, 2""",
        [("observation", "int"), ("status", "text"), ("count", "int"), ("total", "float")],
    ):
        text += ";" + ",".join(str(value) for value in row)
    return hashlib.sha256(text.encode()).digest()
