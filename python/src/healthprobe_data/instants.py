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
    try:
        return bool(found and datetime.datetime.fromisoformat("T".join(filter(None, found.groups()))))
    except ValueError:
        return False
