"""Days and instants as the program takes them (``--since``, ``--observed-at``)."""

from __future__ import annotations

import datetime
import re

#: A day; with a time, and an offset, as in ISO 8601 or as an export prints it (the last line).
_TIME, _SHIFT = "([0-9]{2}:[0-9]{2}:[0-9]{2})", "[+-](?:[01][0-9]|2[0-3])"
_INSTANT = re.compile(
    rf"([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})(?:[T ]{_TIME}(?:\.[0-9]+)?(?:[Zz]|{_SHIFT}(?::?[0-5][0-9])?)?"
    rf"| {_TIME} {_SHIFT}[0-5][0-9])?"
)


def is_instant(text: str) -> bool:
    """Whether the program takes a text as a day or an instant."""
    found = _INSTANT.fullmatch(text)
    clock = "T".join(filter(None, found.groups())) if found else ""
    # What datetime does not know: a leap second, and the year 0, which has the days of 2000.
    clock = re.sub("^0000", "2000", re.sub(":60$", ":59", clock))
    try:
        return bool(datetime.datetime.fromisoformat(clock))
    except ValueError:
        return False
