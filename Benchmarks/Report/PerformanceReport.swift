internal import Foundation

/// The report as Markdown: the machine, and two tables with a column for each size, the bars and the times behind them.
struct PerformanceReport {
    /// What a row of a table says of one size.
    private typealias Cell = (name: String, text: String)

    let date: Date
    let machine: Machine
    let results: [SizeResult]

    var meetsAllBars: Bool { results.allSatisfy { $0.bars.allSatisfy(\.isMet) } }

    var markdown: String {
        let bars = table("work (bar; bold: missed)") { $0.bars.map { ($0.work, $0.cell) } }
        let times = table("wall, CPU, peak memory, archive") { result in
            floors(result) + BenchmarkInput.allCases.map { imported($0, result) } + exports(result) + queries(result)
        }
        return (header + bars + times).joined(separator: "\n") + "\n"
    }

    private var header: [String] {
        [
            "# Performance", "",
            "Written by `make bench` on \(date.formatted(.iso8601.year().month().day())); do not edit.", "",
        ] + machine.lines.map { "- \($0)" } + results.map { "- \(size($0))" } + [
            "",
            "Ratios are wall times relative to a bare libxml2 SAX2 pass over the same file, the mean of one just before and one",
            "just after; the median of the rounds counts. Counts of every import are compared with the generator's. Pages and",
            "diffs are whole runs with `--json`, pages less the program's start.",
        ]
    }

    private func size(_ result: SizeResult) -> String {
        let rounds = result.imports[.base]?.count ?? 0
        return "\(Text.count(result.records)) records: \(Text.count(result.items)) items in "
            + "\(Text.megabytes(result.xmlBytes[.base] ?? 0)) of XML, \(Text.count(result.changes)) changes, "
            + "\(Text.count(result.disappeared)) condensed; \(rounds) round\(rounds == 1 ? "" : "s")"
    }

    /// A row for each name, in the order of the first size that has it, with a column for each size.
    private func table(_ title: String, _ cells: (SizeResult) -> [Cell]) -> [String] {
        let all = results.map(cells)
        var names: [String] = []
        for cell in all.joined() where !names.contains(cell.name) { names.append(cell.name) }
        let head = ["", "| \(title) | \(results.map { Text.count($0.records) }.joined(separator: " | ")) |"]
        let line = "|---|" + String(repeating: "---|", count: results.count)
        return head + [line]
            + names.map { name in
                let row = all.map { cells in cells.first { $0.name == name }?.text ?? "" }
                return "| \(name) | \(row.joined(separator: " | ")) |"
            }
    }

    private func floors(_ result: SizeResult) -> [Cell] {
        let sax = (result.imports[.base] ?? []).map(\.floor)
        let arrow = result.arrow.isEmpty ? [] : [times("xml2arrow, base.xml", result.arrow)]
        return [times("bare SAX pass, base.xml", sax), times("bare SQLite inserts, as many rows", result.sqliteFloor)]
            + arrow
    }

    private func imported(_ input: BenchmarkInput, _ result: SizeResult) -> Cell {
        times(
            "import \(input.rawValue).xml", (result.imports[input] ?? []).map(\.program),
            archive: Text.megabytes(result.archiveBytes(input)))
    }

    private func exports(_ result: SizeResult) -> [Cell] {
        ExportedForm.allCases.map { form in
            times("export \(form.rawValue) --at latest", (result.exports[form] ?? []).map(\.program))
        }
    }

    private func queries(_ result: SizeResult) -> [Cell] {
        [
            times("import behind renamed.xml with the old name again", result.renameBack),
            times("diff of the two behind these", result.diffBehindRenames),
            times("diff latest~1 latest --json", result.diff),
            times("consolidation latest~1 latest --json", result.consolidation), times("check --json", result.check),
            times("import of a third export", result.thirdImport),
            times("diff first latest --json", result.distantDiff),
            times("records, no archive", result.start),
            times("records --limit 1000, first page", result.firstPage),
            times("records --limit 1000, far page", result.farPage),
        ]
    }

    private func times(_ name: String, _ all: [Measurement], archive: String? = nil) -> Cell {
        let cpu = Text.seconds(Median.of(all.map(\.cpuSeconds)))
        let peak = Text.megabytes(all.map(\.peakBytes).max() ?? 0)
        return (
            name, ([Text.seconds(Median.wall(all)), cpu, peak] + (archive.map { [$0] } ?? [])).joined(separator: ", ")
        )
    }
}
