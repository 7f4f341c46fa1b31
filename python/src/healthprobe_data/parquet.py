"""One archive as Parquet files: a file a table, a manifest, and the self-check before anything gets its name."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from . import __version__
from .errors import HealthProbeDataError, damage
from .program import sha256
from .reading import ahead
from .self_check import DailyCounts, RecordCounts
from .tables import OF_PROGRAM, TABLES, daily, groups, observations, records, wear
from .tables.source import VERSION, TableSource

MANIFEST = "manifest.json"
MANIFEST_SCHEMA = "healthprobe.tables-manifest/1"
#: The most rows of a row group, and how few of a type share one with other types.
ROW_GROUP = 32_768
SHORT = 4_096
_DELTA = ("start", "end", "created", "sample", "copy", "previous")
#: Numbers of which a dictionary would have most.
_PLAIN = ("value", "value_canonical")
_LEVEL = 6


@damage()
def write(source: TableSource, folder: str, tables: Iterable[str] = TABLES) -> dict:
    """Writes the tables into a folder that is there and empty, checks them, and returns the manifest.

    :raises HealthProbeDataError: ``integrityFailure``, ``archiveDamaged``, ``diskFull``, ``inputOutput``
    """
    chosen = [name for name in TABLES if name in set(tables)]
    counts = RecordCounts(source)
    # What is gathered while records are read, by the table that it is for.
    beside = {"observations": observations.NewestDevices(source), "wear": wear.Wear(source)}
    beside = {name: gathered for name, gathered in beside.items() if name in chosen}
    described = {}
    try:
        # Records come first: they are counted while they are read, and other tables need what was counted.
        if "records" in chosen or beside:
            pieces = _record_pieces(source, counts, list(beside.values()))
            if "records" in chosen:
                described["records"] = _write(source, folder, "records", pieces, counts)
            else:
                for _ in pieces:
                    pass
            counts.check()
        for name in chosen:
            if name != "records":
                described[name] = _write(source, folder, name, _pieces(source, name, beside.get(name)), counts)
    except OSError as error:
        raise HealthProbeDataError(
            "diskFull" if error.errno == 28 else "inputOutput",
            "A table cannot be written.",
            "Make room, or write to another folder.",
            os.strerror(error.errno) if error.errno else str(error),
        ) from None
    manifest = _manifest(source, {name: described[name] for name in chosen}, counts, chosen)
    with open(os.path.join(folder, MANIFEST), "w", encoding="utf-8") as file:
        file.write(json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    return manifest


def publish(source: TableSource, output: str, tables: Iterable[str] = TABLES, force: bool = False) -> dict:
    """Writes the tables into a hidden folder beside ``output`` and renames the whole; returns the manifest.

    :param force: replace an earlier folder of tables there, and nothing else
    :raises HealthProbeDataError: ``cannotCreate`` and those of ``write``
    """
    output = os.path.abspath(output)
    if os.path.lexists(output):
        is_ours = os.path.isdir(output) and not os.path.islink(output) and _is_ours(output)
        if not force or not is_ours:
            raise HealthProbeDataError(
                "cannotCreate",
                "The output exists already.",
                "Choose another folder, or replace it with --force." if is_ours else "Choose another folder.",
            )
    parent, name = os.path.split(output)
    try:
        os.makedirs(parent, exist_ok=True)
        beside = tempfile.TemporaryDirectory(prefix=f".{name}.writing-", dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        raise HealthProbeDataError(
            "cannotCreate",
            "The output folder cannot be made.",
            "Check its parent folder.",
            os.strerror(error.errno or 0),
        ) from None
    with beside as folder:
        new, former = os.path.join(folder, "new"), os.path.join(folder, "former")
        os.mkdir(new, mode=0o700)
        manifest = write(source, new, tables)
        try:
            if os.path.lexists(output):
                os.rename(output, former)
            os.rename(new, output)
        except BaseException:
            # Neither an error nor an interrupt takes the earlier folder away.
            if os.path.lexists(former) and not os.path.lexists(output):
                os.rename(former, output)
            raise
        return manifest


def _is_ours(folder: str) -> bool:
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            return json.load(file).get("schema") == MANIFEST_SCHEMA
    except (OSError, ValueError, AttributeError):
        return False


#: Rows that follow one another, and the name of their type where the table is sorted by type.
Piece = tuple[str | None, pa.RecordBatch]


def _record_pieces(source: TableSource, counts: RecordCounts, beside: list) -> Iterator[Piece]:
    ranges = records.Ranges(source)
    # What rows are printed with is read before: while they are read, nobody else asks the archive.
    names, _ = dict(source.types), (source.descriptors, source.metadata_sets)
    for type_id, batch in ahead((type_id, batch) for type_id in names for batch in ranges.raw(type_id)):
        counts.add(type_id, batch)
        for gathered in beside:
            gathered.add(type_id, batch)
        chosen = batch.filter(records.kept(batch))
        if chosen.num_rows:
            yield names[type_id], records.rows(source, type_id, chosen)


def _pieces(source: TableSource, name: str, gathered) -> Iterator[Piece]:
    if name == "daily":
        counts = DailyCounts(source)
        for batch in daily.batches(source):
            counts.add(batch)
            yield batch["type"][0].as_py(), batch
        counts.check()
    else:
        of_table = TABLES[name].batches
        yield from ((None, batch) for batch in (of_table(source, gathered) if gathered else of_table(source)))


def _write(source: TableSource, folder: str, name: str, pieces: Iterator[Piece], counts: RecordCounts) -> dict:
    schema = records.FULL_SCHEMA if name == "records" and source.provenance.is_full else TABLES[name].SCHEMA
    delta = [column for column in _DELTA if column in schema.names] if name == "records" else []
    path = os.path.join(folder, f"{name}.parquet")
    rows = 0
    writer = pq.ParquetWriter(
        path,
        schema,
        version="2.6",
        compression="zstd",
        compression_level=_LEVEL,
        # Readers of Arrow get dictionaries, which pandas has as categories, and descriptions of columns.
        store_schema=True,
        use_dictionary=[column for column in schema.names if column not in (*delta, *_PLAIN)],
        column_encoding={column: "DELTA_BINARY_PACKED" for column in delta} or None,
    )
    with writer:
        for group in _row_groups(pieces, schema):
            rows += group.num_rows
            writer.write_table(group, row_group_size=ROW_GROUP)
        for key, value in _file_metadata(source, counts if name == "records" else None).items():
            writer.add_key_value_metadata({f"healthprobe.{key}": value})
    return {"rows": rows, "bytes": os.path.getsize(path), "sha256": sha256(path)}


def _row_groups(pieces: Iterator[Piece], schema: pa.Schema) -> Iterator[pa.Table]:
    """Row groups of one type each, but that short ones share one; at most ``ROW_GROUP`` rows."""
    short: list[pa.RecordBatch] = []
    pending: list[pa.RecordBatch] = []
    current: str | None = None

    def take(batches: list[pa.RecordBatch]) -> pa.Table:
        table = pa.Table.from_batches(batches, schema=schema)
        batches.clear()
        return table

    def end_type() -> Iterator[pa.Table]:
        count = sum(batch.num_rows for batch in pending)
        if count >= SHORT:
            if short:
                yield take(short)
            yield take(pending)
        else:
            short.extend(pending)
            pending.clear()
            if sum(batch.num_rows for batch in short) >= SHORT:
                yield take(short)

    for name, batch in pieces:
        if name != current:
            yield from end_type()
            current = name
        while batch.num_rows:
            room = ROW_GROUP - sum(part.num_rows for part in pending)
            pending.append(batch.slice(0, room))
            batch = batch.slice(room)
            if sum(part.num_rows for part in pending) == ROW_GROUP:
                if short:
                    yield take(short)
                yield take(pending)
    yield from end_type()
    if short:
        yield take(short)


def _file_metadata(source: TableSource, counts: RecordCounts | None) -> dict[str, str]:
    def text(value) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    archive = source.archive
    metadata = {
        "tables": text(VERSION),
        "program": text(f"healthprobe-data {__version__}"),
        "state_digests": text([observation.state_digest for observation in archive.observations]),
        "provenance": text(source.provenance.profile),
        "key_id": text(source.provenance.key.id if source.provenance.key else None),
    }
    return metadata | ({"left_out": text(counts.left_out_by_type)} if counts else {})


def _manifest(source: TableSource, tables: dict, counts: RecordCounts, chosen: list[str]) -> dict:
    archive = source.archive
    warnings = []
    if {"groups", "members"} & set(chosen) and source.last > 1 and groups.run(source) is None:
        # Where the chain's name is a pseudonym, it is not told here either.
        chain = [] if source.chain == "default" else ["--chain", source.chain if source.provenance.is_full else "NAME"]
        command = shlex.join([*groups.COMMAND.split(), *chain])
        message = f"The archive keeps no groups of consolidation, or there are none. Run: {command}"
        warnings.append({"code": "noGroups", "message": message})
    without = [name for name in (*OF_PROGRAM, "daily") if name in chosen] if source.runner is None else []
    if without:
        message = f"Without healthprobe, which --program names, nothing of it is in: {', '.join(without)}."
        warnings.append({"code": "noProgram", "message": message})
    if archive.metadata.get("failed_check"):
        warnings.append({"code": "failedCheck", "message": "The last healthprobe check found this archive broken."})
    unmatched = source.filter.unmatched(archive.types.values())
    if unmatched:
        warnings.append({"code": "unknownType", "message": "The archive has no such type: " + ", ".join(unmatched)})
    return {
        "schema": MANIFEST_SCHEMA,
        "tablesVersion": VERSION,
        "program": f"healthprobe-data {__version__}",
        "participant": source.participant,
        "chain": source.chain,
        "state": source.state,
        "provenance": source.provenance.profile,
        "keyID": source.provenance.key.id if source.provenance.key else None,
        "stateDigests": [observation.state_digest for observation in archive.observations],
        "streamDigests": [observation.stream_digest for observation in archive.observations],
        "sealHead": archive.seal_head(),
        "leftOut": counts.left_out_by_type,
        "warnings": warnings,
        "tables": tables,
    }

