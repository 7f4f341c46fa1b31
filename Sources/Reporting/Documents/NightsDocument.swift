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
        var table = answer.table(rowsOfTable)
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
