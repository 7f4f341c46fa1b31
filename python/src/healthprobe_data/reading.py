"""SQL over an archive, as Arrow: ADBC's SQLite driver, read-only."""

from __future__ import annotations

import contextlib
import os
import urllib.parse
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pyarrow as pa

from .errors import HealthProbeDataError, damaged

#: Rows that one batch of the driver has.
BATCH_ROWS = 8_192
#: What SQLite keeps of the file, and of what it sorts, before it writes temporary files.
CACHE_KIBIBYTES = 4_096

#: What the first row of a query says of a column's type: the driver infers types from the first batch alone.
_FIRST_ROW = {"int": "0", "float": "0.5", "text": "'x'", "blob": "x'00'"}
_ARROW = {"int": pa.int64(), "float": pa.float64(), "text": pa.string(), "blob": pa.binary()}

_Item = TypeVar("_Item")

#: A query's columns: name and type (``int``, ``float``, ``text``, ``blob``).
Columns = Sequence[tuple[str, str]]


class Connection:
    """A read-only connection to one archive; all its queries see one state.

    :raises HealthProbeDataError: ``archiveDamaged``, ``inputOutput``
    """

    def __init__(self, path: str):
        # The package's dbapi would import data frame libraries that nobody here needs: 70 MB.
        import adbc_driver_manager as driver
        import adbc_driver_sqlite

        # Where no -shm can be made, SQLite indexes a -wal in memory; without a -wal the file alone is the archive.
        wal = path + "-wal"
        has_wal = os.path.exists(wal) and os.path.getsize(wal) > 0
        has_shm = os.access(os.path.dirname(os.path.abspath(path)), os.W_OK) or os.path.exists(path + "-shm")
        mode = "" if has_shm else "&vfs=unix-none" if has_wal else "&immutable=1"
        uri = f"file:{urllib.parse.quote(os.path.abspath(path))}?mode=ro{mode}"
        self._driver, self._open = driver, []
        try:
            self._open.append(adbc_driver_sqlite.connect(uri))
            self._open.append(driver.AdbcConnection(self._open[0]))
            if has_wal and not has_shm:
                self.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
            self.execute("PRAGMA trusted_schema = OFF")
            self._open[1].set_autocommit(False)
        except driver.Error as error:
            raise _translated(error) from None

    def close(self) -> None:
        """Closes the connection; may be called twice."""
        while self._open:
            with contextlib.suppress(RuntimeError):
                self._open.pop().close()

    @contextlib.contextmanager
    def _statement(self, sql: str):
        if not self._open:
            raise _closed()
        statement = self._driver.AdbcStatement(self._open[1])
        try:
            statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH_ROWS)})
            statement.set_sql_query(sql)
            yield statement
        finally:
            statement.close()

    def execute(self, sql: str) -> None:
        """Runs a statement without an answer, on temporary tables."""
        try:
            with self._statement(sql) as statement:
                statement.execute_update()
        except self._driver.Error as error:
            raise _translated(error) from None

    def batches(self, sql: str, columns: Columns) -> Iterator[pa.RecordBatch]:
        """The answer of a query, batch by batch, in its order.

        The first row, of the declared types, is put before the answer and dropped again.
        """
        names = ", ".join(f'{_FIRST_ROW[kind]} AS "{name}"' for name, kind in columns)
        schema = pa.schema([(name, _ARROW[kind]) for name, kind in columns])
        try:
            with self._statement(f"SELECT {names} UNION ALL SELECT * FROM (\n{sql}\n)") as statement:
                stream, _ = statement.execute_query()
                reader = pa.RecordBatchReader._import_from_c(stream.address)
                is_first = True
                for batch in reader:
                    if is_first:
                        batch, is_first = batch.slice(1), False
                    if batch.num_rows:
                        yield batch if batch.schema == schema else batch.cast(schema)
                    if not self._open:
                        raise _closed()
        except (self._driver.Error, pa.ArrowException, OSError) as error:
            raise (_translated(error) if self._open else _closed()) from None

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


def ahead(items: Iterator[_Item]) -> Iterator[_Item]:
    """The same items, the next of which is read while one is worked on: SQLite and Arrow both leave the interpreter."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = pool.submit(next, items, None)
            yield item


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
