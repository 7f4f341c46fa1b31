extension SizeResult {
    /// The bars of docs/performance.md that this benchmark can judge.
    var bars: [Bar] { importBars + sizeBars + exportBars + queryBars + pageBars + exampleBars + [memoryBar] }

    private var importBars: [Bar] {
        let works: [(BenchmarkInput, String, Double)] = [
            (.base, "first import, XML", records > 2_000_000 ? 2.2 : 1.8),
            (.unchanged, "import of an unchanged later export", 1.3),
            (.churn, "import of a later export, 1 % changed", 1.4),
            (.renamed, "later export, a source with 40 % of the records renamed", 4),
            (.unit, "later export, one unit changed", 4),
            (.condensed, "later export, old workouts condensed", 1.8),
        ]
        let growth = Median.of(chain.map(\.late)) / Median.of(chain.map(\.early))
        return works.map { input, work, limit in
            Bar(work, most: limit, "SAX", measured: median(input, \.wallRatio))
        } + arrowBars + [
            Bar("50th import of a chain, by size of export", most: 1.2, "the 5th", measured: growth)
        ]
    }

    private var arrowBars: [Bar] {
        guard !arrow.isEmpty else { return [] }
        let time = Median.wall((imports[.base] ?? []).map(\.program))
        return [Bar("first import, XML", most: 1.5, "xml2arrow", measured: time / Median.wall(arrow))]
    }

    private var sizeBars: [Bar] {
        let base = Double(archiveBytes(.base))
        let limits: [(BenchmarkInput, String, Double)] = [
            (.unchanged, "archive after an unchanged later export", 0.01),
            (.renamed, "archive after the rename", 0.25), (.unit, "archive after the change of unit", 0.25),
        ]
        let share = base / Double(xmlBytes[.base] ?? 1)
        return [Bar("archive (with -wal) after the first import", most: 0.4, "the XML", measured: share)]
            + limits.map { input, work, limit in
                let growth = Double(archiveBytes(input)) / base - 1
                return Bar(work, Text.percent(limit), Text.percent(growth), isMet: growth <= limit)
            }
    }

    private var exportBars: [Bar] {
        ExportedForm.allCases.map { form in
            Bar(
                "export \(form.rawValue) of an observation", most: form == .xml ? 1.2 : 2,
                "SAX over its XML",
                measured: Median.of((exports[form] ?? []).map(\.wallRatio)))
        }
    }

    private var queryBars: [Bar] {
        let firstImport = Median.wall((imports[.base] ?? []).map(\.program))
        var bars = [
            // Half a second for 1 % of two million; with more records, as much more.
            Bar(
                "diff of two observations, 1 % changed",
                within: 0.5 * max(1, Double(records) / 2_000_000), Median.wall(diff)),
            Bar(
                "diff of two observations behind a rename and its reversal",
                within: 0.5 * max(1, Double(records) / 2_000_000), Median.wall(diffBehindRenames)),
            Bar(
                "diff of the first of three observations with the last", most: 2, "the import of the last",
                measured: Median.wall(distantDiff) / Median.wall(thirdImport)),
            Bar(
                "rebuild of the cache of three observations", most: 0.1, "the first import",
                measured: Median.wall(cacheRebuild) / firstImport),
            Bar("cache of three observations", most: 0.12, "the archive", measured: cacheShare),
            Bar("check", most: 1.5, "the first import", measured: Median.wall(check) / firstImport),
        ]
        // None is gone where no workout is old enough to be condensed.
        if disappeared > 0 {
            bars.append(
                Bar(
                    "consolidation of condensed workouts",
                    within: 3 * max(1, Double(disappeared) / 100_000), Median.wall(consolidation)))
        }
        return bars
    }

    private var pageBars: [Bar] {
        let start = Median.wall(start)
        let pages = [("first page of 1,000 records", firstPage), ("page of 1,000 records behind 90 %", farPage)]
        return [Bar("start of the program", within: 0.015, start)]
            + pages.map { work, times in
                Bar(work + ", beyond the program's start", within: 0.02, Median.wall(times) - start)
            }
    }

    private var exampleBars: [Bar] {
        examples.map { title, times in
            Bar("\"\(title)\"", within: max(1, Double(records) / 1_000_000), Median.wall(times))
        }
    }

    private var memoryBar: Bar {
        Bar(
            "peak memory of any command", "150 MB", Text.megabytes(peakBytes), isMet: peakBytes <= 150_000_000)
    }
}
