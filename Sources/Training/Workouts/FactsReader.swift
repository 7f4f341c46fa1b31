package import Basics
internal import HealthModel
internal import Store

/// Turns what the archive stores of a workout into what the formulas take, in their units.
struct FactsReader {
    let units: UnitConverter
    private var labels: Set<Label> = []

    init(_ units: UnitConverter) { self.units = units }

    /// What a workout's row states; nil for a row that is no workout with a start and an end.
    static func facts(of row: RecordRow, _ units: UnitConverter) -> WorkoutFacts? {
        guard let item = row.item, item.kind == .workout, let start = row.start, let end = row.end else { return nil }
        var reader = FactsReader(units)
        let attributes = JSON.object(item.shownAttributes.map { ($0.name, $0.value) })
        var facts = reader.facts(
            activity: attributes["workoutActivityType"]?.string, Interval(Double(start), Double(end)), attributes,
            children: item["children"]?.elements ?? [])
        let metadata = row.metadata.flatMap { JSON.parse($0) } ?? .null
        facts.isIndoor = Self.text(metadata["HKIndoorWorkout"]).map { $0 == "1" }
        facts.elevationAscended = Self.text(metadata["HKElevationAscended"]).flatMap {
            reader.quantity($0, in: "m")
        }
        facts.labels = reader.labels
        return facts
    }

    /// The text of a metadata entry; of several values the first.
    static func text(_ value: JSON?) -> String? { value?.string ?? value?.elements.first?.string }

    private mutating func facts(
        activity: String?, _ interval: Interval, _ attributes: JSON, children: [JSON]
    ) -> WorkoutFacts {
        var facts = WorkoutFacts(activity: activity, interval: interval)
        facts.appleDuration = quantity(attributes, "duration", in: "s")
        facts.totalDistance = quantity(attributes, "totalDistance", in: "m")
        facts.totalEnergy = quantity(attributes, "totalEnergyBurned", in: "kcal")
        var groups: [(child: JSON, values: JSON)] = []
        for child in children {
            let values = child["attributes"] ?? .null
            switch child["name"]?.string {
            case "WorkoutEvent":
                guard let type = values["type"]?.string, let date = values["date"]?.int else { continue }
                let seconds = quantity(values, "duration", in: "s") ?? 0
                facts.events.append(WorkoutEvent(type, Interval(Double(date), Double(date) + seconds)))
            case "WorkoutStatistics":
                if let statistic = statistic(values) { facts.statistics.append(statistic) }
            case "WorkoutActivity":
                if let activity = nested(child, values) { facts.activities.append(activity) }
            case "WorkoutZoneGroup": groups.append((child, values))
            default: continue
            }
        }
        let covered = facts.appleDuration ?? interval.seconds
        facts.zones = zones(groups, of: .heartRate, covering: covered)
        facts.powerZones = zones(groups, of: .cyclingPower, covering: covered)
        facts.events.sort {
            ($0.interval.start, $0.interval.end, $0.type) < ($1.interval.start, $1.interval.end, $1.type)
        }
        facts.activities.sort {
            ($0.facts.interval.start, $0.facts.interval.end) < ($1.facts.interval.start, $1.facts.interval.end)
        }
        return facts
    }

    private mutating func nested(_ child: JSON, _ values: JSON) -> NestedActivity? {
        guard let start = values["startDate"]?.int, let end = values["endDate"]?.int else { return nil }
        let facts = facts(
            activity: nil, Interval(Double(start), Double(end)), values, children: child["children"]?.elements ?? [])
        return NestedActivity(
            uuid: values["uuid"]?.string, stepKeyPath: Self.text(child["metadata"]?["WOIntervalStepKeyPath"]),
            facts: facts)
    }

    private mutating func statistic(_ values: JSON) -> WorkoutStatistic? {
        guard let name = values["type"]?.string, let unit = values["unit"]?.string else { return nil }
        let type = SeriesType(rawValue: name)
        func value(_ attribute: String) -> Double? {
            values[attribute]?.string.flatMap { Double($0) }.flatMap { units.convert($0, from: unit, to: type.unit) }
                .flatMap { $0.isFinite ? $0 : nil }
        }
        let statistic = WorkoutStatistic(
            type, sum: value("sum"), average: value("average"), minimum: value("minimum"), maximum: value("maximum"))
        let hasValue = statistic.sum != nil || statistic.average != nil || statistic.maximum != nil
        return hasValue ? statistic : nil
    }

    /// The zones of a quantity: of several groups those whose times together are nearest to the workout's, then the first.
    private mutating func zones(
        _ groups: [(child: JSON, values: JSON)], of type: SeriesType, covering seconds: Double
    ) -> PrintedZones? {
        var found: [PrintedZones] = []
        for group in groups where group.values["type"]?.string == type.rawValue {
            if let zones = zones(group.child, group.values, in: type.unit) { found.append(zones) }
        }
        return found.min { abs($0.seconds.reduce(0, +) - seconds) < abs($1.seconds.reduce(0, +) - seconds) }
    }

    private mutating func zones(_ child: JSON, _ values: JSON, in wanted: String) -> PrintedZones? {
        let unit = values["unit"]?.string ?? wanted
        var zones: [(low: Double, seconds: Double)] = []
        for zone in child["children"]?.elements ?? [] where zone["name"]?.string == "WorkoutZone" {
            let values = zone["attributes"] ?? .null
            // Only the lowest zone has none.
            let minimum = values["minimum"]?.string ?? "0"
            guard let value = Double(minimum),
                let low = units.convert(value, from: unit, to: wanted), low.isFinite
            else { return nil }
            zones.append((low, quantity(values, "duration", in: "s") ?? 0))
        }
        zones.sort { $0.low < $1.low }
        let bounds = zones.dropFirst().map(\.low)
        guard !bounds.isEmpty, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        return PrintedZones(bounds: bounds, seconds: zones.map(\.seconds))
    }

    /// An attribute with the unit that another attribute names; nil where it is absent, no number, or of an unknown unit.
    private mutating func quantity(_ attributes: JSON, _ name: String, in unit: String) -> Double? {
        guard let value = attributes[name]?.string.flatMap({ Double($0) }), value.isFinite, value >= 0 else {
            return nil
        }
        guard let converted = units.convert(value, from: attributes[name + "Unit"]?.string ?? "", to: unit) else {
            labels.insert(.unitUnknown)
            return nil
        }
        return converted.isFinite ? converted : nil
    }

    /// A quantity as metadata print it: `12345 cm`.
    private func quantity(_ text: String, in unit: String) -> Double? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let value = Double(parts[0]), value.isFinite else { return nil }
        return units.convert(value, from: String(parts[1]), to: unit)
    }
}

extension JSON {
    /// Whether these metadata say that a person entered the record.
    package var isUserEntered: Bool { FactsReader.text(self["HKWasUserEntered"]) == "1" }
}
