"""HealthProbe's figures against independent programs from PyPI: what each of them computes from the same input.

Run by `make test-oracles`, which makes the environment with the versions of requirements.txt.
"""

import importlib.util
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import gpxpy
import gpxpy.geo
import neurokit2
import numpy
import pandas
import tcxparser
import tcxreader.tcxreader

PROGRAMS = pathlib.Path(os.environ.get("HEALTHPROBE_PROGRAMS", ".build/release")).resolve()
SETTINGS = {
    "schema": "healthprobe.athlete/1",
    "periods": [{"from": "2000-01-01", "maxHeartRate": 190, "restingHeartRate": 50, "ftpWatts": 250}],
}
# Metres: the mean radius that HealthProbe takes.
RADIUS = 6_371_008.8


def sweat_power():
    """sweat's formulas of power, without what the package's own start imports."""
    folder = pathlib.Path(importlib.util.find_spec("sweat").submodule_search_locations[0])
    spec = importlib.util.spec_from_file_location("sweat_power", folder / "metrics" / "power.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Archive:
    """An archive in a folder of its own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="healthprobe-oracle-"))
        unittest.addModuleCleanup(shutil.rmtree, self.folder)
        self.settings = self.folder / "athlete.json"
        self.settings.write_text(json.dumps(SETTINGS))

    def run(self, *arguments):
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data"),
            "HEALTHPROBE_ARCHIVE": str(self.folder / "archive.sqlite"),
        }
        command = [PROGRAMS / "healthprobe", *arguments]
        return subprocess.run(command, check=True, capture_output=True, env=environment, text=True).stdout

    def answers(self, *arguments):
        lines = self.run(*arguments, "--json", "--settings", str(self.settings)).splitlines()
        return [line for line in map(json.loads, lines) if "next" not in line]

    def load(self, items):
        """Imports an export of these items."""
        export = self.folder / "export.xml"
        export.write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n'
            '<ExportDate value="2024-05-10 12:00:00 +0000"/>\n' + "\n".join(items) + "\n</HealthData>\n")
        self.run("import", str(export), "--quiet", "--time-zone", "UTC")
        return self


def instant(second):
    return f"2024-05-01 {10 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} +0000"


def record(kind, unit, value, start, end, inner=""):
    return (
        f'<Record type="HKQuantityTypeIdentifier{kind}" sourceName="Watch" unit="{unit}" creationDate="{instant(end)}" '
        f'startDate="{instant(start)}" endDate="{instant(end)}" value="{value}">{inner}</Record>')


def ride(watts):
    """A ride with a power a second."""
    workout = (
        f'<Workout workoutActivityType="HKWorkoutActivityTypeCycling" sourceName="Watch" '
        f'creationDate="{instant(len(watts))}" startDate="{instant(0)}" endDate="{instant(len(watts))}"/>')
    readings = [record("CyclingPower", "W", value, second, second + 1) for second, value in enumerate(watts)]
    return Archive().load([workout] + readings).answers("workout", "latest")[0]


def variability(intervals, value):
    """A record of heart rate variability with the beats that lie so many milliseconds apart."""
    times = numpy.cumsum([0, *intervals]) / 1000
    rates = [60_000 / intervals[0], *(60_000 / interval for interval in intervals)]
    beats = "".join(
        f'<InstantaneousBeatsPerMinute bpm="{rate:.0f}" time="1:00:{time:05.2f}"/>' for rate, time in zip(rates, times))
    inner = f"<HeartRateVariabilityMetadataList>{beats}</HeartRateVariabilityMetadataList>"
    archive = Archive().load([record("HeartRateVariabilitySDNN", "ms", value, 0, 60, inner)])
    return archive.answers("metrics", "daily", "--since", "2024-05-01", "--until", "2024-05-01")[0]


class Power(unittest.TestCase):
    def check(self, watts):
        answer, oracle = ride(watts), sweat_power()
        # The definition, with pandas' windows: full ones of 30 s alone.
        expected = (pandas.Series(watts).rolling(30).mean().dropna() ** 4).mean() ** 0.25
        self.assertAlmostEqual(answer["power"]["normalized"], expected, places=2)
        self.assertAlmostEqual(answer["power"]["average"], numpy.mean(watts), places=2)
        intensity = oracle.relative_intensity(expected, 250)
        self.assertAlmostEqual(answer["power"]["intensityFactor"], intensity, places=3)
        self.assertEqual(answer["stress"]["method"], "power")
        self.assertAlmostEqual(answer["stress"]["value"], oracle.stress_score(expected, 250, len(watts)), places=2)

    def test_constant(self):
        self.check([200] * 1800)

    def test_intervals(self):
        self.check(([300] * 60 + [100] * 60) * 10)


class Variability(unittest.TestCase):
    intervals = [800, 810, 790, 820, 800, 780, 810, 800, 790, 800, 830, 800, 790, 810, 840, 800]

    def test_beats(self):
        peaks = numpy.cumsum([0, *self.intervals])
        expected = neurokit2.hrv_time(peaks, sampling_rate=1000)
        answer = variability(self.intervals, 15)
        self.assertAlmostEqual(answer["physio"]["hrvRmssd"], expected["HRV_RMSSD"].iloc[0], places=2)

    def test_deviation(self):
        # HealthKit's value follows from the printed rates, which are whole.
        rates = [round(60_000 / self.intervals[0]), *(round(60_000 / interval) for interval in self.intervals)]
        peaks = numpy.cumsum([0, *(round(60_000 / rate) for rate in rates)])
        value = neurokit2.hrv_time(peaks, sampling_rate=1000)["HRV_SDNN"].iloc[0]
        self.assertNotIn("hrvValueDisagrees", variability(self.intervals, round(value, 3))["labels"])
        self.assertIn("hrvValueDisagrees", variability(self.intervals, round(value * 1.2, 3))["labels"])


class Athlete(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.archive = Archive()
        folder = cls.archive.folder / "exports"
        subprocess.run(
            [PROGRAMS / "synthetic-exports", "phone", "--athlete", "20", "--days", "20", "--records", "20000", "--dumps",
             "1", "--form", "zip", "--truth", "counts", "--output", folder],
            check=True, capture_output=True)
        cls.archive.run("import", str(folder / "dump-1.zip"), "--quiet")
        cls.workouts = cls.archive.answers("workouts")

    def file(self, workout, form):
        path = self.archive.folder / f"workout.{form}"
        self.archive.run(
            "export", "workout", workout["identity"], "--format", form, "--output", str(path), "--force")
        return path

    def test_loads(self):
        days = self.archive.answers("metrics", "daily")
        first = next(index for index, day in enumerate(days) if day["load"]["ctl"] is not None)
        # The seed: 0 on the day before the first workout.
        stress = pandas.Series([0.0] + [day["load"]["tss"] or 0 for day in days[first:]])
        for name, constant in [("ctl", 42), ("atl", 7)]:
            expected = stress.ewm(alpha=1 - math.exp(-1 / constant), adjust=False).mean()[1:]
            for day, value in zip(days[first:], expected):
                self.assertAlmostEqual(day["load"][name], value, delta=0.001, msg=day["date"])
        self.assertGreater(len(days) - first, 15)

    def test_routes(self):
        compared = 0
        for workout in self.workouts:
            if not workout["route"]:
                continue
            answer = self.archive.answers("workout", workout["identity"])[0]
            # A leg across a pause does not count, and a file has no such leg.
            if answer["time"]["pauses"] or "routePointsLeftOut" in answer["workout"]["labels"]:
                continue
            track = gpxpy.parse(self.file(workout, "gpx").read_text())
            points = [point for part in track.tracks for segment in part.segments for point in segment.points]
            length = sum(
                gpxpy.geo.haversine_distance(a.latitude, a.longitude, b.latitude, b.longitude)
                for a, b in zip(points, points[1:]))
            expected = length * RADIUS / gpxpy.geo.EARTH_RADIUS
            self.assertAlmostEqual(answer["distance"]["route"] / expected, 1, places=5)
            self.assertEqual(answer["route"]["pointCount"], len(points))
            compared += 1
        self.assertGreater(compared, 3)

    def folder(self, form):
        """The files of all workouts with their rows in the index."""
        path = self.archive.folder / f"workouts-{form}"
        self.archive.run("export", "workouts", "--format", form, "--output", str(path))
        rows = pandas.read_csv(path / "index.csv")
        self.assertEqual(sorted(rows["identity"]), sorted(workout["identity"] for workout in self.workouts))
        self.assertEqual(set(rows["file"].dropna()) | {"index.csv"}, {file.name for file in path.iterdir()})
        return [(path / row.file, row) for row in rows.itertuples() if isinstance(row.file, str)]

    def test_folder_of_routes(self):
        files = self.folder("gpx")
        self.assertGreater(len(files), 3)
        for path, row in files:
            track, = gpxpy.parse(path.read_text()).tracks
            activity = row.activity.removeprefix("HKWorkoutActivityType")
            self.assertEqual(track.type, activity.lower())
            self.assertTrue(path.name.startswith(track.name.split()[1]) and activity in path.name)
            start, end = (pandas.Timestamp(text) for text in (row.start, row.end))
            times = [point.time for segment in track.segments for point in segment.points]
            self.assertTrue(start <= min(times) and max(times) <= end)

    def test_folder_of_laps(self):
        files = self.folder("tcx")
        self.assertEqual(len(files), len(self.workouts))
        for path, row in files:
            self.assertTrue(tcxreader.tcxreader.TCXReader().read(str(path), only_gps=False).laps)
            # What the laps state; the other reader counts from point to point, pauses too.
            self.assertAlmostEqual(tcxparser.TCXParser(str(path)).duration, row.durationSeconds, delta=1)

    def test_files(self):
        compared = 0
        for workout in self.workouts:
            answer = self.archive.answers("workout", workout["identity"])[0]
            if not answer["splits"] or answer["heartRate"]["recordCount"] == 0:
                continue
            path = self.file(workout, "tcx")
            laps = tcxreader.tcxreader.TCXReader().read(str(path), only_gps=False).laps
            self.assertEqual(len(laps), len(answer["splits"]))
            for lap, split in zip(laps, answer["splits"]):
                self.assertAlmostEqual(lap.distance, split["distance"], delta=1)
            parsed = tcxparser.TCXParser(str(path))
            self.assertAlmostEqual(parsed.distance, answer["distance"]["samples"], delta=1)
            self.assertAlmostEqual(parsed.duration, answer["time"]["activeSeconds"], delta=1)
            self.assertLessEqual(abs(parsed.hr_max - answer["heartRate"]["maximum"]), 1)
            compared += 1
        self.assertGreater(compared, 5)


if __name__ == "__main__":
    unittest.main()
