internal import Presentation
internal import Store
internal import Training

/// The zones of a workout, its best stretches and its place among others.
extension WorkoutDocument {
    func zones(_ document: inout Document) {
        zones(
            "Heart-rate zones", "bpm",
            sides.compactMap { side in
                let truth = side.finding.truth
                return ZonesOfSide(
                    side.name, truth.zones, truth.zoneSeconds,
                    unknown: truth.zoneSeconds == nil ? nil : truth.heartRate?.unknownSeconds)
            }, &document)
        zones(
            "Power zones", "W",
            sides.compactMap { side in
                let truth = side.finding.truth
                return ZonesOfSide(
                    side.name, truth.powerZones, truth.powerZoneSeconds,
                    unknown: truth.powerZoneSeconds.map { truth.active.activeSeconds - $0.reduce(0, +) })
            }, &document)
    }

    /// The zones of one side, with the time in each; what is not measured has no time.
    private struct ZonesOfSide {
        var name: String
        var zones: HeartRateZones
        var seconds: [Double]?
        var unknown: Double?

        /// Nil where there is no time to show: neither measured nor printed.
        init?(_ name: String, _ zones: HeartRateZones?, _ seconds: [Double]?, unknown: Double?) {
            guard let zones, seconds != nil || zones.printedSeconds != nil else { return nil }
            (self.name, self.zones, self.seconds, self.unknown) = (name, zones, seconds, unknown)
        }
    }

    private func zones(_ title: String, _ unit: String, _ known: [ZonesOfSide], _ document: inout Document) {
        guard !known.isEmpty else { return }
        document.append(.heading(title))
        guard known.count == 2 else { return bars(unit, known, &document) }
        // Zones with other bounds are not those of the other side.
        guard known[0].zones.bounds == known[1].zones.bounds else {
            for side in known { bars(unit, [side], &document) }
            return
        }
        bars(unit, known, &document)
    }

    /// The time in each zone on one scale: by the records, else as the export prints it.
    private func bars(_ unit: String, _ known: [ZonesOfSide], _ document: inout Document) {
        guard let bounds = known.first?.zones.bounds else { return }
        let seconds = known.map { $0.seconds ?? $0.zones.printedSeconds ?? [] }
        let levels = (0...bounds.count).map { index in
            let low = index == 0 ? "" : WorkoutText.whole(bounds[index - 1])
            let high = index < bounds.count ? WorkoutText.whole(bounds[index]) : ""
            let range = low.isEmpty ? "below \(high)" : high.isEmpty ? "from \(low)" : "\(low) – \(high)"
            let values = seconds.map { index < $0.count ? $0[index] : nil }
            return Chart.Level("\(index + 1): \(range)", values, values.map { WorkoutText.clock($0) })
        }
        let sides = known.count == 2 ? ", \(known[0].name) over \(known[1].name)" : ""
        let printed = known.allSatisfy { $0.seconds == nil } ? ", as the export prints it" : ""
        document.append(
            .charts([
                Chart(
                    "Time in zones", "All on one scale\(sides)\(printed).", .levels(levels),
                    table: zoneTable(unit, known, bounds))
            ]))
    }

    /// The best stretches of each side.
    func efforts(_ document: inout Document) {
        let efforts = sides.map(\.finding.truth.bestEfforts)
        let names = sides.map { $0.name.isEmpty ? "" : " \($0.name)" }
        let distances = BestEfforts.distances.filter { metres in
            efforts.contains { $0.distances.contains { $0.metres == metres } }
        }
        var table = Table([.left("Distance")] + names.flatMap { [.right("Time\($0)"), .right("Pace\($0)")] })
        for metres in distances {
            let seconds = efforts.map { $0.distances.first { $0.metres == metres }?.seconds }
            table.addRow(
                [metres < 1000 ? "\(Int(metres)) m" : "\(Int(metres / 1000)) km"]
                    + seconds.flatMap { [WorkoutText.clock($0), units.pace($0.map { $0 / metres * 1000 })] })
        }
        var powers = Table([.left("Time")] + names.map { .right("W\($0)") })
        for seconds in BestEfforts.durations where efforts.contains(where: { $0.watts(over: seconds) != nil }) {
            powers.addRow(
                ["\(seconds / 60) min"] + efforts.map { WorkoutText.whole($0.watts(over: seconds)) })
        }
        document.section("Best efforts", table)
        document.section("Best power", powers)
        if let standing { document.section("Personal records and places", standing.sentences(units)) }
    }

    /// The time in zones of the same bounds.
    private func zoneTable(_ unit: String, _ known: [ZonesOfSide], _ bounds: [Double]) -> Table {
        let printed = known.first?.zones.printedSeconds
        var table = Table(
            [.left("Zone"), .left(unit)] + known.map { .right($0.name.isEmpty ? "Time" : "Time \($0.name)") }
                + (printed == nil ? [] : [.right("In the export")]))
        for index in 0...bounds.count {
            let low = index == 0 ? nil : bounds[index - 1]
            let high = index < bounds.count ? bounds[index] : nil
            let range =
                "\(low.map { WorkoutText.whole($0) } ?? "") – \(high.map { "below " + WorkoutText.whole($0) } ?? "")"
            table.addRow(
                ["\(index + 1)", range]
                    + known.map { WorkoutText.clock($0.seconds.flatMap { index < $0.count ? $0[index] : nil }) }
                    + (printed.map { [WorkoutText.clock($0.count > index ? $0[index] : nil)] } ?? []))
        }
        table.addRow(["unknown", ""] + known.map { WorkoutText.clock($0.unknown) } + (printed == nil ? [] : [""]))
        return table
    }
}
