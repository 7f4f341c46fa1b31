"""What every table is made of: an archive's chain, the texts that may be printed, and the participant's name."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.compute as pc

from ..archive import ArchiveFile
from ..errors import damage, damaged
from ..provenance import Provenance
from ..type_names import TypeFilter

#: The version of the tables: names, columns and their meaning.
VERSION = "healthprobe.tables/1"

TIMESTAMP = pa.timestamp("us", tz="UTC")
DICTIONARY = pa.dictionary(pa.int32(), pa.string())

#: The columns that open every row.
FIRST_FIELDS = [
    pa.field("participant", DICTIONARY),
    pa.field("chain", DICTIONARY),
    pa.field("state", DICTIONARY),
]


def schema(*fields: tuple[str, pa.DataType]) -> pa.Schema:
    """A table's schema: the columns of every row, then its own."""
    return pa.schema(FIRST_FIELDS + [pa.field(name, kind) for name, kind in fields])


class TableSource:
    """One chain of an archive, as the tables read it.

    :param participant: the pseudonym that rows carry; None for one's own archive
    :param key_id: the id of the study's key, of which ``state`` depends
    """

    @damage()
    def __init__(
        self,
        archive: ArchiveFile,
        provenance: Provenance,
        types: TypeFilter | None = None,
        participant: str | None = None,
        key_id: str | None = None,
    ):
        self.archive, self.provenance, self.filter = archive, provenance, types or TypeFilter()
        self.participant = participant
        self.chain = provenance.chain(archive.chain_name)
        self.state = archive.state(VERSION, key_id)
        self.connection = archive.connection
        if provenance.profile == "none":
            names = self.connection.rows("SELECT name FROM sources ORDER BY id", [("name", "text")])
            provenance.number_sources([name for (name,) in names])
        self.printed_types = {id: provenance.type(name) for id, name in archive.types.items()}
        self._descriptors: Descriptors | None = None

    @property
    def types(self) -> list[tuple[int, str]]:
        """The chosen types, id and full identifier, in the order of their printed names."""
        chosen = [(id, name) for id, name in self.archive.types.items() if self.filter(name)]
        return sorted(chosen, key=lambda pair: (self.printed_types[pair[0]].encode(), pair[0]))

    @property
    def last(self) -> int:
        """The chain position of the latest observation; 0 without any."""
        return len(self.archive.observations)

    @property
    def descriptors(self) -> "Descriptors":
        """Unit, source and device by descriptor, read once."""
        if self._descriptors is None:
            self._descriptors = Descriptors(self)
        return self._descriptors

    def complete(self, columns: dict[str, pa.Array], rows: int, of: pa.Schema) -> pa.RecordBatch:
        """A batch of the schema: the given columns behind those of every row."""
        first = {"participant": self.participant, "chain": self.chain, "state": self.state}
        arrays = [columns[field.name] if field.name in columns else constant(first[field.name], rows) for field in of]
        return pa.RecordBatch.from_arrays(
            [a if a.type == f.type else a.cast(f.type) for a, f in zip(arrays, of)], schema=of
        )

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
        return {name: _used(texts.take(places)) for name, texts in self._columns.items()}


def _used(texts: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same with a dictionary of what is in it alone: files keep the dictionary, too."""
    used = pc.unique(texts.indices.drop_null()).sort()
    return pa.DictionaryArray.from_arrays(pc.index_in(texts.indices, used), texts.dictionary.take(used))
