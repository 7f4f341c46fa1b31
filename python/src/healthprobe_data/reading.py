"""SQL over an archive, as Arrow: ADBC's SQLite driver, read-only."""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Iterator, Sequence

import pyarrow as pa

from .errors import HealthProbeDataError, damaged

#: Rows that one batch of the driver has.
BATCH_ROWS = 65_536

#: What the first row of a query says of a column's type: the driver infers types from the first batch alone.
_FIRST_ROW = {"int": "0", "float": "0.5", "text": "'x'", "blob": "x'00'"}
_ARROW = {"int": pa.int64(), "float": pa.float64(), "text": pa.string(), "blob": pa.binary()}

#: A query's columns: name and type (``int``, ``float``, ``text``, ``blob``).
Columns = Sequence[tuple[str, str]]


class Connection:
    """A read-only connection to one archive; all its queries see one state.

    :raises HealthProbeDataError: ``archiveDamaged``, ``inputOutput``
    """

    def __init__(self, path: str):
        import adbc_driver_sqlite.dbapi as driver

        # Where no -shm can be made, SQLite indexes a -wal in memory; without a -wal the file alone is the archive.
        wal = path + "-wal"
        has_wal = os.path.exists(wal) and os.path.getsize(wal) > 0
        has_shm = os.access(os.path.dirname(os.path.abspath(path)), os.W_OK) or os.path.exists(path + "-shm")
        mode = "" if has_shm else "&vfs=unix-none" if has_wal else "&immutable=1"
        uri = f"file:{urllib.parse.quote(os.path.abspath(path))}?mode=ro{mode}"
        try:
            self._connection = driver.connect(uri)
            with self._connection.cursor() as cursor:
                if has_wal and not has_shm:
                    cursor.execute("PRAGMA locking_mode = EXCLUSIVE")
                # Sorting a type needs room; beyond it SQLite sorts in temporary files.
                cursor.execute("PRAGMA cache_size = -65536")
                cursor.execute("PRAGMA trusted_schema = OFF")
        except driver.Error as error:
            raise _translated(error) from None
        self._errors = driver.Error

    def close(self) -> None:
        """Closes the connection; may be called twice."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _cursor(self):
        if self._connection is None:
            raise _closed()
        return self._connection.cursor()

    def execute(self, sql: str) -> None:
        """Runs a statement without an answer, on temporary tables."""
        try:
            with self._cursor() as cursor:
                cursor.execute(sql)
        except self._errors as error:
            raise _translated(error) from None

    def batches(self, sql: str, columns: Columns) -> Iterator[pa.RecordBatch]:
        """The answer of a query, batch by batch, in its order.

        The first row, of the declared types, is put before the answer and dropped again.
        """
        names = ", ".join(f'{_FIRST_ROW[kind]} AS "{name}"' for name, kind in columns)
        schema = pa.schema([(name, _ARROW[kind]) for name, kind in columns])
        try:
            with self._cursor() as cursor:
                cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH_ROWS)})
                cursor.execute(f"SELECT {names} UNION ALL SELECT * FROM (\n{sql}\n)")
                reader = cursor.fetch_record_batch()
                is_first = True
                for batch in reader:
                    if is_first:
                        batch, is_first = batch.slice(1), False
                    if batch.num_rows:
                        yield batch if batch.schema == schema else batch.cast(schema)
        except (self._errors, pa.ArrowException, OSError) as error:
            raise (_closed() if self._connection is None else _translated(error)) from None

    def rows(self, sql: str, columns: Columns) -> list[tuple]:
        """A short answer as tuples."""
        found: list[tuple] = []
        for batch in self.batches(sql, columns):
            found.extend(zip(*(column.to_pylist() for column in batch.columns)))
        return found

    def value(self, sql: str, kind: str = "int"):
        """The first column of the first row; None where there is no row."""
        rows = self.rows(sql, [("value", kind)])
        return rows[0][0] if rows else None


def _closed() -> HealthProbeDataError:
    return HealthProbeDataError("usage", "The archive is closed.", "Read while it is open: inside its with block.")


def _translated(error: Exception) -> HealthProbeDataError:
    text = str(error)
    lowered = text.lower()
    signs = ("type mismatch", "malformed", "not a database", "no such table", "no such column")
    if isinstance(error, pa.ArrowInvalid) or any(sign in lowered for sign in signs):
        return damaged(text)
    if "disk is full" in lowered or "no space" in lowered:
        return HealthProbeDataError("diskFull", "The disk is full.", "Make room and run the command again.", text)
    return HealthProbeDataError(
        "inputOutput", "The archive cannot be read.", "Check the path and the disk, and try again.", text
    )
