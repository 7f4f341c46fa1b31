"""Days: one row a local day, as ``healthprobe metrics daily --totals`` answers of the latest observation.

docs/metrics.md defines every value. Totals count once what several sources recorded at one time; ``…_naive_sum`` counts
it twice. No column has a name or an identity.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from .source import DICTIONARY, TableSource, schema

_NUMBER, _COUNT = pa.float64(), pa.int64()
_TOTALS = {
    "steps": "count",
    "distance": "m",
    "energy": "kcal",
    "flights": "count",
    "exercise_minutes": "min",
    "stand_minutes": "min",
}
SCHEMA = schema(
    ("day", pa.date32(), "Local day"),
    ("zone", DICTIONARY, "Zone of the day"),
    ("hrv", _NUMBER, "Mean SDNN, ms"),
    ("hrv_baseline", _NUMBER, "Mean of the 7 days before, ms"),
    ("hrv_count", _COUNT, "Records in hrv"),
    ("hrv_rmssd", _NUMBER, "RMSSD, ms"),
    ("rhr", _NUMBER, "Resting heart rate, bpm"),
    ("rhr_baseline", _NUMBER, "Mean of the 7 days before, bpm"),
    ("sleep_duration", _NUMBER, "Time asleep, s"),
    ("sleep_baseline", _NUMBER, "Mean of the 7 days before, s"),
    ("sleep_source", DICTIONARY, "Source of the night"),
    ("sleep_union", _NUMBER, "Time asleep of all sources, s"),
    ("in_bed", _NUMBER, "Time in bed, s"),
    ("naps", _NUMBER, "Other sleep of the day, s"),
    ("sleep_core", _NUMBER, "Core sleep, s"),
    ("sleep_deep", _NUMBER, "Deep sleep, s"),
    ("sleep_rem", _NUMBER, "REM sleep, s"),
    ("sleep_unspecified", _NUMBER, "Sleep without a stage, s"),
    ("sleep_awake", _NUMBER, "Awake during the night, s"),
    ("ctl", _NUMBER, "Chronic training load"),
    ("atl", _NUMBER, "Acute training load"),
    ("tsb", _NUMBER, "ctl - atl"),
    ("tss", _NUMBER, "Training stress of the day"),
    ("eftp", _NUMBER, "Estimated threshold power, W"),
    ("trimp", _NUMBER, "Training impulse"),
    ("tss_method", DICTIONARY, "What tss follows from"),
    ("tss_missing", _COUNT, "Workouts without a stress"),
    ("workouts", _COUNT, "Workouts of the day"),
    ("recovery_score", _NUMBER, "0 to 100"),
    ("sleep_score", _NUMBER, "0 to 100"),
    ("strain_score", _NUMBER, "0 to 100"),
    *(
        (name + suffix, _NUMBER, f"{text}, {unit}")
        for name, unit in _TOTALS.items()
        for suffix, text in (("", "Total, overlapping sources once"), ("_naive_sum", "Sum over all sources"))
    ),
    ("quality", _NUMBER, "Share of the inputs that the day has"),
    ("labels", pa.list_(pa.string()), "What limits the row"),
)


def batches(source: TableSource) -> Iterator[pa.RecordBatch]:
    """All rows of the table, by day."""

    def flat(day: dict) -> dict:
        row = day | day["physio"] | day["load"] | day["scores"] | {"sleepRem": day["physio"]["sleepREM"]}
        for name, total in day["totals"].items():
            row |= {name: total["value"], f"{name}NaiveSum": total["naiveSum"]}
        return row

    printed = {"day": ("date", None), "zone": ("zone", source.provenance.zone)}
    printed["sleep_source"] = ("sleepSource", source.provenance.source)
    yield source.answers(SCHEMA, map(flat, source.ask("metrics", "daily", "--totals")), printed)
