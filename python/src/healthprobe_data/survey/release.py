"""The survey of a lake: what may be published, from at least so many participants a row.

Each participant counts once in a row, whatever the number of exports. Margins are made of shown rows only, so that no
difference between rows tells anything of a dropped one; dropped rows are counted, not named. Two questions about the
same workouts or days are of the same participants, units are lower bounds and shares are rounded, so that the
difference of two rows does not give one person's numbers away. A row to which few contribute, or one person most of it,
is dropped, too.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator

from ..cohort import status as statuses
from ..cohort.lake import Lake
from ..errors import HealthProbeDataError

RELEASE_SCHEMA = "healthprobe.survey-release/1"
COLUMNS = ("question", "type", "phone_os", "watch", "band", "participants", "units", "estimate", "low", "high")
#: No row is published of fewer participants, whatever is asked for.
LEAST_MINIMUM = 11
#: Of how many a row has to have something, unless nobody has; and how much of a sum may be of one.
_LEAST_CONTRIBUTORS, _MOST_OF_ONE = 11, 0.6
#: Of medians, which are small differences; and of shares.
_DIGITS, _SHARE_DIGITS = 4, 2

#: What is beyond is no number of a survey: sums of such are none in JSON.
_MOST = 1e100

#: Question, type, phone's OS, watch, band.
Cell = tuple[str, str, int | None, str | None, str | None]


def release(lake: Lake, minimum: int) -> dict:
    """The rows that may be published.

    :param minimum: the fewest participants of a row
    :raises HealthProbeDataError: ``usage``, ``tooFewParticipants``, ``noLake``
    """
    if minimum < LEAST_MINIMUM:
        raise HealthProbeDataError("usage", f"--minimum is at least {LEAST_MINIMUM}.", "Leave it out: 20.")
    lake.describe()
    # A withdrawal that was cut off has left its tombstone and, it may be, the status.
    withdrawn = set(lake.participants("withdrawn"))
    surveys = {
        name: status["survey"]
        for name, status in statuses.read_all(lake).items()
        if status["outcome"] in ("completed", "partial") and status["survey"] and name not in withdrawn
    }
    if len(surveys) < minimum:
        raise HealthProbeDataError(
            "tooFewParticipants",
            f"The lake has fewer than {minimum} participants with a survey.",
            "Take more participants in.",
        )
    return {"schema": RELEASE_SCHEMA, "participants": len(surveys), "minimum": minimum} | tabulate(surveys, minimum)


def tabulate(surveys: dict[str, dict], minimum: int) -> dict:
    """Rows and the number of dropped ones, from exact surveys by participant."""
    cells: dict[Cell, dict[str, list[tuple[float, int]]]] = defaultdict(lambda: defaultdict(list))
    for name in sorted(surveys):
        try:
            for cell, value, units in _values(surveys[name]):
                if not (isinstance(units, int) and units >= 0 and abs(value) < _MOST):
                    raise ValueError
                cells[cell][name].append((value, units))
        except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError):
            raise HealthProbeDataError(
                "newerLake",
                "A survey of the lake cannot be read: another version made it, or its status is damaged.",
                "Run ingest with this version.",
                name,
            ) from None
    shown = {cell: found for cell, found in cells.items() if len(found) >= minimum and _hides_everybody(cell, found)}
    margins: dict[Cell, dict[str, list[tuple[float, int]]]] = defaultdict(lambda: defaultdict(list))
    for cell, found in shown.items():
        for name, values in found.items():
            margins[(*cell[:2], None, None, None)][name] += values
    # A cell without phone OS and watch has the name of the margin: it is in that row, not beside it.
    whole = {cell: found for cell, found in margins.items() if _hides_everybody(cell, found)}
    rows = [_row(cell, found) for cell, found in (shown | whole).items() if cell in whole or cell not in margins]
    rows.sort(key=lambda row: tuple((row[name] is not None, str(row[name])) for name in COLUMNS[:5]))
    return {"dropped": len(cells) - len(shown) + len(margins) - len(whole), "rows": rows}


def _values(survey: dict) -> Iterator[tuple[Cell, float, int]]:
    """What one participant says: cell, value, and of how many things."""
    for entry in survey["condensing"]:
        for age in entry["ages"]:
            cell = ("ageAtCondensing", entry["type"], entry["phoneOS"], entry["watch"], None)
            yield cell, age["weeks"], age["series"]
    for entry in survey["workoutAge"]:
        # Who is in one of the two rows only would be their difference.
        share = entry["shareGone"]
        if entry["workouts"] and share is not None:
            yield ("shareGone", entry["type"], None, None, entry["band"]), share, entry["workouts"]
            part = entry["withSeries"] / entry["workouts"]
            yield ("workoutsWithSeries", entry["type"], None, None, entry["band"]), part, entry["workouts"]
    for entry in survey["changes"]:
        if entry["disappeared"]:
            yield (
                ("explained", entry["type"], None, None, None),
                entry["explained"] / entry["disappeared"],
                entry["disappeared"],
            )
    for entry in survey["shifts"]:
        median = entry["quantiles"].get("p50")
        if entry["days"] and median is not None:
            suffix = f"{entry['measure']}/{'touched' if entry['touched'] else 'untouched'}"
            yield (
                (f"daysShifted/{suffix}", entry["type"], None, None, None),
                entry["shifted"] / entry["days"],
                entry["days"],
            )
            yield (f"shift/{suffix}", entry["type"], None, None, None), median, entry["days"]


def _is_median(cell: Cell) -> bool:
    return cell[0] == "ageAtCondensing" or cell[0].startswith("shift/")


def _of_participants(cell: Cell, found: dict[str, list[tuple[float, int]]]) -> list[tuple[float, int]]:
    """Each participant's value, and of how many things."""
    values = []
    for parts in found.values():
        weight = sum(units for _, units in parts)
        if len(parts) == 1 or not weight:
            value = parts[0][0]
        else:
            value = _weighted_median(parts) if _is_median(cell) else sum(v * u for v, u in parts) / weight
        values.append((value, weight))
    return values


def _hides_everybody(cell: Cell, found: dict[str, list[tuple[float, int]]]) -> bool:
    """Whether enough participants have something to do with a row, and none of them most of it."""
    values = _of_participants(cell, found)
    if 0 < sum(value != 0 for value, _ in values) < _LEAST_CONTRIBUTORS:
        return False
    sums = [[units for _, units in values]] + ([] if _is_median(cell) else [[abs(value) for value, _ in values]])
    return all(max(parts) <= _MOST_OF_ONE * sum(parts) for parts in sums)


def _row(cell: Cell, found: dict[str, list[tuple[float, int]]]) -> dict:
    """Means of shares, medians of ages and shifts over participants, with quartiles."""
    is_median, of_participants = _is_median(cell), _of_participants(cell, found)
    values = [value for value, _ in of_participants]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    numbers = {"estimate": middle if is_median else statistics.fmean(values), "low": low, "high": high}
    return dict(zip(COLUMNS, cell)) | {
        "participants": len(values),
        "units": _step(sum(units for _, units in of_participants)),
        **{name: round(number, _DIGITS if is_median else _SHARE_DIGITS) for name, number in numbers.items()},
    }


def _step(count: int) -> int:
    """The greatest of 0, 1, 2, 5, 10, 20, 50, … that is not above a count, as in a coarse survey."""
    unit = 10 ** (len(str(count)) - 1)
    return unit * next(step for step in (5, 2, 1, 0) if step * unit <= count)


def _weighted_median(values: list[tuple[float, int]]) -> float:
    """The median of values that stand for so many things each: the mean of the two in the middle."""
    ordered = sorted(values)
    total = sum(count for _, count in ordered)

    def at(place: int) -> float:
        for value, count in ordered:
            place -= count
            if place < 0:
                return value
        return ordered[-1][0]

    return (at((total - 1) // 2) + at(total // 2)) / 2


def write(found: dict, output: str) -> None:
    """Writes ``release.json`` and ``release.csv`` into a folder that must not exist.

    :raises HealthProbeDataError: ``cannotCreate``, ``diskFull``
    """
    if os.path.lexists(output):
        raise HealthProbeDataError("cannotCreate", "The output exists already.", "Choose another folder.")
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([["" if row[name] is None else row[name] for name in COLUMNS] for row in found["rows"]])
    parent, name = os.path.split(os.path.abspath(output))
    try:
        os.makedirs(parent, exist_ok=True)
        beside = tempfile.TemporaryDirectory(prefix=f".{name}.writing-", dir=parent, ignore_cleanup_errors=True)
        with beside as folder:
            partial = os.path.join(folder, name)
            os.mkdir(partial)
            with open(os.path.join(partial, "release.json"), "w", encoding="utf-8") as file:
                file.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
            with open(os.path.join(partial, "release.csv"), "w", encoding="utf-8", newline="") as file:
                file.write(text.getvalue())
            os.rename(partial, output)
    except OSError as error:
        is_full = error.errno == errno.ENOSPC
        raise HealthProbeDataError(
            "diskFull" if is_full else "cannotCreate",
            "The output cannot be written.",
            "Make room, or write to another folder." if is_full else "Check its parent folder.",
            os.strerror(error.errno or 0),
        ) from None
