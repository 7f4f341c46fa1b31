package import Archive
internal import Presentation
package import TextFormats

/// The run log for people and for scripts.
package enum RunLogReport {
    /// One row of `archive log --json`.
    package static func line(_ entry: RunLog.Entry) -> JSON {
        [
            "id": .int(Int(entry.id)), "at": .string(ISO8601.string(unixSeconds: entry.loggedAt)),
            "event": .string(entry.event), "outcome": .string(entry.outcome),
            "observation": .optional(entry.importID.map { Int($0) }), "program": .string(entry.program),
            "details": .object(details(entry).map { ($0.0, .string($0.1)) }),
        ]
    }

    /// A table of the rows that `each` hands out.
    package static func table(
        _ layout: TextLayout, each: ((RunLog.Entry) throws -> Void) throws -> Void
    ) throws -> String {
        var table = TextTable([
            .right("Row"), .exact("At (\(layout.zoneName))"), .left("What"), .left("Outcome"),
            .right("Observation", leftOut: 2),
            .left("Details", leftOut: 1),
        ])
        try each { entry in
            table.addRow([
                "\(entry.id)", layout.time(Int64(entry.loggedAt)), entry.event, entry.outcome,
                entry.importID.map { "\($0)" } ?? "",
                details(entry).map { "\($0.0) \($0.1)" }.joined(separator: ", "),
            ])
        }
        return table.isEmpty ? "The log is empty.\n" : layout.render(table)
    }

    private static func details(_ entry: RunLog.Entry) -> [(String, String)] {
        let members = JSON.parse(entry.details)?.members ?? []
        return members.sorted { $0.0 < $1.0 }.compactMap { name, value in value.string.map { (name, $0) } }
    }
}
