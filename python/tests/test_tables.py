"""The tables say what the program says of the same archive."""

from __future__ import annotations

import datetime
import json
import re
import zoneinfo
from collections import Counter, defaultdict

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import healthprobe_data as hp
import programs
from healthprobe_data.tables import daily
from healthprobe_data.units import linear


@pytest.fixture(scope="module")
def table(tables):
    return lambda name: pq.read_table(tables / f"{name}.parquet")


@pytest.fixture(scope="module")
def visible(table):
    records = table("records").to_pylist()
    return lambda k: [r for r in records if r["opened"] <= k and (r["closed"] is None or r["closed"] > k)]


def test_observations_are_those_of_timeline(archive, table):
    shown = programs.lines("timeline", "--archive", archive)[0]["observations"]
    rows = table("observations").to_pylist()
    assert len(rows) == 3
    for position, (row, line) in enumerate(zip(rows, shown), 1):
        observation, totals = line, line["totals"]
        assert row["observation"] == position
        assert row["observed_at"].strftime("%Y-%m-%dT%H:%M:%S.000Z") == observation["observedAt"]
        assert (row["status"], row["program"]) == (observation["status"], observation["program"])
        assert (row["export_version"], row["offset_seconds"]) == (
            observation["exportVersion"],
            observation["offsetSeconds"],
        )
        assert row["xml_bytes"] == observation["source"]["xmlByteCount"]
        assert (row["read"], row["visible"]) == (totals["read"], totals["visible"])


def test_types_are_those_of_show(archive, table):
    rows = {(row["observation"], row["type"]): row for row in table("types").to_pylist()}
    count = 0
    for observation in (1, 2, 3):
        for shown in programs.lines("show", observation, "--archive", archive)[0]["types"]:
            row = rows[observation, shown["type"]]
            count += 1
            assert row["status"] == shown["status"]
            for ours, theirs in (
                ("read", "read"),
                ("visible", "visible"),
                ("appeared", "appeared"),
                ("disappeared", "disappeared"),
                ("changed", "representationChanged"),
            ):
                assert row[ours] == shown[theirs], (observation, shown["type"], ours)
            assert dict(row["evidence"]) == shown["evidence"]
            assert dict(row["changed_fields"]) == shown["changedFields"]
    assert count == len(rows) > 100


@pytest.mark.parametrize("position", [1, 2, 3])
def test_visible_records_are_those_of_records(archive, visible, position):
    kinds = ("HKQuantityType", "HKCategoryType", "HKDataTypeSleep", "HKWorkoutTypeIdentifier")
    shown = [
        line
        for line in programs.lines("records", "--at", position, "--limit", 100000, "--archive", archive)
        if line["type"].startswith(kinds)
    ]
    ours = visible(position)

    def instant(moment):
        return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def of_row(row):
        value = row["category"] if row["value"] is None else row["value"]
        names = tuple(row[f"device_{name}"] for name in ("manufacturer", "model", "hardware", "software"))
        return (
            row["type"],
            instant(row["start"]),
            instant(row["end"]),
            value,
            row["unit"],
            row["source"],
            row["source_version"],
            names,
            instant(row["created"]),
            row["ordinal"],
        )

    def of_line(line):
        device = line["device"] or {}
        names = tuple(device.get(name) for name in ("manufacturer", "model", "hardware", "software"))
        return (
            line["type"],
            line["startDate"],
            line["endDate"],
            line["value"],
            line["unit"],
            line["sourceName"],
            line["sourceVersion"],
            names,
            line["creationDate"],
            line["ordinal"],
        )

    assert len(shown) > 1000
    assert Counter(map(of_row, ours)) == Counter(map(of_line, shown))


def test_newest_devices_are_those_of_visible_records(table, visible):
    for observation in table("observations").to_pylist():
        for kind, model in (("phone", "iPhone"), ("watch", "Watch")):
            rows = [r for r in visible(observation["observation"]) if r["device_model"] == model and r["created"]]
            newest = max(rows, key=lambda row: (row["created"], row["copy"]))
            assert observation[f"{kind}_hardware"] == newest["device_hardware"]
            assert observation[f"{kind}_os"] == newest["device_software"]


@pytest.mark.parametrize("earlier", [1, 2])
def test_changes_are_those_of_diff(archive, table, earlier):
    later = earlier + 1
    records = table("records").to_pylist()
    shown = programs.lines("diff", earlier, later, "--archive", archive)[0]["types"]
    checked = 0
    for line in shown:
        mine = [r for r in records if r["type"] == line["type"]]
        if not mine:
            continue
        checked += 1
        assert sum(r["opened"] == later and r["open_evidence"] is None for r in mine) == line["appeared"]
        assert sum(r["closed"] == later and r["closed_by"] == "disappeared" for r in mine) == line["disappeared"]
        evidence = Counter(r["open_evidence"] for r in mine if r["opened"] == later and r["open_evidence"])
        assert evidence == Counter(line["evidence"]), line["type"]
    assert checked > 20


def test_a_continued_copy_is_closed_where_the_next_one_opens(table):
    records = table("records").to_pylist()
    by_copy = {}
    for row in records:
        by_copy.setdefault(row["copy"], []).append(row)
    continued = [row for row in records if row["previous"] is not None]
    assert len(continued) > 100
    for row in continued:
        assert any(
            before["closed"] == row["opened"] and before["closed_by"] == "continued"
            for before in by_copy[row["previous"]]
        )


def test_groups_and_members_are_those_of_consolidation(archive, table):
    shown = programs.lines("consolidation", "first", "latest", "--through", "--groups", "--archive", archive)
    rows = table("groups").to_pylist()
    assert len(rows) == len(shown) > 10
    pairs = {
        "basis": "basis",
        "completeness": "completeness",
        "workout": "workout",
        "declared_count": "declaredCount",
        "found_count": "foundCount",
        "constituent_count": "constituentCount",
        "span_seconds": "spanSeconds",
    }
    in_units = {
        "sum_before": "sumBefore",
        "sum_after": "sumAfter",
        "sum_tolerance": "sumTolerance",
        "value": "value",
        "minimum_before": "minimumBefore",
        "maximum_before": "maximumBefore",
        "mean_before": "meanBefore",
        "time_weighted_mean_before": "timeWeightedMeanBefore",
    }
    members = table("members").to_pylist()
    records, others = table("records").to_pylist(), 0
    copies = {row["copy"]: row for row in records}
    for row, line in zip(rows, shown):
        assert row["type"] == line["type"]
        assert {ours: row[ours] for ours in pairs} == {ours: line[theirs] for ours, theirs in pairs.items()}
        # Values are in the unit of the visible records.
        assert {r["unit"] for r in records if r["type"] == row["type"] and r["closed"] is None} == {row["unit"]}
        factor, _ = linear(line["unit"], row["unit"])
        for ours, theirs in in_units.items():
            assert row[ours] == (None if line[theirs] is None else pytest.approx(line[theirs] * factor)), ours
        others += factor != 1
        mine = [member for member in members if member["group"] == row["group"]]
        constituents = [member for member in mine if member["role"] == "constituent"]
        assert Counter((m["last_visible"], m["nested"]) for m in constituents) == Counter(
            (c["lastVisibleAt"], c.get("nested", False)) for c in line["constituents"]
        )
        starts = Counter(
            copies[m["copy"]]["start"].strftime("%Y-%m-%dT%H:%M:%S.000Z") for m in mine if m["role"] == "replacement"
        )
        assert starts == Counter(record["startDate"] for record in line["replacements"])
    assert others > 0


@pytest.mark.parametrize("dumps", [1, 2])
def test_every_visible_series_is_in_a_group(tmp_path, dumps):
    """Also those of whose originals no export tells."""
    exports = programs.phone(tmp_path, 3, dumps=2, records=3000, days=400, changes=["1: condense=0.7", "2: condense"])
    path = programs.archive(tmp_path, exports[:dumps])
    with hp.open(path) as archive:
        declared = pc.sum(archive.records(at="latest").read_all()["condensed_count"]).as_py()
        groups = archive.groups().read_all()
    assert declared == pc.sum(groups["declared_count"]).as_py() > 100
    assert "none" in groups["completeness"].to_pylist()


@pytest.mark.parametrize("position", [1, 2, 3])
def test_daily_aggregates_are_those_of_aggregates(archive, table, position):
    shown = programs.lines("aggregates", "--at", position, "--archive", archive)[0]["rows"]
    daily = table("daily")
    mask = pc.and_(
        pc.less_equal(daily["opened"], position),
        pc.or_kleene(pc.is_null(daily["closed"]), pc.greater(daily["closed"], position)),
    )
    rows = daily.filter(mask).to_pylist()
    numbers = {
        "count": "count",
        "number_count": "numberCount",
        "sample_count": "sampleCount",
        "sum": "sum",
        "mean": "mean",
        "minimum": "minimum",
        "maximum": "maximum",
    }
    ours = {(r["type"], r["day"].isoformat(), r["level"], r["source"], r["unit"]): r for r in rows}
    assert len(ours) == len(rows)
    levels = Counter()
    for line in shown:
        if line["level"] == "merged" and position < 3:
            continue
        row = ours[line["type"], line["bucket"], line["level"], line["sourceName"], line["unit"]]
        assert {n: row[n] for n in numbers} == {n: line[m] for n, m in numbers.items()}
        assert row["covered_seconds"] == (line["coveredSeconds"] if row["closed"] is None else None)
        levels[line["level"]] += 1
    assert levels["source"] == sum(row["level"] == "source" for row in rows) > 1000 and levels["sum"] > 5
    assert levels["merged"] == sum(row["level"] == "merged" for row in rows)
    # Every day has a row over its sources.
    days = {(row["type"], row["day"], row["unit"]) for row in rows}
    assert days == {(row["type"], row["day"], row["unit"]) for row in rows if row["level"] == "sum"}


def test_values_are_in_the_canonical_unit_too(table):
    """The same whatever the settings were: walking distances are in miles at the second observation."""
    rows = [row for row in table("records").to_pylist() if row["type"].endswith("DistanceWalkingRunning")]
    units = {row["unit"] for row in rows}
    assert units == {"km", "mi"} and {row["unit_canonical"] for row in rows} == {"m"}
    for row in rows:
        assert row["value_canonical"] == pytest.approx(row["value"] * {"km": 1000, "mi": 1609.344}[row["unit"]])
    by_copy = {row["copy"]: row for row in rows}
    changed = [(row, by_copy[row["previous"]]) for row in rows if row["open_evidence"] == "unitConversion"]
    assert changed and all(a["value_canonical"] == pytest.approx(b["value_canonical"], 1e-5) for a, b in changed)


def test_weights_are_declared_counts(table):
    rows = table("records").to_pylist()
    assert all(row["weight"] == (row["condensed_count"] or 1) for row in rows)
    assert any(row["weight"] > 1 for row in rows)


def test_zones_of_samples_are_those_of_their_metadata(table):
    rows = table("records").to_pylist()
    zones = [json.loads(row["metadata"]).get("HKTimeZone") if row["metadata"] else None for row in rows]
    assert [row["time_zone"] for row in rows] == zones and "Europe/Berlin" in zones


def test_tables_of_the_program_are_its_answers(archive, table):
    def equal(row, line, names):
        for name, member in names.items():
            value = row[name]
            if hasattr(value, "strftime"):
                value = value.strftime("%Y-%m-%d" if name == "day" else "%Y-%m-%dT%H:%M:%S.000Z")
            assert value == line[member], name

    nights = programs.lines("metrics", "nights", "--archive", archive)
    assert len(nights) == table("nights").num_rows > 10
    names = {"day": "date", "fell_asleep": "fellAsleep", "woke_up": "wokeUp", "asleep": "asleep", "source": "sourceName"}
    for row, line in zip(table("nights").to_pylist(), nights):
        equal(row, line, names | {"labels": "labels", "efficiency": "efficiency", "in_bed_to": "inBedTo"})
    days = programs.lines("metrics", "daily", "--totals", "--archive", archive)
    assert len(days) == table("days").num_rows > 200
    for row, line in zip(table("days").to_pylist(), days):
        equal(row, line | line["physio"] | line["load"], {"day": "date", "rhr": "rhr", "ctl": "ctl", "hrv_count": "hrvCount"})
        for name, total in line["totals"].items():
            column = re.sub("([A-Z])", lambda letter: "_" + letter.group().lower(), name)
            assert (row[column], row[column + "_naive_sum"]) == (total["value"], total["naiveSum"])
    workouts = programs.lines("workouts", "--archive", archive)
    samples = {row["sample"]: row for row in table("records").to_pylist() if row["activity"]}
    assert len(workouts) == table("workouts").num_rows > 3
    names = {"start": "startDate", "end": "endDate", "activity": "activity", "distance": "distance", "route": "route"}
    for row, line in zip(table("workouts").to_pylist(), workouts):
        equal(row, line, names | {"heart_rate_average": "heartRateAverage", "duration_seconds": "durationSeconds"})
        assert samples[row["sample"]]["start"] == row["start"]


def test_workouts_have_their_legs(tmp_path):
    sports = ((46, 0, 20, "Swimming", 750, "m"), (13, 20, 60, "Cycling", 20, "km"), (37, 60, 90, "WalkingRunning", 5, "km"))
    legs = "".join(
        f'<WorkoutActivity uuid="{n}" startDate="2024-06-08 06:{a % 60:02}:00 +0000" duration="1" durationUnit="min"'
        f' endDate="2024-06-08 0{6 + b // 60}:{b % 60:02}:00 +0000">'
        f'<WorkoutStatistics type="HKQuantityTypeIdentifierDistance{name}" sum="{length}" unit="{unit}"/>'
        f'<MetadataEntry key="HKWorkoutActivityType" value="{n}"/></WorkoutActivity>'
        for n, a, b, name, length, unit in sports[:2]
    )
    path = tmp_path / "export.xml"
    path.write_text(
        '<HealthData><ExportDate value="2024-06-09 06:00:00 +0000"/>'
        '<Workout workoutActivityType="HKWorkoutActivityTypeSwimBikeRun" duration="60" durationUnit="min" sourceName="W"'
        f' startDate="2024-06-08 06:00:00 +0000" endDate="2024-06-08 07:00:00 +0000">{legs}</Workout></HealthData>'
    )
    with hp.open(programs.archive(tmp_path, [path])) as archive:
        (row,) = archive.workouts().read_all().to_pylist()
    assert [(leg["activity_type"], leg["distance"]) for leg in row["legs"]] == [(46, 750), (13, 20_000)]
    assert row["legs"][0]["end"] == row["legs"][1]["start"] and row["legs"][1]["end"] == row["end"]


def test_wear_is_what_the_visible_records_cover(table, visible):
    """Counted again, record by record, in the zone of the days."""
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    of_days = defaultdict(list)
    for record in visible(3):
        start = record["start"].astimezone(zone)
        of_days[record["type"], start.date()].append((start, (record["end"] or record["start"]).astimezone(zone)))
    rows = table("wear").to_pylist()
    assert {(row["type"], row["day"]) for row in rows} == set(of_days) and len(rows) > 500
    several = 0
    for row in rows:
        midnight = datetime.datetime.combine(row["day"], datetime.time(), zone).timestamp()
        following = datetime.datetime.combine(row["day"] + datetime.timedelta(1), datetime.time(), zone).timestamp()
        spans = [(s.timestamp(), min(e.timestamp(), following)) for s, e in of_days[row["type"], row["day"]]]
        hours, gap, reached = set(), 0, None
        for start, end in sorted(spans):
            hours |= set(range(int(start - midnight) // 3600, int(max(end - 1, start) - midnight) // 3600 + 1))
            gap, reached = max(gap, start - (reached or start)), max(end, reached or end)
        assert (row["readings"], row["hours"], row["longest_gap_seconds"]) == (len(spans), len(hours), gap)
        assert (row["first"].timestamp(), row["last"].timestamp()) == (min(spans)[0], reached)
        several += len(hours) > 2
    assert several > 20


def test_zones_say_where_days_come_from(archive, table):
    assert [
        (row["time_zone"], row["origin"], row["offset_seconds"], row["given"], row["recorded"], row["contradicted"])
        for row in table("zones").to_pylist()
    ] == [("Europe/Berlin", "metadata", 7200, None, "Europe/Berlin", False)] * 3


def test_condensed_series_have_their_mark(table):
    rows = [row for row in table("records").to_pylist() if row["condensed_count"]]
    assert len(rows) > 20
    for row in rows:
        assert row["condenser_version"] >= 1 and row["workout"] and row["condensed_start"] <= row["condensed_end"]
        assert abs((row["condensed_start"] - row["start"]).total_seconds()) <= 1


def test_truth_of_the_generator(phone, table):
    """What the generator says it did between two dumps is what the tables have."""
    rows = {(row["observation"], row["type"]): row for row in table("types").to_pylist()}
    causes = Counter()
    for dump in (2, 3):
        truth = json.loads((phone / f"dump-{dump}.summary.json").read_text())["types"]
        assert len(truth) > 30
        for name, counts in truth.items():
            row = rows[dump, name]
            assert row["visible"] == counts["after"], (dump, name)
            for ours, theirs in (
                ("appeared", "appeared"),
                ("disappeared", "disappeared"),
                ("changed", "representationChanged"),
            ):
                assert row[ours] == sum(counts[theirs].values()), (dump, name, ours)
                causes.update(counts[theirs])
    assert causes["condensed"] > 100


def test_what_no_table_has_is_counted(archive, tables):
    metadata = pq.ParquetFile(tables / "records.parquet").metadata.metadata
    left_out = json.loads(metadata[b"healthprobe.left_out"])
    assert left_out["HKCharacteristicTypeIdentifierBloodType"] == [1, 1, 1]
    records = pq.read_table(tables / "records.parquet")
    shown = programs.lines("show", 3, "--archive", archive)[0]["types"]
    for line in shown:
        mine = records.filter(pc.equal(records["type"], line["type"]))
        count = pc.sum(pc.is_null(mine["closed"])).as_py() or 0
        assert count + left_out.get(line["type"], [0, 0, 0])[2] == line["visible"], line["type"]


def test_sums_are_exact_and_none_beyond_a_double():
    assert daily._sum([1e308, 1e308, -1e308]) == 1e308
    assert daily._sum([0.1] * 10) == 1.0
    assert daily._sum([1e308, 1e308]) is None


def test_devices_of_records_without_a_creation_date_count(tmp_path):
    device = "&lt;&lt;HKDevice: 0x1&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone13,2, software:16.1&gt;"
    (tmp_path / "export.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n'
        '<ExportDate value="2024-03-01 12:00:00 +0000"/>\n'
        f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" device="{device}" unit="count" '
        'startDate="2024-02-01 10:00:00 +0000" endDate="2024-02-01 10:05:00 +0000" value="20"/>\n</HealthData>\n'
    )
    archive = programs.archive(tmp_path, [tmp_path / "export.xml"])
    done = programs.data("parquet", "--archive", archive, "--output", tmp_path / "tables", "--provenance", "full")
    assert done.returncode == 0, done.stderr
    row = pq.read_table(tmp_path / "tables" / "observations.parquet").to_pylist()[0]
    assert (row["phone_hardware"], row["phone_os"]) == ("iPhone13,2", "16.1")
