internal import Foundation
internal import Testing
internal import TestSupport

/// `workout` and `metrics daily` against what the generator says of the same records, before and after condensing.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct WorkoutTruthTests {
    /// A figure of the truth, of the program, and by how much both may differ: exports print six digits.
    private struct Figure {
        var name: String
        var truth: Double?
        var own: Double?
        var tolerance = 0.03
    }

    private static func number(_ value: Any?, _ names: String...) -> Double? {
        var value = value
        for name in names { value = (value as? [String: Any])?[name] }
        return (value as? NSNumber)?.doubleValue
    }

    private static func key(_ line: [String: Any]) -> [String] {
        ["startDate", "endDate", "activity", "sourceName"].map { line[$0] as? String ?? "" }
    }

    /// Whether the heart rate is known for as much of the workout as its load needs.
    private static func hasLoad(_ truth: [String: Any]) -> Bool {
        guard let known = number(truth, "heartRate", "coveredSeconds"), let active = number(truth, "activeSeconds")
        else { return false }
        return known >= 0.8 * active
    }

    private func figures(_ truth: [String: Any], _ own: [String: Any], isShared: Bool) -> [Figure] {
        func number(_ value: Any?, _ names: [String]) -> Double? {
            (names.reduce(value) { ($0 as? [String: Any])?[$1] } as? NSNumber)?.doubleValue
        }
        let pairs: [([String], [String])] = [
            (["elapsedSeconds"], ["time", "elapsedSeconds"]), (["activeSeconds"], ["time", "activeSeconds"]),
            (["distance"], ["distance", "samples"]), (["cadence"], ["cadence", "average"]),
            // A statistic covers what condensing gave to the workout beside.
            isShared ? ([], []) : (["energy"], ["energy", "active"]),
            Self.hasLoad(truth) ? (["heartRate", "trimp"], ["stress", "trimp"]) : ([], []),
        ]
        let same = [
            ("heartRate", ["recordCount", "coveredSeconds", "average", "minimum", "maximum"]),
            ("power", ["coveredSeconds", "average", "maximum", "normalized"]),
        ]
        var found = pairs.map {
            Figure(name: $0.0.joined(separator: "."), truth: number(truth, $0.0), own: number(own, $0.1))
        }
        for (object, names) in same {
            found += names.map {
                Figure(name: "\(object).\($0)", truth: number(truth, [object, $0]), own: number(own, [object, $0]))
            }
        }
        let zones = (truth["heartRate"] as? [String: Any])?["zoneSeconds"] as? [Double] ?? []
        let seconds = (own["zones"] as? [String: Any])?["seconds"] as? [Double] ?? []
        found += zones.indices.map {
            Figure(name: "zone \($0 + 1)", truth: zones[$0], own: $0 < seconds.count ? seconds[$0] : nil)
        }
        let splits = truth["splits"] as? [[String: Any]] ?? []
        let rows = own["splits"] as? [[String: Any]] ?? []
        found.append(Figure(name: "splits", truth: Double(splits.count), own: Double(rows.count), tolerance: 0))
        for (split, row) in zip(splits, rows) {
            found += ["distance", "elapsedSeconds", "activeSeconds", "uncertaintySeconds"].map {
                Figure(name: "split \(split["index"] ?? 0) \($0)", truth: number(split, [$0]), own: number(row, [$0]))
            }
        }
        return found
    }

    @Test("every figure of a workout is the generator's, before and after condensing")
    func workouts() throws {
        let athlete = try Athlete(days: 12, later: [["condense=1"]])
        var identities: [Int: [[String]: String]] = [:]
        for at in 1...2 {
            let rows = try athlete.objects("workouts", "--at", "\(at)")
            identities[at] = Dictionary(
                uniqueKeysWithValues: rows.map { (Self.key($0), $0["identity"] as? String ?? "") })
        }
        var compared: [String: Int] = [:]
        for line in athlete.workouts {
            for (side, name) in [("previous", "from"), ("current", "to")] {
                guard let truth = line[side] as? [String: Any], let at = line[name] as? Int else { continue }
                let identity = try #require(identities[at]?[Self.key(line)], "\(Self.key(line)) at \(at)")
                let own = try athlete.objects("workout", identity, "--at", "\(at)")
                let isShared = Self.number(line, "sharedSeconds") ?? 0 > 0
                for figure in figures(truth, try #require(own.first), isShared: isShared) {
                    guard let expected = figure.truth else { continue }
                    let isRight = figure.own.map { abs($0 - expected) <= figure.tolerance } ?? false
                    #expect(
                        isRight, "\(Self.key(line)) at \(at), \(figure.name): \(figure.own ?? .nan), not \(expected)")
                    compared[String(figure.name.prefix { $0 != " " }) + side, default: 0] += 1
                }
            }
        }
        // Nothing passes for want of anything to compare.
        for name in ["distance", "heartRate.trimp", "power.normalized", "split", "zone"] {
            #expect(compared[name + "current"] ?? 0 > 1 && compared[name + "previous"] ?? 0 > 1, "\(name): \(compared)")
        }
    }

    @Test("the load of each day is the sum of the generator's workouts")
    func days() throws {
        let athlete = try Athlete(days: 12, later: [["condense=1"]])
        let hour = 60 * 0.85 * 0.64 * exp(1.795 * 0.85)
        let calendar = try Calendar.berlin()
        var known: [[String]: [String: Any]] = [:]
        var compared = 0
        for at in 1...2 {
            for line in athlete.workouts where line["to"] as? Int == at { known[Self.key(line)] = line }
            var sums: [String: (impulse: Double, count: Int, missing: Int)] = [:]
            var powered: Set<String> = []
            for line in known.values where line["isCopy"] as? Bool == false {
                let truth = try #require(line["current"] as? [String: Any])
                let day = try calendar.day(ofInstant: line["startDate"])
                let load = Self.hasLoad(truth) ? Self.number(truth, "heartRate", "trimp") : nil
                // A recorded threshold power makes the stress of a ride that of its power.
                if truth["power"] != nil { powered.insert(day) }
                let sum = sums[day] ?? (0, 0, 0)
                sums[day] = (sum.impulse + (load ?? 0), sum.count + 1, sum.missing + (load == nil ? 1 : 0))
            }
            for row in try athlete.objects("metrics", "daily", "--at", "\(at)") {
                let day = row["date"] as? String ?? ""
                let expected = sums[day] ?? (0, 0, 0)
                #expect(Self.number(row, "load", "workouts") == Double(expected.count), "\(day)")
                guard !powered.contains(day) else { continue }
                #expect(Self.number(row, "load", "tssMissing") == Double(expected.missing), "\(day)")
                guard expected.count > expected.missing else { continue }
                let (impulse, stress) = (Self.number(row, "load", "trimp"), Self.number(row, "load", "tss"))
                #expect(abs((impulse ?? .nan) - expected.impulse) < 0.01, "\(day)")
                #expect(abs((stress ?? .nan) - 100 * expected.impulse / hour) < 0.02, "\(day)")
                compared += 1
            }
        }
        #expect(compared > 8)
    }
}

extension Calendar {
    /// The calendar of the generator's phone.
    fileprivate static func berlin() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        return calendar
    }

    /// The local day of an instant as JSON prints it.
    fileprivate func day(ofInstant value: Any?) throws -> String {
        let text = try #require(value as? String)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let parts = dateComponents([.year, .month, .day], from: try style.parse(text))
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }
}
