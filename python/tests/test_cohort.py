"""A lake that participants made one by one: outcomes, truth, privacy."""

from __future__ import annotations

import datetime
import hashlib
import html
import json
import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import programs
import study as studies
from healthprobe_data.cohort import manifest
from healthprobe_data.command import main
from healthprobe_data.provenance import is_unit
from healthprobe_data.tables import TABLES
from healthprobe_data.units import linear
from study import objects, rows, status
from test_provenance import ALLOWED, texts_of

pytestmark = pytest.mark.cohort


def test_outcomes(study, lake):
    expected = Counter()
    for participant in manifest.read(str(study.manifest)):
        found = status(lake, study.name(participant.id))
        expected[found["outcome"], found["error"]] += 1
        if participant.id == "person 2":
            assert found["outcome"] == "partial"
            assert sorted(entry["outcome"] for entry in found["inputs"]) == ["completed"] * 3 + ["unrelatedExport"]
        elif participant.id == "encrypted":
            assert found["error"] == "encrypted" and found["inputs"][0]["outcome"] == "encrypted"
        elif participant.id in ("absent", "empty folder"):
            assert found["error"] == "noSuchInput"
        elif participant.id in ("truncated", "no zip", "no records"):
            errors = {"truncated": "truncated", "no zip": "notAHealthExport", "no records": "empty"}
            assert found["error"] == errors[participant.id]
        elif participant.id.startswith("person") and participant.id != "person 1":
            assert found["outcome"] == "completed" and set(found["rows"]) == set(TABLES), participant.id
        assert found["observations"] == (
            0
            if found["error"] and found["error"] != "sharedExport"
            else len([e for e in found["inputs"] if e["outcome"] == "completed"])
        )
    # Of two with one export neither is chosen.
    assert expected["failed", "sharedExport"] == 2 and expected["completed", None] >= 22
    both = study.name("person 1"), study.name("enrolled twice")
    for one, other in (both, both[::-1]):
        assert status(lake, one)["sharedWith"] == [other] and not list(lake.glob(f"*/*/{one}.parquet"))


def test_lake_is_the_truth(study, lake):
    """Counts at every observation are those of the generator; groups and days those of the program."""
    checked = 0
    for seed in range(1, 25):
        name = study.name(f"person {seed}")
        if status(lake, name)["outcome"] == "failed":
            continue
        found = {(row["observation"], row["type"]): row for row in rows(lake, "types", name)}
        records = rows(lake, "records", name)
        dumps = status(lake, name)["observations"]
        path = lake / "records" / f"bucket={name[:2]}" / f"{name}.parquet"
        left_out = json.loads(pq.read_metadata(path).metadata[b"healthprobe.left_out"])
        for dump in range(1, dumps + 1):
            truth = json.loads((study.folder / "exports" / f"phone-{seed}" / f"dump-{dump}.summary.json").read_text())
            visible = Counter(
                r["type"] for r in records if r["opened"] <= dump and (r["closed"] is None or r["closed"] > dump)
            )
            for kind, counts in truth["types"].items():
                row = found[dump, kind]
                assert row["visible"] == counts["after"]
                assert visible[kind] == counts["after"] - (left_out[kind][dump - 1] if kind in left_out else 0)
                # Left out are whole types that are no records.
                assert visible[kind] in (0, counts["after"])
                if dump > 1:
                    checked += 1
                    for ours, theirs in (
                        ("appeared", "appeared"),
                        ("disappeared", "disappeared"),
                        ("changed", "representationChanged"),
                    ):
                        assert row[ours] == sum(counts[theirs].values()), (seed, dump, kind)
    assert checked > 700


def test_surveys_of_a_lake_are_the_truth(study, lake):
    """Condensed series and their ages, declared counts and lengths in every status are those of the generator."""
    checked = 0
    for seed in range(1, 25):
        found = status(lake, study.name(f"person {seed}"))
        # What the first export has condensed already is in no line of the truth.
        if not found["survey"] or studies.CHANGES[seed % len(studies.CHANGES)][0].startswith("1:"):
            continue
        ours = Counter()
        for cell in found["survey"]["condensing"]:
            for kind, unit in (("ages", "weeks"), ("declared", "count"), ("lengths", "seconds")):
                for bar in cell[kind]:
                    ours[cell["type"], kind, bar[unit]] += bar["series"]
        assert ours == truth_of_series(study.folder / "exports" / f"phone-{seed}", found["observations"]), seed
        checked += sum(count for (_, kind, _), count in ours.items() if kind == "declared")
    assert checked > 150


def truth_of_series(folder: Path, dumps: int) -> Counter:
    """By type, the bars of the series that the generator made up to a dump, each at the first dump that has it."""
    first, again = {}, set()
    lines = [json.loads(line) for line in (folder / "truth.ndjson").read_text().splitlines()]
    for line in sorted(lines, key=lambda line: line["to"]):
        if line["to"] > dumps:
            continue
        if line.get("basis") == "condenserIdentifier":
            made, taken = line["replacements"], line["constituents"]
        elif line.get("change") == "representationChanged" and "recondensed" in line["cause"]:
            made, taken = [line["after"]], [line["before"]]
        else:
            continue
        for record in made:
            if mark := record.get("syncIdentifier"):
                first.setdefault((record["type"], mark), record)
                if any(each.get("syncIdentifier") for each in taken):
                    again.add((record["type"], mark))
    bars = Counter()
    for (kind, mark), record in first.items():
        start, end, made = (
            datetime.datetime.fromisoformat(record[name].replace("Z", "+00:00"))
            for name in ("startDate", "endDate", "creationDate")
        )
        bars[kind, "declared", int(mark.rsplit(":", 1)[1])] += 1
        bars[kind, "lengths", int((end - start).total_seconds())] += 1
        if (kind, mark) not in again:
            bars[kind, "ages", (made - end) // datetime.timedelta(weeks=1)] += 1
    return bars


@pytest.mark.parametrize("id", ["person 3", "person 13", "person 24"])
def test_groups_and_days_of_a_lake_are_those_of_the_program(study, lake, tmp_path, id):
    name = study.name(id)
    exports = sorted(Path(path) for owner, path in studies.rows_of(study.manifest) if owner == id)
    archive = programs.archive(tmp_path, exports)
    groups = programs.lines("consolidation", "first", "latest", "--through", "--groups", "--archive", archive)
    ours = rows(lake, "groups", name)
    key = lambda g, names: tuple(g[n] for n in names)  # noqa: E731
    assert [
        key(g, ("type", "basis", "completeness", "declared_count", "found_count")) for g in ours
    ] == [
        key(g, ("type", "basis", "completeness", "declaredCount", "foundCount")) for g in groups
    ]
    for row, group in zip(ours, groups):
        factor, _ = linear(group["unit"], row["unit"])
        for name_of_row, member in (("sum_before", "sumBefore"), ("sum_after", "sumAfter")):
            assert row[name_of_row] == (None if group[member] is None else pytest.approx(group[member] * factor))
    assert len(ours) > 3
    members = Counter((row["group"], row["role"], row["last_visible"]) for row in rows(lake, "members", name))
    assert members == Counter(
        (row["group"], role, member.get("lastVisibleAt"))
        for row, group in zip(ours, groups)
        for role in ("replacement", "constituent")
        for member in group[f"{role}s"]
    )
    latest = programs.lines("aggregates", "--archive", archive)[0]["rows"]
    days = [row for row in rows(lake, "daily", name) if row["closed"] is None]
    names = ("type", "level", "unit", "count", "sum")
    told = Counter((row["bucket"], *key(row, names), row["coveredSeconds"]) for row in latest)
    found = Counter((row["day"].isoformat(), *key(row, names), row["covered_seconds"]) for row in days)
    # Beside what the program prints there is a sum where one source is alone, or the type does not add up.
    assert not told - found and {row[2] for row in found - told} <= {"sum"}
    assert len(rows(lake, "nights", name)) == len(programs.lines("metrics", "nights", "--archive", archive))
    workouts = programs.lines("workouts", "--archive", archive, "--limit", 100000)
    assert [row["distance"] for row in rows(lake, "workouts", name)] == [row["distance"] for row in workouts]
    assert status(lake, name)["survey"] == programs.lines("survey", "--exact", "--archive", archive)[0]


def test_a_release_of_the_lake(lake, tmp_path):
    """Means over participants of what their own surveys say."""
    out = tmp_path / "release"
    assert main(["release", "--lake", str(lake), "--output", str(out), "--minimum", "11"]) == 0
    found = json.loads((out / "release.json").read_text())
    kind = "HKQuantityTypeIdentifierHeartRate"
    surveys = [json.loads(path.read_text())["survey"] for path in lake.glob("status/*/*.json")]
    young = [
        entry["shareGone"]
        for survey in filter(None, surveys)
        for entry in survey["workoutAge"]
        if (entry["type"], entry["band"]) == ("HKQuantityTypeIdentifierActiveEnergyBurned", "0-3")
    ]
    wanted = ("shareGone", "HKQuantityTypeIdentifierActiveEnergyBurned", "0-3")
    row = next(r for r in found["rows"] if (r["question"], r["type"], r["band"]) == wanted)
    assert row["participants"] == len(young) >= 11
    assert row["estimate"] == round(sum(young) / len(young), 2) == 0
    # Of whom too few have anything that is gone, there is no row.
    gone = [e["shareGone"] for s in filter(None, surveys) for e in s["workoutAge"] if (e["type"], e["band"]) == (kind, "6-12")]
    assert len(gone) >= 11 > sum(map(bool, gone)) > 0
    assert not [r for r in found["rows"] if (r["question"], r["type"], r["band"]) == ("shareGone", kind, "6-12")]
    assert found["dropped"] > 0 and all(r["participants"] >= 11 for r in found["rows"])


def test_the_lake_verifies(lake, capsys):
    assert main(["verify", "--lake", str(lake), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    assert main(["status", "--lake", str(lake), "--failed", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["participants"] == 31 and answer["codes"]["sharedExport"] == 2
    assert answer["exports"]["unrelatedExport"] == 1 and len(answer["failed"]) == 9


def test_nothing_is_left_in_scratch(study, lake):
    assert list(study.scratch.iterdir()) == []


def test_a_lake_has_no_names(study, lake):
    """Objects, their names, statuses and every text of every table: only what the whitelist has, and no hash."""
    exports = list(study.exports())
    sources = {html.unescape(text.decode()) for xml in exports for text in re.findall(rb'sourceName="([^"]*)"', xml)}
    # "Health" is part of words of the format.
    names = [name for name in sources if not name.startswith("Health")]
    assert len(names) > 10
    for name in names:
        assert any(part in name for part in studies.NAMES), name
    hashes = {hashlib.sha256(xml).hexdigest() for xml in exports}
    for name, content in objects(lake).items():
        assert not re.search(r"person|phone-\d|dump|twice", name)
        for text in (*studies.NAMES, "person ", "dump-", str(study.folder)):
            assert text.encode() not in content, (name, text)
        assert not hashes & set(re.findall(r"[0-9a-f]{64}", content.decode(errors="replace")))
    described = json.loads((lake / "_lake.json").read_text())
    assert described["keyID"] == study.key.id
    assert set(described) == set(json.loads((programs.ROOT / "docs/schemas/lake.json").read_text())["required"])
    allowed = json.loads((programs.ROOT / "docs/schemas/status.json").read_text())
    for path in (lake / "status").rglob("*.json"):
        found = json.loads(path.read_text())
        assert set(found) == set(allowed["properties"]) == set(allowed["required"])
        for entry in found["inputs"]:
            assert set(entry) == set(allowed["properties"]["inputs"]["items"]["required"])
        for text in strings(found["survey"]):
            assert SURVEY.fullmatch(text) or ALLOWED.fullmatch(text), text
    for table in TABLES:
        for path in (lake / table).rglob("*.parquet"):
            for text in texts_of(path):
                assert ALLOWED.fullmatch(text) or is_unit(text), (table, text)
                assert not re.fullmatch("[0-9a-f]{32,}", text) and text not in sources, (table, text)
            assert json.loads(pq.read_metadata(path).metadata[b"healthprobe.provenance"]) == "hashed"


#: The words of a survey's own format.
SURVEY = re.compile(
    r"healthprobe\.survey/1|DailyMetrics|(iPhone|Watch)[0-9]+|p[0-9]{1,2}|"
    r"[a-z]+[A-Za-z]*(:[A-Za-z]+)?|[0-9]+(-[0-9]+|\+)"
)


def strings(value):
    """Every string in JSON, names of members included."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, str):
        yield value
