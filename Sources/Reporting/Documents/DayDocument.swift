package import Basics
internal import Days
internal import HealthModel
package import Presentation
internal import Store
package import Training

/// One day for people: what was done and measured, and the same as the first export that has the day showed it.
package struct DayDocument {
    private let answer: DayAnswer
    private let units: DisplayUnits

    package init(_ answer: DayAnswer, _ units: DisplayUnits = .metric) { (self.answer, self.units) = (answer, units) }

    /// `Tuesday, 2022-10-18`.
    package static func title(_ day: Int64) -> String {
        let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        return "\(names[Int(DailyFeatures.weekday(day))]), \(LocalDate.text(day: day))"
    }

    package var document: Document {
        var document = Document(title: Self.title(answer.day))
        document.paragraph("A day of \(Wording.zone(answer.zone)), from observation \(answer.side.observation.id).")
        guard answer.side.recordCount > 0 || answer.first != nil else {
            document.paragraph("No records on this day." + (answer.reach.map(reaches) ?? ""))
            return document
        }
        let sides = [answer.first, answer.side].compactMap(\.self)
        document.append(.sides(sides.map { Document.Side(title($0), facts($0)) }))
        if let chart = heartRateChart(sides) { document.append(.charts([chart])) }
        workouts(&document)
        night(&document)
        electrocardiograms(&document)
        types(&document)
        document.paragraph("Totals count once what several sources recorded at one time. Not medical advice.", .apart)
        return document
    }

    private func reaches(_ reach: ClosedRange<Int64>) -> String {
        " Records reach from \(LocalDate.text(day: reach.lowerBound)) to \(LocalDate.text(day: reach.upperBound))."
    }

    private var zone: DisplayZone { DisplayZone(answer.zone.timeZone) }

    private func title(_ side: DayAnswer.Side) -> String {
        let export = "Observation \(side.observation.id), \(zone.day(side.observation.observedAt))"
        return answer.first?.observation.id == side.observation.id ? "\(export), the first with this day" : export
    }

    private func facts(_ side: DayAnswer.Side) -> [Document.Fact] {
        func total(_ kind: DailyTotals.Kind, _ text: (Double) -> String) -> String? {
            side.total(kind).flatMap { bucket in
                bucket.aggregate.sum.flatMap { UnitConverter().convert($0, from: bucket.unit ?? "", to: kind.unit) }
            }.map(text)
        }
        func whole(_ value: Double) -> String {
            Int64(exactly: value.rounded()).map { Counts.grouped($0) } ?? Wording.fixed(value, 0)
        }
        let rates = side.heartRates.map(\.value)
        return [
            .init("Records", Counts.grouped(side.recordCount)),
            .init("Steps", total(.steps, whole)),
            .init("Distance on foot", total(.distance) { "\(units.distance($0)) \(units.distanceName)" }),
            .init("Active energy", total(.energy) { whole($0) + " kcal" }),
            .init("Flights", total(.flights, whole)),
            .init("Exercise", total(.exerciseMinutes) { whole($0) + " min" }),
            .init("Standing", total(.standMinutes) { whole($0) + " min" }),
            .init("Asleep", side.night?.sleep.durationSeconds.map { DailyDocument.clock($0) }),
            .init(
                "Heart rate",
                rates.min().flatMap { least in
                    rates.max().map { "\(Wording.fixed(least, 0)) to \(Wording.fixed($0, 0)) bpm" }
                }),
            .init("Heart-rate records", rates.isEmpty ? nil : Counts.grouped(rates.count)),
            .init("Workouts", side.workouts.rows.isEmpty ? nil : "\(side.workouts.rows.count)"),
            .init("ECGs", side.electrocardiograms.isEmpty ? nil : "\(side.electrocardiograms.count)"),
        ]
    }

    /// The heart rates of both sides over the hours of the day.
    private func heartRateChart(_ sides: [DayAnswer.Side]) -> Chart? {
        guard sides.contains(where: { !$0.heartRates.isEmpty }) else { return nil }
        let series = sides.map { side in
            let name =
                sides.count == 1 ? "readings" : side.observation.id == answer.side.observation.id ? "now" : "first"
            return Chart.Marks(name, Self.thinned(side.heartRates, from: answer.interval.lowerBound))
        }
        var chart = Chart(
            "Heart rate", "A dot is a reading, a bar a record of that length.", .readings(series, isPace: false))
        (chart.unit, chart.zone, chart.isOfTime) = ("bpm", answer.zone.timeZone, true)
        chart.span = Double(answer.interval.lowerBound)...Double(answer.interval.upperBound)
        chart.entry = .init("type", ["type": SeriesType.heartRate.rawValue, "at": "\(answer.side.observation.id)"])
        return chart
    }

    /// Marks a drawing has at most of a side: two for each two minutes, the lowest and the highest.
    private static func thinned(_ readings: [Reading], from start: Int64) -> [Chart.Mark] {
        func mark(_ reading: Reading) -> Chart.Mark {
            Chart.Mark(reading.start, reading.end, reading.value)
        }
        guard readings.count > 1500 else { return readings.map(mark) }
        var slots: [Int: (low: Reading, high: Reading)] = [:]
        for reading in readings {
            let slot = Int((reading.start - Double(start)) / 120)
            guard let known = slots[slot] else {
                slots[slot] = (reading, reading)
                continue
            }
            if reading.value < known.low.value { slots[slot]?.low = reading }
            if reading.value > known.high.value { slots[slot]?.high = reading }
        }
        return slots.sorted { $0.key < $1.key }.flatMap { slot in
            slot.value.low == slot.value.high ? [mark(slot.value.low)] : [mark(slot.value.low), mark(slot.value.high)]
        }
    }

    private func workouts(_ document: inout Document) {
        var table = Table([
            .exact("Start"), .left("Activity"), .right("Duration"), .right(units.distanceName),
            .right("kcal", leftOut: 2),
            .right("HR avg/max"), .left("Source", leftOut: 1),
        ])
        for row in answer.side.workouts.rows {
            let heart = [row.heartRate?.average, row.heartRate?.maximum].map { WorkoutText.whole($0) }
            table.addRow(
                [
                    zone.time(Int64(row.interval.start)), WorkoutText.activity(row.activity),
                    WorkoutText.clock(row.durationSeconds), units.distance(row.distance),
                    WorkoutText.whole(row.activeEnergy), heart == ["-", "-"] ? "-" : heart.joined(separator: "/"),
                    row.sourceName ?? "",
                ],
                links: [0: .workout(row.identity, at: answer.side.observation.id)],
                instants: [0: Int64(row.interval.start)])
        }
        document.section("Workouts", table)
    }

    private func night(_ document: inout Document) {
        guard let night = answer.side.night else { return }
        let stages = night.sleep.night?.stages
        func time(_ instant: Double?) -> String? { instant.map { zone.time(Int64($0)) } }
        document.append(.heading("Night"))
        document.append(NightsDocument.hypnograms(night, answer.zone.timeZone).map { .charts([$0]) })
        document.facts([
            ("Fell asleep", time(night.sleep.night?.fellAsleep)),
            ("Woke up", stages == nil ? nil : time(night.sleep.night?.wakes)),
            ("Asleep", night.sleep.durationSeconds.map { DailyDocument.clock($0) }),
            ("Efficiency", stages?.efficiency.map { "\(Int(($0 * 100).rounded())) %" }),
            ("Core", stages?.core.map { DailyDocument.clock($0) }),
            ("Deep", stages?.deep.map { DailyDocument.clock($0) }),
            ("REM", stages?.rem.map { DailyDocument.clock($0) }),
            ("Awake", stages?.awake.map { DailyDocument.clock($0) }),
            ("In bed", night.sleep.night?.inBedSeconds.map { DailyDocument.clock($0) }),
            ("Naps", night.sleep.naps.isEmpty ? nil : DailyDocument.clock(night.sleep.napSeconds)),
            ("Source", night.sleep.night?.sourceName.quoted),
            ("Labels", night.labels.isEmpty ? nil : night.labels.ordered.map(\.rawValue).joined(separator: ", ")),
        ])
    }

    private func electrocardiograms(_ document: inout Document) {
        var table = Table([.exact("Recorded"), .left("Classification"), .right("Heart rate"), .left("Symptoms")])
        for one in answer.side.electrocardiograms {
            table.addRow(
                [
                    zone.time(one.recordedAt), one.classification ?? "-", Wording.fixed(one.heartRate?.average, 0),
                    one.symptoms ?? "",
                ],
                links: [0: .init("ecg", ["ecg": one.identity.hex, "at": "\(answer.side.observation.id)"])],
                instants: [0: one.recordedAt])
        }
        document.section("ECGs", table)
    }

    /// Every kind with count and range: of both sides where there are two.
    private func types(_ document: inout Document) {
        let before = answer.first.map { Dictionary(grouping: $0.types, by: \.type) }
        let now = Dictionary(grouping: answer.side.types, by: \.type)
        let date = LocalDate.text(day: answer.day)
        var table = Table(
            [.name("Type"), .right("Records")] + (before == nil ? [] : [.right("At first")])
                + [
                    .right("Total"), .right("Mean"), .right("Minimum"), .right("Maximum"), .left("Unit"),
                    .words("Values"),
                ])
        for type in Set(now.keys).union((before ?? [:]).keys).sorted(by: {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }) {
            let rows = now[type] ?? []
            let sources = rows.filter { $0.level == .source }
            let total = rows.first { $0.level == .merged }
            let one = sources.count == 1 ? sources.first?.aggregate : nil
            let unit = Set(sources.compactMap(\.unit)).count == 1 ? sources.first?.unit : total?.unit
            let isOneUnit = Set(sources.map(\.unit)).count == 1
            table.addRow(
                [shortIdentifier(type), Counts.grouped(sources.reduce(0) { $0 + $1.aggregate.count })]
                    + (before.map { known in
                        [
                            Counts.grouped(
                                (known[type] ?? []).filter { $0.level == .source }.reduce(0) { $0 + $1.aggregate.count }
                            )
                        ]
                    } ?? [])
                    + [
                        Wording.number(total?.aggregate.sum),
                        Wording.number(one?.mean),
                        Wording.number(isOneUnit ? sources.compactMap(\.aggregate.minimum).min() : nil),
                        Wording.number(isOneUnit ? sources.compactMap(\.aggregate.maximum).max() : nil), unit ?? "",
                        AggregatesDocument.values(sources.flatMap { $0.values ?? [] }),
                    ],
                links: [
                    0: .init("type", ["type": type, "since": date, "until": date]),
                    1: .init(
                        "records",
                        ["at": "\(answer.side.observation.id)", "type": type, "since": date, "until": date]),
                ])
        }
        document.section("Every kind", table)
    }
}

extension DayAnswer {
    /// The object of `day --json`.
    package var json: JSON {
        JSON.line(
            "day",
            [
                "date": LocalDate.text(day: day), "zone": zone.name, "startDate": JSON.instant(interval.lowerBound),
                "endDate": JSON.instant(interval.upperBound), "at": json(side), "first": first.map(json),
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
            ])
    }

    private func json(_ side: Side) -> JSON {
        let id = side.observation.id
        return JSON.row([
            "observation": side.observation, "recordCount": side.recordCount,
            "totals": JSON.object(
                DailyTotals.Kind.allCases.map { kind in
                    let bucket = side.total(kind)
                    let value = bucket.flatMap { bucket in
                        bucket.aggregate.sum.flatMap {
                            UnitConverter().convert($0, from: bucket.unit ?? "", to: kind.unit)
                        }
                    }
                    return (kind.rawValue, JSON.row(["value": Rounding.measure.json(value), "unit": kind.unit]))
                }),
            "heartRate": JSON.row([
                "recordCount": side.heartRates.count,
                "minimum": Rounding.measure.json(side.heartRates.map(\.value).min()),
                "maximum": Rounding.measure.json(side.heartRates.map(\.value).max()),
            ]),
            "workouts": side.workouts.rows.map { WorkoutPage.columns.json($0, of: side.workouts) },
            "night": side.night.map { NightsAnswer.columns.json($0, of: NightListing(zone: zone.name)) },
            "ecgs": side.electrocardiograms.map { Electrocardiogram.columns.json($0, of: id) },
            "types": side.types,
        ])
    }
}
