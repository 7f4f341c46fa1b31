"""What every table is made of: an archive's chain, the texts that may be printed, and the participant's name."""

from __future__ import annotations

import datetime
import functools
import json
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from ..archive import ArchiveFile
from ..errors import damage, damaged
from ..instants import day_number, is_zone
from ..program import Runner
from ..provenance import Provenance
from ..type_names import TypeFilter

#: The version of the tables: names, columns and their meaning.
VERSION = "healthprobe.tables/1"

TIMESTAMP = pa.timestamp("us", tz="UTC")
DICTIONARY = pa.dictionary(pa.int32(), pa.string())

#: The columns that open every row.
FIRST_FIELDS = [
    ("participant", DICTIONARY, "Pseudonym of the participant; null outside of a lake"),
    ("chain", DICTIONARY, "Name of the chain of observations: one phone"),
    ("state", DICTIONARY, "16 digits over the exports and programs that the row follows from"),
]


def schema(*fields: tuple[str, pa.DataType, str]) -> pa.Schema:
    """A table's schema: the columns of every row, then its own, each with a description."""
    return pa.schema(
        [pa.field(name, kind, metadata={"description": text}) for name, kind, text in (*FIRST_FIELDS, *fields)]
    )


class TableSource:
    """One chain of an archive, as the tables read it.

    :param participant: the pseudonym that rows carry; None for one's own archive
    :param key_id: the id of the study's key, of which ``state`` depends
    :param runner: runs the program on the archive; without it the tables that it computes have no rows
    """

    @damage()
    def __init__(
        self,
        archive: ArchiveFile,
        provenance: Provenance,
        types: TypeFilter | None = None,
        participant: str | None = None,
        key_id: str | None = None,
        runner: Runner | None = None,
    ):
        self.runner = runner
        self.archive, self.provenance, self.filter = archive, provenance, types or TypeFilter()
        self.participant = participant
        self.chain = provenance.chain(archive.chain_name)
        self.state = archive.state(VERSION, key_id)
        self.connection = archive.connection
        if provenance.profile == "none":
            names = self.connection.rows("SELECT name FROM sources ORDER BY id", [("name", "text")])
            provenance.number_sources([name for (name,) in names])
        self.printed_types = {id: provenance.type(name) for id, name in archive.types.items()}

    @property
    def types(self) -> list[tuple[int, str]]:
        """The chosen types, id and full identifier, in the order of their printed names."""
        chosen = [(id, name) for id, name in self.archive.types.items() if self.filter(name)]
        return sorted(chosen, key=lambda pair: (self.printed_types[pair[0]].encode(), pair[0]))

    @property
    def last(self) -> int:
        """The chain position of the latest observation; 0 without any."""
        return len(self.archive.observations)

    @functools.cached_property
    def descriptors(self) -> "Descriptors":
        """Unit, source and device by descriptor, read once."""
        return Descriptors(self)

    @functools.cached_property
    def metadata_sets(self) -> "MetadataSets":
        """The metadata that rows share, read once."""
        return MetadataSets(self)

    def complete(self, columns: dict[str, pa.Array], rows: int, of: pa.Schema) -> pa.RecordBatch:
        """A batch of the schema: the given columns behind those of every row."""
        first = {"participant": self.participant, "chain": self.chain, "state": self.state}
        arrays = [columns[field.name] if field.name in columns else constant(first[field.name], rows) for field in of]
        return pa.RecordBatch.from_arrays(
            [a if a.type == f.type else a.cast(f.type) for a, f in zip(arrays, of)], schema=of
        )

    def ask(self, *command: str) -> Iterator[dict]:
        """The JSON lines of a command of the program about the latest observation; none without a program."""
        if self.runner is not None and self.last:
            yield from self.runner.lines(*command, *self._latest)

    def ask_rows(self, *command: str) -> Iterator[dict[str, str]]:
        """The same of a command whose ``--csv`` comes row by row."""
        if self.runner is not None and self.last:
            yield from self.runner.rows(*command, *self._latest)

    @property
    def _latest(self) -> tuple[str, ...]:
        return "--at", str(self.archive.observations[-1].id), "--chain", self.archive.chain_name

    def answers(self, of: pa.Schema, lines: Iterable[dict], printed: dict[str, tuple]) -> pa.RecordBatch:
        """A batch of the schema from the program's JSON lines, whose members have the columns' names in camel case.

        :param printed: of other columns the member, and what prints it
        """
        rows = []
        for line in lines:
            row = {}
            for field in of:
                name, print = printed.get(field.name, (_camel(field.name), None))
                value = line.get(name)
                if field.type == TIMESTAMP and isinstance(value, str):
                    value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
                elif field.type == pa.date32():
                    value = day_number(value)
                row[field.name] = print(value) if print else value
            rows.append(row)
        return self.table(rows, of)

    def table(self, rows: list[dict], of: pa.Schema) -> pa.RecordBatch:
        """A batch of the schema from a short list of rows."""
        columns = {
            field.name: pa.array(
                [row.get(field.name) for row in rows], pa.string() if field.type == DICTIONARY else field.type
            )
            for field in of
            if field.name not in ("participant", "chain", "state")
        }
        columns = {
            name: array.dictionary_encode() if of.field(name).type == DICTIONARY else array
            for name, array in columns.items()
        }
        return self.complete(columns, len(rows), of)


#: What metadata may have that tables want: the condenser's identifier, and the zone. Looked for before any pattern is.
SIGNS = ('"HKMetadataKeySyncIdentifier":"', '"HKTimeZone":"')
_ZONE = r'"HKTimeZone":"(?P<zone>[A-Za-z0-9_+/-]{1,64})"'


def extract(texts: pa.Array, sign: str, pattern: str) -> tuple[pa.Array, pa.StructArray]:
    """What a pattern finds in the texts with a sign, and for each row the place of its finding there."""
    is_signed = pc.fill_null(pc.match_substring(texts, sign), False)
    found = pc.extract_regex(texts.filter(is_signed), pattern)
    places = pc.subtract(pc.cumulative_sum(is_signed.cast(pa.int32())), 1)
    return pc.if_else(is_signed, places, pa.scalar(None, pa.int32())), found


class MetadataSets:
    """The metadata that many rows share, by the numbers that rows have in their place."""

    def __init__(self, source: "TableSource"):
        rows = source.connection.rows("SELECT id, metadata FROM metadata_sets", [("id", "int"), ("metadata", "text")])
        self._ids = pa.array([id for id, _ in rows], pa.int64())
        self._texts = pa.array([text for _, text in rows], pa.string())
        self._zones = self._zones_of(self._texts)

    @staticmethod
    def _zones_of(texts: pa.Array) -> pa.Array:
        places, found = extract(texts, SIGNS[1], _ZONE)
        zones = found.field("zone").dictionary_encode()
        known = [zone if zone and is_zone(zone) else None for zone in zones.dictionary.to_pylist()]
        return pa.array(known, pa.string()).take(zones.indices.take(places))

    def of(self, batch: pa.RecordBatch) -> tuple[pa.Array, pa.DictionaryArray]:
        """Each row's metadata, and the zone in it."""
        own, sets = batch["metadata"], pc.index_in(batch["metadata_set"], self._ids)
        zones = pc.coalesce(self._zones_of(own), self._zones.take(sets))
        return pc.coalesce(own, self._texts.take(sets)), zones.dictionary_encode()


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


def constant(text: str | None, rows: int) -> pa.DictionaryArray:
    """One text in every row."""
    index = pa.nulls(rows, pa.int32()) if text is None else pa.repeat(pa.scalar(0, pa.int32()), rows)
    return pa.DictionaryArray.from_arrays(index, pa.array([] if text is None else [text], pa.string()))


class Descriptors:
    """The descriptors of an archive as dictionaries: ``columns(ids)`` are takes.

    ``unit_names`` are the units by descriptor, unprinted, for comparing sums; ``phone`` and ``watch`` say which
    descriptors are Apple's phones and watches, with hardware and software.
    """

    NAMES = (
        "unit",
        "source",
        "source_version",
        "device_manufacturer",
        "device_model",
        "device_hardware",
        "device_software",
    )

    def __init__(self, source: TableSource):
        rows = source.connection.rows(
            """SELECT d.id, u.unit, s.name, d.source_version, e.fields FROM descriptors d
            LEFT JOIN units u ON u.id = d.unit_id LEFT JOIN sources s ON s.id = d.source_id
            LEFT JOIN devices e ON e.id = d.device_id ORDER BY d.id""",
            [("id", "int"), ("unit", "text"), ("source", "text"), ("version", "text"), ("device", "text")],
        )
        texts: dict[str, list[str | None]] = {name: [] for name in self.NAMES}
        self._ids = pa.array([row[0] for row in rows], pa.int64())
        self.unit_names: dict[int, str | None] = {}
        self.devices: dict[int, tuple[str, str | None, str | None]] = {}
        printed = source.provenance
        for id, unit, name, version, device in rows:
            fields = json.loads(device) if device else {}
            values = (printed.unit(unit), printed.source(name), printed.version(version), *printed.device(fields))
            for column, value in zip(self.NAMES, values):
                texts[column].append(value)
            self.unit_names[id] = unit
            model = fields.get("model")
            if fields.get("manufacturer") == "Apple Inc." and model in ("iPhone", "Watch"):
                self.devices[id] = ("phone" if model == "iPhone" else "watch", *printed.device(fields)[2:])
        self._columns = {name: pa.array(values, pa.string()).dictionary_encode() for name, values in texts.items()}

    def columns(self, ids: pa.Array) -> dict[str, pa.DictionaryArray]:
        """The columns of texts by the descriptors of rows."""
        places = pc.index_in(ids, self._ids)
        if places.null_count:
            raise damaged("A record has no descriptor.")
        return {name: used(texts.take(places)) for name, texts in self._columns.items()}


def used(texts: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same with a dictionary of what is in it alone: files keep the dictionary, too."""
    used = pc.unique(texts.indices.drop_null()).sort()
    return pa.DictionaryArray.from_arrays(pc.index_in(texts.indices, used), texts.dictionary.take(used))
