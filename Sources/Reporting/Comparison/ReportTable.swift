internal import Analysis
internal import Archive
internal import HealthModel
internal import Presentation

/// A table of a report: the page and the text render the same one.
struct ReportTable {
    /// How the cells of a column are shown.
    enum Kind {
        case text, number, hash
    }

    /// The headings.
    var columns: [(name: String, kind: Kind)]
    /// The cells, one for each column.
    var rows: [[String]]
    /// How many rows there are in all, and what they are.
    var all: (count: Int64, name: String)?

    /// What is left out; nil for a whole table.
    var remark: String? {
        guard let all, all.count > Int64(rows.count) else { return nil }
        return "\(Counts.grouped(Int64(rows.count))) of \(Counts.grouped(all.count)) \(all.name) shown."
    }
}

extension ReportTable {
    /// The first groups with their evidence.
    static func groups(_ consolidation: TypeSection.Consolidation, isCumulative: Bool) -> ReportTable {
        let what = isCumulative ? "Sum" : "Mean"
        return ReportTable(
            columns: [
                ("First record (UTC)", .text), ("Evidence", .text), ("Replacements", .number), ("Found", .number),
                ("Declared", .number), ("\(what) before", .number), ("\(what) after", .number), ("Unit", .text),
            ],
            rows: consolidation.groups.map { shown in
                [
                    shown.replacements.compactMap(\.start).min().map(Sentences.time) ?? "-",
                    Sentences.basis(shown.group), Counts.grouped(Int64(shown.group.replacements.count)),
                    Counts.grouped(shown.group.evidence.constituentCount),
                    shown.group.declaredCount.map { Counts.grouped($0) } ?? "-",
                    shown.printed.before.map(Sentences.number) ?? "-", Sentences.number(shown.printed.after),
                    shown.printed.unit ?? "",
                ]
            }, all: (consolidation.verdict.groups, "groups"))
    }

    /// The first records that nothing explains.
    static func unexplained(_ type: TypeSection, count: Int64) -> ReportTable {
        ReportTable(
            columns: [
                ("Start (UTC)", .text), ("End (UTC)", .text), ("Value", .number), ("Unit", .text), ("Source", .text),
                ("Identity", .hash),
            ],
            rows: type.unexplained.map { record in
                [
                    record.start.map(Sentences.time) ?? "-", record.end.map(Sentences.time) ?? "-",
                    RecordText.value(record), record.unit ?? "", record.sourceName ?? "",
                    String(record.identity.hex.prefix(12)),
                ]
            }, all: (count, "records"))
    }

    /// The visible records at each observation, which the page draws.
    static func counts(_ type: TypeSection, _ report: ComparisonReport) -> ReportTable {
        ReportTable(
            columns: [("Observation", .number), ("Exported (phone's day)", .text), ("Visible records", .number)],
            rows: zip(report.observations, type.counts).map { observation, count in
                ["\(observation.id)", SideFacts.day(observation), Counts.grouped(count)]
            })
    }

    /// Density and length of the consolidated records, which the page draws; nil where they are not known.
    static func density(_ type: TypeSection) -> ReportTable? {
        guard let pairs = DensityPairs(type) else { return nil }
        return ReportTable(
            columns: [("", .text), ("Before", .number), ("After", .number)],
            rows: pairs.pairs.map { [$0.name, $0.text($0.before), $0.text($0.after)] })
    }

    /// The days with the largest differences, in order, which the page draws.
    static func days(_ type: TypeSection) -> ReportTable {
        let largest = type.days.sorted {
            ($0.difference?.magnitude ?? .infinity) > ($1.difference?.magnitude ?? .infinity)
        }.prefix(mostDays)
        return ReportTable(
            columns: [
                ("Day", .text), ("Measure", .text), ("Before", .number), ("After", .number), ("Difference", .number),
                ("Unit", .text),
            ],
            rows: largest.sorted { $0.start < $1.start }.map { day in
                let measure = day.after ?? day.before
                return [
                    day.label, measure?.kind.rawValue ?? "", (day.before?.value).map(Sentences.number) ?? "-",
                    (day.after?.value).map(Sentences.number) ?? "-", day.difference.map(Sentences.number) ?? "-",
                    measure?.unit ?? "",
                ]
            }, all: (Int64(type.dayCount), "days (those that differ most)"))
    }

    /// Days of a table at most.
    private static let mostDays = 100
}

/// Density and interval of consolidated records before and after.
struct DensityPairs {
    /// Records an hour, and the median length.
    let pairs: [PairChart.Pair]

    /// Nil where a side has no records.
    init?(_ type: TypeSection) {
        guard let evidence = type.consolidation?.verdict.evidence, let before = evidence.medianIntervalBefore,
            let after = evidence.medianIntervalAfter, let thick = evidence.densityBefore,
            let thin = evidence.densityAfter
        else { return nil }
        pairs = [
            .init(name: "Records an hour", before: thick, after: thin) { Sentences.number($0) },
            .init(name: "Median interval", before: before, after: after) { Durations.text(seconds: $0) },
        ]
    }
}
