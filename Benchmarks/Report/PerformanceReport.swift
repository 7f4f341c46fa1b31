internal import Foundation

/// The report as Markdown: the machine, and for each size the bars and the times behind them.
struct PerformanceReport {
    let date: Date
    let machine: Machine
    let results: [SizeResult]

    var meetsAllBars: Bool { results.allSatisfy { $0.bars.allSatisfy(\.isMet) } }

    var markdown: String {
        (header + results.flatMap { section($0) }).joined(separator: "\n") + "\n"
    }

    private var header: [String] {
        [
            "# Performance", "",
            "Written by `make bench` on \(date.formatted(.iso8601.year().month().day())); do not edit.", "",
        ]
            + machine.lines.map { "- \($0)" } + [
                "",
                "Ratios are wall times relative to a bare libxml2 SAX2 pass over the same file, the mean of one just before and one",
                "just after; the median of the rounds counts. Counts of every import are compared with the generator's. Pages and",
                "diffs are whole runs with `--json`, pages less the program's start.",
            ]
    }

    private func section(_ result: SizeResult) -> [String] {
        let rounds = result.imports[.base]?.count ?? 0
        let xml = Text.megabytes(result.xmlBytes[.base] ?? 0)
        return [
            "", "## \(Text.count(result.records)) records", "",
            "\(Text.count(result.items)) items in \(xml) of XML; \(rounds) round\(rounds == 1 ? "" : "s").", "",
            "| work | bar | measured | met |", "|---|---|---|---|",
        ]
            + result.bars.map { "| \($0.work) | \($0.bar) | \($0.measured) | \($0.isMet ? "yes" : "**no**") |" }
            + [
                "", "| process | wall | user + system | CPU ratio | peak memory | archive |",
                "|---|---|---|---|---|---|",
            ] + floorRows(result) + BenchmarkInput.allCases.map { importRow($0, result) } + queryRows(result)
    }

    private func floorRows(_ result: SizeResult) -> [String] {
        let sax = (result.imports[.base] ?? []).map(\.floor)
        let arrow = result.arrow.isEmpty ? [] : [row("xml2arrow, base.xml", result.arrow)]
        return [row("bare SAX pass, base.xml", sax), row("bare SQLite inserts, as many rows", result.sqliteFloor)]
            + arrow
    }

    private func importRow(_ input: BenchmarkInput, _ result: SizeResult) -> String {
        row(
            "import \(input.rawValue).xml", (result.imports[input] ?? []).map(\.program),
            ratio: Text.ratio(result.median(input, \.cpuRatio)), archive: Text.megabytes(result.archiveBytes(input)))
    }

    private func queryRows(_ result: SizeResult) -> [String] {
        ExportedForm.allCases.map { form in
            let rounds = result.exports[form] ?? []
            return row(
                "export \(form.rawValue) --at latest", rounds.map(\.program),
                ratio: Text.ratio(Median.of(rounds.map(\.cpuRatio))))
        } + [
            row("import behind renamed.xml with the old name again", result.renameBack),
            row("diff of the two behind these", result.diffBehindRenames),
            row("diff latest~1 latest --json", result.diff),
            row("consolidation latest~1 latest --json", result.consolidation), row("check --json", result.check),
            row("import of a third export", result.thirdImport), row("diff first latest --json", result.distantDiff),
            row("records, no archive", result.start),
            row("records --limit 1000, first page", result.firstPage),
            row("records --limit 1000, far page", result.farPage),
        ]
    }

    private func row(_ name: String, _ all: [Measurement], ratio: String = "", archive: String = "") -> String {
        let cpu = Text.seconds(Median.of(all.map(\.cpuSeconds)))
        let peak = Text.megabytes(all.map(\.peakBytes).max() ?? 0)
        return "| \(name) | \(Text.seconds(Median.wall(all))) | \(cpu) | \(ratio) | \(peak) | \(archive) |"
    }
}
