"""What ``import healthprobe_data`` gives to people: an archive whose tables are Arrow record batches."""

from __future__ import annotations

import datetime
import os
import re
import warnings
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from .archive import ArchiveFile, default_path
from .errors import HealthProbeDataError, damage
from .instants import is_instant
from .program import Program, Runner
from .provenance import PROFILES, Provenance
from .tables import OF_PROGRAM, TABLES, records
from .tables.source import TableSource
from .type_names import TypeFilter

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Archive:
    """One archive, opened read-only; a context manager.

    Every method returns a ``pyarrow.RecordBatchReader``: ``.read_pandas()``, ``polars.from_arrow``, DuckDB's
    ``FROM reader`` and R's ``arrow`` take it as it is. Text columns are dictionaries (categories). A reader reads while
    the archive is open. ``types`` are names as of ``--type``, one or several; one that the archive does not have is a
    Python warning.
    """

    def __init__(
        self,
        path: str | os.PathLike | None = None,
        chain: str = "default",
        provenance: str = "full",
        secret_file: str | os.PathLike | None = None,
        program: str | os.PathLike | None = None,
    ):
        if provenance not in PROFILES:
            raise HealthProbeDataError("usage", "There is no such provenance.", "Choose full, hashed or none.")
        self.file = ArchiveFile(os.fspath(path) if path else default_path(), chain)
        try:
            key = self.file.read_key(secret_file) if provenance == "hashed" else None
            self._provenance = Provenance(provenance, key)
            found = Program.near(program and os.fspath(program))
            self._runner = found and Runner(found, self.file.path, secret_file and os.fspath(secret_file))
        except BaseException:
            self.file.close()
            raise

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def close(self) -> None:
        """Closes the archive; readers of it end."""
        self.file.close()

    def source(
        self, types: Iterable[str] | str | None = None, without: Iterable[str] | str | None = None
    ) -> TableSource:
        """What tables are made of, for these types."""
        return TableSource(self.file, self._provenance, TypeFilter(types or (), without or ()), runner=self._runner)

    def records(
        self,
        at: int | str | None = None,
        types: Iterable[str] | str | None = None,
        since: str | datetime.date | None = None,
        until: str | datetime.date | None = None,
    ) -> pa.RecordBatchReader:
        """Visibility ranges of records.

        :param at: only what is visible at an observation: a chain position, ``first``, ``latest`` or ``latest~1``;
            None: every range
        :param since: only what ends at or after this instant; a date is midnight in UTC
        :param until: only what starts before this instant; a date counts in full
        :raises HealthProbeDataError: ``unknownObservation``; ``usage`` where ``since`` is later than ``until``
        """
        source = self._chosen(types)
        position = None if at is None else self._position(at)
        bounds = (None if since is None else _instant(since, 0), None if until is None else _instant(until, 1))
        if None not in bounds and bounds[0] >= bounds[1] and bounds[0] > _instant(until, 0):
            raise HealthProbeDataError("usage", "since is later than until.", "Swap since and until.")
        schema = records.FULL_SCHEMA if self._provenance.is_full else records.SCHEMA
        return pa.RecordBatchReader.from_batches(
            schema, _sound(_visible(batch, position, bounds) for batch in records.batches(source))
        )

    def observations(self) -> pa.RecordBatchReader:
        """The chain's observations."""
        return self._reader("observations")

    def types(self, types: Iterable[str] | str | None = None) -> pa.RecordBatchReader:
        """Counts by observation and type."""
        return self._reader("types", types)

    def daily(self, types: Iterable[str] | str | None = None) -> pa.RecordBatchReader:
        """Aggregates by local day, with the observations in which they hold."""
        return self._reader("daily", types)

    def groups(self, types: Iterable[str] | str | None = None) -> pa.RecordBatchReader:
        """Consolidation groups, if the archive keeps them."""
        return self._reader("groups", types)

    def members(self, types: Iterable[str] | str | None = None) -> pa.RecordBatchReader:
        """The records of the groups."""
        return self._reader("members", types)

    def days(self) -> pa.RecordBatchReader:
        """Totals, sleep, heart rate variability and loads by local day."""
        return self._reader("days")

    def nights(self) -> pa.RecordBatchReader:
        """Sleep by local day."""
        return self._reader("nights")

    def workouts(self) -> pa.RecordBatchReader:
        """Workouts with their distance, energy, heart rate and legs."""
        return self._reader("workouts")

    def wear(self, types: Iterable[str] | str | None = None) -> pa.RecordBatchReader:
        """How densely types were recorded, by local day."""
        return self._reader("wear", types)

    def zones(self) -> pa.RecordBatchReader:
        """Zones and offsets of the observations."""
        return self._reader("zones")

    def defects(self) -> pa.RecordBatchReader:
        """What was wrong with each export, counted."""
        return self._reader("defects")

    def _reader(self, name: str, types: Iterable[str] | str | None = None) -> pa.RecordBatchReader:
        table, source = TABLES[name], self._chosen(types)
        if name in OF_PROGRAM and source.runner is None:
            Program.find(None)
        return pa.RecordBatchReader.from_batches(table.SCHEMA, _sound(table.batches(source)))

    def _chosen(self, types: Iterable[str] | str | None) -> TableSource:
        source = self.source(types)
        if unmatched := source.filter.unmatched(self.file.types.values()):
            warnings.warn("The archive has no such type: " + ", ".join(unmatched), stacklevel=3)
        return source

    def _position(self, at: int | str) -> int:
        last = len(self.file.observations)
        text = str(at)
        if text == "first":
            position = 1
        elif text == "latest":
            position = last
        elif re.fullmatch(r"latest~\d+", text):
            position = last - int(text[7:])
        else:
            position = int(text) if text.isdecimal() else 0
        if not 1 <= position <= last:
            raise HealthProbeDataError(
                "unknownObservation", "The chain has no such observation.", f"It has the positions 1 to {last}."
            )
        return position


def open(  # noqa: A001 - the name that people expect
    path: str | os.PathLike | None = None,
    chain: str = "default",
    provenance: str = "full",
    secret_file: str | os.PathLike | None = None,
    program: str | os.PathLike | None = None,
) -> Archive:
    """Opens an archive read-only.

    :param path: the archive; else ``$HEALTHPROBE_ARCHIVE``, else the program's own place
    :param chain: the device chain
    :param provenance: ``full``, ``hashed`` or ``none``
    :param secret_file: the archive's key, if it is not in the data folder
    :param program: ``healthprobe``, if it is not on the ``PATH``; days, nights and workouts are its answers
    :raises HealthProbeDataError: with the code of docs/cli.md
    """
    return Archive(path, chain, provenance, secret_file, program)


def _sound(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    with damage():
        yield from batches


def _visible(batch: pa.RecordBatch, position: int | None, bounds: tuple[int | None, int | None]) -> pa.RecordBatch:
    chosen = []
    if position is not None:
        chosen.append(pc.less_equal(batch["opened"], position))
        chosen.append(pc.or_(pc.is_null(batch["closed"]), pc.fill_null(pc.greater(batch["closed"], position), True)))
    since, until = bounds
    kind = batch["start"].type
    if since is not None:
        chosen.append(pc.greater_equal(pc.coalesce(batch["end"], batch["start"]), pa.scalar(since, kind)))
    if until is not None:
        chosen.append(pc.less(batch["start"], pa.scalar(until, kind)))
    for mask in chosen[1:]:
        chosen[0] = pc.and_(chosen[0], mask)
    return batch.filter(chosen[0]) if chosen else batch


def _instant(text: str | datetime.date, days: int) -> int:
    """Microseconds since 1970 of an instant, or of the begin (or with ``days`` 1 the end) of a day in UTC."""
    if isinstance(text, datetime.datetime):
        moment, days = text, 0
    elif isinstance(text, datetime.date):
        moment = datetime.datetime(text.year, text.month, text.day)
    else:
        try:
            if not is_instant(text):
                raise ValueError
            moment = datetime.datetime.fromisoformat(text.upper().replace("Z", "+00:00"))
        except ValueError:
            raise HealthProbeDataError(
                "usage", "That is no day and no instant.", "Write 2024-05-01 or 2024-05-01T10:00:00Z."
            ) from None
        days = days if _DAY.fullmatch(text) else 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    elapsed = moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(days=days)
    return elapsed // datetime.timedelta(microseconds=1)
