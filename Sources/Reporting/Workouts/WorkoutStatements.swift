internal import Basics
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Store
internal import Training

/// What an export states about a workout beside what its records come to, and why the two differ.
struct WorkoutStatements {
    private let finding: WorkoutFinding
    private let units: DisplayUnits

    init(_ finding: WorkoutFinding, _ units: DisplayUnits) { (self.finding, self.units) = (finding, units) }

    /// The figures that both have.
    var table: Table {
        var table = Table([
            .left("Figure"), .right("Stated"), .right("By the records"), .left("Why they differ", maxWidth: 120),
        ])
        let truth = finding.truth
        guard truth.isValid else { return table }
        let isMerged = truth.consolidated.map { $0 != .no } ?? false
        let merged = "Records were merged, and a merged one has one value for its whole time."
        func add(
            _ name: String, _ stated: Double?, _ computed: Double?, tolerance: Double, why: String,
            _ text: (Double) -> String
        ) {
            guard let stated, let computed else { return }
            let isEqual = abs(stated - computed) <= tolerance
            table.addRow([name, text(stated), text(computed), isEqual ? "" : why])
        }
        add(
            "Time", truth.facts.appleDuration, truth.active.activeSeconds, tolerance: Pauses.tolerance,
            why: "The export counts pauses of which it prints no events."
        ) { WorkoutText.clock($0) }
        func distance(_ metres: Double) -> String { "\(units.distance(metres)) \(units.distanceName)" }
        let stated = truth.distance.apple
        add(
            "Distance", stated, truth.distance.samples, tolerance: (stated ?? 0) * 0.01,
            why: "Records of other sources or of pauses count in one of the two alone.", distance)
        add(
            "Distance by the route", stated, truth.distance.route, tolerance: (stated ?? 0) * 0.01,
            why: "Positions are inexact, and gaps are straight lines.", distance)
        let energy = truth.samples.readings(.activeEnergy).map { DistanceCurve($0, truth.active).total }
        add(
            "Active energy", truth.facts.statistic(.activeEnergy)?.sum, energy, tolerance: max(1, (energy ?? 0) * 0.01),
            why: "The records are of the whole day, and those at the edges count in part."
        ) { "\(WorkoutText.whole($0)) kcal" }
        let heart = truth.heartRate
        let weighted = "The stated mean counts each reading alike; here one counts as long as it holds."
        add(
            "Heart rate, average", heart?.apple?.average, heart?.average, tolerance: 1,
            why: isMerged ? merged : weighted
        ) { "\(WorkoutText.whole($0)) bpm" }
        add(
            "Heart rate, maximum", heart?.apple?.maximum, heart?.maximum, tolerance: 1,
            why: isMerged ? merged : "Readings at the edges count in one of the two alone."
        ) { "\(WorkoutText.whole($0)) bpm" }
        let power = [SeriesType.cyclingPower, .runningPower].compactMap { truth.facts.statistic($0)?.average }.first
        add(
            "Power, average", power, truth.power?.average, tolerance: 1,
            why: isMerged ? merged : "Here seconds without a reading count as 0 W."
        ) { "\(WorkoutText.whole($0)) W" }
        add(
            "Climb", truth.facts.elevationAscended, truth.route?.climb?.gain, tolerance: 5,
            why: "The watch measures the air's pressure; here the heights of the route's points are added up."
        ) { "\(units.height($0)) \(units.heightName)" }
        return table
    }

    /// `22 °C, 56 %`, from the workout's metadata; nil without.
    static func weather(_ finding: WorkoutFinding) -> String? {
        func quantity(_ key: String) -> (value: Double, unit: String)? {
            let words = finding.workout.text(key)?.split(separator: " ").map(String.init) ?? []
            guard words.count == 2, let value = Double(words[0]) else { return nil }
            return (value, words[1])
        }
        let temperature = quantity("HKWeatherTemperature").map { temperature in
            let celsius = temperature.unit == "degF" ? (temperature.value - 32) / 1.8 : temperature.value
            return "\(WorkoutText.whole(celsius)) °C"
        }
        // Exports print hundredths of a percent.
        let humidity = quantity("HKWeatherHumidity").map {
            "\(WorkoutText.whole($0.value > 100 ? $0.value / 100 : $0.value)) % humidity"
        }
        let parts = [temperature, humidity].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension WorkoutStanding {
    /// The places in words; personal records first.
    func sentences(_ units: DisplayUnits) -> [String] {
        let name = WorkoutText.activity(activity)
        guard count > 1 else { return ["The only workout of this activity (\(name.quoted)) in the export."] }
        func place(_ rank: Rank?, _ what: String, _ among: String) -> String? {
            guard let rank, rank.count > 1 else { return nil }
            let ordinal = rank.place == 1 ? "The \(what)" : "Place \(rank.place) by \(what)"
            return "\(ordinal) of \(Counts.grouped(Int64(rank.count))) \(among)."
        }
        func said(_ rank: Rank?, _ first: String, _ other: String, _ among: String) -> String? {
            rank.flatMap { place($0, $0.place == 1 ? first : other, among) }
        }
        let all = "workouts of this activity (\(name.quoted))"
        return [
            said(distance, "longest by distance", "distance", all), said(duration, "longest by time", "time", all),
            said(pace, "fastest", "mean pace", "that are as long or longer"),
        ].compactMap(\.self)
    }
}
