"""Records: the visibility ranges of all copies of records and workouts that have a start.

A row says which copy of which sample was visible from observation ``opened`` up to, not including, ``closed``. The
state at observation k is ``opened <= k AND (closed IS NULL OR closed > k)``. Sorted by type, start, end and copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources

import pyarrow as pa
import pyarrow.compute as pc

from .source import DICTIONARY, TIMESTAMP, TableSource, schema

EVIDENCE = ("strictKey", "unitConversion", "syncIdentifier", "externalUUID", "activityUUID", "valueSynonym")

SCHEMA = schema(
    ("type", DICTIONARY),
    ("start", TIMESTAMP),
    ("end", TIMESTAMP),
    ("value", pa.float64()),
    ("category", DICTIONARY),
    ("unit", DICTIONARY),
    ("source", DICTIONARY),
    ("source_version", DICTIONARY),
    ("device_manufacturer", DICTIONARY),
    ("device_model", DICTIONARY),
    ("device_hardware", DICTIONARY),
    ("device_software", DICTIONARY),
    ("created", TIMESTAMP),
    ("opened", pa.int16()),
    ("closed", pa.int16()),
    ("open_evidence", DICTIONARY),
    ("closed_by", DICTIONARY),
    ("previous", pa.int64()),
    ("sample", pa.int64()),
    ("copy", pa.int64()),
    ("ordinal", pa.int32()),
    ("condenser_version", pa.int32()),
    ("condensed_count", pa.int64()),
    ("condensed_start", TIMESTAMP),
    ("condensed_end", TIMESTAMP),
    ("workout", pa.string()),
    ("activity", DICTIONARY),
)
#: With ``full`` provenance rows have their metadata too, as JSON text.
FULL_SCHEMA = SCHEMA.append(pa.field("metadata", pa.string()))

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
    ("activity", "text"),
]

#: HealthKit's mark of a condensed sample: version, workout, start and end in seconds since 2001 with five decimals, count.
_MARK = re.compile(
    r'"HKMetadataKeySyncIdentifier":"([0-9]{1,9}):([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})'
    r':(-?[0-9]{1,12}\.[0-9]{5}):(-?[0-9]{1,12}\.[0-9]{5}):([0-9]{1,12})"'
)
_REFERENCE_MICROSECONDS = 978_307_200 * 1_000_000
_RECORD, _WORKOUT = 0, 2
#: Seconds beyond which a timestamp in microseconds has no room.
_FARTHEST = 9_000_000_000_000

_CURRENT = """c.opened_observation_id AS opened, c.closed_observation_id AS closed, c.superseded, c.match_rule,
    CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END AS previous"""
_PAST = "r.opened_observation_id, r.closed_observation_id, r.superseded, r.match_rule, r.previous_id"
_METADATA = "iif(c.payload_id IS NULL, c.metadata, p.metadata)"
_ALL_METADATA = f"""CASE typeof({_METADATA}) WHEN 'integer'
    THEN (SELECT m.metadata FROM metadata_sets m WHERE m.id = {_METADATA}) ELSE {_METADATA} END"""
#: Only what may have the condenser's identifier, as the index record_versions_condensed states it.
_HAS_MARK = """instr({0}, '"HKMetadataKeySyncIdentifier":"')
    AND {0} GLOB '*"HKMetadataKeySyncIdentifier":"[0-9]*:*-*-*-*-*:*.?????:*.?????:[0-9]*"*'"""
_MARKED_METADATA = f"""CASE typeof({_METADATA})
    WHEN 'text' THEN CASE WHEN {_HAS_MARK.format(_METADATA)} THEN {_METADATA} END
    WHEN 'integer' THEN CASE WHEN {_METADATA} IN ({{sets}}) THEN ({_ALL_METADATA}) END END"""
_OWN = """FROM record_versions k JOIN record_versions c ON c.id = k.id
LEFT JOIN record_versions p ON p.id = c.payload_id
WHERE k.sample_type_id = {type} AND k.sample_id IS NULL AND k.device_chain_id = {chain}
    AND c.opened_observation_id IS NOT c.closed_observation_id"""
_OTHERS = """FROM record_versions k CROSS JOIN record_versions c ON c.sample_id = k.id
LEFT JOIN record_versions p ON p.id = c.payload_id
WHERE k.sample_type_id = {type} AND k.sample_id IS NULL AND k.device_chain_id = {chain}
    AND c.opened_observation_id IS NOT c.closed_observation_id"""
_EARLIER = """FROM temp.past_ranges_by_type r CROSS JOIN record_versions c ON c.id = r.record_version_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id)
LEFT JOIN record_versions p ON p.id = c.payload_id
WHERE r.sample_type_id = {type} AND r.device_chain_id = {chain}
    AND r.opened_observation_id IS NOT r.closed_observation_id"""


class Ranges:
    """Reads the visibility ranges of a chain type by type, for the table and for what is counted beside it."""

    def __init__(self, source: TableSource):
        self.source = source
        self._sql = resources.files(__package__).joinpath("ranges.sql").read_text()
        self._has_past = bool(source.connection.value("SELECT EXISTS (SELECT 1 FROM past_ranges)"))
        if self._has_past:
            source.connection.execute(
                """CREATE TEMP TABLE IF NOT EXISTS past_ranges_by_type AS
                SELECT r.*, k.sample_type_id, c.device_chain_id FROM past_ranges r
                JOIN record_versions c ON c.id = r.record_version_id
                JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id)"""
            )
        if source.provenance.is_full:
            self._metadata = _ALL_METADATA
        else:
            condition = _HAS_MARK.format("metadata")
            sets = source.connection.rows(f"SELECT id FROM metadata_sets WHERE {condition}", [("id", "int")])
            self._metadata = _MARKED_METADATA.format(sets=", ".join(str(id) for (id,) in sets))

    def raw(self, type_id: int) -> Iterator[pa.RecordBatch]:
        """The ranges of a type with ``opened`` and ``closed`` as chain positions, of items of any kind."""
        if not self.source.last:
            return
        arms = [(_CURRENT, _OWN), (_CURRENT, _OTHERS)] + ([(_PAST, _EARLIER)] if self._has_past else [])
        names = {"type": type_id, "chain": self.source.archive.chain}
        sql = "\nUNION ALL\n".join(
            self._sql.format(range=range, metadata=self._metadata, **{"from": tables.format(**names)})
            for range, tables in arms
        )
        for batch in self.source.connection.batches(sql + '\nORDER BY start, "end", copy, opened', _COLUMNS):
            # Opened is null for the chain's first observation, closed -1 while visible.
            opened = pc.fill_null(self.source.archive.places(batch["opened"]), 1)
            is_visible = pc.equal(batch["closed"], -1)
            closed = self.source.archive.places(pc.if_else(is_visible, pa.scalar(None, pa.int64()), batch["closed"]))
            batch = batch.set_column(batch.schema.get_field_index("opened"), "opened", opened)
            yield batch.set_column(batch.schema.get_field_index("closed"), "closed", closed)


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
    columns |= _marks(batch["metadata"], source)
    if source.provenance.is_full:
        columns["metadata"] = batch["metadata"]
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


def _marks(metadata: pa.Array, source: TableSource) -> dict[str, pa.Array]:
    """What the condenser's identifiers say; null in rows without one."""
    found: list[tuple | None] = [None] * len(metadata)
    if metadata.null_count < len(metadata):
        for index, text in enumerate(metadata.to_pylist()):
            mark = _MARK.search(text) if text else None
            if mark:
                start, end = (int(part.replace(".", "")) * 10 + _REFERENCE_MICROSECONDS for part in mark.group(3, 4))
                if start <= end:
                    workout = source.provenance.workout(mark.group(2))
                    found[index] = (int(mark.group(1)), int(mark.group(5)), start, end, workout)
    names = ("condenser_version", "condensed_count", "condensed_start", "condensed_end", "workout")
    kinds = (pa.int32(), pa.int64(), TIMESTAMP, TIMESTAMP, pa.string())
    return {
        name: pa.array([row and row[place] for row in found], kind)
        for place, (name, kind) in enumerate(zip(names, kinds))
    }
