internal import HealthModel
package import Presentation
package import Questions

extension Survey {
    /// The survey for people: of workouts the types with points there, of days what shifted or could have; `--json` has all,
    /// with the histograms.
    package func document(chain: String) -> Document {
        // What may be handed on does not tell what somebody calls a chain.
        var document = Document(title: isExact ? "Exact survey of chain \(chain)" : "Survey")
        func list(_ devices: [AppleDevice]) -> String {
            devices.map { "\($0.family ?? "unknown") (system \($0.system.map(String.init) ?? "unknown"))" }
                .joined(separator: ", ")
        }
        document.facts([
            ("Exports", Counts.grouped(exports.count) + (exports.partial > 0 ? ", partial \(exports.partial)" : "")),
            ("Years", exports.years.map(String.init).joined(separator: ", ")),
            ("Export versions", exports.versions.joined(separator: ", ")), ("Phones", list(exports.phones)),
            ("Watches", list(exports.watches)),
        ])
        document.section("Condensing", condensingTable)
        document.section("Points in workouts by age in months", ageTable)
        document.section("Changes from one export to the next", changesTable)
        document.section("Days as first and as last seen", shiftTable)
        document.section("Defects", defectTable)
        if !isExact {
            document.paragraph(
                "Counts are lower bounds (1, 2, 5, 10, …), shares multiples of 0.05. Left out: "
                    + "\(Counts.of(leftOut.cells, "cell")) of fewer than five workouts or days, "
                    + "\(Counts.of(leftOut.types, "type")).", .apart)
        }
        return document
    }

    private var condensingTable: Table {
        var table = Table([
            .name("Type"), .right("Condenser"), .right("Phone's system"), .left("Watch"), .right("Workouts"),
            .right("Series"), .right("Again"), .right("Median age (weeks)"),
        ])
        let types = Set(condensing.filter { $0.series > 0 }.map(\.type))
        for cell in condensing where types.contains(cell.type) {
            table.addRow([
                shortIdentifier(cell.type), cell.condenserVersion.map(String.init) ?? "none",
                cell.phoneOS.map(String.init) ?? "-", cell.watch ?? "-", Counts.grouped(cell.workouts),
                Counts.grouped(cell.series), Wording.cell(cell.recondensed),
                cell.medianAge.map { Counts.grouped($0) } ?? "-",
            ])
        }
        return table
    }

    private var ageTable: Table {
        var table = Table([
            .name("Type"), .left("Months"), .right("Workouts"), .right("With series"), .right("Points visible"),
            .right("Points known"), .right("Share gone"),
        ])
        for cell in workoutAge where cell.pointsKnown > 0 {
            table.addRow([
                shortIdentifier(cell.type), cell.band.rawValue, Counts.grouped(cell.workouts),
                Counts.grouped(cell.withSeries), Counts.grouped(cell.pointsVisible), Counts.grouped(cell.pointsKnown),
                Wording.rounded(cell.shareGone),
            ])
        }
        return table
    }

    private var changesTable: Table {
        var table = Table([
            .name("Type"), .right("Appeared"), .right("No longer visible"), .right("Consolidated"),
            .right("Unexplained"), .right("Changed"),
        ])
        for type in changes {
            let changed = type.evidence.values.reduce(0, +)
            guard type.appeared + type.disappeared + changed > 0 else { continue }
            table.addRow(
                [shortIdentifier(type.type)]
                    + [type.appeared, type.disappeared, type.explained, type.unexplained, changed].map(Wording.cell))
        }
        return table
    }

    private var shiftTable: Table {
        var table = Table([
            .name("Type"), .left("Number"), .left("Group on the day"), .right("Days"), .right("Shifted"),
            .right("Median difference"),
        ])
        for cell in shifts where cell.isTouched || cell.shifted > 0 {
            table.addRow([
                shortIdentifier(cell.type), cell.measure, cell.isTouched ? "yes" : "no",
                Counts.grouped(cell.days), Wording.cell(cell.shifted),
                Wording.rounded(cell.quantiles.first { $0.name == "p50" }?.value),
            ])
        }
        return table
    }

    private var defectTable: Table {
        var table = Table([.left("Export version"), .left("Kind"), .left("Name"), .right("Count")])
        for defect in defects {
            table.addRow([
                defect.exportVersion ?? "-", defect.kind.rawValue, defect.name ?? "-", Counts.grouped(defect.count),
            ])
        }
        return table
    }
}

extension Survey.Condensing {
    /// The age of which half of the series are not above it.
    fileprivate var medianAge: Int64? {
        let total = ages.values.reduce(0, +)
        var passed: Int64 = 0
        return ages.sorted { $0.key < $1.key }.first { _, count in
            passed += count
            return passed * 2 >= total
        }?.key
    }
}
