"""Days, instants and zones as the program takes them (``--since``, ``--observed-at``, ``--time-zone``)."""

from __future__ import annotations

import datetime
import functools
import re
import zoneinfo

import numpy as np

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


def day_number(text: str) -> int:
    """Days since 1970 of a day that the program prints: any year, as Python's own dates do not have them."""
    return int(np.datetime64(text, "D").astype(np.int64))


@functools.cache
def zone_names() -> frozenset[str]:
    """The names of the zone database; empty where this machine has none."""
    # A link that Debian has beside the zones.
    return frozenset(zoneinfo.available_timezones() - {"localtime"})


def is_zone(text: str) -> bool:
    """Whether a text is a name of the zone database; where there is none, whether it looks like one."""
    names = zone_names()
    return text in names if names else bool(re.fullmatch(r"[A-Za-z_]{1,30}(/[A-Za-z0-9_+-]{1,30}){1,2}", text))


def offset(zone: str, seconds: int) -> int | None:
    """A zone's offset from UTC at an instant, in seconds; None for a zone that this machine does not know."""
    try:
        moment = datetime.datetime.fromtimestamp(seconds, zoneinfo.ZoneInfo(zone))
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        return None
    return int((moment.utcoffset() or datetime.timedelta()).total_seconds())
