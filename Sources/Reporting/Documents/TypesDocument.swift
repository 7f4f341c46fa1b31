package import Basics
internal import HealthModel
package import Presentation
package import Questions
package import Store

/// All types of a chain at all its observations.
package struct TypeOverview: Sendable {
    package var chain: String
    /// In chain order.
    package var observations: [Observation]
    /// The types of each observation.
    private let runs: [[String: ObservationReport.TypeRun]]
    /// In byte order.
    private let types: [String]

    /// - Parameter runs: the types of each of the observations.
    package init(chain: String, _ observations: [Observation], _ runs: [[ObservationReport.TypeRun]]) {
        self.chain = chain
        self.observations = observations
        self.runs = runs.map { runs in Dictionary(runs.map { ($0.type, $0) }) { first, _ in first } }
        types = Set(runs.joined().map(\.type)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The line of `/types.json`.
    package var line: JSON {
        .line(
            "types",
            [
                "chain": chain, "observations": observations.map(\.id),
                "types": types.map { type in
                    JSON.row([
                        "type": type, "category": Self.category(type), "visible": visible(type),
                        "changes": runs.map { $0[type]?.changes ?? 0 },
                    ])
                },
            ])
    }

    /// A heat map of the counts, and the types with their numbers at the latest observation.
    ///
    /// - Parameters:
    ///   - selected: the identifiers of the types to show; none for all.
    ///   - hasDrawing: whether there is room for the heat map.
    ///   - explained: how many of a type's records that are no longer visible there an analysis explains; nil where there is none.
    ///   - months: of the latest observation, drawn beside the types; nil for none.
    package func document(
        _ zone: DisplayZone, selected: [String] = [], hasDrawing: Bool, explained: [String: Int64]? = nil,
        months: MonthSparks? = nil
    ) -> Document {
        let types = types.filter { selected.isEmpty || selected.contains($0) }
        let sparks = months?.byType
        guard let latest = observations.last, !self.types.isEmpty else {
            return Document([.paragraph("There are no observations yet.")])
        }
        guard !types.isEmpty else {
            return Document([.paragraph("The chain has none of the types that are chosen in the settings.")])
        }
        var document = Document()
        if hasDrawing, observations.count > 1 { document.append(.charts([chart(types)])) }
        let previous = observations.dropLast().last?.id
        var table = Table(
            [
                .name("Type"), .left("Category"), .right("Visible"), .right("Appeared"), .right("No longer visible"),
                .right("Changed"), .exact("From"), .exact("To"),
            ] + (sparks == nil ? [] : [.words("Months")]))
        for type in types {
            guard let run = runs.last?[type] else { continue }
            var links = run.links(from: 2, at: latest.id, since: previous)
            links[0] = .type(type)
            var counts = run.counts.map(Wording.cell)
            counts[2] = Wording.gone(run.disappeared, explained: explained.map { $0[type] ?? 0 })
            table.addRow(
                [shortIdentifier(type), Self.category(type)] + counts
                    + zone.days(run.earliestStart, run.latestEnd) + [sparks?.months ?? ""], links: links,
                drawings: sparks.map { [8: $0.counts[type] ?? []] } ?? [:])
        }
        if types.count < self.types.count {
            table.remark =
                "\(Counts.grouped(types.count)) of \(Counts.of(self.types.count, "type")), as chosen in the settings."
        }
        document.append(.heading("At observation \(latest.id), the latest (days in \(zone.name))"), .table(table))
        return document
    }

    /// Each type's counts, shaded by its own largest; what changed there is marked.
    ///
    /// Of many types those with the most records, which have room for their names.
    private func chart(_ all: [String]) -> Chart {
        let latest = runs.last ?? [:]
        let largest = all.sorted { (latest[$1]?.visible ?? 0, $0) < (latest[$0]?.visible ?? 0, $1) }
        let drawn = Set(largest.prefix(Self.mostDrawn))
        let types = all.filter(drawn.contains)
        let values = types.map { type in
            let counts = visible(type)
            let most = Double(max(counts.max() ?? 0, 1))
            return counts.map { $0 > 0 ? Double($0) / most : nil }
        }
        let isMarked = types.map { type in
            runs.indices.map { index in
                index > 0 && runs[index][type].map { $0.disappeared + $0.representationChanged > 0 } ?? false
            }
        }
        let some = types.count < all.count ? ", those with the most records of \(Counts.grouped(all.count))," : ""
        return Chart(
            "Types by observation",
            "\(Counts.of(types.count, "type"))\(some) from top to bottom, \(Counts.of(observations.count, "observation")) from "
                + "left to right. Darker: more visible records, compared with the type's own most. Framed: some are no longer "
                + "visible, or changed representation.",
            .matrix(
                .init(
                    rows: types.map(shortIdentifier), columns: observations.map { "\($0.id)" }, values: values,
                    isMarked: isMarked)), table: numbers(types))
    }

    /// The counts of the types at the latest observations.
    private func numbers(_ types: [String]) -> Table {
        let shown = observations.suffix(Self.mostColumns)
        var table = Table([.name("Type")] + shown.map { .right("\($0.id)") })
        for type in types {
            table.addRow([shortIdentifier(type)] + visible(type).suffix(Self.mostColumns).map(Wording.cell))
        }
        if shown.count < observations.count { table.remark = "The latest observations; the JSON has all." }
        return table
    }

    private static let (mostDrawn, mostColumns) = (60, 6)

    private func visible(_ type: String) -> [Int64] { runs.map { $0[type]?.visible ?? 0 } }

    /// `quantity`, `category`, `workout` and the like, as the identifier has it.
    private static func category(_ type: String) -> String {
        if type.hasPrefix(SampleType.clinicalPrefix) { return "clinicalRecord" }
        guard type.hasPrefix("HK"), let marker = type.firstRange(of: "Type") else { return "other" }
        let name = type[type.index(type.startIndex, offsetBy: 2)..<marker.lowerBound]
        return name.isEmpty ? "other" : name.prefix(1).lowercased() + name.dropFirst()
    }
}
