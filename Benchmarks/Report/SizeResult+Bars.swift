extension SizeResult {
    /// The bars of section 9 that this benchmark can judge.
    var bars: [Bar] { importBars + sizeBars + exportBars + queryBars }

    private var importBars: [Bar] {
        let works: [(BenchmarkInput, String, Double)] = [
            (.base, "first import, XML", 2.5), (.unchanged, "import of an unchanged later export", 1.5),
            (.churn, "import of a later export, 1 % changed", 1.5),
            (.renamed, "later export, a source with 40 % of the records renamed", 6),
            (.unit, "later export, one unit changed", 6),
        ]
        return works.map { input, work, limit in
            let ratio = median(input, \.wallRatio)
            return Bar(work, "at most \(Text.ratio(limit)) a bare SAX pass", Text.ratio(ratio), isMet: ratio <= limit)
        }
    }

    private var sizeBars: [Bar] {
        let base = Double(archiveBytes(.base))
        let share = base / Double(xmlBytes[.base] ?? 1)
        let limits: [(BenchmarkInput, String, Double)] = [
            (.unchanged, "archive after an unchanged later export", 0.01),
            (.renamed, "archive after the rename", 0.25), (.unit, "archive after the change of unit", 0.25),
        ]
        let first = Bar(
            "archive (with -wal) after the first import", "at most \(Text.ratio(0.45)) the XML", Text.ratio(share),
            isMet: share <= 0.45)
        return [first]
            + limits.map { input, work, limit in
                let growth = Double(archiveBytes(input)) / base - 1
                return Bar(work, "at most \(Text.percent(limit))", Text.percent(growth), isMet: growth <= limit)
            }
    }

    private var exportBars: [Bar] {
        ExportedForm.allCases.map { form in
            let ratio = Median.of((exports[form] ?? []).map(\.wallRatio))
            return Bar(
                "export \(form.rawValue) of an observation", "at most \(Text.ratio(2)) a bare SAX pass over its XML",
                Text.ratio(ratio), isMet: ratio <= 2)
        }
    }

    private var queryBars: [Bar] {
        // Half a second for 1 % of two million; with more records, as much more.
        let limit = 0.5 * max(1, Double(records) / 2_000_000)
        let (diff, start) = (Median.wall(diff), Median.wall(start))
        let pages = [("first page of 1,000 records", firstPage), ("page of 1,000 records behind 90 %", farPage)]
        return [
            Bar(
                "diff of two observations, \(Text.count(changes)) changes", "under \(Text.seconds(limit))",
                Text.seconds(diff), isMet: diff < limit)
        ]
            + consolidationBars
            + pages.map { work, measurements in
                let time = Median.wall(measurements)
                return Bar(
                    work, "under 20 ms",
                    "\(Text.seconds(time - start)) (\(Text.seconds(time)) with the program's start)",
                    isMet: time - start < 0.02)
            } + [
                Bar(
                    "peak memory of any command", "at most 150 MB", Text.megabytes(peakBytes),
                    isMet: peakBytes <= 150_000_000)
            ]
    }

    /// Three seconds for 100,000 records that are gone; none where no workout is old enough to be condensed.
    private var consolidationBars: [Bar] {
        guard disappeared > 0 else { return [] }
        let limit = 3 * max(1, Double(disappeared) / 100_000)
        let time = Median.wall(consolidation)
        return [
            Bar(
                "consolidation of \(Text.count(disappeared)) records no longer visible", "under \(Text.seconds(limit))",
                Text.seconds(time), isMet: time < limit)
        ]
    }
}
