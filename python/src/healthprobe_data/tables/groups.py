"""Groups: what consolidation from the first to the latest observation found, all that was visible in between included.

The archive keeps the analysis of ``healthprobe consolidation first latest --through``; without one that still fits,
the tables of groups and members are empty and a warning says so. Every condensed series that the latest observation
shows is in a group. Sums are null for types whose values do not add up, ``value`` is null for the others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import pyarrow as pa

from ..units import linear
from .source import DICTIONARY, TableSource, schema

#: What somebody without groups has to run.
COMMAND = "healthprobe consolidation first latest --through"

SCHEMA = schema(
    ("group", pa.int64(), "Number of the group"),
    ("type", DICTIONARY, "Full identifier of the sample type"),
    ("basis", DICTIONARY, "By what the group was found"),
    ("completeness", DICTIONARY, "complete, partial, or none: no original is known"),
    ("workout", DICTIONARY, "Workout in the condenser's identifier"),
    ("declared_count", pa.int64(), "Samples that the visible series declares"),
    ("found_count", pa.int64(), "Originals that some export had, counted as the series counts"),
    ("constituent_count", pa.int64(), "Records of the group that are gone"),
    ("sum_before", pa.float64(), "Sum of the originals; null unless values add up"),
    ("sum_after", pa.float64(), "Sum of the series; null unless values add up"),
    ("sum_tolerance", pa.float64(), "How far the two may differ by rounding"),
    ("value", pa.float64(), "Value of the series; null where values add up"),
    ("minimum_before", pa.float64(), "Lowest original"),
    ("maximum_before", pa.float64(), "Highest original"),
    ("mean_before", pa.float64(), "Mean of the originals"),
    ("time_weighted_mean_before", pa.float64(), "Mean of the originals by time"),
    ("unit", DICTIONARY, "Unit of these values: that of most visible records of the type"),
    ("span_seconds", pa.float64(), "From the first begin to the last end"),
    ("covered_seconds", pa.float64(), "Time that the originals cover"),
)


def run(source: TableSource) -> int | None:
    """The id of the kept analysis of the whole chain; None where there is none that fits the chain's state."""
    observations = source.archive.observations
    if not observations:
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
    analysis = run(source)
    if analysis is not None:
        chosen, units = {id for id, _ in source.types}, _units(source)
        for number, type_id, basis, completeness, workout, declared, evidence in source.connection.rows(
            f"""SELECT number, sample_type_id, basis, completeness, workout, declared_count, evidence
            FROM analysis_groups WHERE run_id = {analysis} ORDER BY number""",
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
            unit = units.get(type_id, e.get("unit"))
            found = linear(e.get("unit") or "", unit or "")
            unit, (factor, summand) = (unit, found) if found else (e.get("unit"), (1.0, 0.0))

            def of(name: str, zero: float = 0.0) -> float | None:
                return None if e.get(name) is None else e[name] * factor + zero

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
                    "sum_before": of("sumBefore") if adds else None,
                    "sum_after": of("sumAfter") if adds else None,
                    "sum_tolerance": of("sumTolerance") if adds else None,
                    "value": None if adds else of("sumAfter", summand),
                    "minimum_before": of("minimumBefore", summand),
                    "maximum_before": of("maximumBefore", summand),
                    "mean_before": of("meanBefore", summand),
                    "time_weighted_mean_before": of("timeWeightedMeanBefore", summand),
                    "unit": source.provenance.unit(unit),
                    "span_seconds": e["spanSeconds"],
                    "covered_seconds": e["coveredSeconds"],
                }
            )
    yield source.table(rows, SCHEMA)


def _units(source: TableSource) -> dict[int, str]:
    """By type the unit that most records of the latest observation have."""
    return dict(
        source.connection.rows(
            f"""SELECT s.sample_type_id, u.unit FROM type_sums s JOIN units u ON u.id = s.unit_id
            WHERE s.import_id = {source.archive.observations[-1].id}
            GROUP BY 1, 2 ORDER BY sum(s.visible_count), u.unit""",
            [("type", "int"), ("unit", "text")],
        )
    )


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
