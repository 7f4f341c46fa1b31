"""The tables, one a module: ``SCHEMA``, and ``batches(source)`` with the rows in their order."""

from . import daily, defects, groups, members, observations, records, types

#: The tables in the order in which they are written.
TABLES = {
    "observations": observations,
    "types": types,
    "records": records,
    "groups": groups,
    "members": members,
    "daily": daily,
    "defects": defects,
}
