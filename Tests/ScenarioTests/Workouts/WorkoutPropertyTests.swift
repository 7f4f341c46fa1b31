internal import Foundation
internal import Testing
internal import TestSupport

/// What must not change a figure of a workout or a day, and what impact must not leave out.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct WorkoutPropertyTests {
    /// The numbers of a workout by their place in the answer.
    private func numbers(_ value: Any, _ place: String = "") -> [String: Double] {
        switch value {
        case let object as [String: Any]:
            object.reduce(into: [:]) { $0.merge(numbers($1.value, "\(place)/\($1.key)")) { first, _ in first } }
        case let list as [Any]:
            list.enumerated().reduce(into: [:]) {
                $0.merge(numbers($1.element, "\(place)/\($1.offset)")) { first, _ in first }
            }
        case let number as NSNumber: [place: number.doubleValue]
        default: [:]
        }
    }

    private static let parts = [
        "time", "distance", "heartRate", "zones", "energy", "pace", "cadence", "power", "stress", "splits",
        "activities",
    ]

    /// Expects the figures of two answers to be the same but for the digits that an export prints.
    private func expectEqual(_ a: [String: Any], _ b: [String: Any], _ label: String) {
        for part in Self.parts {
            let (first, second) = (numbers(a[part] ?? NSNull()), numbers(b[part] ?? NSNull()))
            #expect(Set(first.keys) == Set(second.keys), "\(label) \(part)")
            for (place, value) in first {
                let other = second[place] ?? .nan
                // Times and loads are printed to three and four decimals; six digits of kilometres are metres.
                let isEqual = abs(value - other) <= max(0.06, 2e-5 * abs(value))
                #expect(isEqual, "\(label) \(part)\(place): \(value), \(other)")
            }
        }
    }

    private func workout(_ athlete: Athlete, _ identity: String, _ arguments: String...) throws -> [String: Any] {
        let words = ["workout", identity, "--json", "--settings", athlete.sandbox.path("athlete.json")] + arguments
        return try athlete.sandbox.run(words).expecting(0).object()
    }

    private func identities(_ athlete: Athlete, at observation: String) throws -> [String] {
        try athlete.objects("workouts", "--at", observation).compactMap { $0["identity"] as? String }
    }

    @Test(
        "another name of the watch, unit, zone or order of the export changes no figure",
        arguments: ["rename:watch", "unit:DistanceWalkingRunning:mi", "offset:+0545", "restore"])
    func harmless(_ change: String) throws {
        let athlete = try Athlete(days: 5, later: [[change]])
        let before = try identities(athlete, at: "1")
        #expect(before.count > 4)
        for identity in before {
            expectEqual(
                try workout(athlete, identity, "--at", "1"), try workout(athlete, identity, "--at", "2"),
                "\(change) \(identity)")
        }
    }

    @Test("the finest state of the later export is the earlier one, where all was condensed")
    func finest() throws {
        let athlete = try Athlete(days: 4, later: [["condense=1"]])
        var compared = 0
        for identity in try identities(athlete, at: "1") {
            let before = try workout(athlete, identity, "--at", "1")
            let visible = try workout(athlete, identity, "--at", "2")
            expectEqual(before, try workout(athlete, identity, "--at", "2", "--state", "finest"), identity)
            if before["heartRate"] as? NSObject != visible["heartRate"] as? NSObject { compared += 1 }
        }
        #expect(compared > 3)
    }

    @Test("impact has every figure that computing everything anew finds, and no other")
    func nothingIsLeftOut() throws {
        let athlete = try Athlete(days: 6, later: [["condense=0.5", "revise=200"]])
        let impact = try #require(try athlete.objects("impact").first)
        var changed: [String: [String: NSNumber]] = [:]
        for row in try #require(impact["workouts"] as? [[String: Any]]) {
            for figure in try #require(row["metrics"] as? [[String: Any]]) {
                guard let difference = figure["difference"] as? NSNumber, difference != 0 else { continue }
                changed[row["identity"] as? String ?? "", default: [:]][figure["name"] as? String ?? ""] = difference
            }
        }
        #expect(changed.count > 2)
        for identity in try identities(athlete, at: "1") {
            let both = try workout(athlete, identity, "--from", "1", "--to", "2")
            var found: [String: NSNumber] = [:]
            for row in try #require(both["differences"] as? [[String: Any]]) {
                if let difference = row["difference"] as? NSNumber, difference != 0 {
                    found[row["metric"] as? String ?? ""] = difference
                }
            }
            #expect(found == changed[identity] ?? [:], "\(identity)")
        }
        try days(athlete, impact)
    }

    private func days(_ athlete: Athlete, _ impact: [String: Any]) throws {
        func days(at: String) throws -> [String: [String: Any]] {
            let rows = try athlete.objects("metrics", "daily", "--at", at)
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["date"] as? String ?? "", $0) })
        }
        let (before, after) = try (days(at: "1"), days(at: "2"))
        var changed: [String: [String: NSNumber]] = [:]
        for row in try #require(impact["days"] as? [[String: Any]]) {
            for figure in try #require(row["metrics"] as? [[String: Any]]) {
                guard let difference = figure["difference"] as? NSNumber, difference != 0 else { continue }
                changed[row["date"] as? String ?? "", default: [:]][figure["name"] as? String ?? ""] = difference
            }
        }
        #expect(changed.count > 2)
        for (date, row) in before {
            for (object, name) in [
                ("physio", "hrv"), ("physio", "rhr"), ("physio", "sleepDuration"), ("load", "tss"), ("load", "ctl"),
                ("load", "atl"), ("load", "tsb"),
            ] {
                func value(_ row: [String: Any]?) -> Double? {
                    ((row?[object] as? [String: Any])?[name] as? NSNumber)?.doubleValue
                }
                guard let a = value(row), let b = value(after[date]) else { continue }
                let difference = changed[date]?[name]?.doubleValue ?? 0
                // Both sides are rounded to three or four decimals.
                #expect(abs(b - a - difference) < 0.0011, "\(date) \(name)")
            }
        }
    }

    @Test("the order of importing changes no answer")
    func order() throws {
        let athlete = try Athlete(days: 4, later: [["condense=0.5"]])
        let other = try Sandbox("order")
        for name in ["dump-2.xml", "dump-1.xml"] {
            try other.run("import", athlete.sandbox.path("exports/\(name)"), "--quiet").expecting(0)
        }
        let settings = ["--settings", athlete.sandbox.path("athlete.json")]
        func text(_ sandbox: Sandbox, _ command: [String]) throws -> String {
            try sandbox.run(command + ["--json"] + settings).expecting(0).outputText
                .replacing(/"observation(Id)?":\d+/, with: "")
        }
        for command in [
            ["workouts", "--at", "first"], ["workouts", "--at", "latest", "--state", "finest"],
            ["metrics", "daily", "--at", "latest"],
        ] {
            #expect(try text(athlete.sandbox, command) == text(other, command), "\(command)")
        }
        func figures(_ sandbox: Sandbox) throws -> NSDictionary {
            var answer = try sandbox.run(["impact", "--json"] + settings).expecting(0).object()
            (answer["from"], answer["to"]) = (nil, nil)
            return answer as NSDictionary
        }
        #expect(try figures(athlete.sandbox) == figures(other))
    }
}
