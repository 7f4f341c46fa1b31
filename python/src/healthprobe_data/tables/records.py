"""Records: the visibility ranges of all copies of records and workouts that have a start.

A row says which copy of which sample was visible from observation ``opened`` up to, not including, ``closed``. The
state at observation k is ``opened <= k AND (closed IS NULL OR closed > k)``. Sorted by type, start, end and copy.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from ..units import canonical_unit, linear
from .source import DICTIONARY, SIGNS, TIMESTAMP, TableSource, extract, schema

EVIDENCE = ("strictKey", "unitConversion", "syncIdentifier", "externalUUID", "activityUUID", "valueSynonym")

SCHEMA = schema(
    ("type", DICTIONARY, "Full identifier of the sample type"),
    ("start", TIMESTAMP, "When the sample begins"),
    ("end", TIMESTAMP, "When it ends"),
    ("value", pa.float64(), "Number of the sample as the export prints it, in `unit`"),
    ("category", DICTIONARY, "Value of a category sample, or text that is no number"),
    ("unit", DICTIONARY, "Unit that the export prints; it follows the Health app's settings"),
    ("value_canonical", pa.float64(), "`value` in `unit_canonical`: the same whatever the settings"),
    ("unit_canonical", DICTIONARY, "HealthKit's canonical unit of the type; null where type or unit is unknown"),
    ("weight", pa.int64(), "Samples that the row stands for: the declared count of a condensed series, else 1"),
    ("time_zone", DICTIONARY, "HKTimeZone of the sample, if it is a name of the zone database"),
    ("source", DICTIONARY, "Name of the source"),
    ("source_version", DICTIONARY, "Version of the source"),
    ("device_manufacturer", DICTIONARY, "Manufacturer of the device"),
    ("device_model", DICTIONARY, "Model of the device, such as Watch"),
    ("device_hardware", DICTIONARY, "Hardware of the device, such as Watch7,3"),
    ("device_software", DICTIONARY, "Software of the device"),
    ("created", TIMESTAMP, "When HealthKit stored it; of a condensed series, when it was condensed"),
    ("opened", pa.int16(), "First observation of the range: a position in the chain, 1, 2, …"),
    ("closed", pa.int16(), "Observation that no longer showed it; null: still visible"),
    ("open_evidence", DICTIONARY, "Match rule by which it continues `previous`; null: it appeared"),
    ("closed_by", DICTIONARY, "disappeared, or continued by another copy; null: still visible"),
    ("previous", pa.int64(), "Copy that it continues"),
    ("sample", pa.int64(), "Number of the sample within one `state`"),
    ("copy", pa.int64(), "Number of this representation of the sample within one `state`"),
    ("ordinal", pa.int32(), "0, 1, … among equal copies"),
    ("condenser_version", pa.int32(), "Version in the condenser's identifier; null: not condensed"),
    ("condensed_count", pa.int64(), "Samples that a condensed series declares"),
    ("condensed_start", TIMESTAMP, "Begin of the condensed series"),
    ("condensed_end", TIMESTAMP, "End of the condensed series"),
    ("workout", DICTIONARY, "Workout in the condenser's identifier"),
    ("activity", DICTIONARY, "Activity of a workout"),
)
#: With ``full`` provenance rows have their metadata too, as JSON text.
FULL_SCHEMA = SCHEMA.append(pa.field("metadata", pa.string(), metadata={"description": "Metadata as JSON"}))

_COLUMNS = [
    ("kind", "int"),
    ("start", "int"),
    ("end", "int"),
    ("value", "float"),
    ("category", "text"),
    ("descriptor", "int"),
    ("created", "int"),
    ("opened", "int"),
    ("closed", "int"),
    ("superseded", "int"),
    ("match_rule", "int"),
    ("previous", "int"),
    ("sample", "int"),
    ("copy", "int"),
    ("ordinal", "int"),
    ("metadata", "text"),
    ("metadata_set", "int"),
    ("activity", "text"),
]

#: HealthKit's mark of a condensed sample: version, workout, start and end in seconds since 2001 with five decimals, count.
_MARK = (
    r'"HKMetadataKeySyncIdentifier":"(?P<version>[0-9]{1,9})'
    r":(?P<workout>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})"
    r':(?P<start>-?[0-9]{1,12}\.[0-9]{5}):(?P<end>-?[0-9]{1,12}\.[0-9]{5}):(?P<count>[0-9]{1,12})"'
)
_REFERENCE_MICROSECONDS = 978_307_200 * 1_000_000
#: How many samples a series may declare to be believed.
_MOST_DECLARED = 1_000_000
_RECORD, _WORKOUT = 0, 2
#: Seconds beyond which a timestamp in microseconds has no room.
_FARTHEST = 9_000_000_000_000

#: k: the row with the key; c: the copy; p: the row with the copy's payload, where that is another one.
#: opened: an observation's id, NULL for the chain's first; closed: an id, -1 while visible.
_ROW = """SELECT k.kind, k.start_seconds AS start, k.start_seconds + k.duration AS "end",
    CASE WHEN typeof(k.value) IN ('integer', 'real') THEN CAST(k.value AS REAL) END,
    CASE typeof(k.value) WHEN 'text' THEN k.value END,
    c.descriptor_id, k.start_seconds + CASE WHEN c.payload_id IS NULL THEN c.creation_delay ELSE p.creation_delay END,
    {range}, k.id, c.id AS copy, c.ordinal,
    CASE WHEN c.payload_id IS NULL THEN {own} ELSE {other} END,
    CASE WHEN c.payload_id IS NULL THEN CASE typeof(c.metadata) WHEN 'integer' THEN c.metadata END
        ELSE CASE typeof(p.metadata) WHEN 'integer' THEN p.metadata END END,
    CASE k.kind WHEN 2 THEN json_extract(k.strict_key, '$[0]') END
FROM {tables} LEFT JOIN record_versions p ON p.id = c.payload_id
WHERE {where}"""
_CURRENT = """c.opened_observation_id AS opened, c.closed_observation_id, c.superseded, c.match_rule,
    CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END"""
_PAST = "r.opened_observation_id AS opened, r.closed_observation_id, r.superseded, r.match_rule, r.previous_id"
#: The rows that have the key of their sample; those of other rows' samples; earlier ranges of both.
_OWN = (
    "record_versions c",
    "c.sample_type_id = {type} AND c.sample_id IS NULL AND c.device_chain_id = {chain}"
    " AND c.opened_observation_id IS NOT c.closed_observation_id",
)
_OTHERS = (
    """temp.others_by_type o CROSS JOIN record_versions c ON c.id = o.id
    JOIN record_versions k ON k.id = c.sample_id""",
    "o.sample_type_id = {type} AND c.device_chain_id = {chain}"
    " AND c.opened_observation_id IS NOT c.closed_observation_id",
)
_EARLIER = (
    """temp.past_ranges_by_type r CROSS JOIN record_versions c ON c.id = r.record_version_id
    JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id)""",
    "r.sample_type_id = {type} AND c.device_chain_id = {chain}"
    " AND r.opened_observation_id IS NOT r.closed_observation_id",
)


class Ranges:
    """Reads the visibility ranges of a chain type by type, for the table and for what is counted beside it."""

    def __init__(self, source: TableSource):
        self.source = source
        connection = source.connection
        self._arms = [(_CURRENT, *_OWN)]
        # What few archives have is found by type once, and what one does not have costs nothing.
        if connection.value("SELECT EXISTS (SELECT 1 FROM record_versions WHERE sample_id IS NOT NULL)"):
            connection.execute(
                """CREATE TEMP TABLE IF NOT EXISTS others_by_type (sample_type_id INTEGER, id INTEGER,
                    PRIMARY KEY (sample_type_id, id)) WITHOUT ROWID"""
            )
            connection.execute(
                """INSERT OR IGNORE INTO temp.others_by_type SELECT k.sample_type_id, c.id FROM record_versions c
                JOIN record_versions k ON k.id = c.sample_id WHERE c.sample_id IS NOT NULL"""
            )
            self._arms.append((_CURRENT, *_OTHERS))
        if connection.value("SELECT EXISTS (SELECT 1 FROM past_ranges)"):
            connection.execute(
                """CREATE TEMP TABLE IF NOT EXISTS past_ranges_by_type AS
                SELECT r.*, k.sample_type_id FROM past_ranges r
                JOIN record_versions c ON c.id = r.record_version_id
                JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id)"""
            )
            self._arms.append((_PAST, *_EARLIER))

    def raw(self, type_id: int) -> Iterator[pa.RecordBatch]:
        """The ranges of a type with ``opened`` and ``closed`` as chain positions, of items of any kind."""
        if not self.source.last:
            return
        own, other = (_metadata(row, self.source.provenance.is_full) for row in "cp")
        names = {"type": type_id, "chain": self.source.archive.chain}
        arms = []
        for range, tables, where in self._arms:
            row = _ROW if "record_versions k" in tables else _ROW.replace("k.", "c.")
            where = where.format(**names)
            arms.append(row.format(range=range, own=own, other=other, tables=tables, where=where))
        sql = "\nUNION ALL\n".join(arms) + '\nORDER BY start, "end", copy, opened'
        for batch in self.source.connection.batches(sql, _COLUMNS):
            # Opened is null for the chain's first observation, closed -1 while visible.
            opened = pc.fill_null(self.source.archive.places(batch["opened"]), 1)
            is_visible = pc.equal(batch["closed"], -1)
            closed = self.source.archive.places(pc.if_else(is_visible, pa.scalar(None, pa.int64()), batch["closed"]))
            batch = batch.set_column(batch.schema.get_field_index("opened"), "opened", opened)
            yield batch.set_column(batch.schema.get_field_index("closed"), "closed", closed)


def _metadata(row: str, is_whole: bool) -> str:
    """A row's own metadata; where nobody wants all of it, only what has one of the signs."""
    signed = "" if is_whole else "AND (" + " OR ".join(f"instr({row}.metadata, '{sign}')" for sign in SIGNS) + ")"
    return f"CASE WHEN typeof({row}.metadata) = 'text' {signed} THEN {row}.metadata END"


def kept(batch: pa.RecordBatch) -> pa.Array:
    """Which ranges are rows of the table: records and workouts whose start and end have room in a timestamp."""
    is_kind = pc.is_in(batch["kind"], pa.array([_RECORD, _WORKOUT]))
    near = _is_near(batch["start"])
    return pc.and_(pc.and_(is_kind, pc.fill_null(near, False)), pc.fill_null(_is_near(batch["end"]), True))


def rows(source: TableSource, type_id: int, batch: pa.RecordBatch) -> pa.RecordBatch:
    """The table's rows of ranges that are ``kept``."""
    of = FULL_SCHEMA if source.provenance.is_full else SCHEMA
    count = batch.num_rows
    evidence = pa.DictionaryArray.from_arrays(batch["match_rule"].cast(pa.int32()), pa.array(EVIDENCE))
    closing = pc.if_else(pc.is_valid(batch["closed"]), batch["superseded"], pa.scalar(None, pa.int64()))
    created = pc.if_else(pc.fill_null(_is_near(batch["created"]), False), batch["created"], pa.scalar(None, pa.int64()))
    columns = {
        "type": _constant(source.printed_types[type_id], count),
        "start": _timestamps(batch["start"]),
        "end": _timestamps(batch["end"]),
        "created": _timestamps(created),
        "category": _words(batch["category"], source),
        "activity": _words(batch["activity"], source),
        "open_evidence": evidence,
        "closed_by": pa.DictionaryArray.from_arrays(closing.cast(pa.int32()), pa.array(["disappeared", "continued"])),
        "value": batch["value"],
        "ordinal": batch["ordinal"].cast(pa.int32()),
    }
    for name in ("opened", "closed", "previous", "sample", "copy"):
        columns[name] = batch[name]
    columns |= source.descriptors.columns(batch["descriptor"])
    columns |= _canonical(source, source.archive.types[type_id], batch)
    metadata, zones = source.metadata_sets.of(batch)
    columns |= _marks(metadata, source) | {"time_zone": zones}
    declared = columns["condensed_count"]
    is_believed = pc.and_(pc.greater_equal(declared, 1), pc.less_equal(declared, _MOST_DECLARED))
    columns["weight"] = pc.if_else(pc.fill_null(is_believed, False), declared, 1)
    if source.provenance.is_full:
        columns["metadata"] = metadata
    return source.complete(columns, count, of)


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table in its order."""
    ranges = Ranges(source)
    for type_id, _ in source.types:
        for batch in ranges.raw(type_id):
            chosen = batch.filter(kept(batch))
            if chosen.num_rows:
                yield rows(source, type_id, chosen)


def _is_near(seconds: pa.Array) -> pa.Array:
    return pc.and_(pc.greater(seconds, -_FARTHEST), pc.less(seconds, _FARTHEST))


def _timestamps(seconds: pa.Array) -> pa.Array:
    return pc.multiply(seconds, 1_000_000).cast(TIMESTAMP)


def _constant(text: str, count: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), count), pa.array([text]))


def _words(texts: pa.Array, source: TableSource) -> pa.DictionaryArray:
    encoded = texts.dictionary_encode()
    printed = pa.array([source.provenance.word(text) for text in encoded.dictionary.to_pylist()], pa.string())
    return printed.take(encoded.indices).dictionary_encode()


def _canonical(source: TableSource, type_name: str, batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """Values in the type's canonical unit: factor and summand by descriptor, so units are read once."""
    unit, count = canonical_unit(type_name), batch.num_rows
    ids = batch["descriptor"].dictionary_encode()
    units = (source.descriptors.unit_names[id] for id in ids.dictionary.to_pylist())
    found = [linear(name, unit) if unit and name else None for name in units]
    factor, summand = (pa.array([pair and pair[n] for pair in found], pa.float64()).take(ids.indices) for n in (0, 1))
    value = pc.add(pc.multiply(batch["value"], factor), summand)
    name = pa.nulls(count, pa.int32())
    if unit:
        name = pc.if_else(pc.is_valid(value), pa.scalar(0, pa.int32()), pa.scalar(None, pa.int32()))
    return {
        "value_canonical": value,
        "unit_canonical": pa.DictionaryArray.from_arrays(name, pa.array([unit] if unit else [], pa.string())),
    }


def _marks(metadata: pa.Array, source: TableSource) -> dict[str, pa.Array]:
    """What the condenser's identifiers say; null in rows without one."""
    places, found = extract(metadata, SIGNS[0], _MARK)
    version, workout, start, end, count = found.flatten()

    def moment(texts: pa.Array) -> pa.Array:
        # Hundredths of milliseconds since 2001.
        digits = pc.replace_substring(texts, ".", "").cast(pa.int64())
        return pc.add(pc.multiply(digits, 10), _REFERENCE_MICROSECONDS).cast(TIMESTAMP)

    start, end = moment(start), moment(end)
    is_ordered = pc.fill_null(pc.less_equal(start, end), False).take(places)
    places = pc.if_else(is_ordered, places, pa.scalar(None, pa.int32()))
    names = workout.dictionary_encode()
    printed = pa.array([source.provenance.workout(text) for text in names.dictionary.to_pylist()], pa.string())
    columns = {
        "condenser_version": version.cast(pa.int32()),
        "condensed_count": count.cast(pa.int64()),
        "condensed_start": start,
        "condensed_end": end,
        "workout": printed.take(names.indices),
    }
    found = {name: values.take(places) for name, values in columns.items()}
    return found | {"workout": found["workout"].dictionary_encode()}
