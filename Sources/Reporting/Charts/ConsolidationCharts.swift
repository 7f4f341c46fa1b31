internal import HealthModel
package import Presentation
package import Questions

extension ConsolidationAnswer {
    /// How many of the records that are no longer visible are explained, of the types with most of them, and how dense the
    /// records of those are of which most were consolidated.
    package var charts: [Chart] {
        let shown = verdicts.filter { $0.gone > 0 }.sorted { ($1.gone, $0.type) < ($0.gone, $1.type) }
        guard !shown.isEmpty else { return [] }
        let dense = shown.sorted { ($1.explained, $0.type) < ($0.explained, $1.type) }.lazy.compactMap { verdict in
            verdict.densityChart("\(shortIdentifier(verdict.type).quoted): density and interval length")
        }
        return [Self.explained(Array(shown.prefix(Self.mostTypes)), of: shown.count)] + dense.prefix(Self.mostDense)
    }

    private static let (mostTypes, mostDense) = (5, 3)

    private static func explained(_ verdicts: [ConsolidationVerdict], of count: Int) -> Chart {
        let pairs = verdicts.map {
            Chart.Pair(
                shortIdentifier($0.type), Double($0.explained), Double($0.unexplained),
                sides: ["explained", "unexplained"]
            ) { Counts.grouped(Int64($0)) }
        }
        var table = Table([.name("Type"), .right("Explained"), .right("Unexplained")])
        for pair in pairs { table.addRow([pair.name] + pair.texts) }
        return Chart(
            "No longer visible, explained and unexplained",
            (count > pairs.count ? "The \(pairs.count) types with most such records of \(count). " : "")
                + "Each type on a scale of its own.", .pairs(pairs), table: table)
    }
}

extension ConsolidationVerdict {
    /// How many records are no longer visible.
    fileprivate var gone: Int64 { explained + unexplained }

    /// Density and interval of consolidated records before and after; nil where a side has no records.
    func densityChart(_ title: String) -> Chart? {
        guard let before = evidence.medianIntervalBefore, let after = evidence.medianIntervalAfter,
            let thick = evidence.densityBefore, let thin = evidence.densityAfter
        else { return nil }
        let pairs = [
            Chart.Pair("Records an hour", thick, thin) { Wording.rounded($0) },
            Chart.Pair("Median interval", before, after) { Durations.text(seconds: $0) },
        ]
        var table = Table([.words(""), .right("Before"), .right("After")])
        for pair in pairs { table.addRow([pair.name] + pair.texts) }
        return Chart(
            title, "Of the records that were consolidated and of those that replace them.", .pairs(pairs), table: table)
    }
}
