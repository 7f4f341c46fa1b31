"""What may be published of a lake."""

from __future__ import annotations

import copy
import csv
import errno
import json
import os
import random

import pytest

from healthprobe_data.cohort import shared_exports
from healthprobe_data.cohort import status as statuses
from healthprobe_data.cohort.lake import Lake
from healthprobe_data.command import main
from healthprobe_data.pseudonyms import Key
from healthprobe_data.survey.release import COLUMNS, _step, tabulate
from healthprobe_data.type_names import TypeFilter

HEART = "HKQuantityTypeIdentifierHeartRate"


def survey(number: int, watch: str = "Watch7", weeks: int | None = None) -> dict:
    """An exact survey made by hand."""
    return {
        "schema": "healthprobe.survey/1",
        "exact": True,
        "condensing": [
            {
                "type": HEART,
                "condenserVersion": 3,
                "phoneOS": 17,
                "watch": watch,
                "workouts": 4,
                "series": 4,
                "recondensed": 0,
                "ages": [{"weeks": weeks or 17 + number % 3, "series": 3}, {"weeks": 30, "series": 1}],
                "declared": [],
                "lengths": [],
                "censored": [],
            },
        ],
        "workoutAge": [
            {
                "type": HEART,
                "band": band,
                "workouts": 10,
                "withSeries": place,
                "pointsVisible": 50,
                "pointsKnown": 100,
                "shareGone": (number % 5) / 10 + place / 20,
            }
            for place, band in enumerate(("0-3", "3-4", "24+"))
            if band != "24+" or number < 15
        ],
        "changes": [
            {
                "type": HEART,
                "steps": 2,
                "appeared": 1,
                "disappeared": 10,
                "explained": 9,
                "unexplained": 1,
                "evidence": {},
                "fields": {},
            }
        ],
        "shifts": [
            {
                "type": HEART,
                "measure": "mean",
                "touched": True,
                "days": 20,
                "shifted": number % 4,
                "quantiles": {"p5": 0, "p25": 0, "p50": number / 1000, "p75": 0, "p95": 0},
            }
        ],
        "defects": [],
        "exports": {},
        "leftOut": {},
    }


def make(folder, count: int, **options) -> str:
    """A lake of statuses with surveys made by hand."""
    lake = Lake(str(folder))
    lake.agree(Key(b"k" * 32), TypeFilter())
    for number in range(count):
        statuses.write(
            lake,
            {
                "schema": statuses.STATUS_SCHEMA,
                "participant": f"{number:016x}",
                "package": "",
                "program": "",
                "outcome": "completed",
                "error": None,
                "inputs": [],
                "rows": {},
                "sha256": {},
                "archive": None,
                "seconds": {},
                "survey": survey(number, **options),
            },
        )
    return str(folder)


def test_too_few_participants_are_refused_whole(tmp_path, capsys):
    lake = make(tmp_path / "lake", 19)
    assert main(["release", "--lake", lake, "--output", str(tmp_path / "out"), "--json"]) == 65
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "tooFewParticipants"
    assert not (tmp_path / "out").exists()
    assert main(["release", "--lake", lake, "--output", str(tmp_path / "out"), "--minimum", "10"]) == 64
    assert main(["release", "--lake", lake, "--output", str(tmp_path / "out"), "--minimum", "19"]) == 0


def test_rows_by_hand(tmp_path, capsys):
    lake = make(tmp_path / "lake", 24)
    for name in ("one", "two"):
        assert main(["release", "--lake", lake, "--output", str(tmp_path / name)]) == 0
    assert main(["release", "--lake", lake, "--output", str(tmp_path / "one")]) == 73
    for name in ("release.json", "release.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    found = json.loads((tmp_path / "one" / "release.json").read_text())
    assert found["schema"] == "healthprobe.survey-release/1" and (found["participants"], found["minimum"]) == (24, 20)
    rows = {(r["question"], r["phone_os"], r["watch"], r["band"]): r for r in found["rows"]}
    # Only 15 have workouts that old: two rows, the share and the part with a series.
    assert found["dropped"] == 2 and not [key for key in rows if key[3] == "24+"]
    ages = rows["ageAtCondensing", 17, "Watch7", None]
    assert (ages["participants"], ages["units"], ages["estimate"], ages["low"], ages["high"]) == (24, 50, 18, 17, 19)
    shares = rows["shareGone", None, None, "3-4"]
    expected = [(number % 5) / 10 + 0.05 for number in range(24)]
    assert shares["estimate"] == round(sum(expected) / 24, 2) and shares["units"] == 200
    margin = rows["shareGone", None, None, None]
    assert margin["participants"] == 24 and margin["units"] == 200
    assert margin["estimate"] == round(sum(expected) / 24 - 0.025, 2)
    assert rows["explained", None, None, None]["estimate"] == 0.9
    assert rows["shift/mean/touched", None, None, None]["units"] == 200
    with open(tmp_path / "one" / "release.csv", newline="") as file:
        table = list(csv.DictReader(file))
    assert list(table[0]) == list(COLUMNS)
    assert table == [{k: "" if v is None else str(v) for k, v in row.items()} for row in found["rows"]]
    schema = json.loads((__import__("programs").ROOT / "docs/schemas/survey-release.json").read_text())
    assert set(schema["required"]) == set(found)
    assert all(list(row) == schema["properties"]["rows"]["items"]["required"] for row in found["rows"])


@pytest.mark.parametrize("seed", range(20))
def test_no_dropped_cell_follows_from_shown_rows(seed):
    """Whatever is in the dropped cells: the rows are the same to the last digit."""
    chance = random.Random(seed)
    surveys = {
        f"{n:016x}": survey(n, watch=chance.choice(["Watch6", "Watch7", "Watch7", "Watch7", "Watch9"]))
        for n in range(40)
    }
    rows = tabulate(surveys, 20)
    shown = {(r["question"], r["phone_os"], r["watch"], r["band"]) for r in rows["rows"]}
    changed = copy.deepcopy(surveys)
    for found in changed.values():
        for entry in found["condensing"]:
            if ("ageAtCondensing", 17, entry["watch"], None) not in shown:
                entry["ages"] = [{"weeks": chance.randrange(200), "series": chance.randrange(1, 50)}]
        for entry in found["workoutAge"]:
            if ("shareGone", None, None, entry["band"]) not in shown:
                entry |= {"workouts": chance.randrange(1, 99), "shareGone": chance.random(), "withSeries": 1}
    assert changed != surveys
    assert tabulate(changed, 20) == rows


def test_whose_phone_and_watch_are_unknown_are_in_the_row_over_all():
    """Their cell has the name of that row: there is one of the name, and it is of everybody in a shown cell."""
    surveys = {f"{n:016x}": survey(n, weeks=10 if n < 20 else 20) for n in range(45)}
    for name in list(surveys)[20:40]:
        surveys[name]["condensing"][0] |= {"phoneOS": None, "watch": None}
    for name in list(surveys)[40:]:
        surveys[name]["condensing"][0]["watch"] = None
    found = tabulate(surveys, 20)
    rows = [r for r in found["rows"] if r["question"] == "ageAtCondensing"]
    assert [(r["phone_os"], r["watch"], r["participants"]) for r in rows] == [(None, None, 40), (17, "Watch7", 20)]
    assert (rows[0]["low"], rows[0]["estimate"], rows[0]["high"]) == (10, 15, 20)
    keys = [tuple(r[name] for name in COLUMNS[:5]) for r in found["rows"]]
    assert len(keys) == len(set(keys))


def test_an_age_is_the_median_of_series():
    """Not that of the medians of their cells: one participant has series of several watches and condensers."""
    surveys = {f"{n:016x}": survey(n) for n in range(20)}
    for found in surveys.values():
        (cell,) = found["condensing"]
        cell["ages"] = [{"weeks": 10, "series": 2}, {"weeks": 30, "series": 3}]
        more = cell | {"condenserVersion": 4, "ages": [{"weeks": 20, "series": 4}]}
        found["condensing"] += [more, cell | {"watch": "Watch9", "ages": [{"weeks": 40, "series": 9}]}]
    rows = {r["watch"]: r for r in tabulate(surveys, 20)["rows"] if r["question"] == "ageAtCondensing"}
    assert {watch: row["estimate"] for watch, row in rows.items()} == {"Watch7": 20, "Watch9": 40, None: 35}
    assert {watch: row["units"] for watch, row in rows.items()} == {"Watch7": 100, "Watch9": 100, None: 200}


def test_no_participant_is_the_difference_of_two_questions():
    """Somebody without a known point, or without a day that has a relative difference, is in neither row of a pair."""
    surveys = {f"{n:016x}": survey(n) for n in range(40)}
    for name in list(surveys)[:3]:
        for entry in surveys[name]["workoutAge"]:
            entry["shareGone"] = None
        surveys[name]["shifts"][0]["quantiles"] = {}
    counts = {}
    for row in tabulate(surveys, 20)["rows"]:
        counts.setdefault(row["question"].split("/")[0], set()).add((row["band"], row["participants"]))
    assert counts["shareGone"] == counts["workoutsWithSeries"] == {("0-3", 37), ("3-4", 37), (None, 37)}
    assert counts["shift"] == counts["daysShifted"] == {(None, 37)}


def test_numbers_of_a_row_are_coarse():
    """One person's two workouts more are not seen."""
    surveys = {f"{n:016x}": survey(n) for n in range(40)}
    rows = tabulate(surveys, 20)["rows"]
    surveys[f"{0:016x}"]["workoutAge"][0]["workouts"] += 2
    assert {row["units"] for row in tabulate(surveys, 20)["rows"]} == {row["units"] for row in rows}
    for row in rows:
        assert str(row["units"]).rstrip("0") in ("1", "2", "5"), row
        is_share = row["question"].split("/")[0] in ("shareGone", "workoutsWithSeries", "explained", "daysShifted")
        assert round(row["estimate"], 2 if is_share else 4) == row["estimate"], row


@pytest.mark.parametrize("count, step", [(0, 0), (1, 1), (4, 2), (9, 5), (10, 10), (4999, 2000), (5000, 5000)])
def test_steps_are_those_of_a_coarse_survey(count, step):
    assert _step(count) == step


@pytest.mark.parametrize(
    "change",
    [
        {"inputs": None},
        {"inputs": [{}]},
        {"inputs": [1]},
        {"archive": {}},
        {"sha256": []},
        {"package": None},
        {"survey": {"condensing": []}},
        {"rows": {"records": "1"}},
        {"participant": "another"},
        "sha256",
        "survey",
    ],
)
def test_a_status_that_is_not_whole_is_unreadable(tmp_path, capsys, change):
    lake = Lake(make(tmp_path / "lake", 20))
    found = statuses.read(lake, f"{3:016x}")
    if isinstance(change, str):
        del found[change]
    else:
        found |= change
    lake.objects.put(lake.status_name(f"{3:016x}"), json.dumps(found).encode())
    assert statuses.read(lake, f"{3:016x}") is None
    assert main(["status", "--lake", lake.uri, "--json", "--failed"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["outcomes"] == {"completed": 19, "unreadable": 1}
    assert [entry["participant"] for entry in answer["failed"]] == [f"{3:016x}"]
    assert main(["verify", "--lake", lake.uri, "--json"]) == 4
    assert [entry["finding"] for entry in json.loads(capsys.readouterr().out)["findings"]] == ["unreadable"]
    assert main(["release", "--lake", lake.uri, "--output", str(tmp_path / "out")]) == 65


@pytest.mark.parametrize(
    "change", [{"workouts": "x"}, {"shareGone": "x"}, {"shareGone": float("inf")}, {"workouts": 1.5}, {"workouts": -1}]
)
def test_a_survey_that_cannot_be_read_is_an_error(tmp_path, capsys, change):
    lake = Lake(make(tmp_path / "lake", 20))
    found = statuses.read(lake, f"{3:016x}")
    found["survey"]["workoutAge"][0] |= change
    statuses.write(lake, found)
    assert main(["release", "--lake", lake.uri, "--output", str(tmp_path / "out"), "--json"]) == 65
    assert json.loads(capsys.readouterr().err)["error"]["cause"] == f"{3:016x}"


@pytest.mark.parametrize(
    "text", ["[]", "null", "{", '{"schema": "healthprobe.lake/1", "tables": "healthprobe.tables/1"}']
)
def test_a_damaged_description_is_an_error(tmp_path, capsys, text):
    lake = Lake(make(tmp_path / "lake", 1))
    lake.objects.put("_lake.json", text.encode())
    (secret := tmp_path / "secret").write_bytes(b"k" * 32)
    secret.chmod(0o600)
    for command in (["status"], ["verify"], ["withdraw", "x", "--secret-file", str(secret)]):
        assert main([*command, "--lake", lake.uri, "--json"]) == 65
        assert json.loads(capsys.readouterr().err)["error"]["code"] == "newerLake"


def test_counts_of_a_lake_add_up(tmp_path, capsys):
    """Everybody counts once: also who is withdrawn or exhausted beside a status."""
    lake = Lake(make(tmp_path / "lake", 4))
    for number in (3, 4):
        lake.objects.put(lake.tombstone_name(f"{number:016x}"), b"{}")
    for number in (2, 5):
        lake.note_exhausted(f"{number:016x}", "diskFull")
    lake.objects.put(lake.status_name(f"{1:016x}"), b"{}")
    assert main(["status", "--lake", lake.uri]) == 0
    counts = "6 participants: 1 completed, 2 exhausted, 1 unreadable, 2 withdrawn"
    assert capsys.readouterr().out.splitlines() == [counts, "  diskFull: 2"]
    assert main(["status", "--lake", lake.uri, "--json", "--failed"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["participants"] == sum(answer["outcomes"].values()) == 6
    assert [entry["participant"] for entry in answer["failed"]] == [f"{number:016x}" for number in (1, 2, 5)]


def test_nobody_is_withdrawn_without_an_id(tmp_path):
    lake = make(tmp_path / "lake", 1)
    (secret := tmp_path / "secret").write_bytes(b"k" * 32)
    secret.chmod(0o600)
    for id in ("", " \t", "nobody"):
        assert main(["withdraw", id, "--lake", lake, "--secret-file", str(secret)]) == 64
    assert not (tmp_path / "lake" / "withdrawn").exists()


def test_of_those_who_share_an_export_none_is_chosen(tmp_path, capsys):
    """Each names the others until the coordinator keeps one; verify finds what no run compared."""
    lake = Lake(make(tmp_path / "lake", 3))
    names = lake.participants("status")
    entry = dict.fromkeys(("uri", "options", "bytes", "tag", "outcome"))
    for name, xml in zip(names, ("same", "same", "another")):
        statuses.write(lake, statuses.read(lake, name) | {"inputs": [entry | {"xml": xml}]})
    capsys.readouterr()
    assert main(["verify", "--lake", lake.uri, "--repair", "--json"]) == 4
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(f["finding"], f["participant"]) for f in findings] == [("sharedExport", name) for name in names[:2]]
    found = statuses.read_all(lake)
    told = [(found[name]["outcome"], found[name]["error"], found[name].get("sharedWith")) for name in names]
    assert told == [
        ("failed", "sharedExport", [names[1]]),
        ("failed", "sharedExport", [names[0]]),
        ("completed", None, None),
    ]
    assert main(["verify", "--lake", lake.uri]) == 0
    # Who is kept has tables, and the other still has none.
    kept = {"outcome": "completed", "error": None, "kept": True, "sharedWith": []}
    statuses.write(lake, found[names[0]] | kept)
    assert shared_exports.keep_out(lake) == {names[1]: [names[0]]}
    assert statuses.read(lake, names[0])["outcome"] == "completed"


@pytest.mark.parametrize(
    "values, is_shown",
    [
        ([0.5] * 24, True),
        ([0] * 24, True),
        # Ten have something; eleven have.
        ([0] * 14 + [0.5] * 10, False),
        ([0] * 13 + [0.5] * 11, True),
        # One has most of the sum.
        ([0.01] * 23 + [0.9], False),
    ],
)
def test_a_row_hides_everybody_in_it(values, is_shown):
    surveys = {f"{n:016x}": survey(n) for n in range(24)}
    for found, value in zip(surveys.values(), values):
        found["workoutAge"][0] |= {"shareGone": value, "withSeries": 5}
    rows = {(row["question"], row["band"]) for row in tabulate(surveys, 20)["rows"]}
    assert (("shareGone", "0-3") in rows) == is_shown and ("workoutsWithSeries", "0-3") in rows


def test_nobody_has_most_of_the_workouts_of_a_row():
    surveys = {f"{n:016x}": survey(n) for n in range(24)}
    surveys[f"{0:016x}"]["workoutAge"][1]["workouts"] = 1000
    rows = {(row["question"], row["band"]) for row in tabulate(surveys, 20)["rows"]}
    assert ("shareGone", "3-4") not in rows and ("shareGone", "0-3") in rows


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch, capsys):
    lake = make(tmp_path / "lake", 20)

    def full(*names):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "rename", full)
    (tmp_path / "parent").mkdir()
    assert main(["release", "--lake", lake, "--output", str(tmp_path / "parent" / "out"), "--json"]) == 74
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "diskFull"
    assert not list((tmp_path / "parent").iterdir())


def test_what_a_killed_process_was_writing_is_in_nobody_s_way(tmp_path):
    lake = make(tmp_path / "lake", 20)
    (tmp_path / f"out.writing-{os.getpid()}").mkdir()
    assert main(["release", "--lake", lake, "--output", f"{tmp_path}/out/"]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["release.csv", "release.json"]
    assert len(list(tmp_path.iterdir())) == 3


def test_who_is_withdrawn_does_not_count(tmp_path):
    """Also where the withdrawal ended behind its tombstone."""
    lake = make(tmp_path / "lake", 20)
    one = Lake(lake)
    one.objects.put(one.tombstone_name(f"{0:016x}"), b"{}")
    assert main(["release", "--lake", lake, "--output", str(tmp_path / "out")]) == 65


def test_a_status_without_survey_does_not_count(tmp_path):
    lake = make(tmp_path / "lake", 20)
    one = Lake(lake)
    status = statuses.read(one, f"{0:016x}")
    statuses.write(one, status | {"outcome": "failed", "survey": None})
    assert main(["release", "--lake", lake, "--output", str(tmp_path / "out")]) == 65
