/// What one value of a day or a workout's stress is: its formula in a line, as `metrics definitions` prints it.
///
/// `docs/metrics.md` has the same at length.
package struct Definition: Sendable {
    /// The value's name in JSON.
    package var name: String
    package var unit: String?
    package var formula: String
    /// Where the formula was published; nil for rules of this program and for plain counts.
    package var source: String?

    private init(_ name: String, _ unit: String?, _ formula: String, _ source: String? = nil) {
        self.name = name
        self.unit = unit
        self.formula = formula
        self.source = source
    }

    /// In the order in which a day prints them.
    package static let all: [Definition] = physiology + loads + scores

    private static let physiology = [
        Definition("hrv", "ms", "mean of the SDNN records that start in the main sleep, else of the day (hrvAllDay)"),
        Definition("hrvBaseline", "ms", "mean of the 7 days before, at least 3 values"),
        Definition("rhr", "bpm", "resting heart rate of the day: watch before phone before others, then the latest"),
        Definition("rhrBaseline", "bpm", "mean of the 7 days before, at least 3 values"),
        Definition("sleepDuration", "s", "time asleep without time awake of the night's best source"),
        Definition("sleepBaseline", "s", "mean of the 7 days before, at least 3 values"),
        Definition("hrvCount", nil, "records in the mean of hrv"),
        Definition(
            "hrvRmssd", "ms", "mean of RMSSD records, else root mean square of successive differences of the beats",
            "Task Force of ESC and NASPE 1996"),
        Definition("sleepUnion", "s", "time asleep without time awake of all sources of the night"),
        Definition("inBed", "s", "time in bed of all sources of the night"),
        Definition("naps", "s", "time asleep of the day's other episodes"),
        Definition("sleepCore", "s", "core sleep of the night's source, without what is awake, deep or REM"),
        Definition("sleepDeep", "s", "deep sleep of the night's source, without what is awake"),
        Definition("sleepREM", "s", "REM sleep of the night's source, without what is awake or deep"),
        Definition("sleepUnspecified", "s", "sleep of the night's source without a stage"),
        Definition("sleepAwake", "s", "awake between falling asleep and waking by the night's source"),
    ]

    private static let loads = [
        Definition("ctl", nil, "y = tss·(1 − e^(−1/42)) + y′·e^(−1/42), every day", "Coggan, performance manager"),
        Definition("atl", nil, "y = tss·(1 − e^(−1/7)) + y′·e^(−1/7), every day", "Coggan, performance manager"),
        Definition("tsb", nil, "ctl − atl of the same day"),
        Definition(
            "tss", nil, "sum over the workouts: 100·s·NP·IF/(FTP·3600), else 100·TRIMP/TRIMP(60 min at the threshold)",
            "Coggan; Banister 1991"),
        Definition("eftp", "W", "0.95 · best mean power of 1,200 active seconds of rides in 90 days", "20-minute test"),
        Definition("form", nil, "ctl − atl of the day before"),
        Definition(
            "trimp", nil, "Σ minutes·x·0.64·e^(b·x), x = (hr − rest)/(max − rest), b = 1.92, 1.67 or 1.795",
            "Banister 1991; Morton, Fitz-Clarke, Banister 1990"),
        Definition("ctlConfidence", nil, "1 − e^(−n/42) at the n-th day of the load"),
    ]

    private static let scores = [
        Definition(
            "recoveryScore", nil,
            "hrvWeight·clamp(50 + 25·z(hrv)) + rhrWeight·clamp(50 − 25·z(rhr)) + sleepWeight·sleepScore, at least two of them; "
                + "z over the 60 days before, at least 14 values"),
        Definition(
            "recoveryBand", nil, "green from greenFrom, amber from amberFrom, else red", "WHOOP, published bands"),
        Definition("sleepScore", nil, "clamp(100·sleepDuration/sleepNeedSeconds)"),
        Definition("strainScore", nil, "100·(1 − e^(−tss/100))"),
        Definition(
            "effortTarget", nil, "100·(1 − e^(−f·ctl/100)), f = 1.3 green, 1.0 amber, 0.5 red; a rule of thumb",
            "after Gabbett, BJSM 2016;50:273"),
        Definition(
            "quality", nil, "present features / 16; ctl, atl and tsb count from the 42nd day behind the load's first"),
    ]

    /// The constants that settings may replace, with those that hold.
    package static func parameters(_ settings: AthleteSettings) -> [(name: String, value: Double)] {
        let score = settings.score
        return [
            ("hrvWeight", score.hrvWeight ?? DailyScores.hrvWeight),
            ("rhrWeight", score.rhrWeight ?? DailyScores.rhrWeight),
            ("sleepWeight", score.sleepWeight ?? DailyScores.sleepWeight),
            ("greenFrom", score.greenFrom ?? DailyScores.greenFrom),
            ("amberFrom", score.amberFrom ?? DailyScores.amberFrom),
            ("sleepNeedSeconds", settings.periods.last?.sleepNeedSeconds ?? DailyScores.sleepNeedSeconds),
            ("ctlDays", TrainingLoad.longDays), ("atlDays", TrainingLoad.shortDays),
        ]
    }
}
