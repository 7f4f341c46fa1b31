package import Basics
package import Days
internal import HealthModel
package import Presentation
package import Questions
package import Store

/// One type at all observations of a chain, and its months as each observation shows them.
package struct TypeTimeline: Sendable {
    /// Which number of a month is shown.
    private enum Measure: String {
        /// The sum of a type that adds up, in its one unit.
        case sum
        /// How many records there are.
        case count
    }

    package let type: String
    private let chain: Chain
    private let zone: ChainZone?
    /// By observation in chain order; nil where the observation does not know the type.
    private let runs: [ObservationReport.TypeRun?]
    private var months: [Month] = []
    /// Those of all months.
    private var units: Set<String?> = []

    /// A month with what each observation shows of it, in chain order.
    package struct Month: Sendable {
        package var label: String
        /// One a source and unit, and one over all sources where there are several.
        package var values: [[Value]]

        package init(label: String, values: [[Value]]) {
            self.label = label
            self.values = values
        }
    }

    /// What a month shows of one source and unit.
    package struct Value: Sendable {
        package var unit: String?
        package var count: Int64
        package var sum: Double?
        /// Whether it is over several sources.
        package var isTotal: Bool

        package init(unit: String?, count: Int64, sum: Double?, isTotal: Bool) {
            self.unit = unit
            self.count = count
            self.sum = sum
            self.isTotal = isTotal
        }
    }

    package init(_ type: String, _ chain: Chain, _ zone: ChainZone?, _ runs: [ObservationReport.TypeRun?]) {
        self.type = type
        self.chain = chain
        self.zone = zone
        self.runs = runs
    }

    /// Adds a month with the rows of each observation.
    package mutating func add(month label: String, _ buckets: [[AggregateBucket]]) {
        let values = buckets.map { rows in
            rows.map {
                Value(
                    unit: $0.unit, count: $0.aggregate.count, sum: $0.aggregate.sum,
                    isTotal: $0.overlappingSources != nil)
            }
        }
        add(Month(label: label, values: values))
    }

    /// Adds a month.
    package mutating func add(_ month: Month) {
        months.append(month)
        for value in month.values.joined() where !units.contains(value.unit) { units.insert(value.unit) }
    }

    private var measure: Measure { QuantityTypeTable.shared[type].isCumulative && units.count == 1 ? .sum : .count }

    private func value(_ values: [Value]) -> Double? {
        guard !values.isEmpty else { return nil }
        switch measure {
        case .sum: return (values.first(where: \.isTotal) ?? values.first)?.sum
        case .count: return Double(values.filter { !$0.isTotal }.reduce(0) { $0 + $1.count })
        }
    }

    /// The line of `/type.json`.
    package var line: JSON {
        .line(
            "type",
            [
                "type": type, "chain": chain.name, "zone": zone?.name,
                "observations": zip(chain.finished, runs).map { observation, run in
                    JSON.row([
                        "id": observation.id, "observedAt": JSON.instant(observation.observedAt),
                        "status": run?.status.rawValue, "visible": run?.visible, "appeared": run?.appeared,
                        "disappeared": run?.disappeared, "representationChanged": run?.representationChanged,
                        "earliestStart": JSON.instant(run?.earliestStart), "latestEnd": JSON.instant(run?.latestEnd),
                        "sums": (run?.sums ?? []).map {
                            JSON.row(["source": $0.source, "unit": $0.unit, "sum": $0.sum])
                        },
                    ])
                }, "measure": measure.rawValue, "unit": measure == .sum ? units.first ?? nil : nil,
                "months": months.map { month in
                    JSON.row(["month": month.label, "values": JSON.array(month.values.map { .optional(value($0)) })])
                },
            ])
    }

    /// Charts of counts and months, and what each observation changed.
    ///
    /// - Parameter explained: how many of the type's records that are no longer visible an analysis explains, by observation.
    package func document(_ display: DisplayZone, isSimple: Bool, explained: [Int64: Int64] = [:]) -> Document {
        var document = Document()
        let counts = runs.map { $0?.visible ?? 0 }
        var charts: [Chart] = []
        if chain.finished.count > 1 {
            charts.append(
                .visibleCounts(
                    "Visible records", "At \(Counts.of(chain.finished.count, "observation")) of the chain.",
                    chain.finished, counts))
        }
        if !months.isEmpty, !isSimple { charts.append(matrix) }
        var byObservation = table(display, explained)
        byObservation.keepFirst(isSimple ? 20 : 150)
        document.append(
            .charts(charts), .heading("By observation (times and days in \(display.name))"), .table(byObservation))
        return document
    }

    private func table(_ display: DisplayZone, _ explained: [Int64: Int64]) -> Table {
        var table = Table([
            .right("Observation"), .exact("Observed at"), .words("Status"), .right("Visible"), .right("Appeared"),
            .right("No longer visible"), .right("Changed"), .exact("From"), .exact("To"),
        ])
        for (observation, run) in zip(chain.finished, runs).reversed() {
            let id = observation.id
            let previous = chain.previous(of: observation)?.id
            var counts = (run?.counts ?? [0, 0, 0, 0]).map(Wording.cell)
            counts[2] = Wording.gone(run?.disappeared ?? 0, explained: explained[id])
            var links = run?.links(from: 3, at: id, since: previous) ?? [:]
            links[0] = .observation(id)
            table.addRow(
                ["\(id)", display.time(observation.observedAt), run?.status.rawValue ?? ""]
                    + counts + display.days(run?.earliestStart, run?.latestEnd), links: links,
                instants: [1: observation.observedAt])
        }
        return table
    }

    /// Months from left to right, observations from top to bottom: where a month is not what the observation before showed,
    /// it is marked.
    private var matrix: Chart {
        let shown = drawnMonths
        let rows = chain.finished.indices.suffix(Self.mostObservations)
        let values = rows.map { row in shown.map { value($0.values[row]) } }
        let isMarked = values.indices.map { row in
            shown.indices.map { column in
                row > 0 && values[row][column] != values[row - 1][column] && values[row - 1][column] != nil
            }
        }
        var table = Table([.exact("Month")] + rows.suffix(Self.mostColumns).map { .right("\(chain.finished[$0].id)") })
        for month in months.suffix(Self.mostRows).reversed() {
            table.addRow([month.label] + rows.suffix(Self.mostColumns).map { Wording.number(value(month.values[$0])) })
        }
        let left = months.count > table.rows.count || chain.finished.count > Self.mostColumns
        table.remark = left ? "The latest months and observations; the JSON has all." : nil
        let what = measure == .sum ? "Sums" : "Numbers of records"
        return Chart(
            "Months as each observation shows them",
            "\(what) by month of \(Wording.zoneName(zone)), one row for each observation. Darker: more. Framed: "
                + "not what the observation before showed." + latestAlone(of: shown),
            .matrix(
                .init(
                    rows: rows.map { "\(chain.finished[$0].id)" }, columns: shown.map(\.label), values: values,
                    isMarked: isMarked)), table: table)
    }

    /// The months of the matrix: a column for each, also for those between two others that no observation has records of.
    private var drawnMonths: [Month] {
        guard let first = months.first?.label, let last = months.last?.label,
            let labels = MonthSparks.months(first, last, most: Self.mostMonths)
        else { return Array(months.suffix(Self.mostMonths)) }
        let known = Dictionary(months.map { ($0.label, $0) }) { first, _ in first }
        return labels.map { known[$0] ?? Month(label: $0, values: chain.finished.map { _ in [] }) }
    }

    /// What of the months the matrix does not have, as a sentence; empty where it has all.
    private func latestAlone(of shown: [Month]) -> String {
        guard let first = months.first?.label, let begin = shown.first?.label, first < begin else { return "" }
        return " The last \(Counts.of(shown.count, "month")); the first with records is \(first)."
    }

    private static let mostMonths = 120
    private static let mostObservations = 40
    private static let mostColumns = 8
    private static let mostRows = 36
}
