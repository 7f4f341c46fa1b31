"""Observations: the finished imports of the chain, in the order of their exports.

``read`` and ``visible`` are the counts of ``timeline``. ``phone_…`` and ``watch_…`` are hardware and software of the
newest record (by creation date, then row) of an iPhone or a Watch of Apple's that is visible at the observation. No
column depends on the chosen types.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from .records import Ranges
from .source import DICTIONARY, TIMESTAMP, TableSource, schema

SCHEMA = schema(
    ("observation", pa.int16(), "Position in the chain: 1, 2, …"),
    ("observed_at", TIMESTAMP, "Date of the export"),
    ("status", DICTIONARY, "completed or partial"),
    ("export_version", DICTIONARY, "Version of the export's format"),
    ("offset_seconds", pa.int32(), "Offset from UTC that the export prints"),
    ("time_zone", DICTIONARY, "Zone that was given with --time-zone"),
    ("program", DICTIONARY, "Program that imported it"),
    ("xml_bytes", pa.int64(), "Size of the main XML"),
    ("read", pa.int64(), "Items that the export shows"),
    ("visible", pa.int64(), "Items of the state at this observation"),
    ("phone_hardware", DICTIONARY, "Hardware of the newest visible record of an iPhone"),
    ("phone_os", DICTIONARY, "Software of that record"),
    ("watch_hardware", DICTIONARY, "Hardware of the newest visible record of an Apple Watch"),
    ("watch_os", DICTIONARY, "Software of that record"),
)

#: Before every creation date.
_UNDATED = -(2**62)


class NewestDevices:
    """Finds the newest record of a phone and of a watch at each observation."""

    def __init__(self, source: TableSource):
        self.source = source
        self._devices = source.descriptors.devices
        self._ids = pa.array(sorted(self._devices), pa.int64())
        #: By phone or watch, opened and closed: creation date, copy and descriptor of the newest.
        self._newest: dict[tuple, tuple[int, int, int]] = {}
        self._seen: set[int] = set()

    def read_others(self) -> None:
        """Looks at all ranges of the types that were not added."""
        ranges = Ranges(self.source)
        for type_id in set(self.source.archive.types) - self._seen:
            for batch in ranges.raw(type_id):
                self.add(type_id, batch)

    def add(self, type_id: int, ranges: pa.RecordBatch) -> None:
        """Looks at ranges of a type."""
        self._seen.add(type_id)
        if not self._devices:
            return
        names = ["descriptor", "opened", "closed", "created", "copy"]
        of_devices = ranges.select(names).filter(pc.is_in(ranges["descriptor"], self._ids))
        if not of_devices.num_rows:
            return
        # A record without a creation date counts as older than every other.
        created = pc.fill_null(of_devices["created"], _UNDATED)
        of_devices = of_devices.set_column(names.index("created"), "created", created)
        ordered = pa.Table.from_batches([of_devices]).sort_by([("created", "ascending"), ("copy", "ascending")])
        newest = ordered.group_by(names[:3], use_threads=False).aggregate([("created", "last"), ("copy", "last")])
        for row in zip(*(newest[name].to_pylist() for name in names[:3] + ["created_last", "copy_last"])):
            descriptor, opened, closed, created, copy = row
            place = (self._devices[descriptor][0], opened, closed)
            self._newest[place] = max(self._newest.get(place, (created, copy, descriptor)), (created, copy, descriptor))

    def at(self, position: int) -> dict[str, str | None]:
        """``phone_hardware`` and the other columns at an observation."""
        found: dict[str, str | None] = {}
        for kind in ("phone", "watch"):
            candidates = [
                newest
                for (which, opened, closed), newest in self._newest.items()
                if which == kind and opened <= position and (closed is None or closed > position)
            ]
            hardware, software = self._devices[max(candidates)[2]][1:] if candidates else (None, None)
            found |= {f"{kind}_hardware": hardware, f"{kind}_os": software}
        return found


def batches(source: TableSource, devices: NewestDevices | None = None) -> Iterator[pa.RecordBatch]:
    """All rows of the table; ``devices`` knows what a reading of the records saw already."""
    devices = devices or NewestDevices(source)
    devices.read_others()
    counts = {
        id: (read, visible)
        for id, read, visible in source.connection.rows(
            "SELECT import_id, sum(read_count), sum(visible_count) FROM type_runs GROUP BY import_id",
            [("id", "int"), ("read", "int"), ("visible", "int")],
        )
    }
    rows = []
    for observation in source.archive.observations:
        read, visible = counts.get(observation.id, (0, 0))
        values = observation.columns
        rows.append(
            {
                "observation": observation.position,
                "observed_at": observation.observed_at * 1_000_000,
                "status": observation.status,
                "export_version": source.provenance.version(values["export_version"]),
                "offset_seconds": values["offset_seconds"],
                "time_zone": values["time_zone"],
                "program": observation.program,
                "xml_bytes": values["xml_byte_count"],
                "read": read,
                "visible": visible,
                **devices.at(observation.position),
            }
        )
    yield source.table(rows, SCHEMA)
