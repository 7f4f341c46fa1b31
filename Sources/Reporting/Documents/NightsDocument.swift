package import Basics
internal import Days
internal import Foundation
package import Presentation
internal import Store
package import Training

/// Nights for people.
package enum NightsDocument {
    /// A table of the last nights.
    ///
    /// - Parameters:
    ///   - isDrawn: whether the last night and the last month are drawn, too.
    ///   - heartRates: those of the last night.
    package static func make(
        _ answer: NightsAnswer, rows rowsOfTable: Int = DailyDocument.rowsOfTable, isDrawn: Bool = false,
        heartRates: [Chart.Mark] = []
    ) -> Document {
        var document = Document(
            title: "Nights at observation \(answer.observation.id), chain \(answer.observation.chain), "
                + "in days of \(Wording.zone(answer.zone))")
        guard !answer.nights.isEmpty else {
            document.paragraph(
                answer.remark ?? (answer.isMissing ? "The observation lacks sleep." : "No records of sleep."))
            return document
        }
        let zone = DisplayZone(answer.zone.timeZone)
        func time(_ instant: Double?) -> String {
            instant.map { String(zone.time(Int64($0)).dropFirst(11).prefix(5)) } ?? "-"
        }
        if isDrawn, let last = answer.nights.last {
            let drawings = hypnograms(last, answer.zone.timeZone)
            document.append(drawings.map { .charts([$0]) })
            if let span = drawings.first?.span, !heartRates.isEmpty {
                var chart = Chart(
                    "Heart rate", "Of the same night.", .readings([.init("readings", heartRates)], isPace: false))
                (chart.unit, chart.zone, chart.isOfTime, chart.span) = ("bpm", answer.zone.timeZone, true, span)
                document.append(.charts([chart]))
            }
            document.append(.charts([month(answer)]))
        }
        var table = Table([
            .exact("Day"), .right("Asleep"), .right("From"), .right("To"), .right("Efficiency"),
            .right("Core", leftOut: 3),
            .right("Deep", leftOut: 3), .right("REM", leftOut: 3), .right("No stage", leftOut: 4),
            .right("Awake", leftOut: 3), .right("In bed", leftOut: 5), .right("Naps", leftOut: 6),
            .words("Source", maxWidth: 30, leftOut: 2), .left("Labels", leftOut: 1),
        ])
        for night in answer.nights.suffix(rowsOfTable) {
            let (sleep, stages) = (night.sleep, night.sleep.night?.stages)
            table.addRow(
                [
                    LocalDate.text(day: night.day), DailyDocument.clock(sleep.durationSeconds),
                    time(sleep.night?.fellAsleep), time(stages == nil ? nil : sleep.night?.wakes),
                    stages?.efficiency.map { "\(Int(($0 * 100).rounded())) %" } ?? "-",
                ]
                    + [stages?.core, stages?.deep, stages?.rem, stages?.unspecified, stages?.awake].map(
                        DailyDocument.clock)
                    + [
                        DailyDocument.clock(sleep.night?.inBedSeconds),
                        sleep.naps.isEmpty ? "" : DailyDocument.clock(sleep.napSeconds),
                        sleep.night?.sourceName.quoted ?? "",
                        night.labels.ordered.map(\.rawValue).joined(separator: ", "),
                    ], links: [0: .init("day", ["date": LocalDate.text(day: night.day)])])
        }
        if answer.nights.count > rowsOfTable {
            table.remark =
                "The last \(rowsOfTable) of \(Counts.grouped(answer.nights.count)) nights; JSON and CSV have all."
        }
        document.append(.table(table))
        document.paragraph(
            "Hours and minutes of the source that counts; efficiency is asleep by asleep and awake between falling asleep "
                + "and waking. Not medical advice.", .apart)
        return document
    }
}

extension NightsAnswer {
    /// The lines of `metrics nights --json`, one a day with sleep.
    package var lines: [UInt8] {
        let out = ByteBuffer()
        for night in nights { out.append(line: line(night)) }
        return out.view.array
    }

    /// The rows of `metrics nights --csv`.
    ///
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool) -> [UInt8] {
        let columns = [
            "date", "zone", "fellAsleep", "wokeUp", "asleep", "core", "deep", "rem", "unspecified", "awake", "inBed",
            "inBedFrom", "inBedTo", "efficiency", "sourceName", "napMinutes", "labels",
        ]
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(columns)
        for night in nights { writer.append(line(night), columns, forTerminal: forTerminal) }
        return writer.bytes
    }

    /// The line of one day.
    package func line(_ night: Night) -> JSON {
        night.json(zone: zone.name).adding([
            "observation": observation.id, "state": state.rawValue, "definitionsVersion": Metrics.definitionsVersion,
        ])
    }
}

extension NightsAnswer.Night {
    /// The sleep of the day; stages in minutes.
    func json(zone: String) -> JSON {
        func minutes(_ seconds: Double?) -> JSON { Rounding.measure.json(seconds.map { $0 / 60 }) }
        let (main, stages) = (sleep.night, sleep.night?.stages)
        return JSON.line(
            "nights",
            [
                "date": LocalDate.text(day: day), "zone": zone,
                "fellAsleep": main?.fellAsleep.map { JSON.instant($0) },
                "wokeUp": stages == nil ? nil : main.map { JSON.instant($0.wakes) },
                "asleep": minutes(sleep.durationSeconds), "core": minutes(stages?.core),
                "deep": minutes(stages?.deep), "rem": minutes(stages?.rem), "unspecified": minutes(stages?.unspecified),
                "awake": minutes(stages?.awake), "inBed": minutes(main?.inBedSeconds),
                "inBedFrom": main?.inBed.map { JSON.instant($0.start) },
                "inBedTo": main?.inBed.map { JSON.instant($0.end) },
                "efficiency": Rounding.score.json(stages?.efficiency), "sourceName": main?.sourceName,
                "napMinutes": minutes(sleep.napSeconds),
                "naps": sleep.naps.map { nap in
                    JSON.row([
                        "startDate": JSON.instant(nap.interval.start), "endDate": JSON.instant(nap.interval.end),
                        "asleep": minutes(nap.asleepSeconds), "sourceName": nap.sourceName,
                    ])
                }, "labels": labels.json,
            ])
    }
}
