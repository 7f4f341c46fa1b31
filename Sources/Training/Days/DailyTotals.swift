internal import Basics
internal import Days
internal import HealthModel
internal import Store

/// The totals of a day of types that several sources record at the same time.
package struct DailyTotals: Sendable, Equatable {
    /// The types that have totals.
    package enum Kind: String, Sendable, CaseIterable {
        case steps, distance, energy, flights, exerciseMinutes, standMinutes

        package var type: String {
            switch self {
            case .steps: SeriesType.steps.rawValue
            case .distance: SeriesType.distanceWalkingRunning.rawValue
            case .energy: SeriesType.activeEnergy.rawValue
            case .flights: "HKQuantityTypeIdentifierFlightsClimbed"
            case .exerciseMinutes: "HKQuantityTypeIdentifierAppleExerciseTime"
            case .standMinutes: "HKQuantityTypeIdentifierAppleStandTime"
            }
        }

        package var unit: String {
            switch self {
            case .steps, .flights: "count"
            case .distance: SeriesType.distanceWalkingRunning.unit
            case .energy: SeriesType.activeEnergy.unit
            case .exerciseMinutes, .standMinutes: "min"
            }
        }
    }

    /// The types that are read, that of the activity rings included.
    static let types = Kind.allCases.map(\.type) + [SampleType.activitySummary]

    private var totals: [Kind: DayTotal] = [:]
    /// The energy of the activity rings in kcal; nil without a summary.
    package private(set) var ringEnergy: Double?

    package init() {}

    /// Nil where nothing was recorded.
    package subscript(kind: Kind) -> DayTotal? { totals[kind] }

    package var labels: Set<Label> {
        var labels: Set<Label> = totals.isEmpty ? [] : [.mergedBySourceOrder]
        if let ringEnergy, let energy = totals[.energy], energy.disagrees(withRing: ringEnergy) {
            labels.insert(.ringDisagrees)
        }
        return labels
    }

    /// Reads the totals of all days.
    ///
    /// - Parameter unread: types that have no totals.
    /// - Complexity: one pass over the types; memory for the records of one day.
    static func read(
        _ stream: RecordStream, _ clock: ZoneClock, order: SourceOrder, _ unread: UnreadTypes
    ) throws -> [Int64: DailyTotals] {
        var days: [Int64: DailyTotals] = [:]
        for kind in Kind.allCases where !unread.contains(kind.type) {
            let gatherer = DayGatherer(clock) { day, records in
                days[day, default: DailyTotals()].totals[kind] = DayTotal(records)
            }
            let units = UnitConverter()
            try stream.forEach(kind.type) { rows, start, facts in
                guard let number = try rows.number, number >= 0, let end = try rows.end, end >= start,
                    let value = units.convert(number, from: facts.unit ?? "", to: kind.unit)
                else { return }
                let rank = try DayTotal.Record.rank(
                    of: facts.foldedName, facts.kind, isUserEntered: stream.isUserEntered(rows), order: order)
                gatherer.add(
                    DayTotal.Record(Double(start), Double(end), value, sourceName: facts.sourceName, rank: rank))
            }
            gatherer.finish()
        }
        if !unread.contains(SampleType.activitySummary) { try readRings(stream, into: &days) }
        return days
    }

    private static func readRings(_ stream: RecordStream, into days: inout [Int64: DailyTotals]) throws {
        let units = UnitConverter()
        try stream.forEachItem(SampleType.activitySummary) { rows in
            guard let item = try rows.item,
                let day = item.keyAttributes.first(where: { $0.name == "dateComponents" })?.value.string
                    .flatMap({ CivilDate.daysSince1970($0) }),
                let text = item.attribute("activeEnergyBurned"), let number = Double(text), number.isFinite,
                let value = units.convert(number, from: item.attribute("activeEnergyBurnedUnit") ?? "", to: "kcal")
            else { return }
            days[Int64(day), default: DailyTotals()].ringEnergy = value
        }
    }
}

extension StoredItem {
    /// An attribute of the payload as text; nil without one.
    fileprivate func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value.string }
}
