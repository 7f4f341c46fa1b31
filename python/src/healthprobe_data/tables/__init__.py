"""The tables, one a module: ``SCHEMA``, and ``batches(source)`` with the rows in their order."""

import pyarrow as pa

from . import daily, days, defects, groups, members, nights, observations, records, types, wear, workouts, zones
from .source import VERSION

#: The tables in the order in which they are written.
TABLES = {
    "observations": observations,
    "types": types,
    "records": records,
    "groups": groups,
    "members": members,
    "daily": daily,
    "days": days,
    "nights": nights,
    "workouts": workouts,
    "wear": wear,
    "zones": zones,
    "defects": defects,
}
#: Those that the program computes.
OF_PROGRAM = ("days", "nights", "workouts")


def dictionary() -> dict:
    """Every column of every table: a data package of Frictionless Data."""
    return {
        "profile": "tabular-data-package",
        "name": "healthprobe-tables",
        "version": VERSION.rpartition("/")[2],
        "resources": [
            {
                "name": name,
                "path": f"{name}.parquet",
                "description": (table.__doc__ or "").strip(),
                "schema": {"fields": [_field(field) for field in getattr(table, "FULL_SCHEMA", table.SCHEMA)]},
            }
            for name, table in TABLES.items()
        ],
    }


def _field(field: pa.Field) -> dict:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    names = ((pa.types.is_integer, "integer"), (pa.types.is_floating, "number"), (pa.types.is_boolean, "boolean"))
    names += ((pa.types.is_timestamp, "datetime"), (pa.types.is_date, "date"), (pa.types.is_list, "array"))
    names += ((pa.types.is_map, "object"), (pa.types.is_string, "string"))
    name = next(name for fits, name in names if fits(kind))
    return {"name": field.name, "type": name, "description": field.metadata[b"description"].decode()}
