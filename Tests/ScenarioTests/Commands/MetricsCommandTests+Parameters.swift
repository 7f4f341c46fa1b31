internal import Foundation
internal import Testing
internal import TestSupport

/// What is known of the athlete at an observation.
extension MetricsCommandTests {
    /// An hour on a bicycle with power and heart rate, and what the athlete's thresholds are recorded as.
    private static var ride: [String] {
        let minutes = (0..<60).map { "2025-06-04 10:\($0 < 10 ? "0" : "")\($0)" }
        func series(_ type: String, _ value: String, _ unit: String) -> [String] {
            minutes.map { record(type, $0 + ":00 +0200", $0 + ":59 +0200", value, unit: unit) }
        }
        return series("HKQuantityTypeIdentifierCyclingPower", "200", "W")
            + series("HKQuantityTypeIdentifierHeartRate", "150", "count/min") + [
                "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1985-05-05\" HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\"/>",
                record(
                    "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower", "2025-06-01 10:00:00 +0200",
                    "2025-06-01 10:00:00 +0200", "250", unit: "W"),
                "<Workout workoutActivityType=\"HKWorkoutActivityTypeCycling\" duration=\"60\" durationUnit=\"min\" sourceName=\"Watch\" device=\"\(watch)\" "
                    + "startDate=\"2025-06-04 10:00:00 +0200\" endDate=\"2025-06-04 11:00:00 +0200\"/>",
            ]
    }

    @Test("a threshold power or date of birth that was excluded counts as unknown, and is labelled")
    func excludedParameters() throws {
        func row(_ arguments: String...) throws -> [String: Any] {
            let sandbox = try Sandbox()
            let settings = try sandbox.write(
                #"{"schema":"healthprobe.athlete/1","periods":[{"from":"2020-01-01","restingHeartRate":50}]}"#,
                to: "athlete.json")
            let file = try sandbox.write(Self.export(Self.ride), to: "export.xml")
            try sandbox.run(["import", file, "--time-zone", "Europe/Berlin"] + arguments).expecting(0)
            return try #require(
                try sandbox.run("metrics", "daily", "--json", "--last", "2", "--settings", settings).expecting(0)
                    .objects().first)
        }
        func method(_ row: [String: Any]) -> String? { (row["load"] as? [String: Any])?["tssMethod"] as? String }
        let whole = try row()
        #expect(method(whole) == "power" && number(whole, "load", "tss") == 64)
        #expect(labels(whole).contains("maxHeartRateEstimated") && !labels(whole).contains("typeExcluded"))
        let power = try row("--exclude-type", "CyclingFunctionalThresholdPower")
        #expect(method(power) == "heartRate" && labels(power).contains("typeExcluded"))
        let birth = try row("--exclude-type", "DateOfBirth")
        #expect(method(birth) == "power" && number(birth, "load", "trimp") == nil)
        #expect(labels(birth).contains("typeExcluded"))
        // Stress that nobody can compute is not 0.
        let neither = try row("--exclude-type", "CyclingFunctionalThresholdPower", "--exclude-type", "DateOfBirth")
        #expect(number(neither, "load", "tss") == nil && number(neither, "load", "ctl") == nil)
        #expect(number(whole, "load", "ctl") != nil && labels(neither).contains("typeExcluded"))
    }

    @Test("definitions have the sex and date of birth that hold at an observation")
    func effectiveSettings() throws {
        let sandbox = try sandbox(Self.ride)
        func answer(_ arguments: String...) throws -> [String: Any] {
            try sandbox.run(["metrics", "definitions", "--json"] + arguments).expecting(0).object()
        }
        let shown = try answer("--at", "1", "--state", "finest")
        #expect(shown["sex"] as? String == "female" && shown["birthDate"] as? String == "1985-05-05")
        #expect(shown["observation"] as? Int == 1 && shown["state"] as? String == "finest")
        let settings = try sandbox.write(
            #"{"schema":"healthprobe.athlete/1","sex":"male","birthDate":"1990-01-02"}"#, to: "athlete.json")
        let set = try answer("--settings", settings)
        #expect(set["sex"] as? String == "male" && set["birthDate"] as? String == "1990-01-02")
        let none = try answer("--archive", sandbox.path("none.sqlite"))
        #expect(none["sex"] as? String == "unset" && none["observation"] is NSNull && none["state"] is NSNull)
        try sandbox.run("metrics", "definitions", "--at", "7").expecting(64)
    }
}
