internal import ArchiveTestSupport
internal import Foundation
internal import TestSupport

/// Small random sets of exports of one phone, in which keys collide and everything that an order of importing could
/// matter for occurs: partial and equally dated exports, excluded types, absent folders, renames, unit switches, repeated
/// and reappearing records, routes with and without files, members of correlations and workouts, quarantine.
struct OrderGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15) }

    /// As many seeds as a variable of the environment says, from the one that `<variable>_SEED` says.
    static func seeds(_ variable: String, count: UInt64) -> Range<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["\(variable)_SEED"].flatMap(UInt64.init) ?? 1
        return first..<first + (environment[variable].flatMap(UInt64.init) ?? count)
    }

    private mutating func next(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }

    /// True in so many of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { next(100) < percent }

    /// 0..<count in a random order.
    mutating func order(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        for index in order.indices.dropFirst() { order.swapAt(index, next(index + 1)) }
        return order
    }

    /// Some of these values, perhaps none of them.
    mutating func some<T>(of values: [T]) -> [T] { values.filter { _ in chance(40) } }

    private mutating func pick<T>(_ values: [T]) -> T { values[next(values.count)] }

    static let mass = "HKQuantityTypeIdentifierBodyMass"
    static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"

    mutating func steps() -> [AnyOrderTests.Step] {
        var items: [String] = []
        for _ in 0..<2 + next(6) { items += item() }
        let count = chance(25) ? 4 : 3
        return (0..<count).map { index in
            if index > 0 { change(&items) }
            // Now and then two exports of one date.
            let day = chance(25) ? 2 : index + 1
            // The same XML is no second export, whatever lies beside it.
            var export = TestExport(day: day, shuffled(items) + ["<!-- \(index) -->"], isTruncated: chance(25))
            if chance(50) {
                export.files = SideFileTests.track(point: pick(["1", "1", "2"]))
                if chance(30) { export.files["workout-routes/route_2.gpx"] = "<gpx><trk><name>x</name></trk></gpx>" }
            }
            if chance(40) {
                export.files.merge(SideFileTests.electrocardiogram(pick(["Sinus Rhythm", "Inconclusive"]))) { a, _ in a
                }
            }
            if chance(15) { export.items.append("<Unknown a=\"\(next(2))\"/>") }
            let without =
                chance(30)
                ? pick([
                    "HKQuantityTypeIdentifierStepCount", Self.mass, "HKWorkoutRouteTypeIdentifier",
                    "HKDataTypeIdentifierElectrocardiogram", "HKQuantityTypeIdentifierDietarySugar", Self.sleep,
                ]) : nil
            return AnyOrderTests.Step(export: export, without: without)
        }
    }

    private mutating func shuffled(_ items: [String]) -> [String] {
        guard chance(30) else { return items }
        return order(items.count).map { items[$0] }
    }

    private mutating func change(_ items: inout [String]) {
        for _ in 0..<1 + next(3) {
            switch next(7) {
            case 0: items.removeAll { _ in chance(30) }
            case 1: items += item()
            case 2: items = items.map { $0.replacingOccurrences(of: "\"Watch\"", with: "\"Uhr\"") }
            case 3: items = items.map { $0.replacingOccurrences(of: "\"Uhr\"", with: "\"Watch\"") }
            case 4:
                items = items.map {
                    $0.replacingOccurrences(of: "unit=\"kg\"", with: "unit=\"lb\"")
                        .replacingOccurrences(of: "value=\"70\"", with: "value=\"154.324\"")
                }
            case 5: items = items.flatMap { chance(20) ? [$0, $0] : [$0] }
            default: items = items.map { $0.replacingOccurrences(of: "Asleep\"", with: "AsleepUnspecified\"") }
            }
        }
    }

    private mutating func record() -> TestRecord {
        var record = TestRecord(minute: next(2), value: pick(["1", "2", "2.0"]), source: pick(["Watch", "Phone"]))
        record.created = pick([5, 5, 6])
        record.metadata = pick([
            [], [], [("a", "b")], [("HKMetadataKeySyncIdentifier", "s1")], [("HKExternalUUID", "x1")],
        ])
        return record
    }

    private mutating func item() -> [String] {
        var record = record()
        switch next(10) {
        case 0, 1, 2: return [record.xml]
        case 3, 4:
            record.type = Self.mass
            record.unit = pick(["kg", "lb"])
            record.value = record.unit == "kg" ? "70" : "154.324"
            return [record.xml]
        case 5:
            record.type = Self.sleep
            record.unit = nil
            record.value = "HKCategoryValueSleepAnalysisAsleep"
            return [record.xml]
        case 6, 7:
            // A second route now and then has the same dates as the first, and no file of its own.
            let workout = SideFileTests.workout(pick([0, 0, 40]))
            return [chance(20) ? workout.replacingOccurrences(of: "route_1", with: "route_2") : workout]
        case 8:
            record.type = "HKQuantityTypeIdentifierDietarySugar"
            record.unit = "g"
            let food = """
                <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Phone" \
                startDate="\(TestRecord.time(0))" endDate="\(TestRecord.time(1))">\(record.xml)</Correlation>
                """
            return chance(50) ? [food, record.xml] : [food]
        default: return [TestRecord(minute: 1, value: "1").xml.replacingOccurrences(of: "startDate", with: "noDate")]
        }
    }

    static func described(_ steps: [AnyOrderTests.Step]) -> String {
        steps.enumerated().map { index, step in
            "export \(index) without \(step.without ?? "-") files \(step.export.files.keys.sorted())\n\(step.export.xml)"
        }.joined(separator: "\n")
    }
}
